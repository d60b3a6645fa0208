/// What one list has to say about a page and a frame, whatever the load: the conditions that
/// match, and what is left of the entries that need no URL, or run on every one.
///
/// Filled by ``CompiledRuleList/update(_:topURL:frameURL:_:)`` once for a document; deciding the
/// document's loads then costs their URLs alone. Updating reuses the memory.
public struct PageState: Sendable {
  /// One bit for each condition, set when any of its entries matches.
  var conditions: [UInt64] = []
  /// The conditions whose bit is set.
  var matchedConditions: [UInt32] = []
  /// Entries that match every URL and whose conditions hold, without those that hide whatever the
  /// load.
  var universal: [PageEntry] = []
  /// Filters that run on every URL, and of which some entry's condition holds.
  var alwaysRun: [PageFilter] = []
  /// Their entries whose conditions hold, without those that hide whatever the load.
  var alwaysEntries: [PageEntry] = []

  /// Creates a state for no page.
  public init() {}

  /// Calls a function with a view of the conditions, valid during the call.
  @inline(__always)
  func withConditions(_ body: (ConditionView) -> Void) {
    unsafe conditions.withUnsafeBufferPointer { body(unsafe ConditionView(words: $0)) }
  }
}

/// The conditions of a page, one bit for each, borrowed without counting a reference.
@safe
struct ConditionView {
  private let words: UnsafeBufferPointer<UInt64>

  init(words: UnsafeBufferPointer<UInt64>) { unsafe self.words = words }

  /// Whether an entry class's condition reference holds.
  @inline(__always)
  func holds(_ reference: UInt32) -> Bool {
    if reference == 0 { return true }
    let number = (reference &- 1) &>> 1
    let word = Int(number &>> 6)
    precondition(unsafe word < words.count, "the page state belongs to another list")
    let isMatched = unsafe words[word] &>> UInt64(number & 63) & 1 != 0
    return isMatched != ((reference &- 1) & 1 != 0)
  }
}

/// An entry whose condition holds on the current page, if the flags fit.
struct PageEntry: Sendable {
  var entry: MatchedEntry
  var flags: UInt32
}

/// A filter that runs on every URL, with what the current page leaves of it.
struct PageFilter: Sendable {
  /// The filter's record in the image.
  var record: Int
  /// Its entries' places in ``PageState/alwaysEntries``.
  var entries: Range<Int>
  /// Whether entries hide whatever the load.
  var hides: Bool
}

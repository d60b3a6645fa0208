/// What one list says about a page and a frame, whatever the load: the conditions that match, and
/// the entries that need no URL or run on every one, reduced to those whose conditions hold.
///
/// Filled by ``CompiledRuleList/update(_:topURL:frameURL:_:)`` once per document; each load then
/// costs only a scan of its URL. Updating reuses the memory.
public struct PageState: Sendable {
  /// One bit per condition, set if any of its entries matches.
  var conditions: [UInt64] = []
  /// The conditions whose bit is set.
  var matchedConditions: [UInt32] = []
  /// Entries that match every URL and have a condition, which holds, without those that hide elements
  /// whatever the load.
  var universal: [PageEntry] = []
  /// Filters that always run and have an entry whose condition holds.
  var alwaysRun: [PageFilter] = []
  /// The entries of ``alwaysRun`` whose conditions hold, without those that hide elements whatever
  /// the load.
  var alwaysEntries: [PageEntry] = []
  /// The entries of crowded filters whose conditions match, by filter.
  var crowds: [PageCrowdEntry] = []

  /// Creates a state for no page.
  public init() {}

  /// Calls `body` with a view of the conditions, valid during the call.
  @inline(__always)
  func withConditions(_ body: (ConditionView) -> Void) {
    unsafe conditions.withUnsafeBufferPointer { body(unsafe ConditionView(words: $0)) }
  }

  /// Calls `body` with a view of the entries of crowded filters, valid during the call.
  @inline(__always)
  func withCrowds(_ body: (PageCrowdView) -> Void) {
    unsafe crowds.withUnsafeBufferPointer { body(unsafe PageCrowdView(entries: $0)) }
  }
}

/// The conditions of a page, one bit each, borrowed without reference counting.
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

/// The entries of crowded filters that a page leaves, borrowed without reference counting.
@safe
struct PageCrowdView {
  private let entries: UnsafeBufferPointer<PageCrowdEntry>

  init(entries: UnsafeBufferPointer<PageCrowdEntry>) { unsafe self.entries = entries }

  /// Calls a function with each entry of a filter until it returns false.
  ///
  /// - Complexity: O(*m* + log *n*) for *m* entries of the filter and *n* of all crowded ones.
  func each(ofFilter number: Int, _ body: (PageEntry) -> Bool) {
    var (low, high) = (0, unsafe entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if unsafe entries[middle].filter < number { low = middle + 1 } else { high = middle }
    }
    while unsafe low < entries.count, unsafe entries[low].filter == number,
      unsafe body(entries[low].entry)
    { low += 1 }
  }
}

/// An entry whose condition holds on the current page; its flags are yet to be tested.
struct PageEntry: Sendable {
  var entry: MatchedEntry
  var flags: UInt32
}

extension PageEntry {
  /// Creates an entry that matches every URL.
  init(_ entryClass: EntryClass, universal rule: UInt32) {
    entry = MatchedEntry(
      slot: entryClass.slot,
      rule: rule,
      kind: entryClass.kind,
      isPlainUniversal: entryClass.flags == 0 && entryClass.condition == 0
    )
    flags = entryClass.flags
  }

  /// Creates an entry of a filter that always runs.
  init(_ entryClass: EntryClass, rule: UInt32) {
    entry = MatchedEntry(
      slot: entryClass.slot,
      rule: rule,
      kind: entryClass.kind,
      isPlainUniversal: false
    )
    flags = entryClass.flags
  }
}

/// A filter that always runs, reduced to the entries that apply on the current page.
struct PageFilter: Sendable {
  /// The filter's record in the image.
  var record: Int
  /// The range of its entries in ``PageState/alwaysEntries``.
  var entries: Range<Int>
  /// Whether it has entries that hide elements whatever the load.
  var hides: Bool
}

/// An entry of a crowded filter whose condition matches the current page.
struct PageCrowdEntry: Sendable {
  /// The number of the filter in ``CrowdedFilters/filters``.
  var filter: UInt32
  var entry: PageEntry
}

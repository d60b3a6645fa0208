/// What one list has to say about a page and a frame, whatever the load: the conditions that
/// match, and the entries that need no URL.
///
/// Filled by ``CompiledRuleList/update(_:topURL:frameURL:_:)`` once for a document; deciding the
/// document's loads then costs their URLs alone. Updating reuses the memory.
public struct PageState: Sendable {
  /// One bit for each condition, set when any of its entries matches.
  var conditions: [UInt64] = []
  /// The conditions whose bit is set.
  var matchedConditions: [UInt32] = []
  /// Flagless hiding entries, in no particular order.
  var hiding: [MatchedEntry] = []
  /// All other active entries with their flags.
  var others: [UniversalEntry] = []

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

/// The entry classes of a list, read in place.
struct EntryClasses: Sendable {
  let image: Image
  let start: Int

  @inline(__always)
  subscript(_ number: UInt32) -> EntryClass {
    let offset = start &+ Int(number) &* EntryClass.size
    return EntryClass(
      slot: image.u32(offset),
      flagsAndKind: image.u32(offset &+ 4),
      condition: image.u32(offset &+ 8)
    )
  }
}

/// An entry that matches every URL on the current page, if the flags fit.
struct UniversalEntry: Sendable {
  var entry: MatchedEntry
  var flags: UInt32
}

/// A rule whose trigger matches a load, with the slot that its action is in.
@frozen
public struct MatchedEntry: Hashable, Sendable {
  /// The action slot.
  public var slot: UInt32
  /// The rule's place in the JSON array, from 0.
  public var rule: UInt32
  /// What the slot does.
  public var kind: ActionKind
  /// Whether the rule matches every URL without a flag or a condition.
  public var isPlainUniversal: Bool
}

/// Notes the conditions that match.
private struct ConditionSink: PostingSink {
  var conditions: [UInt64]
  var matched: [UInt32]

  func wants(_ posting: Posting) -> Bool {
    conditions[Int(posting.number &>> 6)] &>> UInt64(posting.number & 63) & 1 == 0
  }

  mutating func take(_ posting: Posting) {
    conditions[Int(posting.number &>> 6)] |= 1 &<< UInt64(posting.number & 63)
    matched.append(posting.number)
  }
}

extension CompiledRuleList {
  /// Finds out what the list says about a page and a frame.
  ///
  /// - Parameters:
  ///   - page: The state to fill, used before for any page and list or for none.
  ///   - topURL: The serialised URL of the main frame's document, in ASCII.
  ///   - frameURL: The serialised URL of the document in the frame that starts the load.
  ///   - scratch: Working memory; its URL is overwritten.
  /// - Complexity: O(*n* + *u*) for *n* bytes of URL and *u* universal entries that have no
  ///   condition, a negated one, or one that matches.
  public func update(
    _ page: inout PageState,
    topURL: Span<UInt8>,
    frameURL: Span<UInt8>,
    _ scratch: inout MatchScratch
  ) {
    scratch.prepare(for: self)
    var sink = ConditionSink(conditions: page.conditions, matched: page.matchedConditions)
    page.conditions = []
    page.matchedConditions = []
    sink.matched.removeAll(keepingCapacity: true)
    let words = Int(info.conditionCount + 63) / 64
    if sink.conditions.count != words {
      sink.conditions = Array(repeating: 0, count: words)
    } else {
      for word in sink.conditions.indices { sink.conditions[word] = 0 }
    }
    if !isEmpty(topURLIndex) {
      scratch.text.assign(topURL)
      scanner(topURLIndex).scan(scratch.text, &scratch.memory, &sink)
    }
    if !isEmpty(frameURLIndex) {
      scratch.text.assign(frameURL)
      scanner(frameURLIndex).scan(scratch.text, &scratch.memory, &sink)
    }
    page.conditions = sink.conditions
    page.matchedConditions = sink.matched
    collectUniversal(&page)
  }

  private func isEmpty(_ index: FilterIndexView) -> Bool {
    index.keySlots == 0 && index.gramStride == 0 && image.u8(index.alwaysRun) == 0
  }

  func scanner(_ index: FilterIndexView) -> IndexScanner {
    IndexScanner(image: image, index: index, runner: runner)
  }

  private func collectUniversal(_ page: inout PageState) {
    page.hiding.removeAll(keepingCapacity: true)
    page.others.removeAll(keepingCapacity: true)
    let table = sections.start(.universal)
    let always = Int(image.u32(table))
    let offsets = table + UniversalTable.headerSize
    let entries = offsets + 4 * (Int(info.conditionCount) + 1)
    var hiding: [MatchedEntry] = []
    var others: [UniversalEntry] = []
    swap(&hiding, &page.hiding)
    swap(&others, &page.others)
    page.withConditions { conditions in
      func add(_ number: Int) {
        let offset = entries + UniversalTable.entrySize * number
        let entryClass = classes[image.u32(offset)]
        guard conditions.holds(entryClass.condition) else { return }
        let flags = entryClass.flags
        let entry = MatchedEntry(
          slot: entryClass.slot,
          rule: image.u32(offset + 4),
          kind: entryClass.kind,
          isPlainUniversal: flags == 0 && entryClass.condition == 0
        )
        if flags == 0, entry.kind == .cssDisplayNone {
          hiding.append(entry)
        } else {
          others.append(UniversalEntry(entry: entry, flags: flags))
        }
      }
      for number in 0..<always { add(number) }
      for condition in page.matchedConditions {
        let first = Int(image.u32(offsets + 4 * Int(condition)))
        let end = Int(image.u32(offsets + 4 * Int(condition) + 4))
        for number in first..<end { add(number) }
      }
    }
    swap(&hiding, &page.hiding)
    swap(&others, &page.others)
  }
}

extension EntryClass {
  init(slot: UInt32, flagsAndKind: UInt32, condition: UInt32) {
    self.slot = slot
    self.flagsAndKind = flagsAndKind
    self.condition = condition
  }

  /// The trigger's flags, packed.
  public var flags: UInt32 { flagsAndKind & Self.flagsMask }

  /// The slot's kind; an unknown one, which the validator refuses, reads as `notify`.
  public var kind: ActionKind {
    ActionKind(rawValue: UInt8(truncatingIfNeeded: flagsAndKind &>> 24)) ?? .notify
  }
}

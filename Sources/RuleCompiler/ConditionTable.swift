internal import ContentRules

/// Numbers the distinct conditions and adds their entries to the indexes over the top URL and the
/// frame URL.
///
/// A condition and its negation share a number, since both ask whether any entry matches.
///
/// > Source: the rule language, section 6.4.
struct ConditionTable {
  /// A condition with the first rule that has it.
  struct Numbered {
    var condition: Condition
    var rule: Int
  }

  private(set) var topURLIndex = IndexBuilder(postingsHaveRules: false)
  private(set) var frameURLIndex = IndexBuilder(postingsHaveRules: false)
  private(set) var conditions: [Numbered] = []
  /// The number that was returned last.
  private var last: Int?
  /// The conditions, each as a byte string.
  private var names = ByteStringTable()
  /// The entries that are in the indexes, by the conditions' subject and by case sensitivity.
  ///
  /// A pattern of `if-top-url` that is that of a domain is filed apart, with the same outcome.
  private var entries = [EntryTable](repeating: EntryTable(), count: 6)

  /// Distinct entries, each with the number of its filter.
  private struct EntryTable {
    var names = ByteStringTable()
    var filters: [Int] = []
  }

  /// The number of distinct conditions.
  var count: Int { conditions.count }

  /// How many entries all conditions have together.
  var entryCount: Int { conditions.reduce(0) { $0 + $1.condition.entries.count } }

  /// Returns the number of a condition, adding it if it is new; negation does not count.
  ///
  /// `rule` is a rule that has it, for messages.
  mutating func number(of condition: Condition, rule: Int) -> Int {
    // Most rules have the condition of the rule before, if they have one.
    if let last, conditions[last].condition.asks(condition) { return last }
    names.draft.removeAll(keepingCapacity: true)
    names.draft.append(condition.subject.rawValue << 1 | (condition.isCaseSensitive ? 1 : 0))
    for entry in condition.entries {
      names.draft.appendVarint(UInt32(truncatingIfNeeded: entry.utf8.count))
      names.draft.append(entry.utf8Span.span)
    }
    let (number, isNew) = names.numberOfDraft()
    if isNew { conditions.append(Numbered(condition: condition, rule: rule)) }
    last = number
    return number
  }

  /// Adds the conditions of another table, in their order, as if they had been added here.
  ///
  /// - Parameters:
  ///   - other: The other table, without entries in its indexes.
  ///   - rule: What is added to the numbers of its rules.
  /// - Returns: For each of its conditions the number here.
  mutating func append(_ other: ConditionTable, from rule: Int) -> [Int] {
    other.conditions.indices.map { place in
      let (number, isNew) = names.number(ofString: place, in: other.names)
      if isNew {
        var added = other.conditions[place]
        added.rule += rule
        conditions.append(added)
      }
      return number
    }
  }

  /// Adds the entries of all conditions to the indexes.
  ///
  /// - Throws: ``TooManyInstructions`` with the first rule whose entry exceeds a limit.
  mutating func fileEntries(
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(TooManyInstructions) {
    names = ByteStringTable()
    for (number, numbered) in conditions.enumerated() {
      for entry in numbered.condition.entries {
        do throws(ProgramWriter.TooManyInstructions) {
          let filter = try filter(of: entry, numbered.condition, &lowering, &writer)
          withIndex(of: numbered.condition.subject) {
            $0.addPosting(UInt32(number), rule: UInt32(numbered.rule), to: filter)
          }
        } catch {
          throw TooManyInstructions(excess: error, rule: numbered.rule)
        }
      }
    }
  }

  struct TooManyInstructions: Error {
    var excess: ProgramWriter.TooManyInstructions
    var rule: Int
  }

  /// Returns the filter of a condition's entry, adding it if it is new.
  private mutating func filter(
    of entry: String,
    _ condition: Condition,
    _ lowering: inout FilterLowering,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    let (subject, isCaseSensitive) = (condition.subject, condition.isCaseSensitive)
    let table = Int(subject.rawValue) * 2 + (isCaseSensitive ? 1 : 0)
    let bytes = entry.utf8Span.span
    let (name, isNew) = entries[table].names.number(of: bytes)
    guard isNew else { return entries[table].filters[name] }
    let added = try withIndex(of: subject) { index throws(ProgramWriter.TooManyInstructions) in
      if subject == .domain {
        try index.addDomain(
          bytes,
          isCaseSensitive: isCaseSensitive,
          lowering: &lowering,
          writer: &writer
        )
      } else {
        try index.addFilter(
          bytes,
          isCaseSensitive: isCaseSensitive,
          addsUniversal: true,
          lowering: &lowering,
          writer: &writer
        )
      }
    }
    guard case .filter(let filter) = added else {
      preconditionFailure("a condition was not checked: one of its entries is refused")
    }
    entries[table].filters.append(filter)
    return filter
  }

  /// Calls `body` with the index that entries of a kind are in.
  private mutating func withIndex<Result, Failure: Error>(
    of subject: Condition.Subject,
    _ body: (inout IndexBuilder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch subject {
    case .domain, .topURL: try body(&topURLIndex)
    case .frameURL: try body(&frameURLIndex)
    }
  }
}

extension Condition {
  /// Whether another condition asks the same, or its opposite.
  ///
  /// Compares bytes: equal strings may be composed differently.
  fileprivate func asks(_ other: Condition) -> Bool {
    subject == other.subject && isCaseSensitive == other.isCaseSensitive
      && entries.count == other.entries.count
      && zip(entries, other.entries).allSatisfy { entry, other in
        let (bytes, others) = (entry.utf8Span.span, other.utf8Span.span)
        return bytes.isEqual(0, bytes.count, others)
      }
  }
}

internal import ContentRules

/// Numbers the distinct conditions and adds their entries to the indexes over the top URL and the
/// frame URL.
///
/// A condition and its negation share a number, since both ask whether any entry matches. Entries are numbered
/// as their conditions come, so that a condition is a few numbers, and the strings of the list need not be kept.
///
/// > Source: the rule language, section 6.4.
struct ConditionTable {
  private(set) var topURLIndex = IndexBuilder(postingsHaveRules: false)
  private(set) var frameURLIndex = IndexBuilder(postingsHaveRules: false)
  /// The conditions, each as the number of its entries' table and the numbers of its entries there, of four bytes.
  private var names = ByteStringTable()
  /// The first rule that has each condition, for messages.
  private var rules: [Int] = []
  /// The distinct entries, by the conditions' subject and by case sensitivity.
  ///
  /// A pattern of `if-top-url` that is that of a domain is filed apart, with the same outcome.
  private var entries = [ByteStringTable](repeating: ByteStringTable(), count: 6)
  /// How many entries all conditions have together.
  private(set) var entryCount = 0
  private var recent = RecentConditions()
  /// Reused memory: the numbers of the condition at hand, as in ``names``.
  private var draft: [UInt32] = []

  /// The number of distinct conditions.
  var count: Int { rules.count }

  /// Returns the number of a condition, adding it if it is new; negation does not count.
  ///
  /// `rule` is a rule that has it, for messages.
  mutating func number(of condition: Condition, rule: Int) -> Int {
    let slot = recent.slot(of: condition)
    if let number = recent.number(of: condition, in: slot) { return number }
    let table = Self.table(of: condition)
    draft.append(UInt32(table))
    for entry in condition.entries {
      draft.append(UInt32(entries[table].number(of: entry.utf8Span.span).number))
    }
    let number = numberOfDraft(rule: rule)
    recent.insert(condition, number, in: slot)
    return number
  }

  /// Adds the conditions of another table, in their order, as if they had been added here.
  ///
  /// - Parameters:
  ///   - other: The other table, without entries in its indexes.
  ///   - rule: What is added to the numbers of its rules.
  /// - Returns: For each of its conditions the number here.
  mutating func append(_ other: ConditionTable, from rule: Int) -> [Int] {
    let numbers = entries.indices.map { table in
      (0..<other.entries[table].count).map {
        UInt32(entries[table].number(ofString: $0, in: other.entries[table]).number)
      }
    }
    return other.rules.indices.map { place in
      let table = other.table(of: place)
      draft.append(UInt32(table))
      for entry in other.entryRange(of: place) { draft.append(numbers[table][other.word(entry)]) }
      return numberOfDraft(rule: other.rules[place] + rule)
    }
  }

  /// Returns the number of the condition in the draft, adding it if it is new.
  private mutating func numberOfDraft(rule: Int) -> Int {
    names.draft.removeAll(keepingCapacity: true)
    names.draft.appendLittleEndian(contentsOf: draft)
    draft.removeAll(keepingCapacity: true)
    let (number, isNew) = names.numberOfDraft()
    if isNew {
      rules.append(rule)
      entryCount += entryRange(of: number).count
    }
    return number
  }

  /// Adds the entries of all conditions to the indexes; add no conditions after that.
  ///
  /// - Throws: ``TooManyInstructions`` with the first rule whose entry exceeds a limit.
  mutating func fileEntries(
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(TooManyInstructions) {
    // Taken out, so that they can be read while the indexes change.
    let tables = entries
    (entries, recent) = ([], RecentConditions())
    /// The filter of each entry that is in an index, those of one table behind those of the one before.
    var filters = [Int32](repeating: -1, count: tables.reduce(0) { $0 + $1.count })
    for (condition, rule) in rules.enumerated() {
      let table = table(of: condition)
      let first = tables[..<table].reduce(0) { $0 + $1.count }
      for place in entryRange(of: condition) {
        let entry = word(place)
        var filter = filters[first + entry]
        if filter < 0 {
          do throws(ProgramWriter.TooManyInstructions) {
            filter = Int32(
              truncatingIfNeeded: try add(entry, of: tables, table, &lowering, &writer)
            )
          } catch {
            throw TooManyInstructions(excess: error, rule: rule)
          }
          filters[first + entry] = filter
        }
        withIndex(of: table) {
          $0.addPosting(UInt32(condition), rule: UInt32(rule), to: Int(filter))
        }
      }
    }
    names = ByteStringTable()
  }

  struct TooManyInstructions: Error {
    var excess: ProgramWriter.TooManyInstructions
    var rule: Int
  }

  /// Adds an entry of a table to the index of its subject; returns the number of its filter.
  private mutating func add(
    _ entry: Int,
    of tables: [ByteStringTable],
    _ table: Int,
    _ lowering: inout FilterLowering,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    let bytes = tables[table].bytes
    let range = tables[table].range(entry)
    let added: IndexBuilder.Added = try withIndex(of: table) {
      index throws(ProgramWriter.TooManyInstructions) in
      let entry = bytes.span.extracting(range)
      guard Self.subject(of: table) == .domain else {
        return try index.addFilter(
          entry,
          isCaseSensitive: Self.isCaseSensitive(table),
          addsUniversal: true,
          lowering: &lowering,
          writer: &writer
        )
      }
      return try index.addDomain(
        entry,
        isCaseSensitive: Self.isCaseSensitive(table),
        lowering: &lowering,
        writer: &writer
      )
    }
    guard case .filter(let filter) = added else {
      preconditionFailure("a condition was not checked: one of its entries is refused")
    }
    return filter
  }

  /// Calls `body` with the index that entries of a table are in.
  private mutating func withIndex<Result, Failure: Error>(
    of table: Int,
    _ body: (inout IndexBuilder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch Self.subject(of: table) {
    case .domain, .topURL: try body(&topURLIndex)
    case .frameURL: try body(&frameURLIndex)
    }
  }
}

// MARK: What a condition consists of

extension ConditionTable {
  /// The place in ``entries`` of the table of a condition's entries.
  private static func table(of condition: Condition) -> Int {
    Int(condition.subject.rawValue) * 2 + (condition.isCaseSensitive ? 1 : 0)
  }

  private static func subject(of table: Int) -> Condition.Subject {
    Condition.Subject(rawValue: UInt8(table / 2)) ?? .domain
  }

  private static func isCaseSensitive(_ table: Int) -> Bool { table % 2 == 1 }

  private func table(of condition: Int) -> Int { word(names.range(condition).lowerBound / 4) }

  /// Where the numbers of a condition's entries are, for ``word(_:)``.
  private func entryRange(of condition: Int) -> Range<Int> {
    let range = names.range(condition)
    return range.lowerBound / 4 + 1..<range.upperBound / 4
  }

  /// One of the numbers that the conditions consist of.
  private func word(_ place: Int) -> Int {
    let bytes = unsafe names.bytes.span.bytes
    let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place * 4, as: UInt32.self)
    return Int(UInt32(littleEndian: word))
  }
}

/// The numbers of some conditions that came last, found without a look at their entries.
///
/// What the reader knows by its text has the same array of entries each time.
private struct RecentConditions {
  private struct Recent {
    var condition: Condition
    var number: Int
  }

  private var slots = [Recent?](repeating: nil, count: 1_024)

  /// Where a condition is, if it is here.
  func slot(of condition: Condition) -> Int {
    guard let last = condition.entries.last else { return 0 }
    return Int(truncatingIfNeeded: SeededHash.of(last.utf8Span.span)) & (slots.count - 1)
  }

  /// Returns the number of a condition with the same array of entries.
  func number(of condition: Condition, in slot: Int) -> Int? {
    guard let recent = slots[slot], recent.condition.subject == condition.subject,
      recent.condition.isCaseSensitive == condition.isCaseSensitive,
      recent.condition.entries.span.isIdentical(to: condition.entries.span)
    else { return nil }
    return recent.number
  }

  mutating func insert(_ condition: Condition, _ number: Int, in slot: Int) {
    slots[slot] = Recent(condition: condition, number: number)
  }
}

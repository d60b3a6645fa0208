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
  /// The conditions, each as a byte string.
  private var names = ByteStringTable()
  /// The patterns of the top-URL index and the frame-URL index, each by case sensitivity.
  private var patterns = [PatternTable](repeating: PatternTable(), count: 4)

  private struct PatternTable {
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
    names.draft.removeAll(keepingCapacity: true)
    names.draft.append(condition.subject.rawValue << 1 | (condition.isCaseSensitive ? 1 : 0))
    for entry in condition.entries {
      names.draft.appendVarint(UInt32(truncatingIfNeeded: entry.utf8.count))
      names.draft.append(contentsOf: entry.utf8)
    }
    let (number, isNew) = names.numberOfDraft()
    if isNew { conditions.append(Numbered(condition: condition, rule: rule)) }
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
    var pattern: [UInt8] = []
    for (number, numbered) in conditions.enumerated() {
      let condition = numbered.condition
      for entry in condition.entries {
        pattern.removeAll(keepingCapacity: true)
        if condition.subject == .domain {
          DomainPattern.append(entry.utf8Span.span, to: &pattern)
        } else {
          pattern.append(contentsOf: entry.utf8)
        }
        do throws(ProgramWriter.TooManyInstructions) {
          try file(pattern, condition, number, rule: numbered.rule, &lowering, &writer)
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

  private mutating func file(
    _ pattern: [UInt8],
    _ condition: Condition,
    _ number: Int,
    rule: Int,
    _ lowering: inout FilterLowering,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) {
    let isFrame = condition.subject == .frameURL
    let table = (isFrame ? 2 : 0) + (condition.isCaseSensitive ? 1 : 0)
    let (name, isNew) = patterns[table].names.number(of: pattern.span)
    if isNew {
      let added =
        try isFrame
        ? frameURLIndex.addFilter(
          pattern.span,
          isCaseSensitive: condition.isCaseSensitive,
          addsUniversal: true,
          lowering: &lowering,
          writer: &writer
        )
        : topURLIndex.addFilter(
          pattern.span,
          isCaseSensitive: condition.isCaseSensitive,
          addsUniversal: true,
          lowering: &lowering,
          writer: &writer
        )
      guard case .filter(let filter) = added else {
        preconditionFailure("a condition was not checked: one of its entries is refused")
      }
      patterns[table].filters.append(filter)
    }
    let filter = patterns[table].filters[name]
    if isFrame {
      frameURLIndex.addPosting(UInt32(number), rule: UInt32(rule), to: filter)
    } else {
      topURLIndex.addPosting(UInt32(number), rule: UInt32(rule), to: filter)
    }
  }
}

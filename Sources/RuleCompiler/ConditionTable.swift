internal import ContentRules

/// Numbers the distinct conditions and files their entries in the indexes over the top URL and the
/// frame URL.
///
/// A condition and its negation share a number: the number says whether any entry matches.
///
/// > Source: the rule language, section 6.4.
struct ConditionTable {
  /// A condition with the first rule that has it.
  private struct Numbered {
    var condition: Condition
    var rule: Int
  }

  private(set) var topURLIndex = IndexBuilder(postingsHaveRules: false)
  private(set) var frameURLIndex = IndexBuilder(postingsHaveRules: false)
  private var conditions: [Numbered] = []
  /// The conditions as bytes.
  private var names = ByteStringTable()
  /// The patterns of each index, by whether they are case-sensitive; their numbers are counted by
  /// table, and `filters` has what they are in the index.
  private var patterns = [PatternTable](repeating: PatternTable(), count: 4)

  private struct PatternTable {
    var names = ByteStringTable()
    var filters: [Int] = []
  }

  /// How many numbers were given out.
  var count: Int { conditions.count }

  /// The number of a condition, whether it is negated or not; `rule` is one that has it.
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

  /// Files the entries of all conditions.
  ///
  /// - Throws: What an entry needs, when the limit does not suffice, with the rule that has it.
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

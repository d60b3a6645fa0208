internal import ContentRules

/// Numbers the distinct conditions and files their entries in the indexes over the top URL and the
/// frame URL.
///
/// A condition and its negation share a number: the number says whether any entry matches.
///
/// > Source: the rule language, section 6.4.
struct ConditionTable {
  private struct EntryName: Hashable {
    var pattern: [UInt8]
    var isCaseSensitive: Bool
  }

  private(set) var topURLIndex = IndexBuilder(postingsHaveRules: false)
  private(set) var frameURLIndex = IndexBuilder(postingsHaveRules: false)
  /// How many numbers were given out.
  private(set) var count = 0
  private var numbers: [Condition: Int] = [:]
  private var topURLFilters: [EntryName: Int] = [:]
  private var frameURLFilters: [EntryName: Int] = [:]

  /// The number of a condition, whether it is negated or not; `rule` is one that has it.
  mutating func number(
    of condition: Condition,
    rule: UInt32,
    lowering: FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    var name = condition
    name.isNegated = false
    if let number = numbers[name] { return number }
    let number = count
    numbers[name] = number
    count += 1
    for entry in condition.entries {
      let pattern =
        condition.subject == .domain
        ? DomainPattern.pattern(forDomain: entry) : Array(entry.utf8)
      let filter = try filter(
        EntryName(pattern: pattern, isCaseSensitive: condition.isCaseSensitive),
        condition.subject,
        lowering,
        &writer
      )
      if condition.subject == .frameURL {
        frameURLIndex.addPosting(UInt32(number), rule: rule, to: filter)
      } else {
        topURLIndex.addPosting(UInt32(number), rule: rule, to: filter)
      }
    }
    return number
  }

  private mutating func filter(
    _ name: EntryName,
    _ subject: Condition.Subject,
    _ lowering: FilterLowering,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    if let filter = subject == .frameURL ? frameURLFilters[name] : topURLFilters[name] {
      return filter
    }
    guard
      case .success(let parsed) = URLFilterParser.parse(
        name.pattern.span,
        isCaseSensitive: name.isCaseSensitive
      )
    else { preconditionFailure("a condition was not checked: one of its entries is refused") }
    let filter: Int
    if subject == .frameURL {
      filter = try frameURLIndex.addFilter(
        parsed,
        isCaseSensitive: name.isCaseSensitive,
        lowering: lowering,
        writer: &writer
      )
      frameURLFilters[name] = filter
    } else {
      filter = try topURLIndex.addFilter(
        parsed,
        isCaseSensitive: name.isCaseSensitive,
        lowering: lowering,
        writer: &writer
      )
      topURLFilters[name] = filter
    }
    return filter
  }
}

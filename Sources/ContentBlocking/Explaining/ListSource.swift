public import ContentRules
internal import ResourceLoads

/// A list's rules with their places, read again from the source in a compiled list.
public struct ListSource: Sendable {
  /// The list's JSON text.
  public let text: [UInt8]
  /// The number of elements of the JSON array.
  public let ruleCount: Int
  /// The rules skipped because of their selectors, ascending.
  public let skippedRules: [Int]
  /// The rules in order, without skipped ones.
  private let rules: [Rule]
  private let lines: TextLines
  /// The first `ignore-previous-rules` or `ignore-following-rules`, behind which no rule belongs to
  /// the global sheet; `Int.max` if there is none.
  public let firstIgnoreRule: Int

  /// Reads the rules of a list's text.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  public init(_ text: [UInt8]) {
    self.text = text
    var options = ContentRuleList.readingOptions()
    options.findsTraps = false
    let report = RuleListReader.read(text, options: options)
    ruleCount = report.ruleCount
    skippedRules = report.skippedRules
    rules = report.ruleList?.rules ?? []
    firstIgnoreRule =
      rules.first { $0.action == .ignorePreviousRules || $0.action == .ignoreFollowingRules }?.index
      ?? .max
    lines = TextLines(text.span)
  }

  /// Returns the rule at a position of the JSON array; `nil` if it was skipped or does not exist.
  ///
  /// - Complexity: O(log *n*) for *n* rules.
  public func rule(at index: Int) -> Rule? {
    let place = Self.count(of: rules.indices) { rules[$0].index < index }
    return place < rules.count && rules[place].index == index ? rules[place] : nil
  }

  /// Returns the line and column of a rule's first character, both from 1; columns count bytes.
  public func position(of rule: Rule) -> (line: Int, column: Int) {
    lines.position(of: rule.sourceRange.lowerBound)
  }

  /// Returns the length of the range's prefix that fulfils a condition, by binary search.
  private static func count(of range: Range<Int>, _ holds: (Int) -> Bool) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether lines can identify rules: there are at least as many lines as rules.
  public var hasLines: Bool { lines.count >= ruleCount }

  /// Returns the rule's JSON text, white space included.
  public func text(of rule: Rule) -> String {
    String(decoding: text[rule.sourceRange], as: UTF8.self)
  }

  /// Whether a rule is part of the list's global sheet, and so never in a load's result.
  ///
  /// > Source: the rule language, section 7.4.
  public func isGlobal(_ rule: Rule) -> Bool {
    guard case .cssDisplayNone = rule.action, rule.index < firstIgnoreRule,
      rule.trigger.condition == nil, rule.trigger.flags.isEmpty
    else { return false }
    let filter = rule.trigger.urlFilter
    return
      (try? URLFilterParser.parse(filter.text, isCaseSensitive: filter.isCaseSensitive).get())?
      .matchesEverything ?? false
  }

  /// The rules of the global sheet, in the list's order.
  public var globalRules: [Rule] {
    rules.filter { isGlobal($0) }
  }
}

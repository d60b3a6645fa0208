internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListTesting

/// A rule that no expectation exercises.
struct CoverageGap {
  var path: String
  var rule: Rule
  var place: (line: Int, column: Int)
  var state: RuleCoverage.State
  /// Where its filter stands, in brackets; empty if that is unknown.
  var origin: String

  /// Why it is not exercised, in a few words.
  var reason: String {
    if state == .idle { return "matched without effect" }
    if case .cssDisplayNone = rule.action { return "no expectation about its selector" }
    return "no load matched it"
  }

  /// The rule with its place on one line.
  var line: String {
    var text = "\(Shown.line(path)):\(place.line):\(place.column): rule \(rule.index)\(origin) "
    text += "\(rule.action.word) \(Shown.line(rule.trigger.urlFilter.text)): \(reason)"
    return text
  }

  /// Returns the rules of a list that are not exercised, in its order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rules.
  static func all(of list: ListTestReport.ListCoverage) -> [CoverageGap] {
    list.coverage.states.enumerated().compactMap { index, state in
      guard state == .idle || state == .untouched, let rule = list.source.rule(at: index) else {
        return nil
      }
      return CoverageGap(
        path: list.path,
        rule: rule,
        place: list.source.position(of: rule),
        state: state,
        origin: list.origins.suffix(list: list.list, rule: index)
      )
    }
  }
}

/// What the tests exercise of the filters that a list was converted from.
struct SourceLineCoverage {
  /// How many lines have rules.
  private(set) var count = 0
  /// How many of them have a rule that is exercised.
  var exercisedCount: Int { count - missing.count }
  /// The lines of which no rule is exercised, file by file in the order of the lines.
  private(set) var missing: [(file: String, line: Int)] = []

  /// Counts the lines of a list; `nil` without a map.
  ///
  /// - Complexity: O(*n* log *n*) for the lines of all rules.
  init?(_ list: ListTestReport.ListCoverage) {
    var files: [String: [Int: Bool]] = [:]
    for (index, state) in list.coverage.states.enumerated()
    where list.source.rule(at: index) != nil {
      let isExercised = state != .idle && state != .untouched
      for line in list.origins.lines(list: list.list, rule: index)
      where files[line.file, default: [:]][line.line] != true {
        files[line.file, default: [:]][line.line] = isExercised
      }
    }
    guard !files.isEmpty else { return nil }
    for file in files.keys.sorted() {
      let lines = files[file] ?? [:]
      count += lines.count
      for line in lines.keys.sorted() where lines[line] == false { missing.append((file, line)) }
    }
  }
}

import ContentBlocking
import ContentRules
import ListAnalysis

extension ListInput {
  /// Reads a list's JSON as the commands do; nil if it is refused.
  init?(_ json: String) {
    let text = Array(json.utf8)
    let report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
    guard let list = report.ruleList else { return nil }
    self.init(rules: list.rules, text: text)
  }

  /// Reads a list of rules, each given as JSON; nil if it is refused.
  init?(_ rules: [String]) { self.init("[\(rules.joined(separator: ","))]") }
}

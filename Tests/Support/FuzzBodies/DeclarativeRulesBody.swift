import ContentRules
import DeclarativeImport
import FilterConversion
import FuzzTargets

/// Reads declarative rules and imports them.
///
/// Whatever the bytes are, every rule has an account, and WebKit takes the list.
enum DeclarativeRulesBody: FuzzBody {
  static let name = "declarative-rules"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let elements = try? ImportReader.read(input) else { return }
    let list = ListImport(
      elements,
      expressions: ExpressionPatterns { text in
        do throws(ConversionReason) {
          let made = try ExpressionConverter.patterns(of: text)
          return .patterns(made.patterns, differences: made.reasons.map(\.sentence))
        } catch {
          return .impossible(error.sentence)
        }
      }
    )
    try require(list.entries.count == elements.count, "not every rule has an outcome")
    for (number, entry) in list.entries.enumerated() {
      try require(
        entry.rules.allSatisfy { 0..<list.ruleCount ~= $0 },
        "rule \(number) became a rule that there is not"
      )
      try require(
        entry.outcome == .impossible ? entry.rules.isEmpty : !entry.rules.isEmpty,
        "rule \(number) is \(entry.outcome.rawValue) with \(entry.rules.count) rules"
      )
      try require(
        (entry.outcome == .converted) == entry.reasons.isEmpty,
        "rule \(number) is \(entry.outcome.rawValue) with \(entry.reasons.count) reasons"
      )
      try require(
        entry.reasons.allSatisfy { !$0.sentence.isEmpty },
        "rule \(number) has a reason without words"
      )
    }
    guard list.ruleCount > 0 else { return }
    var options = ReadingOptions()
    options.findsTraps = false
    let report = RuleListReader.read(list.json, options: options)
    try require(report.isAccepted, "WebKit refuses the rules: \(report.webKitError?.message ?? "")")
  }

  /// Rules of each kind: an action and a condition each.
  static var seeds: [[UInt8]] {
    let block = #"{"type":"block"}"#
    return [
      (block, #""urlFilter":"||a.test^*/x|","resourceTypes":["script","main_frame"]"#),
      (
        block,
        #""requestDomains":["a.test","b.a.test"],"urlFilter":"/ads/","domainType":"firstParty""#
      ),
      (block, #""excludedRequestDomains":["a.test"],"excludedResourceTypes":["image"]"#),
      (block, #""initiatorDomains":["a.test"],"excludedInitiatorDomains":["b.test"]"#),
      (block, #""topDomains":["[::1]","1.2.3.4"],"excludedTopDomains":["a..test"]"#),
      (
        block,
        #""regexFilter":"^https?://(a|b)\\.test/[0-9]{2,3}$","isUrlFilterCaseSensitive":true"#
      ),
      (block, #""requestMethods":["post","get"],"resourceTypes":["sub_frame"]"#),
      (
        #"{"type":"allowAllRequests"}"#,
        #""urlFilter":"||a^","resourceTypes":["main_frame","sub_frame"]"#
      ),
      (#"{"type":"redirect","redirect":{"transform":{"port":"x","fragment":"y","host":"z"}}}"#, ""),
      (
        #"{"type":"redirect","redirect":{"regexSubstitution":"https://\\1"}}"#,
        #""regexFilter":"^(.*)$""#
      ),
      (#"{"type":"redirect","redirect":{"url":"no url"}}"#, #""urlFilter":"a""#),
      (
        #"{"type":"modifyHeaders","requestHeaders":[{"header":"é","operation":"set","value":"\u0000"}]}"#,
        #""urlFilter":"|https:*a^""#
      ),
      (#"{"type":"upgradeScheme"}"#, #""urlFilter":"|http:""#),
    ].map { action, condition in
      let rules = [1, 2].map { id in
        #"{"id":\#(id),"priority":\#(id),"action":\#(action),"condition":{\#(condition)}}"#
      }
      return Array("[\(rules.joined(separator: ",\n"))]".utf8)
    }
  }
}

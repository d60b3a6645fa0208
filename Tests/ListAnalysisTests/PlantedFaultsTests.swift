import ContentBlocking
import ContentRules
import ListAnalysis
import TestSupport
import Testing

/// Lists without faults, into which some are planted: all of them are found, and nothing else is.
///
/// `TICKBIRD_EFFORT=100` plants into 100,000 rules.
@Suite struct PlantedFaultsTests {
  /// A list as it is made, with what an analysis has to say about it.
  private struct PlantedList {
    var rules: [String] = []
    /// The code for each planted rule, and the rule that is the reason, as texts.
    var planted: [(rule: String, code: ListFinding.Code, because: String?)] = []

    /// Appends a rule.
    mutating func add(_ rule: String) { rules.append(rule) }

    /// Appends a rule that has to be found.
    mutating func plant(_ rule: String, _ code: ListFinding.Code, because: String?) {
      rules.append(rule)
      planted.append((rule, code, because))
    }
  }

  private static let anchor = #"^[^:]+://+([^:/]+\\.)?"#

  private static func rule(
    _ filter: String,
    _ keys: String = "",
    _ action: String = #""type":"block""#
  ) -> String {
    #"{"trigger":{"url-filter":"\#(filter)"\#(keys)},"action":{\#(action)}}"#
  }

  private static let ignore = #""type":"ignore-previous-rules""#

  /// Makes a list of independent rules, and after every 20th a planted one.
  private static func list(count: Int, _ random: inout RandomSource) -> PlantedList {
    var list = PlantedList()
    // Later ones might cancel what is searched for anywhere.
    list.plant(rule(#"\/first\/"#, "", ignore), .cancelsNothing, because: nil)
    for number in 0..<count {
      let host = "h\(number)-\(random.number(below: 1_000))"
      let whole = rule(anchor + host + #"\\.test[/:]"#)
      let path = rule(#"\/dir\#(host)x\/"#)
      let part = rule(anchor + host + #"\\.net\/p\\.js"#, #","resource-type":["script","image"]"#)
      let onPages = rule(anchor + host + #"\\.org[/:]"#, #","if-domain":["*a\#(number).test"]"#)
      let hidden = rule(
        ".*",
        #","if-domain":["*b\#(number).test"]"#,
        #""type":"css-display-none","selector":".ad\#(number)""#
      )
      let own = [whole, path, part, onPages, hidden]
      let kind = number % 5
      list.add(own[kind])
      guard number % 20 == kind else { continue }
      switch (kind, random.number(below: 3)) {
      case (0, 0):
        list.plant(rule(anchor + "sub\\\\." + host + #"\\.test[/:]"#), .redundant, because: whole)
      case (0, 1):
        let exception = rule(anchor + host + #"\\.test\/ok\/"#, "", ignore)
        let late = rule(anchor + host + #"\\.test\/ok\/x"#, "", #""type":"block-cookies""#)
        list.plant(late, .alwaysCancelled, because: exception)
        list.add(exception)
      case (0, _):
        list.plant(rule(anchor + host + #"\\.test\/[0-9]"#), .redundant, because: whole)
      case (1, _):
        list.plant(
          rule(#"\/dir\#(host)x\/banner"#, #","load-type":["third-party"]"#),
          .redundant,
          because: path
        )
      case (2, 0):
        list.plant(
          rule(anchor + host + #"\\.net\/p\\.js"#, #","resource-type":["image"]"#),
          .redundant,
          because: part
        )
      case (2, _):
        list.plant(
          rule("m" + host, #","resource-type":["top-document"],"load-context":["child-frame"]"#),
          .contradiction,
          because: nil
        )
      case (3, _):
        list.plant(
          rule(anchor + host + #"\\.org\/x"#, #","if-domain":["www.a\#(number).test"]"#),
          .redundant,
          because: onPages
        )
      case (_, 0):
        list.plant(rule("^https://" + host + #"\\.com:443\/"#), .neverMatches, because: nil)
      default:
        list.plant(
          rule(
            ".*",
            #","if-domain":["x.b\#(number).test"]"#,
            #""type":"css-display-none","selector":".ad\#(number)""#
          ),
          .redundant,
          because: hidden
        )
      }
    }
    return list
  }

  @Test func allAreFoundAndNothingElse() throws {
    var random = RandomSource(seed: Effort.seed)
    let list = Self.list(count: 1_000 * Effort.factor, &random)
    let input = try #require(ListInput(list.rules))
    var analyzer = try RuleAnalyzer(input.rules)
    let (findings, tried) = try analyzer.confirmed(analyzer.findings(), in: input.text)
    #expect(tried > list.planted.count)
    var numbers: [String: Int] = [:]
    for (number, rule) in list.rules.enumerated() { numbers[rule] = number }
    var expected: [Int: (ListFinding.Code, [Int])] = [:]
    for (rule, code, because) in list.planted {
      let number = try #require(numbers[rule])
      expected[number] = (code, try because.map { [try #require(numbers[$0])] } ?? [])
    }
    #expect(findings.count == expected.count)
    for finding in findings {
      let planted = expected[finding.rule]
      #expect(planted?.0 == finding.code, "rule \(finding.rule): \(list.rules[finding.rule])")
      #expect(planted?.1 == finding.because, "rule \(finding.rule): \(finding.text)")
    }
  }
}

import TestSupport
import Testing

@testable import ContentRules

/// Rules that differ from an earlier one in their url filter alone, or repeat a condition, are not read anew, and are
/// read the same.
@Suite("Rules that repeat others")
struct RuleFrameTests {
  /// Rules around a url filter, which stands for `#`, as programs and people write them.
  private static let frames = [
    ##"{"trigger":{"url-filter":"#"},"action":{"type":"block"}}"##,
    ##"{"action":{"type":"block"},"trigger":{"url-filter":"#","load-type":["third-party"]}}"##,
    ##"{"trigger":{"url-filter":"#","unless-domain":["*a.test","b.test"]},"action":{"type":"block"}}"##,
    ##"{"trigger":{"url-filter":"#","if-domain":["*a.test","*a.test"]},"action":{"type":"block"}}"##,
    ##"{"trigger":{"url-filter":"#","if-top-url":["^https?://[a-z]*\\.test/"]},"action":{"type":"block"}}"##,
    ##"{"trigger":{"url-filter":"#","url-filter-is-case-sensitive":true,"resource-type":["image","script"]},"action":{"type":"ignore-previous-rules"}}"##,
    ##"{"trigger":{"url-filter":"#"},"action":{"type":"css-display-none","selector":".ad > b"}}"##,
    ##"{"trigger":{"url-filter":"#"},"action":{"type":"css-display-none","selector":".ad >"}}"##,
    ##"{"trigger":{"url-filter":"#","url-filter":"x"},"action":{"type":"block"}}"##,
    ##"{"trigger":{"url-filter":"#"},"action":{"type":"redirect","redirect":{"url":"https://a.test/#"}}}"##,
    ##"{ "trigger" : { "url-filter" : "#" } , "action" : { "type" : "make-https" } }"##,
    ##"{"trigger":{"url-filter":"#","load-context":["top-frame"],"resource-type":["child-document"]},"action":{"type":"notify","notification":"#"}}"##,
    ##"{"_identifier":7,"trigger":{"url-filter":"#"},"action":{"type":"block-cookies"}}"##,
    ##"{"trigger":{"url-filter":"#"},"action":{"type":"block"},"note":"#"}"##,
  ]
  private static let filters = [
    #".*"#, #"^https?://([^/]+\\.)?ads\\.test[/:]"#, #"ads"#, #"AdS"#, #"a+b*c?"#, #"a\"b"#,
    #"a\u0062c"#, #"é"#, #"a\/b"#, #"^[^:]+:(//)?([^/]+\\.)?b\\.test"#, #"x|y"#, #"("#, #"[b-a]"#,
    #""#, #"a\qb"#, #"."#, #"^.*$"#, #"[]"#, #"\u002e*"#, #"{{"#, #"a.test"#, #"*"#, "\u{1}",
    #"}},{"#, #"",""#, #"a\"#,
  ]

  /// What reading a list says of its rules and of the list.
  private struct Outcome: Equatable {
    var rules: [Rule]
    var count: Int
    var skipped: [Int]
    var error: String?
    var diagnostics: [String]
    var cost: MatchingCost
  }

  private func outcome(_ text: [UInt8], _ options: ReadingOptions, rereads: Bool) -> Outcome {
    var options = options
    options.rereadsRepetitions = rereads
    var rules: [Rule] = []
    let report = RuleListReader.read(text.span, options: options) { rules.append($0) }
    return Outcome(
      rules: rules,
      count: report.ruleCount,
      skipped: report.skippedRules,
      error: report.webKitError?.message,
      diagnostics: report.diagnostics.map { diagnostic in
        let place = diagnostic.location
        return "\(diagnostic.code.rawValue) \(place.byteRange) \(place.line):\(place.column) "
          + "\(place.jsonPath) \(place.ruleIndex ?? -1) \(diagnostic.severity) \(diagnostic.message) "
          + "\(diagnostic.hint ?? "") \(String(describing: diagnostic.correction))"
      },
      cost: report.matchingCost
    )
  }

  private static let options = [
    ReadingOptions(findsTraps: false, diagnosticsPerCode: 1_000),
    // Where frames are not used, conditions are.
    ReadingOptions(target: .webKitGTK2_40, findsRequirements: true, diagnosticsPerCode: 2),
    ReadingOptions(findsTraps: true, allowsSelectors: false, diagnosticsPerCode: 1_000),
  ]

  private func check(_ text: [UInt8]) {
    for (number, options) in Self.options.enumerated() {
      let isSame = outcome(text, options, rereads: false) == outcome(text, options, rereads: true)
      #expect(isSame, "options \(number): \(String(decoding: text.prefix(4_000), as: UTF8.self))")
    }
  }

  @Test("rules at random", arguments: 1...8)
  func random(seed: UInt64) {
    var random = RandomSource(seed: seed &+ 1_000 &* Effort.seed)
    for _ in 0..<60 * Effort.factor {
      // Most lists are valid: faults end the use of frames.
      let isValid = Int.random(in: 0..<4, using: &random) > 0
      let frames = isValid ? Array(Self.frames.prefix(6)) : Self.frames
      let filters = isValid ? Array(Self.filters.prefix(10)) : Self.filters
      var rules: [String] = []
      for number in 0..<Int.random(in: 1...40, using: &random) {
        let frame = frames.randomElement(using: &random) ?? ""
        var filter = filters.randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { filter += "\(number)" }
        rules.append(String(frame.replacing("#", with: filter)))
      }
      let separator = [",", ", ", ",\n  "].randomElement(using: &random) ?? ","
      var text = Array("[\(rules.joined(separator: separator))]".utf8)
      check(text)
      for _ in 0..<2 where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        text[place] =
          [0, 0x20, 0x22, 0x2C, 0x5C, 0x7D, 0xC3, 0x61].randomElement(using: &random) ?? 0
        check(text)
      }
    }
  }

  /// Conditions as they stand in a trigger; the first seven have no findings.
  private static let conditions = [
    ##""if-domain":["*a.test"]"##,
    ##""if-domain":["*a.test","b.test","c-1.test"]"##,
    ##""unless-domain":["*a.test","b.test","c-1.test"]"##,
    ##""if-domain":[ "*a.test" , "b.test" ]"##,
    ##""if-domain":["*\u0061.test"]"##,
    ##""if-domain":["a_b.test","*c.test"]"##,
    ##""if-top-url":["a.test"]"##,
    ##""unless-domain":["a.test","a.test"]"##,
    ##""if-domain":["A.test"]"##,
    ##""if-domain":["é.test"]"##,
    ##""if-domain":["a.test:80","(a.test"]"##,
    ##""if-domain":["[a.test","a.test{2}"]"##,
    ##""if-domain":["a.test","",7]"##,
    ##""if-domain":[]"##,
    ##""if-domain":"a.test""##,
    ##""if-domain":["a.test"],"unless-domain":["a.test"]"##,
    ##""if-domain":["*.a.test","a..test","a.test."]"##,
  ]

  @Test("rules that repeat a condition", arguments: 1...8)
  func conditions(seed: UInt64) {
    var random = RandomSource(seed: seed &+ 2_000 &* Effort.seed)
    let actions = [
      ##"{"type":"block"}"##, ##"{"type":"css-display-none","selector":".a#"}"##,
      ##"{"type":"ignore-previous-rules"}"##, ##"{"type":"css-display-none","selector":".a >"}"##,
      ##"{"type":"nothing"}"##,
    ]
    for _ in 0..<40 * Effort.factor {
      let isValid = Int.random(in: 0..<4, using: &random) > 0
      let conditions = isValid ? Array(Self.conditions.prefix(8)) : Self.conditions
      let actions = isValid ? Array(actions.prefix(3)) : actions
      let rules = (0..<Int.random(in: 1...60, using: &random)).map { number in
        let filter = Bool.random(using: &random) ? ".*" : "a\(number)"
        let key = Bool.random(using: &random) ? ##""top-url-filter-is-case-sensitive":true,"## : ""
        let condition = random.pick(conditions)
        let action = random.pick(actions).replacing("#", with: "\(number)")
        let trigger = ##"{"url-filter":"\##(filter)",\##(key)\##(condition)}"##
        return ##"{"trigger":\##(trigger),"action":\##(action)}"##
      }
      check(Array("[\(rules.joined(separator: ","))]".utf8))
    }
  }

  @Test("more conditions than are kept")
  func manyConditions() {
    let rules = (0..<KnownConditions.mostSlots + 2_000).map { number in
      let action = ##"{"type":"css-display-none","selector":".a\##(number)"}"##
      return
        ##"{"trigger":{"url-filter":".*","if-domain":["*d\##(number).test"]},"action":\##(action)}"##
    }
    check(Array("[\((rules + rules).joined(separator: ","))]".utf8))
  }

  @Test("longer conditions than are kept")
  func longConditions() {
    let rules = (0..<60).map { number in
      let domains = (0..<5_000).map { "\"d\($0)-\(number % 57).test\"" }.joined(separator: ",")
      let action = ##"{"type":"css-display-none","selector":".a\##(number)"}"##
      return ##"{"trigger":{"url-filter":".*","if-domain":[\##(domains)]},"action":\##(action)}"##
    }
    check(Array("[\((rules + rules).joined(separator: ","))]".utf8))
  }

  @Test("many frames and heads, and longer ones than are kept")
  func limits() {
    var rules: [String] = []
    for number in 0..<400 {
      let spaces = String(repeating: " ", count: number % 7)
      let domains = (0..<(number % 40) * 12).map { #","*d\#($0).test""# }.joined()
      rules.append(
        #"{\#(spaces)"trigger":{"url-filter":"ads\#(number)","if-domain":["*a.test"\#(domains)]},"action":{"type":"block"}}"#
      )
    }
    check(Array("[\((rules + rules.reversed()).joined(separator: ","))]".utf8))
  }

  @Test("a condition is found by its text, and only by that")
  func finding() {
    let text = Array(##"["a.test"] ["b.test"] ["a.test"]"##.utf8)
    let (first, other, second) = (0..<10, 11..<21, 22..<32)
    var cost = MatchingCost()
    cost.addDomain(length: 6)
    var known = KnownConditions()
    func entries(_ range: Range<Int>, digest: UInt64) -> [String]? {
      let found = known.find(text.span, range, digest: digest)
      return found?.cost == cost ? found?.entries : nil
    }
    #expect(entries(first, digest: 7) == nil)
    known.insert(first, ["a.test"], cost, digest: 7)
    #expect(entries(second, digest: 7) == ["a.test"])
    #expect(entries(second, digest: 8) == nil)
    // Of two whose texts have the same digest the later one is kept.
    #expect(entries(other, digest: 7) == nil)
    known.insert(other, ["b.test"], cost, digest: 7)
    #expect(entries(first, digest: 7) == nil)
    #expect(entries(other, digest: 7) == ["b.test"])
  }

  @Test("whether an entry is found to stand twice does not depend on earlier conditions")
  func repetitions() {
    // So many whose places in a small table are the same that it gives up.
    var crowd: [String] = []
    var number = 0
    while crowd.count < 33 {
      let entry = "d\(number).test"
      let bytes = Array(entry.utf8)
      if bytes.span.digest(0..<bytes.count) >> 20 & 127 == 5 { crowd.append(entry) }
      number += 1
    }
    crowd.append(crowd[32])
    func rule(_ entries: [String], _ selector: String) -> String {
      let domains = entries.map { "\"\($0)\"" }.joined(separator: ",")
      let action = ##"{"type":"css-display-none","selector":"\##(selector)"}"##
      return ##"{"trigger":{"url-filter":".*","if-domain":[\##(domains)]},"action":\##(action)}"##
    }
    let rules = [
      rule(crowd, ".a"), rule((0..<1_000).map { "x\($0).test" }, ".b"), rule(crowd, ".c"),
    ]
    check(Array("[\(rules.joined(separator: ","))]".utf8))
  }
}

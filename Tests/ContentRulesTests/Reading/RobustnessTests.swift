import ContentRules
import TestSupport
import Testing

/// No text makes the reader trap, hang, or contradict itself.
@Suite struct RobustnessTests {
  static let list = Array(
    #"""
    [
      {"trigger": {"url-filter": "^https?://ads\\.example\\.com/[^/]+\\.js$",
        "url-filter-is-case-sensitive": true, "resource-type": ["script", "raw"],
        "load-type": ["third-party"], "if-domain": ["*example.org", "a.example"]},
       "action": {"type": "block"}, "note": [1.5e3, null, true, {"ü": "\u00fc\ud83d\ude00"}]},
      {"trigger": {"url-filter": ".*", "unless-top-url": ["^https://[a-z]*\\.test/"],
        "top-url-filter-is-case-sensitive": false},
       "action": {"type": "css-display-none", "selector": ".ad > [href*=\"x\"], #b:not(.c)"}},
      {"trigger": {"url-filter": "x", "request-method": "post", "load-context": ["top-frame"]},
       "action": {"type": "redirect", "redirect": {"transform": {"port": "8080",
         "query-transform": {"remove-parameters": ["utm"],
           "add-or-replace-parameters": [{"key": "k", "value": "v"}]}}}}, "_identifier": 7},
      {"trigger": {"url-filter": "y"}, "action": {"type": "modify-headers", "priority": 2,
        "request-headers": [{"operation": "set", "header": "DNT", "value": "1"}]}},
      {"trigger": {"url-filter": "z"}, "action": {"type": "ignore-previous-rules"}}
    ]
    """#.utf8
  )

  private func check(_ text: [UInt8], _ what: @autoclosure () -> String) {
    let report = RuleListReader.read(text)
    let errors = report.diagnostics.filter { $0.severity == .error }
    #expect(report.isAccepted == errors.isEmpty, "\(what())")
    #expect(report.isAccepted == (report.ruleList != nil), "\(what())")
    #expect(report.diagnostics.filter(\.isWebKitError).count == (errors.isEmpty ? 0 : 1))
    if let rules = report.ruleList?.rules {
      #expect(rules.count + report.skippedRules.count == report.ruleCount, "\(what())")
    }
    let renderer = DiagnosticRenderer(fileName: "list.json")
    for diagnostic in report.diagnostics {
      let range = diagnostic.location.byteRange
      #expect(range.lowerBound >= 0 && range.upperBound <= text.count, "\(what())")
      #expect(diagnostic.location.line >= 1 && diagnostic.location.column >= 1)
      _ = renderer.render(diagnostic, in: text.span)
    }
  }

  @Test func theListItselfIsAccepted() {
    let report = RuleListReader.read(Self.list)
    #expect(report.webKitError == nil, "\(report.diagnostics)")
    #expect(report.ruleList?.rules.count == 5)
  }

  @Test func truncatedAtAnyByteItIsRefused() {
    for length in 0..<Self.list.count {
      let text = Array(Self.list[..<length])
      check(text, "first \(length) bytes")
      #expect(!RuleListReader.read(text).isAccepted)
    }
  }

  @Test(arguments: 1...20)
  func mutatedAtRandomItIsJudged(seed: UInt64) {
    var random = RandomSource(seed: seed)
    let alphabet =
      Array(#"{}[]",:\'/#=;-+.0123456789eEtrufalsn*(|^$ "#.utf8) + [0, 10, 0xC3, 0xFF, 0xE2]
    for round in 0..<200 {
      var text = Self.list
      for _ in 0..<Int.random(in: 1...4, using: &random) where !text.isEmpty {
        let place = Int.random(in: 0..<text.count, using: &random)
        let other = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: text.remove(at: place)
        case 1: text.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
        case 2: text[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        case 3:
          text.removeSubrange(min(place, other)..<min(max(place, other), min(place, other) + 40))
        default: text.insert(contentsOf: text[min(place, other)..<max(place, other)], at: place)
        }
      }
      check(text, "seed \(seed), round \(round)")
    }
  }

  @Test(arguments: [
    "[", "{", "[{", "[{\"a\":", "\"", "[\"\\", "'", "['", "/*", "//", "#", "\\", ",", ":", "}",
    "[}",
    "{]", "[,", "[[],", "\u{FEFF}", "“", "[{,", "[{\"trigger\":{", "-", "[1 ", "tru", "[{a",
    "[{'a'",
    "[{\"a\"=", "[{\"a\";", "[{\"a\":1;", "[0x", "\0", "[{\"trigger\":'", "[@",
  ])
  func manyTimesTheSameTakesLinearTime(piece: String) {
    let text = Array(String(repeating: piece, count: 40_000).utf8)
    // Quadratic work would take minutes, and the whole run with it.
    check(text, piece)
  }

  @Test func diagnosticsOfACodeAreLimitedAndCounted() throws {
    let rule = #"{"trigger":{"url-filter":"a","x":1},"action":{"type":"block"}}"#
    let text = "[" + Array(repeating: rule, count: 1_234).joined(separator: ",") + "]"
    let report = RuleListReader.read(text, options: ReadingOptions(diagnosticsPerCode: 10))
    #expect(report.diagnostics.filter { $0.code == .unknownKey }.count == 10)
    let rest = try #require(report.diagnostics.last)
    #expect(rest.code == .moreOfTheSame)
    #expect(rest.message == "and 1,224 more unknown-key")
  }

  @Test func theErrorThatWebKitReportsIsKeptHoweverLateItComes() throws {
    let bad = #"{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}"#
    let rules = Array(repeating: bad, count: 500) + [#"{"trigger":5}"#, "{}"]
    let report = RuleListReader.read(
      "[" + rules.joined(separator: ",") + "]",
      options: ReadingOptions(diagnosticsPerCode: 1)
    )
    let error = try #require(report.webKitError)
    #expect(error.code == .invalidTrigger)
    #expect(error.location.ruleIndex == 500)
    #expect(report.diagnostics.filter(\.isWebKitError) == [error])
  }
}

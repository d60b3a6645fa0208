import ContentBlocking
import ContentRules
import Foundation
import TestSupport
import Testing

@testable import tickbird

/// What `--fix` makes of texts, whoever keeps them.
@Suite struct CheckMendingTests {
  private func mended(_ text: String) -> String {
    let result = ListCorrection(settings: CheckSettings()).corrected(Array(text.utf8))
    return String(decoding: result.text, as: UTF8.self)
  }

  private static func rule(_ trigger: String, _ action: String) -> String {
    #"[{"trigger":{"url-filter":"a"\#(trigger)},"action":{\#(action)}}]"#
  }

  /// Strings that touch, or that no line and no key keep apart, may be one with quotation marks in it.
  @Test(arguments: [
    rule("", #""type":"block-cookies""type":"block""#),
    rule("", #""type":"block""type":"block""#),
    rule(#","if-top-url":["title=""ads"]"#, #""type":"block""#),
    rule(#","if-top-url":["title=" "ads"]"#, #""type":"block""#),
    rule(#","if-top-url":["title="true"#, #""type":"block""#),
    rule(#","if-top-url":["title=" true"]"#, #""type":"block""#),
    rule("", #""type":"css-display-none","selector":"a[x=""]""#),
    rule("", #""type":"css-display-none","selector":"a[x=" "]""#),
    rule("", #""type":"css-display-none","selector":"a[x=""b""]""#),
    rule("", #""type":"css-display-none","selector":"a[href^=""//b.test/""]""#),
    rule("", #""type""block""#),
    // What follows such a place may belong to the string.
    rule(#","if-domain":["a.test""b.test",]"#, #""type":"block""#),
    rule(#","if-top-url":["title=""ads"],"if-domain":"A.test""#, #""type":"block""#),
  ])
  func whatMayBeOneStringIsNotTakenApart(text: String) {
    #expect(mended(text) == text)
    let report = RuleListReader.read(text)
    #expect(!report.isAccepted)
    #expect(report.diagnostics.allSatisfy { $0.correction?.keepsMeaning != true })
  }

  @Test(arguments: [
    (
      #"["a.test"\#n"b.test"]"#, #"["a.test",\#n"b.test"]"#
    ),
    (#"["a.test" // one\#n"b.test"]"#, #"["a.test",  \#n"b.test"]"#),
    (#"["a.test"]"load-type":["third-party"]"#, #"["a.test"],"load-type":["third-party"]"#),
    (#"["a.test"] "load-type" ["third-party"]"#, #"["a.test"], "load-type": ["third-party"]"#),
    (#"["\u0041.test"]"#, #"["a.test"]"#),
    (#"["a.test","\u0061.test"]"#, #"["a.test"]"#),
  ])
  func whatCanOnlyHaveBeenMeantIsMended(condition: String, expected: String) {
    let text = Self.rule(#","if-domain":\#(condition)"#, #""type":"block""#)
    let result = mended(text)
    #expect(result == Self.rule(#","if-domain":\#(expected)"#, #""type":"block""#))
    #expect(RuleListReader.read(result).isAccepted)
  }

  @Test func aMemberIsTakenOutOnlyWhereItsLikeStays() {
    #expect(
      mended(Self.rule("", #""type":"block","type":"block""#))
        == Self.rule("", #""type":"block""#)
    )
    let differing = Self.rule("", #""type":"block-cookies","type":"block""#)
    #expect(mended(differing) == differing)
    // With a comma inserted, WebKit would take the last value, which may not be the intended one.
    for gap in [" ", "\n", "  "] {
      let text = Self.rule("", #""type":"block-cookies"\#(gap)"type":"block""#)
      #expect(mended(text) == text)
      let old = text.replacingOccurrences(of: gap + #""type""#, with: #" /* was */"type""#)
      #expect(mended(old) == text.replacingOccurrences(of: gap + #""type""#, with: #"  "type""#))
    }
  }

  /// Where `}, {` was forgotten, WebKit looks at the last rule alone.
  @Test(arguments: [
    ("", "}, {"), ("\n", "}, {\n"), (",", "}, {"), (",\n", "}, {\n"), (" , ", " }, { "),
    (#","note":1,"#, #","note":1}, {"#),
  ])
  func twoRulesInOneObjectAreToldAndKept(separator: String, correct: String) throws {
    func list(_ separator: String) -> String {
      let rules = ["a", "b", "a"].map {
        #""trigger":{"url-filter":"\#($0)"},"action":{"type":"block"}"#
      }
      return "[{" + rules.joined(separator: separator) + "}]"
    }
    let text = list(separator)
    #expect(mended(text) == text)
    let twice = RuleListReader.read(text).diagnostics.filter { $0.code == .duplicateKey }
    #expect(twice.count == 4)
    #expect(twice.allSatisfy { $0.hint?.contains("3 rules in one object; write }, {") == true })
    let corrections = twice.compactMap(\.correction)
    #expect(corrections.map(\.keepsMeaning) == [false])
    let report = RuleListReader.read(text)
    #expect(report.isAccepted == separator.contains(","))
    for fault in report.diagnostics where fault.code == .jsonMissingComma {
      #expect(fault.hint?.contains("write }, { where another rule begins") == true)
    }
    var bytes = Array(text.utf8)
    for edit in try #require(corrections.first).edits.reversed() {
      bytes.replaceSubrange(edit.byteRange, with: edit.replacement.utf8)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == list(correct))
    #expect(RuleListReader.read(bytes).ruleCount == 3)
  }

  @Test func aTriggerThatStandsTwiceWithTwoActionsStays() {
    let text =
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"},"#
      + #""trigger":{"url-filter":"a"},"action":{"type":"block-cookies"}}]"#
    #expect(mended(text) == text)
  }

  // MARK: Any damage

  private static let pieces = [
    ",", ":", "\"", "{", "}", "[", "]", "}, {", "\"\"", "\\", "\\.", "'", " ", "\n", "\u{A0}",
    "\u{FEFF}",
    "// x\n", "/* y */", "#", "true", "True", "yes", "1", "\"type\":\"block\"", "\"a.test\"",
    "\"B.test\"",
    "\"if-domain\":", "\"selector\":\"a[x=\"\"]\"", ";",
  ]

  private static func list(_ random: inout RandomSource) -> [UInt8] {
    let triggers = [
      #""url-filter":"/ad\\.js""#,
      #""url-filter": "x", "if-domain": ["a.test", "b.test", "a.test"]"#,
      #""url-filter":".*","resource-type":["image","script"],"load-type":["third-party"]"#,
      #""url-filter":"y","if-top-url":["^https://c\\.test"],"url-filter-is-case-sensitive":true"#,
    ]
    let actions = [
      #""type":"block""#, #""type":"css-display-none","selector":"a[x=\"b\"]""#,
      #""type":"ignore-previous-rules""#, #""type":"block-cookies""#,
    ]
    let rules = (0...random.number(below: 3)).map { _ in
      #"{"trigger":{\#(random.pick(triggers))},"action":{\#(random.pick(actions))}}"#
    }
    var bytes = Array("[\(rules.joined(separator: random.pick([",", ",\n", " , "])))]".utf8)
    for _ in 0...random.number(below: 3) {
      let start = random.number(below: bytes.count)
      let end = min(bytes.count, start + random.number(below: random.chance(80) ? 2 : 30))
      switch random.number(below: 4) {
      case 0: bytes.replaceSubrange(start..<end, with: random.pick(pieces).utf8)
      case 1: bytes.insert(contentsOf: random.pick(pieces).utf8, at: start)
      case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: end)
      default:
        // The characters that are most often forgotten or doubled.
        let signs = bytes.indices.filter { #",:"{}[]\"#.utf8.contains(bytes[$0]) }
        guard !signs.isEmpty else { break }
        let sign = random.pick(signs)
        if random.chance(70) { bytes.remove(at: sign) } else { bytes.insert(bytes[sign], at: sign) }
      }
    }
    return bytes
  }

  private struct Faults {
    var isAccepted = false
    var syntax = 0
    var errors = 0
    var warnings = 0

    init(_ text: [UInt8]) {
      let report = RuleListReader.read(text.span, options: ContentRuleList.readingOptions()) {
        diagnostic,
        _ in
        if diagnostic.webKitError == .jsonInvalid { syntax += 1 }
        if diagnostic.severity == .error { errors += 1 }
        if diagnostic.severity == .warning { warnings += 1 }
      }
      isAccepted = report.isAccepted
    }
  }

  @Test func mendingNeverMakesAListWorse() {
    let correction = ListCorrection(settings: CheckSettings())
    var random = RandomSource(seed: 750)
    var mendedCount = 0
    var heldBackCount = 0
    for _ in 0..<750 {
      let text = Self.list(&random)
      let result = correction.corrected(text)
      let shown = String(decoding: text, as: UTF8.self)
      if !result.isWhole { heldBackCount += 1 }
      guard result.count > 0 else {
        #expect(result.text == text, "\(shown)")
        continue
      }
      mendedCount += 1
      let before = Faults(text)
      let after = Faults(result.text)
      #expect(after.isAccepted || !before.isAccepted, "\(shown)")
      #expect(after.errors <= before.errors && after.syntax <= before.syntax, "\(shown)")
      if before.isAccepted { #expect(after.warnings <= before.warnings, "\(shown)") }
      let again = correction.corrected(result.text)
      #expect(again.text == result.text && again.count == 0, "\(shown)")
    }
    #expect(mendedCount > 150)
    // Corrections are held back in one list of a few hundred; more would mean that they are bad.
    #expect(heldBackCount < 10)
  }
}

import ContentRules
import TestSupport
import Testing

@Suite struct AllFindingsTests {
  @Test func everyDiagnosticIsHandedOn() {
    let bad = #"{"trigger":{"url-filter":"a","x":1,"if-domain":["B"]},"action":{"type":"block"}}"#
    let text = "[\n" + Array(repeating: bad, count: 500).joined(separator: ",\n") + ",\n]"
    var found: [Diagnostic] = []
    let report = RuleListReader.read(Array(text.utf8).span) { diagnostic, rule in
      #expect((rule == nil) == (diagnostic.location.ruleIndex == nil))
      found.append(diagnostic)
    }
    #expect(found.count { $0.code == .unknownKey } == 500)
    #expect(found.count { $0.code == .domainNotLowerCaseASCII } == 500)
    #expect(report.diagnostics.isEmpty)
    #expect(
      found.allSatisfy {
        $0.location.line == ($0.location.ruleIndex ?? 500) + 2 || $0.code == .jsonTrailingComma
      }
    )
    let kept = RuleListReader.read(text)
    #expect(report.webKitError == kept.webKitError)
    #expect(report.webKitError?.code == .jsonTrailingComma)
    #expect(report.ruleCount == 500)
  }

  @Test func aLongArrayOfFaultsTakesLinearTime() {
    // Counting to each of these places again would take hours.
    let domains = Array(repeating: "\"A\"", count: 60_000).joined(separator: ",")
    let text = blocking(#""url-filter":"a","if-domain":[\#(domains)]"#)
    var last: Diagnostic?
    _ = RuleListReader.read(Array(text.utf8).span) { diagnostic, _ in last = diagnostic }
    #expect(last?.location.jsonPath == "[0].trigger.if-domain[59999]")
  }

  @Test func aLongPatternOfFindingsTakesLinearTime() {
    // One finding for each of the quotation marks, which JSON spells with two bytes. To walk to each of them
    // from the pattern's beginning takes minutes.
    let count = 200_000
    let pattern = String(repeating: #"\""#, count: count)
    let text = blocking(#""url-filter":"\#(pattern)""#)
    var places: [Range<Int>] = []
    _ = RuleListReader.read(Array(text.utf8).span) { diagnostic, _ in
      places.append(diagnostic.location.byteRange)
    }
    let start = places.first?.lowerBound ?? 0
    #expect(places == (0..<count).map { start + 2 * $0..<start + 2 * $0 + 2 })
  }

  @Test func aLongSelectorOfYoungPartsTakesLinearTime() {
    let count = 50_000
    let selector = Array(repeating: "a:has(b)", count: count).joined(separator: ",")
    let text =
      #"[{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":"\#(selector)"}}]"#
    var found = 0
    let options = ReadingOptions(target: EngineRelease(year: 2018, month: 1))
    _ = RuleListReader.read(Array(text.utf8).span, options: options) { diagnostic, _ in
      if diagnostic.code == .unknownToTarget { found += 1 }
    }
    #expect(found == count)
  }

  @Test func allFaultsOfAPatternAreFound() {
    func places(_ pattern: String) -> [String] {
      URLFilterParser.faults(in: pattern.utf8Span.span).map {
        String(decoding: Array(pattern.utf8)[$0.range], as: UTF8.self)
      }
    }
    #expect(places("ab") == [])
    #expect(places("a|b(?=c)\\d{2}x^y$z") == ["|", "(?=", "\\d", "{2}", "^", "$"])
    // The fault that WebKit reports comes first.
    #expect(places("a|b[z") == ["[", "|"])
    #expect(places("a)b|c)") == [")", ")", "|"])
    #expect(places("ä|ö") == ["ä", "ö", "|"])
    #expect(places("") == [""])
    #expect(URLFilterParser.faults(in: String(repeating: "|", count: 99).utf8Span.span).count == 16)
    let report = RuleListReader.read(blocking(#""url-filter":"a|b^""#))
    #expect(report.diagnostics.map(\.reason) == ["Disjunction", "MisplacedStartOfLine"])
    #expect(report.webKitError?.reason == "Disjunction")
  }

  @Test func everyCodeHasAMeaning() {
    for code in DiagnosticCode.all {
      #expect(code.meaning != code.rawValue, "\(code.rawValue)")
      #expect(!code.meaning.contains("\n"), "\(code.rawValue)")
    }
  }

  @Test(arguments: [
    "[Adblock Plus 2.0]\n||a.test^", "! Title: x\n||a.test^$third-party\na.test##.ad\n",
    "# hosts\n127.0.0.1 localhost\n0.0.0.0 a.test\n", "a.test\nb.test\n",
    "<!DOCTYPE html>\n<p>404",
  ])
  func listsOfOtherKindsGetOneSentence(text: String) {
    let report = RuleListReader.read(text)
    #expect(report.diagnostics.map(\.code) == [.otherFormat])
    #expect(report.webKitError?.webKitError == .jsonInvalid)
  }

  /// A command that does it is named where there is one.
  @Test(arguments: [
    ("||a.test^\n||b.test^\n", "tickbird convert FILE -o rules.json"),
    ("0.0.0.0 a.test\n", "tickbird convert --from hosts FILE -o rules.json"),
    ("a.test\nb.test\n", "tickbird convert --from hosts FILE -o rules.json"),
    (
      #"[{"id":1,"condition":{"urlFilter":"a"}}]"#, "tickbird convert --from dnr FILE -o rules.json"
    ),
  ])
  func listsOfOtherKindsCanBeConverted(text: String, command: String) {
    let hint = RuleListReader.read(text).diagnostics.first?.hint
    #expect(hint?.contains(command) ?? false, "\(hint ?? "")")
  }

  /// What no list of any kind is has one wording, whoever asks.
  @Test(
    arguments: [
      ("\u{FEFF}||a.test^", nil), ("", nil), ("0.0.0.0 a.test", nil),
      ("[Adblock Plus 2.0]\n||a^", nil),
      ("[{}]", nil), ("[\0]", nil), ("< b", nil), ("<", nil),
      ("a\0b", "is no text, since it has zero bytes, and no list; give the list itself"),
      ("! a\n" + String(repeating: "||a.test^\n", count: 100) + "\0", "is no text, since it has"),
      ("[Adblock Plus 2.0]\n\0", "is no text, since it has zero bytes"),
      ("\u{FEFF} \n<!DOCTYPE HTML>", "is a web page, and no list; a server may have answered"),
      ("<html lang=en>", "is a web page"), ("<?xml version='1.0'?>", "is a web page"),
      (
        "# x\nserver:\nlocal-zone: \"a.test.\" always_null\n",
        "is a configuration of the resolver Unbound, and no list; take"
      ),
      (
        "$TTL 60\n@ SOA localhost. x. 1 2 3 4 5\na.test CNAME .\n; b\n*.a.test CNAME .",
        "is a response policy"
      ),
      ("a.test 60 IN CNAME .\n", "is a response policy zone (RPZ) of name servers, and no list"),
      (
        "server=/a.test/\nlocal=/b.test/\r\n\naddress=/c.test/#\n",
        "is a configuration of the resolver dnsmasq"
      ),
      ("zone \"a.test\" { type master; };", "is a configuration of the name server BIND"),
      (
        "DOMAIN-SUFFIX,a.test\nDOMAIN,b.test,REJECT", "is a rule set of Clash or Surge, and no list"
      ),
      ("payload:\n  - '+.a.test'\n  - DOMAIN-KEYWORD,ads", "is a rule set of Clash"),
      // One such line among others is what it is there.
      ("||a.test^\nserver=/b.test/\n", nil), ("domain,a\n||b.test^\n||c.test^", nil),
      ("*.a.test\n*.b.test", nil), ("- a\n- b", nil), ("a.test\nb.test", nil),
      ("<p>404", "is a web page"), ("b\0a\0", "is UTF-16, and no list; save the file as UTF-8"),
      ("TICKBIRD", "is a compiled rule list; give the list that it was compiled from"),
      ("PK\u{3}\u{4}", "is a ZIP archive, and no list; give the list itself"),
    ] as [(String, String?)]
  )
  func whatIsNoListIsToldInOneWording(text: String, words: String?) throws {
    let bytes = Array(text.utf8)
    let format = OtherFormat.recognizeNoList(bytes.span)
    #expect((format == nil) == (words == nil))
    guard let words else { return }
    #expect(try #require(format).refusal.hasPrefix(words), "\(format?.refusal ?? "")")
    // What is no list at all is no rule list either.
    #expect(OtherFormat.recognize(bytes.span) == format)
  }

  @Test(arguments: [
    ([0x89, 0x50, 0x4E, 0x47], "this is a picture (PNG)"),
    ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "this is UTF-16"), ([0x5B, 0, 0x5D, 0], "this is UTF-16"),
    ([0, 0x5B, 0, 0x5D], "this is UTF-16"), ([0x50, 0x4B, 3, 4, 0], "this is a ZIP archive"),
    ([0x61, 0, 0, 0x61], "this is no text"),
  ])
  func filesThatAreNoTextGetOneSentence(bytes: [UInt8], message: String) {
    let report = RuleListReader.read(bytes)
    #expect(report.diagnostics.map(\.code) == [.otherFormat])
    #expect(report.diagnostics[0].message.hasPrefix(message), "\(report.diagnostics[0].message)")
    #expect(report.webKitError?.webKitError == .jsonInvalid)
  }

  /// In what may be meant as JSON, the place of a wrong byte says more.
  @Test(arguments: ["[\0]", "[{\0}]", "[\"a\0b\"]"])
  func zeroBytesInJSONHaveTheirPlace(text: String) {
    #expect(RuleListReader.read(text).diagnostics.map(\.code) != [.otherFormat])
  }

  @Test func aNetworkLogIsSaidToBeOne() {
    let report = RuleListReader.read(#"{"log":{"entries":[]}}"#)
    #expect(report.diagnostics.map(\.code) == [.listNotAnArray])
    #expect(report.diagnostics[0].message.contains("a network log (HAR)"))
    #expect(report.diagnostics[0].hint?.contains("tickbird explain") ?? false)
    let other = RuleListReader.read(#"{"logs":{"entries":[]}}"#)
    #expect(other.diagnostics[0].message == "a list must be an array, not an object")
  }

  @Test func declarativeRulesGetOneSentence() {
    let rule = #"{"id":1,"action":{"type":"block"},"condition":{"urlFilter":"||a.test^"}}"#
    let report = RuleListReader.read("[\(rule),\(rule)]")
    #expect(report.diagnostics.map(\.code) == [.invalidTrigger])
    #expect(report.diagnostics.first?.message.contains("declarativeNetRequest") == true)
    #expect(report.ruleCount == 2)
    // WebKit still reports invalid syntax after them.
    #expect(RuleListReader.read("[\(rule),]").webKitError?.webKitError == .jsonInvalid)
  }

  @Test(.disabled(if: SharedData.isAbsent, "there is no folder of real data"))
  func realFilterListsAreRecognised() throws {
    for name in [
      "easylist-2026-08-13", "easyprivacy-2021-08-08", "adguard-base-optimized-2021-12-13",
    ] {
      let bytes = try SharedData.bytes("data/filters/\(name).txt")
      #expect(RuleListReader.read(bytes).diagnostics.map(\.code) == [.otherFormat], "\(name)")
    }
  }
}

@Suite struct ReleaseTests {
  @Test(arguments: [
    ("9.2", SafariVersion(9)), ("9.3", SafariVersion(9, 1)), ("12.4", SafariVersion(12, 1)),
    ("13.3", SafariVersion(13)), ("14.5.1", SafariVersion(14, 1)), ("15.6", SafariVersion(15, 6)),
    ("26", SafariVersion(26)),
  ])
  func versionsOfIOSHaveASafari(iOS: String, safari: SafariVersion) throws {
    #expect(SafariVersion(iOS: try #require(SafariVersion(iOS))) == safari)
  }

  @Test func versionsAreNumbers() {
    #expect(SafariVersion("16.4") == SafariVersion(16, 4))
    #expect(SafariVersion("16.10") ?? SafariVersion(0) > SafariVersion(16, 4))
    for text in ["", ".", "16.", "a", "16.4.5.6", "-1", "+16", "99999999999999999999"] {
      #expect(SafariVersion(text) == nil, "\(text)")
    }
    #expect(EngineRelease(safari: SafariVersion(8)) == nil)
    // An unknown version counts as the latest known one before it.
    #expect(EngineRelease(safari: SafariVersion(26, 9)) == EngineRelease(year: 2026, month: 7))
  }

  @Test(arguments: [
    (#""if-top-url":["a"]"#, SafariVersion(11)),
    (#""load-context":["top-frame"]"#, SafariVersion(15)),
    (#""resource-type":["fetch"]"#, SafariVersion(15)),
    (#""resource-type":["top-document"]"#, SafariVersion(26)),
    (#""resource-type":["child-document"]"#, SafariVersion(26)),
    (#""resource-type":["csp-report"]"#, SafariVersion(17)),
    (#""if-frame-url":["a"]"#, SafariVersion(26)),
    (#""unless-frame-url":["a"]"#, SafariVersion(26)),
    (#""request-method":"get""#, SafariVersion(26)),
  ])
  func theFirstVersionWithAFeatureIsSilent(trigger: String, first: SafariVersion) throws {
    let text = blocking(#""url-filter":"a","# + trigger)
    let earlier = SafariVersion(first.major - 1)
    for (version, count) in [(earlier, 1), (first, 0)] {
      let target = try #require(EngineRelease(safari: version))
      let report = RuleListReader.read(text, options: ReadingOptions(target: target))
      #expect(report.diagnostics.count { $0.code == .unknownToTarget } == count, "\(version)")
    }
    let report = RuleListReader.read(text, options: ReadingOptions(findsRequirements: true))
    #expect(report.requirements.map(\.feature.safari) == [first])
  }

  @Test("every Safari that is older than a type's word is told")
  func olderVersions() throws {
    let text = blocking(#""url-filter":"a","resource-type":["document","child-document"]"#)
    for version in [SafariVersion(15), SafariVersion(18, 6)] {
      let target = try #require(EngineRelease(safari: version))
      let report = RuleListReader.read(text, options: ReadingOptions(target: target))
      #expect(
        report.diagnostics.map(\.message) == [
          "child-document appeared in Safari 26; Safari \(version) refuses the list because of it"
        ]
      )
    }
  }

  @Test("what is not dated exactly is told as a doubt")
  func doubtfulVersion() throws {
    let text = blocking(#""url-filter":"a","resource-type":["csp-report"]"#)
    for (target, message) in [
      (
        try #require(EngineRelease(safari: SafariVersion(16, 4))),
        "csp-report appeared in Safari 17 or before; Safari 16.4 may refuse the list because of it"
      ),
      (
        EngineRelease.webKitGTK2_40,
        "csp-report appeared between 2021 and Safari 17; WebKitGTK 2.40 may refuse the list because"
          + " of it"
      ),
    ] {
      let report = RuleListReader.read(text, options: ReadingOptions(target: target))
      #expect(report.diagnostics.map(\.message) == [message])
    }
  }

  @Test func selectorsHaveAnAge() {
    let text = acting(
      #""type":"css-display-none","selector":".ad:has(> b:is(i)), a::part(x):hover""#
    )
    let report = RuleListReader.read(text, options: ReadingOptions(findsRequirements: true))
    #expect(report.requirements.map(\.name) == [":has()", ":is()", "::part()"])
    // Style sheets of pages had :has() a year before content blockers.
    let old = RuleListReader.read(
      text,
      options: ReadingOptions(target: EngineRelease(year: 2022, month: 6))
    )
    #expect(old.diagnostics.map(\.code) == [.unknownToTarget])
    #expect(
      RuleListReader.read(text, options: ReadingOptions(target: .webKitGTK2_46)).diagnostics == []
    )
  }
}

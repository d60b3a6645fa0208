import ContentRules
import Testing

/// Which patterns are told to match nothing, what is said of them, and which are let be.
@Suite("Traps in patterns") struct PatternTrapTests {
  private func findings(_ trigger: String) -> [Diagnostic] {
    RuleListReader.read(#"[{"trigger":{\#(trigger)},"action":{"type":"block"}}]"#).diagnostics
  }

  private func filter(_ pattern: String, _ rest: String = "") -> [Diagnostic] {
    findings(#""url-filter":"\#(pattern.replacing("\\", with: "\\\\"))"\#(rest)"#)
  }

  private func codes(_ pattern: String, _ rest: String = "") -> [String] {
    filter(pattern, rest).filter { $0.severity == .warning }.map(\.code.rawValue)
  }

  private static let isExact = #","url-filter-is-case-sensitive":true"#

  // MARK: Capitals

  @Test(
    "capitals that some URL has are let be",
    arguments: [
      #"^[^:]+://+([^:/]+\.)?ads\.test[/:]Foo"#, "^https?://.*AdServer", "://.*[/?]Ads",
      "://a[^a-z]Foo", "://.*Ads", #"://.+\.JPG"#, "://[^?]*Foo",
      #"^https?://[^.]+\.test.*\.JPG$"#, "^safari-web-extension://0F-BA/", "://Ads/",
      "^https?://a/B",
      #"^https?://[a-z.]+:[0-9]+/A"#, #"^https?://a\.test[^a-z]X"#, "^https?://[^/]*@a/",
      #"^https?://([a-z]+\.)?a\.test/A?B"#, #"^https?://U:P@a\.test/"#,
    ]
  )
  func metCapitals(_ pattern: String) {
    #expect(codes(pattern, Self.isExact).isEmpty)
  }

  @Test(
    "capitals in a scheme or host are told where no URL has them, with the least change that helps",
    arguments: [
      ("^Http://a/B", "^http://a/B"), (#"^https?://[a-z]+\.Ex/Y"#, #"^https?://[a-z]+\.ex/Y"#),
      ("https://Ads/", "https://ads/"), (#"^https?://([^/]+\.)?Ads\.test/Foo"#, #"Tests"#),
      (#"^https?://[A-Z]+\.test/"#, #"^https?://[a-z]+\.test/"#),
      (#"^https?://+([^:/]+\.)?adS\.test/Foo"#, #"^https?://+([^:/]+\.)?ads\.test/Foo"#),
    ]
  )
  func unmetCapitals(_ pattern: String, _ mended: String) {
    let found = filter(pattern, Self.isExact).filter { $0.severity == .warning }
    #expect(found.map(\.code) == [.patternUpperCase])
    let expected = mended == "Tests" ? #"^https?://([^/]+\.)?ads\.test/Foo"# : mended
    #expect(found.first?.hint == "write \(expected)")
    // Where case does not matter they are as good as small letters.
    #expect(codes(pattern).isEmpty)
  }

  // MARK: Question marks

  @Test(
    "an optional letter is let be",
    arguments: [
      "/colou?r=", "/favou?rite=1", "/user_?id=", "/utm_?medium=", "/x/ad_?id=1", "/ads?",
      "/ads?/", "/adse?rv/", #"/ads\?id=1"#, "/[as]?id=1", "ads?id=1", #"/a\.jpe?g=1"#, "/ad?vert=",
    ]
  )
  func optionalLetters(_ pattern: String) {
    #expect(!codes(pattern).contains("pattern-question-mark"))
  }

  @Test(
    "a question mark that begins a query is told",
    arguments: ["/ads?id=1", #"/show\.php?zone=1"#, "/show.php?whatever=", "/colou?r/ads?url=http"]
  )
  func queries(_ pattern: String) throws {
    let found = try #require(filter(pattern).first { $0.code == .patternQuestionMark })
    #expect(found.severity == .warning && found.correction != nil)
  }

  // MARK: Corrections

  @Test(
    "no correction makes a pattern match another host or path",
    arguments: [
      (#"^https?://(www\.)?a\.test$"#, #"^https?://(www\.)?a\.test/$"#),
      (#"^https?://a\.test:443"#, nil), (#"^https://a\.test:443"#, nil),
      (#"^https?://a\.test:8080#x"#, nil), (#"^http://a\.test:80/x"#, #"^http://a\.test/x"#),
    ] as [(String, String?)]
  )
  func narrowCorrections(_ pattern: String, _ mended: String?) {
    let hint = filter(pattern).first { $0.code == .patternMatchesNothing }?.hint
    #expect(hint == mended.map { "write \($0)" })
  }

  @Test("a websocket's URL begins with ws or wss, and that is said")
  func webSockets() throws {
    let types = #","resource-type":["websocket"]"#
    for (pattern, mended) in [
      ("^https?://a/", "^wss?://a/"), ("^https://a/", "^wss://a/"),
      (#"^a\.test/"#, #"^wss?://a\.test/"#),
    ] {
      let found = try #require(filter(pattern, types).first { $0.code == .patternMatchesNothing })
      #expect(found.hint == "write \(mended)")
      #expect(pattern.hasPrefix("^a") || found.message.contains("begins with ws or wss"))
    }
  }

  // MARK: Addresses and ports

  @Test(
    "hosts and ports that are spelled as in no URL",
    arguments: [
      #"^https?://192\.168\.001\.001/"#, #"^http://0x7f\.0\.0\.1/"#, "^http://2130706433/",
      #"^https?://\[0:0:0:0:0:0:0:1\]/"#, #"^http://a\.test:0*80/"#, #"^https?://a\.test:08080/"#,
      #"^https?://1\.2\.3/"#, #"^https?://\[::0001\]/"#, #"^https?://127\.0\.0\.1\./"#,
      #"^https?://1\.2\.3\.4\.5/"#,
    ]
  )
  func longSpellings(_ pattern: String) throws {
    let found = try #require(filter(pattern).first { $0.severity == .warning })
    #expect(found.code == .patternMatchesNothing)
    #expect(
      pattern.contains("80/") || found.message.contains("in their shortest form"),
      "\(found.message)"
    )
  }

  @Test(
    "hosts and ports that URLs have",
    arguments: [
      #"^https?://192\.168\.1\.1/"#, #"^https?://0\.0\.0\.0/"#, #"^https?://\[::1\]/"#,
      #"^https?://\[::\]/"#, #"^https?://\[1:0:0:2::3\]/"#,
      #"^https?://\[2001:db8::8:800:0:417a\]/"#,
      #"^https?://\[1:2:3:4:5:6:7:0\]:8080/"#, #"^https?://\[fe80::\]/"#, #"^https?://0x7g/"#,
      #"^https?://01a\.test/"#, #"^https?://1\.2\.3\.4a/"#, #"^https?://1-2\.test/"#,
      #"^https?://123\.test[:/]"#, #"^https?://([^/]+\.)?192\.168\.001\.x/"#, #"^https?://a:0/"#,
      #"^https?://a:8/"#, #"^https?://a:80/"#, #"^https?://1\.2\.3\.4\.test/"#,
      #"^https?://9gag\.com/"#,
      #"^http://2130706433"#, #"^https?://4\.3\.2\.1:99/"#, #"^https?://1password\.com/"#,
    ]
  )
  func shortSpellings(_ pattern: String) {
    #expect(!codes(pattern).contains("pattern-matches-nothing"))
  }

  // MARK: Conditions

  @Test(
    "conditions that no page or frame can meet",
    arguments: [
      (#"^a\\.test/"#, "if-top-url", ""), (#"http://a\\.test:80/"#, "if-top-url", ""),
      (#"^https?://a\\.test$"#, "unless-top-url", ""), ("^wss?://a/", "if-top-url", ""),
      (#"^a\\.test/"#, "if-frame-url", ""),
      ("#x", "if-top-url", #","resource-type":["top-document"]"#),
      ("^https?://A/", "unless-frame-url", #","frame-url-filter-is-case-sensitive":true"#),
      ("^https?://A/", "if-top-url", #","top-url-filter-is-case-sensitive":true"#),
    ]
  )
  func unmetConditions(_ pattern: String, _ key: String, _ rest: String) {
    let found = findings(#""url-filter":"a"\#(rest),"\#(key)":["b","\#(pattern)"]"#)
    #expect(found.count { $0.severity == .warning } == 1, "\(found)")
    #expect(found.first?.message.hasPrefix(key) == true)
    #expect(found.first?.location.jsonPath == "[0].trigger.\(key)[1]")
  }

  @Test(
    "conditions that some page or frame meets",
    arguments: [
      ("#x", "if-top-url", ""), ("#x", "if-top-url", #","resource-type":["document"]"#),
      ("^about:blank", "if-frame-url", ""), ("^data:", "if-top-url", ""),
      ("^file:", "if-top-url", ""),
      (#"^https?://([^/]+\\.)?a\\.test/"#, "unless-top-url", ""), (".*", "if-top-url", ""),
      ("^https?://A/", "if-top-url", ""), ("#x", "if-frame-url", #","resource-type":["image"]"#),
      ("#/login", "unless-top-url", ""), ("^https?://a:8080/", "if-top-url", ""),
    ]
  )
  func metConditions(_ pattern: String, _ key: String, _ rest: String) {
    let found = findings(#""url-filter":"a"\#(rest),"\#(key)":["\#(pattern)"]"#)
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: Exceptions for everything

  @Test("rules are called void only where the exception takes every load that they can match")
  func voidedRules() {
    func message(_ rules: (String, String)...) -> String? {
      let texts = rules.map {
        #"{"trigger":{\#($0.0)},"action":{"type":"\#($0.1)"}}"#
      }
      return RuleListReader.read("[" + texts.joined(separator: ",") + "]").diagnostics
        .first { $0.code == .rulesVoided }?.message
    }
    let ignore = "ignore-previous-rules"
    let web = (#""url-filter":"^https?://""#, ignore)
    let all = "this exception is for every load: no rule in front of it has any effect"
    let most =
      "this exception is for every load from the web: no rule in front of it has any effect on those"
    let image = #""url-filter":"a","resource-type":["image"]"#
    #expect(
      message((#""url-filter":"^wss?://","resource-type":["websocket"]"#, "block"), web) == nil
    )
    #expect(message((#""url-filter":"a""#, "block"), web) == nil)
    #expect(message((#""url-filter":"^https?://a""#, "block"), web) == all)
    #expect(message((image, "block"), web) == most)
    #expect(message((#""url-filter":"a""#, "block"), (#""url-filter":".*""#, ignore)) == all)
    #expect(
      message((#""url-filter":"a""#, "block"), (#""url-filter":"^[htpsw]+://""#, ignore)) == most
    )
    #expect(
      message((image, "block"), (#""url-filter":".*","load-type":["first-party"]"#, ignore)) == nil
    )
    let following = "ignore-following-rules"
    #expect(message((#""url-filter":"^https?://""#, following), (image, "block")) == nil)
    #expect(message((#""url-filter":".*""#, following), (image, "block")) != nil)
  }
}

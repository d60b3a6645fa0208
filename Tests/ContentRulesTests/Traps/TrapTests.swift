import ContentRules
import Testing

/// What WebKit takes without a word, and what surely is not what the author meant.
@Suite("Traps") struct TrapTests {
  private func codes(_ trigger: String, _ action: String = #""type":"block""#) -> [String] {
    RuleListReader.read(#"[{"trigger":{\#(trigger)},"action":{\#(action)}}]"#)
      .diagnostics.map(\.code.rawValue)
  }

  @Test(
    "a url-filter that no load's URL can match",
    arguments: [
      #"^example\\.com"#, #"^167\\.206\\.10\\.148[/:&?]"#, "https://host:443/", "^http://host:80/",
      "http://host$", #"^https?://([^/]+\\.)?host\\.test$"#, "#top", #"\\.png#"#, "^data:",
      "^data:text[/:]", "^//host/", "^/ads/", #"^\\?event="#, "^ws://host:80/", "^https?:///",
      #"^https?://([^/]+\\.)?host([?].*)?$"#, "^https?://host[?]",
      #"^[^:]+:(//)?([^/]+.)?host[^-_.%A-Za-z0-9]\\x20"#, "^https?://.*[a-z]#",
    ]
  )
  func unmet(_ pattern: String) {
    #expect(codes(#""url-filter":"\#(pattern)""#).contains("pattern-matches-nothing"))
  }

  @Test(
    "a url-filter that some load's URL matches",
    arguments: [
      "ads", "/ads$", #"^https?://([^/]+\\.)?host\\.test[/:]"#, "https://host:8443/",
      "^https?://[^/]*:80/", "^http://host:443/", "^https://user@host/", "^blob:", "^myapp:",
      "^chrome-extension://", "^[^:]+:(//)?.*/ads/", "^wss?://host/", #"^https?:\\/\\/host\\/"#,
      #"^https?://\\[::1\\]/"#, "=https://host$", "^https?://host/a$", "^http", ".*#?a",
      #"^[htpsw]+:\\/\\/([a-z0-9-]+\\.)?host([\\/:&\\?].*)?$"#, "^about:blank",
      #"^[^:]+:(//)?([^/]+\\.)?host([^-_.%A-Za-z0-9].*)?$"#, "^https?://([^/]+.)?host([!-9].*)?$",
      #"^[^:]+:(//)?([^/]+.)?host[^\\^\\]-]"#, "^https?://", "^https?://.*ads",
    ]
  )
  func met(_ pattern: String) {
    #expect(!codes(#""url-filter":"\#(pattern)""#).contains("pattern-matches-nothing"))
  }

  @Test("the rule's types say which URLs there are")
  func types() {
    func isUnmet(_ pattern: String, _ types: String) -> Bool {
      codes(#""url-filter":"\#(pattern)","resource-type":[\#(types)]"#)
        .contains("pattern-matches-nothing")
    }
    #expect(isUnmet("^wss://host/", #""script""#))
    #expect(!isUnmet("^wss://host/", #""script","websocket""#))
    for end in ["/", #"[/:]"#, "([^a-z].*)?$", ".*"] {
      #expect(isUnmet("^https?://host\(end)", #""websocket""#))
      #expect(!isUnmet("^https?://host\(end)", #""websocket","script""#))
    }
    #expect(isUnmet("^https://host/", #""websocket""#))
    #expect(!isUnmet("^[^:]+:(//)?.*ads", #""websocket""#))
    #expect(isUnmet("#top", #""document""#))
    // WebKit asks about these with their fragments.
    for type in ["popup", "media", "fetch", "ping", "other", "csp-report", "raw"] {
      #expect(!isUnmet("#top", "\"\(type)\""), "\(type)")
    }
    for type in ["image", "script", "style-sheet", "font", "svg-document", "websocket"] {
      #expect(isUnmet("#top", "\"\(type)\""), "\(type)")
    }
    let popup = #""url-filter":"^http://.+#","resource-type":["popup"]"#
    #expect(!codes(popup, #""type":"make-https""#).contains("nothing-to-upgrade"))
  }

  @Test(
    "a host in capitals is met only where case does not matter",
    arguments: ["/", "([/?].*)?$"]
  )
  func capitals(_ end: String) {
    let pattern = #""url-filter":"^https?://([^/]+\\.)?Host\#(end)""#
    #expect(codes(pattern).isEmpty)
    #expect(codes(pattern + #","url-filter-is-case-sensitive":true"#) == ["pattern-upper-case"])
  }

  @Test("a hint is an edit of the text, and with it the finding is gone")
  func corrections() throws {
    for (pattern, mended) in [
      (#"^example\\.com"#, #"^https?://example\\.com"#), ("https://host:443/", "https://host/"),
      ("http://host$", "http://host/$"), ("/ads?id=1", #"/ads\\?id=1"#),
      (#"^https?://([^/]+.)?host\\.test"#, #"^https?://([^/]+\\.)?host\\.test"#),
    ] {
      let text = #"[{"trigger":{"url-filter":"\#(pattern)"},"action":{"type":"block"}}]"#
      let warning = try #require(
        RuleListReader.read(text).diagnostics.first { $0.severity == .warning }
      )
      let edit = try #require(warning.correction?.edits.first)
      var bytes = Array(text.utf8)
      bytes.replaceSubrange(edit.byteRange, with: edit.replacement.utf8)
      let result = String(decoding: bytes, as: UTF8.self)
      #expect(result.contains(#""url-filter":"\#(mended)""#))
      #expect(RuleListReader.read(bytes).diagnostics.allSatisfy { $0.severity == .note })
      #expect(warning.correction?.keepsMeaning == false)
    }
  }

  @Test("no hint makes a pattern match more than it names")
  func noHarm() {
    for pattern in [#"\\.png#"#, "#top", "^data:", "^/ads/"] {
      let text = #"[{"trigger":{"url-filter":"\#(pattern)"},"action":{"type":"block"}}]"#
      #expect(RuleListReader.read(text).diagnostics.allSatisfy { $0.correction == nil })
    }
  }

  @Test("conditions and actions that are not what they seem")
  func rules() {
    let child = #""resource-type":["child-document"]"#
    #expect(
      codes(#""url-filter":"a",\#(child),"if-frame-url":["^https://a"]"#)
        .contains("frame-url-of-frame")
    )
    #expect(
      !codes(#""url-filter":"a",\#(child),"if-frame-url":["about:blank"]"#)
        .contains("frame-url-of-frame")
    )
    let https = #""type":"make-https""#
    #expect(codes(#""url-filter":"^https://a/""#, https).contains("nothing-to-upgrade"))
    #expect(codes(#""url-filter":"^http://a:8080/""#, https).contains("nothing-to-upgrade"))
    #expect(!codes(#""url-filter":"^https?://a/""#, https).contains("nothing-to-upgrade"))
    #expect(!codes(#""url-filter":"a""#, https).contains("nothing-to-upgrade"))
    let third = #""load-type":["third-party"]"#
    #expect(
      codes(#""url-filter":"a","resource-type":["top-document"],\#(third)"#)
        .contains("never-applies")
    )
    #expect(
      !codes(#""url-filter":"a","resource-type":["document"],\#(third)"#).contains("never-applies")
    )
    for entry in ["~good.com", "user@a.com", "a..com"] {
      #expect(codes(#""url-filter":"a","unless-domain":["\#(entry)"]"#) == ["unmatchable-domain"])
    }
  }

  @Test("rules that take every page away, unless an exception follows")
  func everyPage() {
    for pattern in [".*", "^https?://", "^[^:]+:", "/"] {
      #expect(codes(#""url-filter":"\#(pattern)""#).contains("every-page"), "\(pattern)")
    }
    #expect(!codes(#""url-filter":".*","resource-type":["image"]"#).contains("every-page"))
    #expect(!codes(#""url-filter":".*","load-type":["third-party"]"#).contains("every-page"))
    #expect(!codes(#""url-filter":"^https://""#).contains("every-page"))
    #expect(!codes(#""url-filter":".*","if-domain":["a.com"]"#).contains("every-page"))
    let hide = #""type":"css-display-none","selector":"#
    #expect(codes(#""url-filter":".*""#, hide + #"".a, body""#).contains("every-page"))
    #expect(!codes(#""url-filter":".*""#, hide + #""body .a""#).contains("every-page"))
    let text =
      #"[{"trigger":{"url-filter":".*"},"action":{"type":"block"}},"#
      + #"{"trigger":{"url-filter":".*","if-domain":["a.com"]},"#
      + #""action":{"type":"ignore-previous-rules"}}]"#
    #expect(RuleListReader.read(text).diagnostics.isEmpty)
  }

  @Test("exceptions for every load, and rules that stand twice")
  func lists() {
    func codes(_ rules: (String, String)...) -> [String] {
      let texts = rules.map {
        #"{"trigger":{"url-filter":"\#($0.0)"},"action":{"type":"\#($0.1)"}}"#
      }
      return RuleListReader.read("[" + texts.joined(separator: ",") + "]").diagnostics
        .map(\.code.rawValue)
    }
    #expect(codes(("a", "block"), (".*", "ignore-previous-rules")) == ["rules-voided"])
    #expect(codes(("a", "block"), ("b", "ignore-previous-rules")).isEmpty)
    #expect(codes((".*", "ignore-following-rules"), ("a", "block")) == ["rules-voided"])
    #expect(codes(("a", "block"), ("b", "block"), ("a", "block")) == ["duplicate-rule"])
    #expect(codes(("a", "block"), ("b", "ignore-previous-rules"), ("a", "block")).isEmpty)
  }

  @Test(
    "an exception for documents is told where a page may be meant, and not where kinds of frames are named",
    arguments: [
      (#""url-filter":"a","resource-type":["document"]"#, true),
      (#""url-filter":"a","resource-type":["top-document"]"#, true),
      (#""url-filter":"a","resource-type":["child-document"]"#, false),
      (#""url-filter":"a","resource-type":["document"],"load-context":["child-frame"]"#, false),
      (#""url-filter":"a","resource-type":["document"],"load-context":["top-frame"]"#, false),
      (#""url-filter":".*","resource-type":["document"]"#, false),
      (#""url-filter":"a","resource-type":["document","image"]"#, false),
    ]
  )
  func documentExceptions(trigger: String, isTold: Bool) {
    let text =
      #"[{"trigger":{"url-filter":"b"},"action":{"type":"block"}},"#
      + #"{"trigger":{\#(trigger)},"action":{"type":"ignore-previous-rules"}}]"#
    let codes = RuleListReader.read(text).diagnostics.map(\.code)
    #expect(codes.contains(.documentException) == isTold)
  }

  @Test("many rules that stand twice are all found")
  func manyDuplicates() {
    let texts = (0..<3_000).map {
      #"{"trigger":{"url-filter":"a\#($0)"},"action":{"type":"block"}}"#
    }
    var options = ReadingOptions()
    options.diagnosticsPerCode = .max
    let text = "[" + (texts + texts).joined(separator: ",") + "]"
    let found = RuleListReader.read(Array(text.utf8), options: options).diagnostics
    #expect(found.count == 3_000)
    #expect(found.allSatisfy { $0.code == .duplicateRule && $0.severity == .note })
  }
}

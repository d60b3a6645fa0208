import ContentBlocking
import ContentRules
import Foundation
import Testing

@testable import LanguageServer

private typealias Object = Client.Object

@Suite("Answers of the language server")
struct AnswerTests {
  private static let list = #"""
    [
      {"trigger": {"url-filter": "^https?://([^/]+\\.)?ads\\.test[/:]", "resource-type": ["image"],
                   "load-type": ["third-party"], "if-domain": ["*news.test"]},
       "action": {"type": "block"}},
      {"trigger": {"url-filter": "/A[0-9]+x?$", "url-filter-is-case-sensitive": true},
       "action": {"type": "css-display-none", "selector": ".`ad`"}},
      {"trigger": {"url-filter": "a|b"}, "action": {"type": "block"}}
    ]
    """#

  private func hover(_ mark: String, in list: String = Self.list) throws -> (String, String)? {
    var client = Client()
    try client.begin(encodings: ["utf-8"])
    _ = try client.open("file:///a", list)
    let place = try #require(list.range(of: mark)).lowerBound
    let before = list[..<place]
    let line = before.count { $0 == "\n" }
    let column =
      before.utf8.count
      - (before.range(of: "\n", options: .backwards)
        .map { before[..<$0.upperBound].utf8.count } ?? 0)
    let answer = try client.ask(
      "textDocument/hover",
      ["textDocument": ["uri": "file:///a"], "position": ["line": line, "character": column]]
    )
    guard let result = answer["result"] as? Object, let range = result["range"] as? Object,
      let start = range["start"] as? [String: Int], let end = range["end"] as? [String: Int],
      let contents = result["contents"] as? Object, let text = contents["value"] as? String
    else { return nil }
    let document = DocumentText(Array(list.utf8))
    func offset(_ position: [String: Int]) -> Int {
      document.offset(
        of: TextPosition(line: position["line"] ?? 0, character: position["character"] ?? 0),
        .utf8
      )
    }
    let bytes = document.bytes[offset(start)..<offset(end)]
    return (text, String(decoding: bytes, as: UTF8.self))
  }

  @Test("a hover says what a rule does to which loads, with examples of the engine")
  func rule() throws {
    let (text, mark) = try #require(try hover("^https"))
    #expect(mark == #""^https?://([^/]+\\.)?ads\\.test[/:]""#)
    for part in [
      "**Rule 0** blocks loads", "begins with `ads.test`, then one character of `/:`",
      "**Types:** image", "only loads from other sites", "`news.test` with all hosts below it",
      "- `https://ads.test/` as image on `https://news.test/`",
    ] {
      #expect(text.contains(part), "\(part) is not in \(text)")
    }
  }

  @Test("a hover on a key or a word says what it means")
  func words() throws {
    let (key, keyMark) = try #require(try hover("load-type"))
    #expect(keyMark == #""load-type""#)
    #expect(key.hasPrefix("`load-type` – "))
    let (word, wordMark) = try #require(try hover("third-party"))
    #expect(wordMark == #""third-party""#)
    #expect(word.hasPrefix("`third-party` – "))
    #expect(try #require(try hover("*news")).0.hasPrefix("Pages of `news.test` and of all hosts"))
    #expect(try #require(try hover("css-dis")).0.hasPrefix("`css-display-none` – "))
    // What is in a list cannot format anything.
    #expect(try #require(try hover("css-dis")).0.contains("``.`ad` ``") == false)
    #expect(try #require(try hover("css-dis")).0.contains("``.`ad```") == false)
  }

  @Test("a pattern is told piece by piece, with its case")
  func pieces() {
    func words(_ pattern: String, isCaseSensitive: Bool = false) -> String {
      PatternWords.description(of: pattern, isCaseSensitive: isCaseSensitive)
    }
    #expect(
      words("/A[0-9]+x?$", isCaseSensitive: true)
        == "that contain `/A`, then at least one character of `0-9`, then optionally `x`, then the "
        + "end of the URL (letters as they are written)"
    )
    #expect(words("^http").hasPrefix("that begin with `http`"))
    #expect(words("a.*b") == "that contain `a`, then anything, then `b` (letters of either case)")
    #expect(
      words("(ab)*c[^/]").contains("`ab` any number of times, then `c`, then one character but `/`")
    )
    #expect(words(".*").hasPrefix("of any kind"))
    #expect(words(String(repeating: "(", count: 5_000)).contains("pattern of 5000 bytes"))
  }

  @Test("every example is confirmed: another reading of the rule matches it, too")
  func examples() throws {
    for (pattern, trigger) in [
      (#"/ads/"#, ""), (#"^wss://"#, #","resource-type":["websocket"]"#), (#"a[^a]b$"#, ""),
      (#"^https?://[^/]+:8080/"#, ""), (#"\\?id=[0-9]+&"#, #","load-type":["first-party"]"#),
      (#".*"#, #","if-top-url":["^https://shop\\.test/cart"]"#),
    ] {
      let text = #"{"trigger":{"url-filter":"\#(pattern)"\#(trigger)},"action":{"type":"block"}}"#
      let list = try ContentRuleList(identifier: "x", encodedContentRuleList: "[\(text)]")
      let rule = try #require(ListSource(Array("[\(text)]".utf8)).rule(at: 0))
      let examples = RuleExamples(of: rule, text: Array(text.utf8)).examples
      #expect(!examples.isEmpty, "\(pattern)")
      var blocker = ContentBlocker(lists: [list])
      for example in examples {
        let decision = try blocker.decision(
          url: example.url,
          page: example.page.isEmpty ? example.url : example.page,
          type: example.type
        )
        #expect(decision.isBlocked, "\(example)")
      }
    }
    let never = #"{"trigger":{"url-filter":"^ https"},"action":{"type":"block"}}"#
    let rule = try #require(ListSource(Array("[\(never)]".utf8)).rule(at: 0))
    #expect(RuleExamples(of: rule, text: Array(never.utf8)).examples.isEmpty)
  }

  @Test("rules that WebKit refuses say so, and there is nothing outside of rules")
  func refused() throws {
    #expect(try #require(try hover("a|b")).0.contains("**Rule 2** is refused by WebKit: `"))
    #expect(try hover("[\n") == nil)
    #expect(try #require(try hover("half", in: #"[{"half"#)).0.contains("is refused by WebKit"))
  }

  @Test("the outline has the rules by number and pattern")
  func symbols() throws {
    var client = Client()
    try client.begin()
    _ = try client.open("file:///a", Self.list + ",1")
    let answer = try client.ask(
      "textDocument/documentSymbol",
      ["textDocument": ["uri": "file:///a"]]
    )
    let symbols = try #require(answer["result"] as? [Object])
    #expect(
      symbols.map { $0["name"] as? String }
        == [#"0  ^https?://([^/]+\.)?ads\.test[/:]"#, "1  /A[0-9]+x?$", "2  a|b"]
    )
    #expect(symbols.map { $0["detail"] as? String } == ["block", "css-display-none", "block"])
  }

  @Test("findings have code, severity, place, and what else they are about")
  func findings() throws {
    var client = Client()
    try client.begin()
    let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#
    _ = try client.open("file:///a", "[\(rule),\n\(rule)]")
    let first = try client.diagnostics()
    let found = try #require(first)
    #expect(found.count == 1)
    #expect(found.first?["code"] as? String == "duplicate-rule")
    #expect(found.first?["severity"] as? Int == 3)
    #expect(found.first?["source"] as? String == "tickbird")
    let related = try #require((found.first?["relatedInformation"] as? [Object])?.first)
    #expect(related["message"] as? String == "this is rule 0")
    _ = try client.open("file:///b", "[\(rule),]")
    let second = try client.diagnostics()
    let refused = try #require(second?.first)
    #expect(refused["severity"] as? Int == 1)
    let words = (refused["relatedInformation"] as? [Object])?.first?["message"] as? String
    #expect(words == "WebKit refuses the list: Failed to parse the JSON String.")
    _ = try client.open("file:///spoiled.json", "[\(rule)]")
    #expect(try client.diagnostics()?.first?["message"] as? String == "the settings are spoiled")
  }

  @Test("quick fixes are the findings' corrections, at the version that they are for")
  func actions() throws {
    let list = #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}},]"#
    for versions in [false, true] {
      var client = Client()
      try client.begin(versions: versions)
      _ = try client.open("file:///a", list, version: 7)
      _ = try client.diagnostics()
      func ask(_ start: Int, _ end: Int, _ only: [String]?) throws -> [Object] {
        var context: Object = ["diagnostics": [Any]()]
        if let only { context["only"] = only }
        let answer = try client.ask(
          "textDocument/codeAction",
          [
            "textDocument": ["uri": "file:///a"], "context": context,
            "range": [
              "start": ["line": 0, "character": start], "end": ["line": 0, "character": end],
            ],
          ]
        )
        return try #require(answer["result"] as? [Object])
      }
      #expect(try ask(0, 3, nil).isEmpty)
      #expect(try ask(0, 99, ["refactor"]).isEmpty)
      let fix = try #require(try ask(57, 57, ["quickfix"]).first)
      #expect(fix["title"] as? String == "Remove ,")
      #expect(fix["isPreferred"] as? Bool == true)
      let edit = try #require(fix["edit"] as? Object)
      if versions {
        let change = try #require((edit["documentChanges"] as? [Object])?.first)
        #expect((change["textDocument"] as? Object)?["version"] as? Int == 7)
      } else {
        let changes = try #require((edit["changes"] as? Object)?["file:///a"] as? [Object])
        #expect(changes.first?["newText"] as? String == "")
      }
      let all = try #require(try ask(0, 0, ["source.fixAll"]).first)
      #expect(all["kind"] as? String == "source.fixAll")
    }
  }
}

import ContentBlocking
import Foundation
import ResourceLoads
import Testing
import WebURL

@testable import LocalApp

/// The page of rules.
struct RulesPageTests {
  private let list = #"""
    [
      {"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
      {"trigger": {"url-filter": "/ads/player"}, "action": {"type": "ignore-previous-rules"}},
      {"trigger": {"url-filter": "x", "resource-type": ["image"]}, "action": {"type": "block"}}
    ]
    """#

  @Test("the rules that decide a load are shown with their places, fates and texts")
  func explanation() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let answer = try await visitor.post(
        "/rules",
        [
          "rules": list, "type": "script", "page": "https://a.example/",
          "urls": "https://b.example/ads/1.js\nhttps://b.example/ads/player.js\n\nnonsense\n"
            + "https://b.example/x.gif image\nhttps://b.example/x.gif picture",
        ]
      )
      #expect(answer.status == 200)
      let body = answer.body
      #expect(body.contains("Your list: accepted, 3 rules"))
      #expect(body.contains("<span class=\"decision blocked\">Blocked</span>"))
      #expect(body.contains("Rule 0 (line 2, column 3) block, matched &quot;/ads/&quot; at 17-22"))
      #expect(
        body.contains("cancelled by ignore-previous-rules of rule 1 (line 3, column 3)")
      )
      #expect(body.contains("{&quot;url-filter&quot;: &quot;/ads/&quot;}"))
      #expect(body.contains("the load is of type script, the rule&#39;s resource-type is image"))
      #expect(body.contains("Rule 2 (line 4, column 3) block, matched &quot;x&quot;"))
      #expect(body.contains("<code>nonsense</code>") && body.contains("is not an absolute URL"))
      #expect(body.said.contains("“picture” is not a type of load"))
      // What was typed stays.
      #expect(body.contains("https://b.example/ads/player.js\n\nnonsense"))
    }
  }

  @Test("the rule that decides is shown first, however many rules hide on every page")
  func decidingRule() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let hiding = (0..<40).map { number in
        #"{"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".a\#(number)"}}"#
      }
      let deciding = [
        #"{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}"#,
        #"{"trigger": {"url-filter": "/ads/player"}, "action": {"type": "ignore-previous-rules"}}"#,
        #"{"trigger": {"url-filter": "logo"}, "action": {"type": "make-https"}}"#,
      ]
      let rules = "[\((hiding + deciding + hiding).joined(separator: ",\n"))]"
      func first(_ url: String) async throws -> String {
        let form = ["rules": rules, "page": "https://a.example/", "urls": url, "type": "image"]
        let body = try await visitor.post("/rules", form).body
        #expect(body.contains("more rules"))
        return try body.said.between("<ul class=\"matches\">\n<li>", "<br>")
      }
      #expect(try await first("http://b.example/ads/1.png").hasPrefix("Rule 40 (line 41"))
      #expect(try await first("http://b.example/ads/player.png").hasPrefix("Rule 41 (line 42"))
      #expect(try await first("http://b.example/logo.png").hasPrefix("Rule 42 (line 43"))
    }
  }

  @Test("faults are shown with line, column, excerpt and hint, and long lists of them in parts")
  func diagnostics() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let faulty = (0..<60).map { number in
        #"{"trigger": {"url-filter": "a\#(number)"}, "action": {"type": "block", "extra\#(number)": 1}}"#
      }
      let rules =
        "[\n\(faulty.joined(separator: ",\n")),\n"
        + #"{"trigger": {"url-filter": "a|b"}, "action": {"type": "block"}}"# + "\n]"
      let first = try await visitor.post("/rules", ["rules": rules, "urls": "https://a.example/"])
      #expect(first.body.contains("refused, 61 rules"))
      #expect(first.body.contains("The list is refused, so that it does nothing"))
      let count = first.body.components(separatedBy: "<li class=\"diagnostic ").count - 1
      #expect(count > 0 && count <= RulesAnswer.diagnosticsPerPage)
      var all = ""
      for part in 1...4 {
        let form = ["rules": rules, "diagnostics": "\(part)", "part": "answer"]
        let answer = try await visitor.post("/rules", form).body
        #expect(!answer.contains("<!doctype"))
        all += answer
      }
      #expect(
        all.contains("line 62, column 30") && all.contains("alternatives cannot be expressed")
      )
      #expect(all.contains("<mark>|</mark>b&quot;") && all.contains("<strong>Hint:</strong>"))
      #expect(all.said.contains("WebKit reports: Invalid or unsupported regular expression."))
    }
  }

  @Test(
    "an installed list, and a file, are looked at as a pasted one is; a long file is not echoed"
  )
  func otherLists() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let identifier = try await app.install("Ads", list)
      _ = try await visitor.submit("/extensions/extension/\(identifier)/on")
      let form = ["list": identifier, "rules": "[", "urls": "https://b.example/ads/1.js"]
      let installed = try await visitor.post("/rules", form).body
      #expect(installed.contains("Ads: accepted, 3 rules") && installed.contains(">Blocked<"))
      #expect(installed.contains("<option value=\"\(identifier)\" selected>Ads (installed)"))

      let short = try await visitor.upload("/rules/open", file: "s.json", Array(list.utf8)).body
      #expect(short.contains("Your list: accepted, 3 rules"))
      let rules = (0..<5_000).map { number in
        #"{"trigger": {"url-filter": "^https://host\#(number)\\.example/ads"}, "action": {"type": "block"}}"#
      }
      let text = "[" + rules.joined(separator: ",\n") + "]"
      let long = try await visitor.upload("/rules/open", file: "long.json", Array(text.utf8)).body
      #expect(long.contains("long.json: accepted, 5,000 rules"))
      #expect(long.utf8.count < 40_000)
      let key = try long.between("<option value=\"file-", "\"")
      let asked = [
        "list": "file-\(key)", "urls": "https://host4321.example/ads", "rule": "7",
        "type": "image", "page": "https://a.example/",
      ]
      let answer = try await visitor.post("/rules", asked).body
      #expect(answer.contains("Rule 4321 (line 4322, column 1) block"))
      #expect(answer.contains("Not rule 7 (line 8, column 1): its url-filter"))
      let gone = try await visitor.post("/rules", ["list": "file-gone"])
      #expect(gone.status == 422)
    }
  }

  @Test("a compiled list is looked at by what it was made from; a compressed one is to be unpacked")
  func otherFiles() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let compiled = try ContentRuleList.compile(Array(list.utf8)).file
      let opened = try await visitor.upload("/rules/open", file: "ads.tickbird", compiled)
      #expect(opened.body.contains("Your list: accepted, 3 rules"))
      let packed = try await visitor.upload("/rules/open", file: "ads.json.gz", [0x1F, 0x8B, 8, 0])
      #expect(packed.status == 422)
      #expect(packed.body.said.contains("ads.json.gz is compressed by gzip. Unpack it first"))
    }
  }

  @Test("a list's text and the URLs never become markup")
  func markup() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let evil = "</textarea><script>x</script>\"\u{301}><img>"
      let json = String(decoding: try JSONEncoder().encode(evil), as: UTF8.self)
      for rules in [
        evil,
        #"[{"trigger": {"url-filter": \#(json), "\#("<script>")": 1}, "action": {"type": "block"}}]"#,
        #"[{"trigger": {"url-filter": ".*", "if-domain": ["a"]}, "action": {"type": "css-display-none", "selector": \#(json)}}]"#,
      ] {
        let form = ["rules": rules, "urls": "https://a/\(evil)", "page": evil, "rule": evil]
        let body = try await visitor.post("/rules", form).body
        #expect(!body.contains("<script>") && !body.contains("<img>"))
        #expect(!body.hasOpenQuotation)
      }
      let file = try await visitor.upload(
        "/rules/open",
        file: "\u{301}><script>.json",
        [0xFF, 0x22]
      )
      #expect(!file.body.contains("<script>"))
    }
  }
}

/// Loads that are typed in mean what they mean everywhere (`Documentation/Loads.md`).
struct LoadQuestionTests {
  private func load(
    _ line: String,
    page: String = "https://page.test/",
    context: String = ""
  ) throws -> ResourceLoad {
    let question = LoadQuestion(urls: line, page: page, type: "image", context: context)
    guard case .load(let load)? = question.lines.first else {
      throw CocoaError(.formatting)
    }
    return load
  }

  @Test("what is left out means what the library takes it for")
  func defaults() throws {
    let url = try #require(WebURL("https://a.test/x"))
    let page = try #require(WebURL("https://page.test/"))
    let expected: [(ResourceLoad, ResourceLoad)] = [
      (try load("https://a.test/x#f"), ResourceLoad(url: url, topURL: page, resourceType: .image)),
      (try load("https://a.test/x", page: ""), ResourceLoad(url: url, resourceType: .image)),
      (
        try load("https://a.test/x child-document"),
        ResourceLoad(url: url, topURL: page, resourceType: .childDocument)
      ),
      (
        try load("https://a.test/x top-document"),
        ResourceLoad(url: url, resourceType: .topDocument)
      ),
      (
        try load("https://a.test/x", context: "child-frame"),
        ResourceLoad(url: url, topURL: page, resourceType: .image, loadContext: .childFrame)
      ),
    ]
    for (found, wanted) in expected { #expect(found == wanted) }
    #expect(expected[1].0.topURL.serialized == "about:blank")
    #expect(expected[1].0.loadType == .thirdParty)
    #expect(expected[2].0.frameURL.serialized == "about:blank")
  }
}

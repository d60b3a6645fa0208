import ContentBlocking
import DeclarativeImport
import ResourceLoads
import Testing
import WebURL

@Suite("Declarative rules in WebKit")
struct ImportTests {
  @Test("patterns of urlFilter")
  func patterns() throws {
    let cases: [(String, String, Bool)] = [
      ("||ads.com^", "https://x.ads.com/", true), ("||ads.com^", "https://ads.com:80/", true),
      ("||ads.com^", "https://xads.com/", false), ("||ads.com^", "https://ads.com.x.net/", false),
      ("|https://a", "https://a.com/", true), ("|https://a", "https://b.com/?https://a", false),
      ("/ad*x", "https://a.com/ad1/x", true), ("ad|", "https://a.com/ad", true),
      ("ad|", "https://a.com/ad?", false), ("ad^", "https://a.com/ad", true),
      ("ad^", "https://a.com/ads", false), ("a?b", "https://a.com/a?b", true),
      ("*ad*", "https://a.com/bad", true), ("AD", "https://a.com/ad", true),
      // Only the last separator may be the end of the URL, as Chromium 156 answers.
      ("||ads.com^^", "https://ads.com/", true), ("||ads.com^^", "https://ads.com/x", false),
      ("ad^^", "https://a.com/ad", false), ("ad^^*", "https://a.com/ad/", true),
      ("ad^*^", "https://a.com/ad", false), ("ad^*^", "https://a.com/ad/x", true),
      ("ad^^|", "https://a.com/ad/?", true), ("ad^^|", "https://a.com/ad/?x", false),
      // No URL begins with a separator, and none is empty.
      ("|^", "https://a.com/", false), ("|^|", "https://a.com/", false),
      ("|^^*", "https://a.com/", false),
    ]
    for (filter, url, isBlocked) in cases {
      let bench = try ImportBench(blocking("\"urlFilter\": \"\(filter)\""))
      #expect(try bench.blocks(url) == isBlocked, "\(filter) at \(url)")
      #expect(bench.list.entries[0].outcome == .converted)
    }
    let cased = try ImportBench(
      blocking("\"urlFilter\": \"AD\", \"isUrlFilterCaseSensitive\": true")
    )
    #expect(try !cased.blocks("https://a.com/ad"))
  }

  @Test("without types, all but pages")
  func types() throws {
    let bench = try ImportBench(blocking("\"urlFilter\": \"/ad\""))
    #expect(try bench.blocks("https://a.com/ad", .childDocument))
    #expect(try !bench.blocks("https://a.com/ad", .topDocument))
    let excluding = try ImportBench(
      blocking("\"urlFilter\": \"/ad\", \"excludedResourceTypes\": [\"image\"]")
    )
    #expect(try excluding.blocks("https://a.com/ad", .topDocument))
    #expect(try !excluding.blocks("https://a.com/ad", .image))
    let objects = try ImportBench(blocking("\"resourceTypes\": [\"object\"]"))
    #expect(objects.codes() == ["unsupported-condition"])
    let some = try ImportBench(blocking("\"resourceTypes\": [\"object\", \"image\"]"))
    #expect(some.codes() == ["types-not-applicable"])
  }

  /// Would take minutes if each of the domains above were looked up.
  @Test func domainsOfManyLabels() throws {
    let long = String(repeating: "a.", count: 300_000) + "com"
    let domains = "\"requestDomains\": [\"\(long)\", \"b.com\", \"x.b.com\"]"
    let bench = try ImportBench(blocking(domains))
    #expect(bench.list.ruleCount == 2)
    #expect(try bench.blocks("https://x.b.com/"))
  }

  /// Would take minutes if each domain were compared with each excluded one.
  @Test func manyDomains() throws {
    func list(_ key: String, _ name: String) -> String {
      let names = (0..<40_000).map { "\"\(name)\($0).example\"" }
      return "\"\(key)\": [\(names.joined(separator: ","))]"
    }
    // Of the excluded hosts only what is below a wanted one counts.
    let requests = try ImportBench(
      blocking(list("requestDomains", "a") + "," + list("excludedRequestDomains", "x.a"))
    )
    #expect(requests.list.entries[0].outcome == .converted)
    #expect(try requests.blocks("https://y.a7.example/"))
    #expect(try !requests.blocks("https://x.a7.example/"))
    let pages = try ImportBench(
      blocking(list("initiatorDomains", "a") + "," + list("excludedInitiatorDomains", "b"))
    )
    #expect(try pages.blocks("https://ads.example/", on: "https://a7.example/"))
    let rules = (0..<10_000).map {
      #"{"id": \#($0 + 1), "action": {"type": "block"}, "condition": {"urlFilter": "ad\#($0)", "#
        + #""excludedRequestDomains": ["a\#($0).example"]}}"#
    }
    let groups = try ImportBench("[" + rules.joined(separator: ",") + "]")
    #expect(groups.codes().last == "exclusions-of-others")
  }

  @Test("domains of requests, with a pattern and without")
  func requestDomains() throws {
    let domains = "\"requestDomains\": [\"a.com\", \"b.org\", \"x.a.com\"]"
    let bench = try ImportBench(blocking(domains))
    #expect(bench.list.ruleCount == 2)
    #expect(try bench.blocks("https://x.a.com/"))
    #expect(try !bench.blocks("https://xa.com/"))
    let path = try ImportBench(blocking(domains + ", \"urlFilter\": \"/ads/\""))
    #expect(path.list.entries[0].outcome == .converted)
    #expect(try path.blocks("https://a.com/ads/"))
    #expect(try path.blocks("https://a.com:8080/x/ads/"))
    #expect(try !path.blocks("https://c.com/ads/?a.com"))
    let text = try ImportBench(blocking(domains + ", \"urlFilter\": \"ads\""))
    #expect(text.codes() == ["behind-host"])
    #expect(try text.blocks("https://a.com/ads"))
    let anchored = try ImportBench(blocking(domains + ", \"urlFilter\": \"||cdn.a.com^\""))
    #expect(anchored.list.ruleCount == 1)
    #expect(try anchored.blocks("https://cdn.a.com/"))
    #expect(try !anchored.blocks("https://a.com/"))
  }

  @Test("excluded domains of requests are excepted in front of everything else")
  func excludedRequestDomains() throws {
    let bench = try ImportBench(
      "["
        + rule(
          1,
          #"{"type": "block"}"#,
          #""urlFilter": "/ad", "excludedRequestDomains": ["ok.com"]"#,
          priority: 2
        ) + "," + rule(2, #"{"type": "block"}"#, #""requestDomains": ["ok.com"]"#) + "]"
    )
    #expect(bench.list.count(.converted) == 2)
    #expect(try bench.blocks("https://a.com/ad"))
    #expect(try bench.blocks("https://ok.com/ad"))
    let alone = try ImportBench(
      blocking(#""urlFilter": "/ad", "excludedRequestDomains": ["ok.com"]"#)
    )
    #expect(try !alone.blocks("https://www.ok.com/ad"))
    let anchored = try ImportBench(
      blocking(#""urlFilter": "||a.com^", "excludedRequestDomains": ["ok.com", "x.a.com"]"#)
    )
    #expect(try !anchored.blocks("https://x.a.com/"))
    #expect(try anchored.blocks("https://a.com/"))
    #expect(anchored.list.ruleCount == 2)
  }

  @Test("initiators are the frame's document, for frames the page")
  func initiators() throws {
    let bench = try ImportBench(
      blocking(#""urlFilter": "/ad", "initiatorDomains": ["a.com"], "resourceTypes": ["image"]"#)
    )
    #expect(bench.list.entries[0].outcome == .converted)
    #expect(try bench.blocks("https://x.net/ad", on: "https://www.a.com/"))
    #expect(try !bench.blocks("https://x.net/ad", on: "https://b.org/"))
    #expect(try bench.blocks("https://x.net/ad", on: "https://b.org/", frame: "https://a.com/f"))
    #expect(
      try !bench.blocks("https://x.net/ad", on: "https://a.com/", frame: "https://b.org/f")
    )
    let every = try ImportBench(blocking(#""urlFilter": "/ad", "initiatorDomains": ["a.com"]"#))
    #expect(every.codes() == ["frame-of-page"])
    #expect(try every.blocks("https://x.net/ad", on: "https://a.com/", .childDocument))
    let excluded = try ImportBench(
      blocking(#""initiatorDomains": ["a.com"], "excludedInitiatorDomains": ["b.a.com"]"#)
    )
    #expect(excluded.codes() == ["two-conditions"])
  }

  @Test("priorities become the order")
  func order() throws {
    let block = #"{"type": "block"}"#
    let allow = #"{"type": "allow"}"#
    let ad = #""urlFilter": "/ad""#
    let equal = try ImportBench("[\(rule(1, allow, ad)), \(rule(2, block, ad))]")
    #expect(try !equal.blocks("https://a.com/ad"))
    let above = try ImportBench("[\(rule(1, block, ad, priority: 2)), \(rule(2, allow, ad))]")
    #expect(try above.blocks("https://a.com/ad"))
    #expect(above.list.entries.map(\.rules) == [[1], [0]])
  }

  /// As Chromium does, and Safari with an extension's rules: an allowance of at least the same priority wins.
  @Test(
    "of an upgrade and an allowance the higher priority wins, of equal ones the allowance",
    arguments: ["allow", "allowAllRequests"],
    [(1, 1), (1, 2), (2, 1)]
  )
  func upgradesAndAllowances(_ allowing: String, _ priorities: (upgrade: Int, allow: Int)) throws {
    let page = #""requestDomains": ["a.com"], "resourceTypes": ["main_frame"]"#
    let upgrade = rule(1, #"{"type": "upgradeScheme"}"#, page, priority: priorities.upgrade)
    let allow = rule(2, #"{"type": "\#(allowing)"}"#, page, priority: priorities.allow)
    let url = try #require(WebURL("http://a.com/"))
    for rules in ["[\(upgrade), \(allow)]", "[\(allow), \(upgrade)]"] {
      let bench = try ImportBench(rules)
      #expect(bench.list.count(.converted) == 2)
      let outcome = bench.outcome(
        ResourceLoad(url: url, topURL: url, resourceType: .topDocument, loadContext: .topFrame)
      )
      #expect(outcome.makesHTTPS == (priorities.upgrade > priorities.allow))
    }
  }

  /// Chromium matches the upgraded URL again, and blocks it; WebKit does not.
  @Test func anUpgradedURLIsNotMatchedAgain() throws {
    let upgrade = rule(1, #"{"type": "upgradeScheme"}"#, #""urlFilter": "||a.com^""#)
    let block = rule(2, #"{"type": "block"}"#, #""urlFilter": "|https://a.com/ad""#)
    let both = try ImportBench("[\(upgrade), \(block)]")
    #expect(both.list.differences.contains(.upgradesOnce))
    #expect(try !both.blocks("http://a.com/ad") && both.blocks("https://a.com/ad"))
    #expect(try !ImportBench("[\(upgrade)]").list.differences.contains(.upgradesOnce))
    #expect(try !ImportBench("[\(block)]").list.differences.contains(.upgradesOnce))
  }

  @Test("what a page loads is allowed by its address")
  func allowAllRequests() throws {
    let bench = try ImportBench(
      "["
        + rule(
          1,
          #"{"type": "allowAllRequests"}"#,
          #""requestDomains": ["a.com"], "resourceTypes": ["main_frame"]"#,
          priority: 2
        ) + "," + rule(2, #"{"type": "block"}"#, #""urlFilter": "/ad""#) + "]"
    )
    #expect(bench.list.count(.converted) == 2)
    #expect(try !bench.blocks("https://x.net/ad", on: "https://www.a.com/"))
    #expect(
      try !bench.blocks("https://x.net/ad", on: "https://www.a.com/", frame: "https://f.net/")
    )
    #expect(try bench.blocks("https://a.com/ad", on: "https://b.org/"))
  }

  @Test("other actions")
  func actions() throws {
    func json(_ action: String) throws -> (String, [String]) {
      let bench = try ImportBench("[" + rule(1, action, #""urlFilter": "/ad""#) + "]")
      return (String(decoding: bench.list.json, as: UTF8.self), bench.codes())
    }
    let cookies = try json(
      """
      {"type": "modifyHeaders", "requestHeaders": [{"header": "Cookie", "operation": "remove"}],
       "responseHeaders": [{"header": "set-cookie", "operation": "remove"}]}
      """
    )
    #expect(cookies.0.contains("block-cookies") && cookies.1 == [])
    let half = try json(
      #"{"type": "modifyHeaders", "requestHeaders": [{"header": "cookie", "operation": "remove"}]}"#
    )
    #expect(half.0.contains("block-cookies") && half.1 == ["cookies-wholly"])
    let header = try json(
      """
      {"type": "modifyHeaders", "requestHeaders":
       [{"header": "dnt", "operation": "set", "value": "1"}]}
      """
    )
    #expect(header.0.contains("modify-headers") && header.1 == ["needs-permission"])
    let response = try json(
      #"{"type": "modifyHeaders", "responseHeaders": [{"header": "x", "operation": "remove"}]}"#
    )
    #expect(response.1 == ["unsupported-action"])
    let redirect = try json(
      """
      {"type": "redirect", "redirect": {"transform": {"scheme": "https",
       "queryTransform": {"removeParams": ["utm"]}}}}
      """
    )
    #expect(redirect.0.contains("\"remove-parameters\":[\"utm\"]"))
    #expect(redirect.1 == ["needs-permission"])
    #expect(try json(#"{"type": "upgradeScheme"}"#).0.contains("make-https"))
  }

  @Test("what WebKit redirects otherwise is told")
  func redirects() throws {
    func codes(_ rules: String...) throws -> [[String]] {
      let bench = try ImportBench("[\(rules.joined(separator: ","))]")
      return bench.list.entries.map { entry in
        entry.reasons.map(\.code.rawValue).filter { $0 != "needs-permission" }.sorted()
      }
    }
    func substituting(_ expression: String, _ more: String = "") -> String {
      rule(
        1,
        #"{"type": "redirect", "redirect": {"regexSubstitution": "http://n.test/\\1"}}"#,
        "\"regexFilter\": \"\(expression)\"\(more)"
      )
    }
    let exact = #", "isUrlFilterCaseSensitive": true"#
    #expect(try codes(substituting("^http://old\\\\.test/(.*)$", exact)) == [[]])
    #expect(
      try codes(substituting("^http://old\\\\.test/(.*)$")) == [["substitution-of-case"]]
    )
    #expect(try codes(substituting("/([0-9]+)")) == [["substitution-of-url"]])
    let added =
      #"{"type": "redirect", "redirect": {"transform": {"queryTransform": {"addOrReplaceParams": [{"key": "a", "value": "1"}]}}}}"#
    #expect(try codes(rule(1, added, "")) == [["query-parameters"]])
    let to = #"{"type": "redirect", "redirect": {"url": "http://n.test/"}}"#
    let other = #"{"type": "redirect", "redirect": {"url": "http://o.test/"}}"#
    let upgrade = #"{"type": "upgradeScheme"}"#
    #expect(
      try codes(rule(1, to, ""), rule(2, other, "", priority: 2))
        == [["redirects-in-turn"], ["redirects-in-turn"]]
    )
    #expect(try codes(rule(1, upgrade, ""), rule(2, upgrade, #""urlFilter": "a""#)) == [[], []])
    #expect(
      try codes(rule(1, to, ""), rule(2, upgrade, "")) == [
        ["redirects-in-turn"], ["redirects-in-turn"],
      ]
    )
    let shared = try codes(
      rule(1, to, #""urlFilter": "a""#),
      rule(2, #"{"type": "allow"}"#, #""urlFilter": "b""#),
      rule(3, to, #""urlFilter": "c""#)
    )
    #expect(
      shared == [
        ["redirects-in-turn", "shared-redirect"], [], ["redirects-in-turn", "shared-redirect"],
      ]
    )
  }

  @Test("only what is fetched by http is upgraded")
  func upgrades() throws {
    let upgrade = #"{"type": "upgradeScheme"}"#
    let both = try ImportBench("[\(rule(1, upgrade, #""resourceTypes": ["image", "websocket"]"#))]")
    let json = String(decoding: both.list.json, as: UTF8.self)
    #expect(json.contains(#""resource-type":["image"]"#), "\(json)")
    let sockets = try ImportBench("[\(rule(1, upgrade, #""resourceTypes": ["websocket"]"#))]")
    #expect(sockets.codes() == ["never-applies"])
    let appended =
      #"{"type": "modifyHeaders", "requestHeaders": [{"header": "x-a", "operation": "append", "value": "1"}]}"#
    #expect(try ImportBench("[\(rule(1, appended, ""))]").codes() == ["invalid-rule"])
  }

  @Test("rules for pages alone say why they are not for pages")
  func pagesAlone() throws {
    let block = #"{"type": "block"}"#
    let pages = #""resourceTypes": ["main_frame"]"#
    let codes = try ImportBench(
      """
      [\(rule(1, block, #""initiatorDomains": ["live"], \#(pages)"#)),
      \(rule(2, block, #""domainType": "firstParty", \#(pages)"#)),
      \(rule(3, block, #""initiatorDomains": ["live"], "resourceTypes": ["main_frame", "script"]"#))]
      """
    )
    #expect(codes.codes(0) == ["pages-not-by-initiator"])
    #expect(codes.codes(1) == ["pages-not-by-party"])
    #expect(codes.codes(2) == ["pages-not-by-initiator"])
  }

  @Test(
    "what Chromium refuses or WebKit cannot say is told",
    arguments: [
      (#"{"action": {"type": "block"}, "condition": {}}"#, "invalid-rule"),
      (#"{"id": 1, "condition": {}}"#, "invalid-rule"), ("7", "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""requestDomains": []"#), "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""requestDomains": ["A.com"]"#), "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""resourceTypes": ["picture"]"#), "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""urlFilter": "é""#), "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""urlFilter": "a", "regexFilter": "a""#), "invalid-rule"),
      (rule(1, #"{"type": "allowAllRequests"}"#, #""urlFilter": "a""#), "invalid-rule"),
      (rule(1, #"{"type": "block"}"#, #""tabIds": [1]"#), "unsupported-condition"),
      (rule(1, #"{"type": "block"}"#, #""regexFilter": "a|b""#), "regex"),
      (
        rule(1, #"{"type": "block"}"#, #""requestMethods": ["post"], "resourceTypes": ["image"]"#),
        "method-of-page"
      ),
      (rule(1, #"{"type": "explode"}"#, ""), "unsupported-action"),
    ]
  )
  func impossible(rule: String, code: String) throws {
    let bench = try ImportBench("[\(rule)]")
    #expect(bench.list.entries[0].outcome == .impossible)
    #expect(bench.codes() == [code])
    #expect(bench.list.ruleCount == 0)
  }

  @Test("a text that is no array of rules is refused at its place")
  func texts() {
    let faults = ["", "{}", "[1,", "[{]"].map { text in
      do throws(ImportFault) {
        _ = try ImportReader.read(Array(text.utf8))
        return -1
      } catch {
        return error.offset
      }
    }
    #expect(faults == [0, 0, 3, 2])
    #expect(throws: Never.self) { try ImportReader.read(Array("[]".utf8)) }
  }

  @Test("an id that occurs twice")
  func ids() throws {
    let block = #"{"type": "block"}"#
    let bench = try ImportBench("[\(rule(1, block, "")), \(rule(1, block, ""))]")
    #expect(bench.list.entries.map(\.outcome) == [.converted, .impossible])
  }
}

import ContentBlocking
import ContentRules
import ResourceLoads
import RuleMatching
import Testing
import WebURL

@Suite("Decisions of several lists")
struct ContentBlockerTests {
  @Test("ignore rules of a list leave the other lists alone")
  func ignoreRulesStayInTheirList() throws {
    let blocking = try contentRuleList(plainList(("ads", "block")), "blocking")
    let before = try contentRuleList(plainList((".*", "ignore-previous-rules")), "before")
    let after = try contentRuleList(
      plainList((".*", "ignore-following-rules"), ("ads", "block-cookies")),
      "after"
    )
    for lists in [[blocking, before, after], [after, before, blocking]] {
      var blocker = ContentBlocker(lists: lists)
      let decision = blocker.decision(for: try makeLoad("https://x.test/ads"))
      #expect(decision.isBlocked)
      #expect(!decision.blocksCookies)
      #expect(decision.actions.map(\.kind) == [.block])
    }
    var own = ContentBlocker(lists: [
      try contentRuleList(plainList(("ads", "block"), (".*", "ignore-previous-rules")))
    ])
    #expect(!own.decision(for: try makeLoad("https://x.test/ads")).isBlocked)
  }

  @Test("actions come in the order of the lists, with the rules that asked for them")
  func order() throws {
    let first = try contentRuleList(
      plainList(("a", "block-cookies"), ("b", "block"), ("d", "block-cookies"))
    )
    let second = try contentRuleList(plainList(("nowhere", "block"), ("b", "make-https")))
    var blocker = ContentBlocker(lists: [first, second])
    let decision = blocker.decision(for: try makeLoad("http://x.test/abd"))
    #expect(decision.actions.map(\.kind) == [.blockCookies, .block, .makeHTTPS])
    #expect(decision.actions.map(\.list) == [0, 0, 1])
    #expect(decision.actions.map(\.rules) == [[0, 2], [1], [1]])
    #expect(decision.actions.map(\.idleness) == [nil, nil, .loadIsBlocked])
  }

  @Test(
    "make-https upgrades http and ws without a port, unless the load is blocked",
    arguments: [
      ("http://a.test/x?q#f", "https://a.test/x?q"), ("http://a.test:80/", "https://a.test/"),
      ("http://a.test:8080/", nil), ("http://a.test:443/", nil), ("https://a.test/", nil),
      ("ws://a.test/x", "wss://a.test/x"), ("ws://a.test:81/x", nil), ("wss://a.test/x", nil),
      ("ftp://a.test/", nil), ("about:blank", nil), ("http://127.0.0.1/", "https://127.0.0.1/"),
      ("http://localhost/", "https://localhost/"), ("blob:http://a.test/1", nil),
      ("http://a.test/blocked", nil),
    ] as [(String, String?)]
  )
  func makeHTTPS(_ url: String, _ upgraded: String?) throws {
    let list = try contentRuleList(plainList((".*", "make-https"), ("/blocked$", "block")))
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad(url)
    let decision = blocker.decision(for: load)
    #expect(decision.newURL?.serialized == upgraded)
    #expect(blocker.outcome(for: load).makesHTTPS)
  }

  @Test("an upgraded URL is not matched again")
  func upgradedURLIsNotMatched() throws {
    let list = try contentRuleList(plainList(("^http:", "make-https"), ("^https:", "block")))
    var blocker = ContentBlocker(lists: [list])
    let decision = blocker.decision(for: try makeLoad("http://a.test/"))
    #expect(!decision.isBlocked)
    #expect(decision.newURL?.serialized == "https://a.test/")
  }

  @Test("each hop of a redirect is a load of its own")
  func hops() throws {
    let list = try contentRuleList(plainList(("^https?://b\\\\.test", "block")))
    var blocker = ContentBlocker(lists: [list])
    let first = try makeLoad("http://a.test/", page: "http://a.test/", type: .topDocument)
    var hop = first
    hop.url = try webURL("http://b.test/")
    hop.topURL = hop.url
    #expect(!blocker.decision(for: first).isBlocked)
    #expect(blocker.decision(for: hop).isBlocked)
    #expect(!blocker.decision(for: first).isBlocked)
  }

  @Test("the engine does not look at data: URLs, and looks at every other scheme")
  func unchecked() throws {
    let list = try contentRuleList(
      listText([
        (#""url-filter":".*""#, #""type":"block""#),
        (#""url-filter":".*""#, #""type":"css-display-none","selector":"a""#),
      ])
    )
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad("data:text/html,x")
    let decision = blocker.decision(for: load)
    #expect(!decision.isBlocked)
    #expect(decision.actions.isEmpty && decision.lists.isEmpty && decision.attachedSheets == 0)
    #expect(blocker.outcome(for: load) == ContentBlocker.Outcome())
    let explanation = blocker.explanation(for: load, sources: [ListSource(list.source)])
    #expect(explanation.matches.isEmpty)
    for url in ["about:blank", "blob:http://a.test/1", "file:///x", "javascript:0", "DATA2:x"] {
      #expect(blocker.decision(for: try makeLoad(url)).isBlocked, "\(url)")
    }
    // The page may have any URL.
    #expect(blocker.decision(for: try makeLoad("http://a.test/", page: "data:,x")).isBlocked)
  }

  @Test("notifications come in order, one for each text")
  func notifications() throws {
    func notify(_ pattern: String, _ text: String) -> (String, String) {
      (#""url-filter":"\#(pattern)""#, #""type":"notify","notification":"\#(text)""#)
    }
    let first = try contentRuleList(
      listText([notify("x", "second ü"), notify("t", "first"), notify("s", "second ü")])
    )
    let second = try contentRuleList(listText([notify("e", "first"), notify("none", "never")]))
    var blocker = ContentBlocker(lists: [first, second])
    let decision = blocker.decision(for: try makeLoad("https://x.test/"))
    #expect(decision.notifications == ["second ü", "first", "first"])
    #expect(decision.actions.map(\.rules) == [[0, 2], [1], [0]])
  }

  @Test("an identifier is reported behind its rule's action, as the list spells it")
  func identifiers() throws {
    let rule =
      #"{"trigger":{"url-filter":"a"},"action":{"type":"block"},"_identifier":7,"#
      + #""_rulesetIdentifier":"set"}"#
    let other = #"{"trigger":{"url-filter":"b"},"action":{"type":"block"},"_identifier":-1.5}"#
    let list = try contentRuleList(Array("[\(rule),\(other)]".utf8))
    var blocker = ContentBlocker(lists: [list])
    let decision = blocker.decision(for: try makeLoad("https://x.test/ab"))
    #expect(
      decision.actions.map(\.effect) == [
        .action(.block), .reportIdentifier(RuleIdentifier(number: 7, ruleset: "set")),
        .reportIdentifier(RuleIdentifier(number: -1.5)),
      ]
    )
    #expect(decision.actions.map(\.rules) == [[0, 1], [0], [1]])
  }

  @Test("a blocker without lists does nothing")
  func noLists() throws {
    var blocker = ContentBlocker(lists: [])
    let load = try makeLoad("https://x.test/")
    #expect(blocker.decision(for: load).actions.isEmpty)
    #expect(blocker.outcome(for: load) == ContentBlocker.Outcome())
    #expect(blocker.explanation(for: load, sources: []).matches.isEmpty)
  }
}

@Suite("Hiding")
struct HidingTests {
  private func hide(_ trigger: String, _ selector: String) -> (String, String) {
    (trigger, #""type":"css-display-none","selector":"\#(selector)""#)
  }

  @Test("selectors that hide everywhere are in the global sheet and in no load's result")
  func globalSheet() throws {
    let list = try contentRuleList(
      listText([
        hide(#""url-filter":".*""#, "#a"), hide(#""url-filter":"x""#, "#b"),
        hide(#""url-filter":".*","resource-type":["image"]"#, "#c"),
        hide(#""url-filter":".*","if-domain":["page.test"]"#, "#d"),
        hide(#""url-filter":"^.*""#, "#e"),
        (#""url-filter":"nowhere""#, #""type":"ignore-previous-rules""#),
        hide(#""url-filter":".*""#, "#f"),
      ])
    )
    #expect(list.globalSelectors == "#a,#e")
    var blocker = ContentBlocker(lists: [list])
    let decision = blocker.decision(for: try makeLoad("https://x.test/"))
    #expect(decision.hiddenSelectors == ["#d", "#b", "#c", "#f"])
    #expect(decision.lists.map(\.attachesGlobalSheet) == [true])
    let source = ListSource(list.source)
    #expect(source.globalRules.map(\.index) == [0, 4])
  }

  @Test("selectors of rules with the same trigger come joined, in the list's order")
  func joined() throws {
    let list = try contentRuleList(
      listText([
        hide(#""url-filter":"x""#, "#b"), hide(#""url-filter":"y""#, "#c"),
        hide(#""url-filter":"x""#, "#a, p > i"),
      ])
    )
    #expect(list.globalSelectors == nil)
    var blocker = ContentBlocker(lists: [list])
    let decision = blocker.decision(for: try makeLoad("https://x.test/"))
    #expect(decision.hiddenSelectors == ["#b,#a, p > i"])
    #expect(decision.actions.map(\.rules) == [[0, 2]])
  }

  @Test("a load attaches the sheets of those lists of which no ignore-previous-rules acts on it")
  func attachedSheets() throws {
    let sheet = hide(#""url-filter":".*""#, "#a")
    let plain = try contentRuleList(listText([sheet]))
    let ignoring = try contentRuleList(
      listText([sheet, (#""url-filter":"/x""#, #""type":"ignore-previous-rules""#)])
    )
    let following = try contentRuleList(
      listText([
        sheet, (#""url-filter":"/x""#, #""type":"ignore-following-rules""#),
        (#""url-filter":"/x""#, #""type":"ignore-previous-rules""#),
      ])
    )
    var blocker = ContentBlocker(lists: [plain, ignoring, following])
    let touched = blocker.decision(for: try makeLoad("https://a.test/x"))
    #expect(touched.lists.map(\.attachesGlobalSheet) == [true, false, true])
    #expect(touched.attachedSheets == 2)
    let untouched = blocker.decision(for: try makeLoad("https://a.test/y"))
    #expect(untouched.attachedSheets == 3)
  }

  @Test("a blocked load hides all the same")
  func blockedLoadHides() throws {
    let list = try contentRuleList(
      listText([(#""url-filter":"x""#, #""type":"block""#), hide(#""url-filter":"x""#, "#b")])
    )
    var blocker = ContentBlocker(lists: [list])
    let decision = blocker.decision(for: try makeLoad("https://x.test/"))
    #expect(decision.isBlocked)
    #expect(decision.hiddenSelectors == ["#b"])
  }
}

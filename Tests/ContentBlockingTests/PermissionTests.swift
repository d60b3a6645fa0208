import ContentBlocking
import ContentRules
import RuleMatching
import Testing
import WebURL

@Suite("Actions that need permission")
struct PermissionTests {
  static let everywhere = "<all_urls>"

  private func redirect(_ pattern: String, _ target: String) -> (String, String) {
    (#""url-filter":"\#(pattern)""#, #""type":"redirect","redirect":{\#(target)}"#)
  }

  private func headers(_ pattern: String, _ priority: Int, _ change: String) -> (String, String) {
    (
      #""url-filter":"\#(pattern)""#,
      #""type":"modify-headers","priority":\#(priority),"request-headers":[{\#(change)}]"#
    )
  }

  private func block(_ pattern: String) -> (String, String) {
    (#""url-filter":"\#(pattern)""#, #""type":"block""#)
  }

  private func permission(
    _ pattern: String = everywhere,
    base: String? = nil
  ) throws -> ContentBlocker.Permission {
    ContentBlocker.Permission(
      patterns: [try URLMatchPattern(pattern)],
      extensionBaseURL: base.flatMap { WebURL($0) }
    )
  }

  @Test(
    "redirects of every kind act with permission alone",
    arguments: [
      (#""url":"https://b.test/new""#, "https://b.test/new"),
      (#""extension-path":"/page.html""#, "ext://base/page.html"),
      (#""regex-substitution":"https://b.test/\\1""#, "https://b.test/path"),
      (#""transform":{"host":"c.test","scheme":"https"}"#, "https://c.test/path?q=1"),
      (#""transform":{"query":""}"#, "http://a.test/path"),
      (
        #""transform":{"query-transform":{"remove-parameters":["q"],"#
          + #""add-or-replace-parameters":[{"key":"k","value":"v"}]}}"#,
        "http://a.test/path?k=v"
      ),
    ]
  )
  func redirects(_ target: String, _ expected: String) throws {
    let list = try contentRuleList(listText([redirect("^http://a\\\\.test/([a-z]+)", target)]))
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad("http://a.test/path?q=1")
    let inert = blocker.decision(for: load)
    #expect(inert.newURL == nil)
    #expect(inert.actions.map(\.kind) == [.redirect])
    #expect(inert.actions.map(\.isEffective) == [false])
    blocker.permissions["list"] = try permission(base: "ext://base/")
    let acting = blocker.decision(for: load)
    #expect(acting.newURL?.serialized == expected)
    #expect(acting.actions.map(\.isEffective) == [true])
    blocker.permissions["list"] = try permission("*://other.test/*", base: "ext://base/")
    #expect(blocker.decision(for: load).newURL == nil)
    blocker.permissions = ["another": try permission(base: "ext://base/")]
    #expect(blocker.decision(for: load).newURL == nil)
  }

  @Test("without a base URL an extension path leads nowhere")
  func extensionPathWithoutBase() throws {
    let list = try contentRuleList(listText([redirect("a", #""extension-path":"/p""#)]))
    var blocker = ContentBlocker(lists: [list])
    blocker.permissions["list"] = try permission()
    #expect(blocker.decision(for: try makeLoad("http://a.test/")).newURL == nil)
  }

  @Test("of block and redirect the first one wins")
  func firstWins() throws {
    let target = #""url":"https://b.test/""#
    let blockFirst = try contentRuleList(listText([block("a"), redirect("a", target)]))
    let redirectFirst = try contentRuleList(listText([redirect("a", target), block("a")]))
    let load = try makeLoad("http://a.test/")

    var first = ContentBlocker(lists: [blockFirst])
    first.permissions["list"] = try permission()
    let blocked = first.decision(for: load)
    #expect(blocked.isBlocked && blocked.newURL == nil)
    #expect(blocked.actions.map(\.isEffective) == [true, false])

    var second = ContentBlocker(lists: [redirectFirst])
    #expect(second.decision(for: load).isBlocked)
    second.permissions["list"] = try permission()
    let redirected = second.decision(for: load)
    #expect(!redirected.isBlocked && redirected.newURL?.serialized == "https://b.test/")
    #expect(redirected.actions.map(\.isEffective) == [true, false])
    // The quick way knows no permissions.
    #expect(second.outcome(for: load).isBlocked)
  }

  @Test("of block and redirect in different lists the first list's wins")
  func firstListWins() throws {
    let redirecting = try contentRuleList(
      listText([redirect("a", #""url":"https://b.test/""#)]),
      "redirecting"
    )
    let blocking = try contentRuleList(listText([block("a")]), "blocking")
    let load = try makeLoad("http://a.test/")
    for (lists, isBlocked) in [
      ([redirecting, blocking], false), ([blocking, redirecting], true),
    ] {
      var blocker = ContentBlocker(lists: lists)
      blocker.permissions["redirecting"] = try permission()
      let decision = blocker.decision(for: load)
      #expect(decision.isBlocked == isBlocked)
      #expect((decision.newURL == nil) == isBlocked)
    }
  }

  @Test("several redirects act one after the other, behind the upgrade")
  func chain() throws {
    let list = try contentRuleList(
      listText([
        redirect(".*", #""transform":{"host":"b.test"}"#),
        (#""url-filter":".*""#, #""type":"make-https""#),
        redirect(".*", #""transform":{"path":"/new"}"#),
      ])
    )
    var blocker = ContentBlocker(lists: [list])
    blocker.permissions["list"] = try permission()
    let decision = blocker.decision(for: try makeLoad("http://a.test/old"))
    #expect(decision.newURL?.serialized == "https://b.test/new")
  }

  @Test("header changes are sorted by priority over all lists, equal ones in the lists' order")
  func headerPriorities() throws {
    func set(_ priority: Int, _ value: String) -> (String, String) {
      headers("a", priority, #""operation":"set","header":"h","value":"\#(value)""#)
    }
    let first = try contentRuleList(
      listText([set(1, "one"), set(5, "five"), set(3, "three")]),
      "1"
    )
    let second = try contentRuleList(listText([set(9, "nine"), set(3, "last")]), "2")
    let silent = try contentRuleList(listText([set(99, "silent")]), "3")
    var blocker = ContentBlocker(lists: [first, second, silent])
    blocker.permissions["1"] = try permission()
    blocker.permissions["2"] = try permission()
    let decision = blocker.decision(for: try makeLoad("http://a.test/"))
    let values = decision.headerChanges.flatMap(\.requestHeaders).map { operation in
      if case .set(_, let value) = operation { value } else { "" }
    }
    #expect(values == ["nine", "five", "three", "last", "one"])
    #expect(decision.actions.map(\.isEffective) == [true, true, true, true, true, false])
    var sent = RequestHeaders([("H", "old")])
    HeaderChanges.apply(actions: decision.headerChanges, to: &sent)
    #expect(sent.fields.map(\.value) == ["nine"])
  }

  @Test("header changes of every operation act with permission alone")
  func headerOperations() throws {
    let list = try contentRuleList(
      listText([
        headers("a", 1, #""operation":"append","header":"cookie","value":"b=2""#),
        headers("a", 2, #""operation":"remove","header":"referer""#),
        headers("a", 3, #""operation":"set","header":"x","value":"1""#),
      ])
    )
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad("http://a.test/")
    #expect(blocker.decision(for: load).headerChanges.isEmpty)
    blocker.permissions["list"] = try permission()
    var sent = RequestHeaders([("Cookie", "a=1"), ("Referer", "http://c.test/")])
    HeaderChanges.apply(actions: blocker.decision(for: load).headerChanges, to: &sent)
    #expect(sent.fields.map(\.name) == ["Cookie", "x"])
    #expect(sent.fields.map(\.value) == ["a=1; b=2", "1"])
  }
}

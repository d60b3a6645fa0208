import ContentBlocking
import Testing

@Suite("Explanations")
struct ExplanationTests {
  private func fates(
    _ json: [UInt8],
    _ url: String,
    permission: String? = nil
  ) throws -> [Int: Explanation.Fate] {
    let list = try contentRuleList(json)
    var blocker = ContentBlocker(lists: [list])
    if let permission {
      blocker.permissions["list"] = .init(patterns: [try URLMatchPattern(permission)])
    }
    let explanation = blocker.explanation(
      for: try makeLoad(url),
      sources: [ListSource(list.source)]
    )
    #expect(Set(explanation.matches.map(\.rule)).count == explanation.matches.count)
    return Dictionary(uniqueKeysWithValues: explanation.matches.map { ($0.rule, $0.fate) })
  }

  @Test("rules that share an action are merged into the first one that matches")
  func merged() throws {
    let list = plainList(("a", "block"), ("b", "block"), ("c", "block"), ("d", "block-cookies"))
    #expect(
      try fates(list, "https://x.test/bcd") == [1: .applied, 2: .merged(into: 1), 3: .applied]
    )
    #expect(try fates(list, "https://x.test/c") == [2: .applied])
    #expect(
      try fates(list, "https://x.test/abc")
        == [0: .applied, 1: .merged(into: 0), 2: .merged(into: 0)]
    )
  }

  @Test("rules before an ignore-previous-rules are cancelled by the first of its slot that matches")
  func cancelled() throws {
    let list = plainList(
      ("a", "block"),
      ("b", "ignore-previous-rules"),
      ("c", "ignore-previous-rules"),
      ("d", "block")
    )
    #expect(
      try fates(list, "https://x.test/acd")
        == [0: .cancelled(by: 2), 2: .applied, 3: .applied]
    )
    #expect(
      try fates(list, "https://x.test/abc")
        == [0: .cancelled(by: 1), 1: .applied, 2: .merged(into: 1)]
    )
  }

  @Test("rules behind an ignore-following-rules are swallowed, ignore-previous-rules included")
  func swallowed() throws {
    let list = plainList(
      ("a", "block"),
      ("b", "ignore-following-rules"),
      ("c", "block-cookies"),
      ("d", "ignore-previous-rules")
    )
    #expect(
      try fates(list, "https://x.test/abcd")
        == [0: .applied, 1: .applied, 2: .swallowed(by: 1), 3: .swallowed(by: 1)]
    )
    #expect(try fates(list, "https://x.test/acd")[0] == .cancelled(by: 3))
  }

  private static let redirectRule = (
    trigger: #""url-filter":"a""#,
    action: #""type":"redirect","redirect":{"url":"https://b.test/"}"#
  )
  private static let blockRule = (trigger: #""url-filter":"a""#, action: #""type":"block""#)
  private static let headerRule = (
    trigger: #""url-filter":"a""#,
    action: #""type":"modify-headers","priority":1,"request-headers":[]"#
  )

  @Test("an action without permission is inert, whatever comes before or behind it")
  func inert() throws {
    let rules = [Self.redirectRule, Self.headerRule, Self.blockRule]
    for order in [rules, rules.reversed()] {
      let found = try fates(listText(order), "https://a.test/")
      #expect(found[order.firstIndex { $0 == Self.redirectRule } ?? -1] == .inert)
      #expect(found[1] == .inert)
      #expect(found[order.firstIndex { $0 == Self.blockRule } ?? -1] == .applied)
    }
  }

  @Test("of block and redirect the second is too late, and the first is named")
  func tooLate() throws {
    let blockFirst = listText([Self.headerRule, Self.blockRule, Self.redirectRule])
    #expect(
      try fates(blockFirst, "https://a.test/", permission: "<all_urls>")
        == [0: .applied, 1: .applied, 2: .tooLate(list: 0, rule: 1)]
    )
    let redirectFirst = listText([Self.redirectRule, Self.blockRule, Self.blockRule])
    #expect(
      try fates(redirectFirst, "https://a.test/", permission: "<all_urls>")
        == [0: .applied, 1: .tooLate(list: 0, rule: 0), 2: .tooLate(list: 0, rule: 0)]
    )
  }

  @Test("rules that share an action share that it has no effect")
  func inertTogether() throws {
    let rules = listText([Self.redirectRule, Self.redirectRule])
    #expect(try fates(rules, "https://a.test/") == [0: .inert, 1: .inert])
    #expect(
      try fates(rules, "https://a.test/", permission: "<all_urls>")
        == [0: .applied, 1: .merged(into: 0)]
    )
  }

  @Test(
    "an upgrade that changes nothing has no effect, and its sentence says why",
    arguments: [
      ("http://a.test/", nil, ""), ("ws://a.test/", nil, ""),
      ("https://a.test/", .otherScheme, "; left as it is, because only http and ws are upgraded"),
      ("wss://a.test/", .otherScheme, "; left as it is, because only http and ws are upgraded"),
      ("http://a.test:81/", .hasPort, "; left as it is, because the URL has a port"),
      (
        "https://a.test:81/", .otherScheme, "; left as it is, because only http and ws are upgraded"
      ),
      ("http://a.test/no", .loadIsBlocked, "; without effect, because the load is blocked"),
    ] as [(String, LoadDecision.Idleness?, String)]
  )
  func idleUpgrades(_ url: String, _ idleness: LoadDecision.Idleness?, _ words: String) throws {
    let list = try contentRuleList(plainList((".*", "make-https"), ("/no$", "block")))
    var blocker = ContentBlocker(lists: [list])
    let source = ListSource(list.source)
    let explanation = blocker.explanation(for: try makeLoad(url), sources: [source])
    #expect(explanation.decision.actions[0].idleness == idleness)
    let match = explanation.matches[0]
    #expect(match.fate == (idleness == nil ? .applied : .inert))
    #expect(
      explanation.sentence(about: match, sources: [source])
        == "rule 0 (1:2) make-https, matches every URL" + words
    )
  }

  @Test("a redirect that leads to no other URL has no effect, but is before a block")
  func sameURL() throws {
    let rules = [
      (trigger: #""url-filter":"a""#, action: #""type":"make-https""#), Self.redirectRule,
      Self.blockRule,
    ]
    let url = "https://b.test/"
    let same = try fates(listText(rules), url + "?a", permission: "<all_urls>")
    #expect(same == [0: .inert, 1: .applied, 2: .tooLate(list: 0, rule: 1)])
    let nowhere = [
      (
        trigger: #""url-filter":"a""#,
        action: #""type":"redirect","redirect":{"transform":{"host":"a.test"}}"#
      ), Self.blockRule,
    ]
    #expect(
      try fates(listText(nowhere), "http://a.test/", permission: "<all_urls>")
        == [0: .inert, 1: .tooLate(list: 0, rule: 0)]
    )
  }

  @Test("an exception is needed only if it drops what would change the load")
  func exceptions() throws {
    let list = try contentRuleList(
      plainList((".*", "make-https"), ("ads", "block"), ("good", "ignore-previous-rules"))
    )
    var blocker = ContentBlocker(lists: [list])
    for (url, isIdle) in [
      ("https://good.test/", true), ("https://good.test/ads", false), ("http://good.test/", false),
      ("http://good.test:81/", true),
    ] {
      let explanation = blocker.explanation(for: try makeLoad(url), sources: [])
      let exception = try #require(explanation.matches.last)
      #expect(exception.rule == 2 && explanation.isIdleException(exception) == isIdle, "\(url)")
      let behind = explanation.matches.compactMap { explanation.exception(behind: $0) }
      #expect(behind.isEmpty == isIdle, "\(url)")
    }
    // What hides changes no load, and lifting it is a deed all the same: that of a page, and that of all pages, whose
    // rules are no matches.
    for filter in [#""url-filter":"test""#, #""url-filter":".*""#] {
      let hiding = try contentRuleList(
        listText([
          (filter, #""type":"css-display-none","selector":"p""#),
          (#""url-filter":"good""#, #""type":"ignore-previous-rules""#),
        ])
      )
      var hider = ContentBlocker(lists: [hiding])
      let load = try makeLoad("https://good.test/", type: .topDocument)
      let explanation = hider.explanation(for: load, sources: [])
      let exception = try #require(explanation.matches.last)
      #expect(exception.rule == 1 && !explanation.isIdleException(exception), "\(filter)")
      #expect(explanation.matches.allSatisfy { explanation.exception(behind: $0) == nil })
    }
  }

  @Test("an action can be too late for one of another list")
  func tooLateForAnotherList() throws {
    let first = try contentRuleList(listText([Self.blockRule]), "first")
    let second = try contentRuleList(listText([Self.headerRule, Self.redirectRule]), "second")
    var blocker = ContentBlocker(lists: [first, second])
    blocker.permissions["second"] = .init(patterns: [try URLMatchPattern("<all_urls>")])
    let explanation = blocker.explanation(for: try makeLoad("https://a.test/"), sources: [])
    #expect(explanation.matches.map(\.list) == [0, 1, 1])
    #expect(
      explanation.matches.map(\.fate) == [.applied, .applied, .tooLate(list: 0, rule: 0)]
    )
    #expect(explanation.decision.isBlocked)
  }

  @Test("sources that are missing are read from the lists, and more than needed do no harm")
  func sources() throws {
    let list = try contentRuleList(plainList(("ads", "block")))
    var blocker = ContentBlocker(lists: [list])
    let load = try makeLoad("https://x.test/ads")
    let source = ListSource(list.source)
    for sources in [[], [source], [source, source, source]] {
      let explanation = blocker.explanation(for: load, sources: sources)
      #expect(explanation.matches.map(\.urlRange) == [15..<18])
    }
  }

  static let ranges: [(pattern: String, url: String, range: Range<Int>?)] = [
    ("ads", "https://x.test/ads/ads", 15..<18),
    ("ADS", "https://x.test/ads", 15..<18),
    ("^https", "https://x.test/", 0..<5),
    ("test/$", "https://x.test/", 10..<15),
    (".*", "https://x.test/", nil),
    ("^.*$", "https://x.test/", nil),
    ("x.*", "https://x.test/", 8..<9),
    ("x[a-z.]*t", "https://x.test/at", 8..<11),
    ("[0-9]+", "https://x.test/12a345", 15..<16),
    ("(ab)?c", "https://x.test/abc", 15..<18),
    ("^https?://([^/:]+\\\\.)?test[:/]", "https://x.test/", 0..<15),
  ]

  @Test("the range of a match is that of the one that is complete first")
  func urlRange() throws {
    for (pattern, url, range) in Self.ranges {
      let list = try contentRuleList(plainList((pattern, "block")))
      var blocker = ContentBlocker(lists: [list])
      let explanation = blocker.explanation(for: try makeLoad(url), sources: [])
      try #require(explanation.matches.count == 1, "\(pattern)")
      #expect(explanation.matches[0].urlRange == range, "\(pattern)")
    }
  }
}

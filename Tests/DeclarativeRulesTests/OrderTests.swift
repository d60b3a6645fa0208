import ContentRules
import DeclarativeModel
import DeclarativeRules
import ResourceLoads
import Testing

@Suite("The order of actions as priorities")
struct OrderTests {
  @Test("ignore-previous-rules lifts what is before it and not what is behind")
  func previous() throws {
    let bench = try Bench(rules: [
      (#""url-filter": "ad""#, "block"), (#""url-filter": "good""#, "ignore-previous-rules"),
      (#""url-filter": "bad""#, "block"),
    ])
    #expect(bench.verdicts == [.exact, .exact, .exact])
    #expect(try bench.blocks("http://x.test/ad"))
    #expect(try !bench.blocks("http://x.test/ad-good"))
    #expect(try bench.blocks("http://x.test/ad-good-bad"))
  }

  @Test("ignore-following-rules lifts what is behind it and not what is before")
  func following() throws {
    let bench = try Bench(rules: [
      (#""url-filter": "bad""#, "block"), (#""url-filter": "good""#, "ignore-following-rules"),
      (#""url-filter": "ad""#, "block"), (#""url-filter": "fine""#, "ignore-following-rules"),
      (#""url-filter": "more""#, "block"),
    ])
    #expect(bench.verdicts.allSatisfy { $0 == .exact })
    for url in ["bad-good", "ad", "ad-good", "ad-fine", "more-fine", "more", "more-good", "x"] {
      _ = try bench.blocks("http://x.test/\(url)")
    }
    #expect(try bench.blocks("http://x.test/bad-good"))
    #expect(try !bench.blocks("http://x.test/adx-good".replacing("adx", with: "more")))
  }

  @Test("ignore rules with nothing to drop are no rules")
  func idle() throws {
    let bench = try Bench(rules: [
      (#""url-filter": "a""#, "ignore-previous-rules"), (#""url-filter": "ad""#, "block"),
      (#""url-filter": "x""#, "ignore-following-rules"),
    ])
    #expect(bench.verdicts == [.exact, .exact, .exact] && bench.translation.rules.count == 1)
    #expect(try bench.blocks("http://x.test/adx"))
  }

  @Test("both in one list: what lifts too much says so")
  func both() throws {
    let bench = try Bench(rules: [
      (#""url-filter": "a""#, "block"), (#""url-filter": "b""#, "ignore-previous-rules"),
      (#""url-filter": "c""#, "ignore-following-rules"), (#""url-filter": "d""#, "block"),
    ])
    #expect(bench.verdicts == [.exact, .exact, .approximated([.liftsEarlierToo]), .exact])
  }

  @Test("pages have an order of their own, where it is another than that of what they load")
  func pages() throws {
    // As filter lists are converted: a list that a rule ends for pages, with exceptions for both.
    let types = #", "resource-type": ["top-document", "popup"]"#
    let page = #", "resource-type": ["top-document"]"#
    let bench = try Bench(rules: [
      (#""url-filter": ".*", "if-domain": ["*good.test"]"#, "ignore-previous-rules"),
      (#""url-filter": ".*", "if-domain": ["*good.test"]"# + types, "ignore-following-rules"),
      (#""url-filter": "grave""# + page, "block"),
      (#""url-filter": "fine""# + page, "ignore-following-rules"),
      (#""url-filter": "bad""# + page, "block"),
      (#""url-filter": ".*""# + types, "ignore-following-rules"),
      (#""url-filter": "ad""#, "block"), (#""url-filter": "ok""#, "ignore-previous-rules"),
      (#""url-filter": "worse""#, "block"),
      (#""url-filter": ".*", "if-domain": ["*good.test"]"#, "ignore-previous-rules"),
    ])
    #expect(bench.verdicts.indices.filter { bench.verdicts[$0] != .exact } == [1])
    #expect(bench.verdicts[1] == .approximated([.otherTypesOnly]))
    for host in ["good.test", "x.test"] {
      for text in ["ad", "bad", "bad-fine", "grave", "grave-fine", "ok-bad", "ad-ok", "worse-ok"] {
        let url = "https://\(host)/\(text)"
        let isBlocked =
          host == "x.test" && (text.contains("grave") || text.contains("bad") && text != "bad-fine")
        #expect(try bench.blocks(url, .topDocument) == isBlocked, "\(url)")
        for page in ["https://good.test/", "https://page.test/"] {
          _ = try bench.blocks(url, on: page, .script)
          _ = try bench.blocks(url, on: page, .childDocument)
        }
      }
    }
    #expect(try bench.blocks("https://x.test/ad", on: "https://page.test/", .script))
  }

  @Test("an ignore rule lifts no other list's rules, but for those that say so")
  func lists() throws {
    func list(_ word: String) -> String {
      """
      [{"trigger": {"url-filter": "ad"}, "action": {"type": "block"}},
       {"trigger": {"url-filter": "\(word)"}, "action": {"type": "ignore-previous-rules"}}]
      """
    }
    let plain = #"[{"trigger": {"url-filter": "ad"}, "action": {"type": "block"}}]"#
    let one = try Bench([list("good"), plain])
    #expect(one.translation.lists.allSatisfy { $0.counts.approximated == 0 })
    #expect(try one.blocks("http://x.test/ad-good"))
    let two = try Bench([list("good"), list("fine")])
    #expect(two.translation.lists[0].counts.approximated == 0)
    #expect(
      two.translation.lists[1].verdicts.map(\.verdict) == [
        .exact, .approximated([.liftsOtherLists]),
      ]
    )
  }

  @Test("what does not fit is reported, and what lifts goes before what blocks")
  func limits() throws {
    var browser = DeclarativeBrowser.chromium
    browser.dynamicRules = 2
    browser.sessionRules = 1
    let bench = try Bench(
      rules: [
        (#""url-filter": "one""#, "block"), (#""url-filter": "two""#, "block"),
        (#""url-filter": "three""#, "block"), (#""url-filter": "x""#, "ignore-previous-rules"),
      ],
      browser: browser
    )
    #expect(bench.verdicts == [.exact, .exact, .notExpressible(.ruleLimit), .exact])
    #expect(bench.translation.rules.map(\.isForSession) == [false, false, true])
  }

  @Test("thousands of hosts become one rule")
  func merging() throws {
    let rules = (0..<5_000).map { number in
      (#""url-filter": "^[^:]+://+([^:/]+\\.)?h\#(number)\\.test[:/]""#, "block")
    }
    let bench = try Bench(rules: rules)
    #expect(bench.translation.rules.count == 1)
    #expect(bench.translation.rules[0].condition.requestDomains.count == 5_000)
    #expect(bench.translation.rules[0].sources == Array(0..<5_000))
  }

  @Test("cookies are taken out unless a later rule lifts that; upgrades leave ports alone")
  func otherActions() throws {
    let bench = try Bench(rules: [
      (#""url-filter": "widget""#, "block-cookies"), (#""url-filter": ".*""#, "make-https"),
      (#""url-filter": "good""#, "ignore-previous-rules"),
    ])
    #expect(bench.verdicts == [.exact, .approximated([.upgradeMatchedAgain]), .exact])
    func outcome(_ url: String) -> (Bool, Bool) {
      let outcome = bench.model.outcome(
        .init(url: url, type: "image", topHost: "page.example", initiatorHost: "page.example")
      )
      return (outcome.losesCookies, outcome.isUpgraded)
    }
    #expect(outcome("http://x.test/widget") == (true, true))
    #expect(outcome("http://x.test:8080/widget") == (true, false))
    #expect(outcome("https://x.test/widget") == (true, false))
    #expect(outcome("http://x.test/widget-good") == (false, false))
  }
}

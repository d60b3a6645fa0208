import BrowserDriving
import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import Foundation
import ResourceLoads
import Testing
import WebURL

/// A Chromium that lets the extension stop nothing, so that its own rules block.
struct OrdinaryChromium {
  let session: Session

  init() throws { session = try Session.with(.ordinaryChromium) }

  /// What is blocked is reported with its rule; what the browser's rules cannot say is not
  /// reported.
  func tellsWhatWasBlocked() throws {
    try session.use([
      "first": Array(
        """
        [{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": "beacon", "if-top-url": ["news\\\\.example/today"]},
          "action": {"type": "block"}}]
        """.utf8
      )
    ])
    session.server.answer { _ in .page("<p>News") }
    try session.visit("http://news.example/today") { tab in
      #expect(try session.reaches("http://third.test/pixel", from: tab) == false)
      // The engine would block this, the browser's rules cannot.
      #expect(try session.reaches("http://third.test/beacon", from: tab) == true)
      let page = try eventually("the journal tells") { () -> [String: Any]? in
        let page = try session.page("http://news.example/today")
        return (page["counts"] as? [String: Int])?["block"] == 1 ? page : nil
      }
      let rows = page["rows"] as? [[String: Any]] ?? []
      let by = rows.first?["by"] as? [[String: Any]]
      #expect(rows.count == 1 && by?.first?["rules"] as? [Int] == [0])
      let summary = page["declarative"] as? [String: Any]
      #expect(summary?["exact"] as? Int == 1 && summary?["notExpressible"] as? Int == 1)
    }
    #expect(!session.server.urls.contains("http://third.test/pixel"))
  }

  /// The rules are active before any request was made, in a new profile and at a new start.
  static func blocksFromTheFirstRequest() throws {
    Session.closeAll()
    let session = try Session(.ordinaryChromium)
    defer { session.close() }
    session.server.answer { _ in .page("<body><img src='http://third.test/pixel'><p>News") }
    try session.use([
      "first": Array(#"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#.utf8)
    ])
    for page in ["http://first.example/", "http://second.example/"] {
      try session.visit(page) { _ in }
      #expect(session.server.urls.contains(page))
      #expect(!session.server.urls.contains("http://third.test/pixel"))
      try session.restart()
    }
  }

  /// The large list: what only exact rules decide is decided as by the engine.
  func actsAsTheEngine() throws {
    let json = try Logs.bytes("lists/\(Logs.list).json.gz")
    let rules = try #require(RuleListReader.read(json).ruleList?.rules)
    let translation = Translator.translate([DeclarativeList(name: "", rules: rules)])
    let model = try DeclarativeModel(translation.rules)
    var verdicts: [Int: DeclarativeRules.Verdict] = [:]
    for (rule, verdict) in translation.lists[0].verdicts { verdicts[rule] = verdict }
    func isExact(_ rule: Int) -> Bool { verdicts[rule]?.differences.isEmpty ?? true }
    var blocker = ContentBlocker(
      lists: [try ContentRuleList(identifier: "", encodedContentRuleList: json)]
    )
    let source = ListSource(json)
    try EngineAnswers(.ordinaryChromium).actsAsTheEngine { load in
      guard let seen = BrowserLoad(load) else { return false }
      let matched = blocker.explanation(for: load, sources: [source]).matches.map(\.rule)
      let ofBrowser = model.outcome(seen).matched.flatMap { translation.rules[$0].sources }
      return matched.allSatisfy(isExact) && ofBrowser.allSatisfy(isExact)
    }
  }

  /// What Chromium says of its rules is what the model says.
  func checksTheModel() throws {
    // With a list in force the extension has done what it does at its start, which ends other rules.
    try session.use(json: #"[{"trigger": {"url-filter": "x"}, "action": {"type": "block"}}]"#)
    let patterns = [
      #"^[^:]+://+([^:/]+\\.)?ads\\.example[:/]"#, #"^https?://([^/]+\\.)?b\\.org/x"#,
      #"\\/ad([^-_.%a-z0-9].*)?$"#, #"banner[12]s?$"#, "track.*pixel", "a[0-9]+b", "AdServer",
      #"^[^:]+:(//)?([^/]+\\.)?ads\\.exam"#, #"^http://plain\\.test/"#, #"ad[^-_.%a-z0-9]x"#,
      #"^[htpsw]+://([a-z0-9-]+\\.)?one\\.test[:/]"#,
      #"^[htpsw]+://([a-z0-9-]+\\.)?two\\.test[:/]"#,
      #"^[htpsw]+://([a-z0-9-]+\\.)?a\\.b\\.c\\.two\\.test[:/]"#,
      #"^[^:]+:(//)?.*/behind"#, #"^[^:]+:(//)?.*tp"#, #"^[^:]+://.*/plain\\.t"#,
      #"^http:.*secure"#, #"^https?://.*/web$"#,
    ]
    let rules = patterns.enumerated().map { number, pattern in
      let action = number == 4 ? "ignore-previous-rules" : "block"
      let more = number == 6 ? #", "url-filter-is-case-sensitive": true"# : ""
      return
        #"{"trigger": {"url-filter": "\#(pattern)"\#(more)}, "action": {"type": "\#(action)"}}"#
    }
    let list = try #require(
      RuleListReader.read("[" + rules.joined(separator: ",") + "]").ruleList
    )
    let translation = Translator.translate([DeclarativeList(name: "", rules: list.rules)])
    #expect(translation.lists[0].counts.notExpressible == 0)
    let model = try DeclarativeModel(translation.rules)
    let hosts = [
      "ads.example", "x.ads.example", "xads.example", "b.org", "y.one.test", "z.y.one.test",
      "plain.test", "plain.test:8080", "ads.example.net", "y.two.test", "x.y.two.test",
      "x.a.b.c.two.test", "y_x.two.test", "http.test",
    ]
    let paths = [
      "", "x", "behind", "x/behind", "secure", "web", "?u=http://plain.test/", "ad", "ad#f", "adx",
      "ad?x", "ad/x", "banner1", "banner2s", "banner2s#f",
      "banner1-", "track-pixel/ad", "a12b", "a12b#a", "AdServer", "adserver", "AD-x", "x#a1b",
    ]
    var json: [UInt8] = Array("[".utf8)
    for (place, rule) in translation.rules.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      rule.appendJSON(id: place + 1, to: &json)
    }
    let loads = hosts.flatMap { host in
      paths.flatMap { path in
        ["image", "main_frame"].map { type in
          BrowserLoad(
            url: "http://\(host)/\(path)",
            type: type,
            topHost: "page.test",
            initiatorHost: "page.test"
          )
        }
      }
    }
    let asked = loads.map { ["url": $0.url, "type": $0.type, "initiator": "http://page.test"] }
    let request = String(decoding: try JSONSerialization.data(withJSONObject: asked), as: UTF8.self)
    let answer = try session.browser.evaluateInBackground(
      """
      (async () => {
        const dnr = api.declarativeNetRequest;
        const others = (await dnr.getDynamicRules()).map((rule) => rule.id);
        await dnr.updateDynamicRules({ removeRuleIds: others });
        const rules = \(String(decoding: json, as: UTF8.self))];
        await dnr.updateSessionRules({ addRules: rules });
        const answers = [];
        for (const request of \(request)) {
          const { matchedRules } = await dnr.testMatchOutcome(request);
          answers.push(matchedRules.map(({ ruleId }) => rules[ruleId - 1].action.type)[0] ?? "");
        }
        await dnr.updateSessionRules({ removeRuleIds: rules.map((rule) => rule.id) });
        return answers;
      })()
      """
    )
    let seen = try #require(answer as? [String])
    #expect(seen.count == loads.count)
    #expect(seen.contains("block") && seen.contains("allow") && seen.contains(""))
    for (load, seen) in zip(loads, seen) {
      let decider = model.outcome(load).decider
      #expect(seen == decider.map { translation.rules[$0].action.rawValue } ?? "", "\(load)")
    }
    Session.closeAll()
  }
}

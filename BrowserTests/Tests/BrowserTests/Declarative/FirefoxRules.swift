import BrowserDriving
import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import Foundation
import ResourceLoads
import Testing
import WebURL

/// A Firefox with an extension that asks the browser about declarative rules and does nothing else.
///
/// Tickbird's own extension decides itself there and has no such rules.
struct FirefoxRules {
  private let browser: any Browser

  /// Starts Firefox, calls a function and ends it.
  static func with(_ body: (FirefoxRules) throws -> Void) throws {
    Session.closeAll()
    let files = FileManager.default
    let folder = files.temporaryDirectory.appending(path: "tickbird-rules-\(UUID().uuidString)")
    let built = folder.appending(path: "extension")
    try files.createDirectory(at: built, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    let identifier = "rules@tickbird.example"
    let manifest = """
      {"manifest_version": 2, "name": "Rules", "version": "1",
       "browser_specific_settings": {"gecko": {"id": "\(identifier)"}},
       "background": {"scripts": ["background.js"]},
       "permissions": ["<all_urls>", "declarativeNetRequest", "declarativeNetRequestFeedback"]}
      """
    // What the driver asks every extension for.
    let parts = [
      "manifest.json": manifest, "background.js": "var tickbird = { ready: true };",
      "popup.html": "<!doctype html><title>Rules</title>",
    ]
    for (name, text) in parts { try Data(text.utf8).write(to: built.appending(path: name)) }
    let server = try LoopbackServer()
    var options = BrowserOptions(
      extensionFolder: built,
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: "",
      extensionID: identifier
    )
    options.preferences = ["extensions.dnr.feedback": "true"]
    options.extensionPage = "popup.html"
    let browser = try BrowserKind.firefox.start(options)
    defer { browser.close() }
    try body(FirefoxRules(browser: browser))
  }

  /// Makes rules active in place of all others.
  private func use(_ rules: [DeclarativeRule]) throws {
    func json(_ isForSession: Bool) -> String {
      var json: [UInt8] = []
      for (place, rule) in rules.enumerated() where rule.isForSession == isForSession {
        if !json.isEmpty { json.append(UInt8(ascii: ",")) }
        rule.appendJSON(id: place + 1, to: &json)
      }
      return "[\(String(decoding: json, as: UTF8.self))]"
    }
    let count = try browser.evaluateInBackground(
      """
      (async () => {
        const dnr = api.declarativeNetRequest;
        const ids = async (rules) => (await rules).map((rule) => rule.id);
        await dnr.updateDynamicRules({
          removeRuleIds: await ids(dnr.getDynamicRules()), addRules: \(json(false)),
        });
        await dnr.updateSessionRules({
          removeRuleIds: await ids(dnr.getSessionRules()), addRules: \(json(true)),
        });
        return (await dnr.getDynamicRules()).length + (await dnr.getSessionRules()).length;
      })()
      """
    )
    #expect(count as? Int == rules.count)
  }

  /// The numbers of the rules that Firefox says decide loads; 0 for none.
  private func deciders(_ loads: [BrowserLoad]) throws -> [Int] {
    var deciders: [Int] = []
    for start in stride(from: 0, to: loads.count, by: 250) {
      let part = loads[start..<min(start + 250, loads.count)]
      let asked = part.map { load in
        var asked = ["url": load.url, "type": load.type, "method": load.method]
        asked["initiator"] = load.initiatorHost.map { "https://\($0)" }
        return asked
      }
      let data = try JSONSerialization.data(withJSONObject: asked)
      let answer = try browser.evaluateInBackground(
        """
        (async () => {
          const answers = [];
          for (const request of \(String(decoding: data, as: UTF8.self))) {
            const { matchedRules } = await api.declarativeNetRequest.testMatchOutcome(request);
            answers.push(matchedRules[0]?.ruleId ?? 0);
          }
          return answers;
        })()
        """
      )
      let numbers = try #require(answer as? [Int])
      try #require(numbers.count == part.count)
      deciders += numbers
    }
    return deciders
  }

  /// How many loads were compared, and how many of these the engine blocks.
  struct Counts {
    var loads = 0
    var exactLoads = 0
    var blocked = 0
  }

  /// Compares what Firefox says of a list's rules with the model, and for loads that only exact rules
  /// match, with the engine.
  func compare(_ json: [UInt8], _ loads: [ResourceLoad]) throws -> Counts {
    let rules = try #require(RuleListReader.read(json).ruleList?.rules)
    let translation = Translator.translate(
      [DeclarativeList(name: "", rules: rules)],
      to: .firefox
    )
    let model = try DeclarativeModel(translation.rules)
    var inexact: Set<Int> = []
    for (rule, verdict) in translation.lists[0].verdicts where !verdict.differences.isEmpty {
      inexact.insert(rule)
    }
    var blocker = ContentBlocker(
      lists: [try ContentRuleList(identifier: "", encodedContentRuleList: json)]
    )
    let source = ListSource(json)
    try use(translation.rules)
    var counts = Counts()
    let known = loads.compactMap { load in BrowserLoad(load).map { (load, $0) } }
    for ((load, seen), number) in zip(known, try deciders(known.map(\.1))) {
      let outcome = model.outcome(seen)
      let action = number > 0 ? translation.rules[number - 1].action : nil
      // Rules of the same strength are alike.
      #expect(action == outcome.decider.map { translation.rules[$0].action }, "\(seen)")
      counts.loads += 1
      let matched = blocker.explanation(for: load, sources: [source]).matches.map(\.rule)
      let ofBrowser = outcome.matched.flatMap { translation.rules[$0].sources }
      guard (matched + ofBrowser).allSatisfy({ !inexact.contains($0) }) else { continue }
      let isBlocked = blocker.outcome(for: load).isBlocked
      #expect((action == .block) == isBlocked, "\(seen)")
      counts.exactLoads += 1
      counts.blocked += isBlocked ? 1 : 0
    }
    return counts
  }

  /// Rules of all forms that translations have, on loads that lie close to them.
  func comparesForms() throws {
    let triggers = [
      #""url-filter": "^[^:]+://+([^:/]+\\.)?ads\\.example[:/]""#,
      #""url-filter": "^https?://([^/]+\\.)?b\\.org/x""#,
      #""url-filter": "\\/ad([^-_.%a-z0-9].*)?$""#, #""url-filter": "banner[12]s?$""#,
      #""url-filter": "good""#, #""url-filter": "track.*pixel""#, #""url-filter": "a[0-9]+b""#,
      #""url-filter": "AdServer", "url-filter-is-case-sensitive": true"#,
      #""url-filter": "^http://plain\\.test/""#, #""url-filter": "ad[^-_.%a-z0-9]x""#,
      #""url-filter": "^[htpsw]+://([a-z0-9-]+\\.)?one\\.test[:/]""#,
      #""url-filter": "^[^:]+:(//)?.*/behind""#, #""url-filter": "^[^:]+://.*/ads\\.ex""#,
      #""url-filter": "^https:.*secure""#,
      #""url-filter": "of-page", "if-domain": ["*page.test"]"#,
      #""url-filter": ".*", "if-domain": ["*b.org"], "resource-type": ["top-document"]"#,
      #""url-filter": "elsewhere", "unless-domain": ["*page.test"]"#,
      #""url-filter": "third", "load-type": ["third-party"]"#,
      #""url-filter": "first", "load-type": ["first-party"]"#,
      #""url-filter": "picture", "resource-type": ["image"]"#,
    ]
    let rules = triggers.map { trigger in
      let action = trigger.contains("good") ? "ignore-previous-rules" : "block"
      return #"{"trigger": {\#(trigger)}, "action": {"type": "\#(action)"}}"#
    }
    let hosts = [
      "ads.example", "x.ads.example", "xads.example", "b.org", "y.one.test", "z.y.one.test",
      "plain.test", "plain.test:8080", "ads.example.net", "page.test", "www.page.test",
    ]
    let paths = [
      "", "x", "ad", "adx", "ad?x", "ad/x", "banner1", "banner2s", "banner1-", "track-pixel/good",
      "a12b", "AdServer", "adserver", "x/behind", "secure", "of-page", "elsewhere", "third",
      "first", "picture", "track/pixel",
    ]
    var loads: [ResourceLoad] = []
    for (number, path) in paths.enumerated() {
      for host in hosts {
        for type in [ResourceType.image, .script, .topDocument, .childDocument, .fetch] {
          let scheme = number % 2 == 0 ? "http" : "https"
          let url = try #require(WebURL("\(scheme)://\(host)/\(path)"))
          let page = try #require(WebURL("https://\(number % 3 == 0 ? "b.org" : "page.test")/"))
          let top = type == .topDocument ? url : page
          loads.append(ResourceLoad(url: url, topURL: top, resourceType: type))
        }
      }
    }
    let counts = try compare(Array("[\(rules.joined(separator: ","))]".utf8), loads)
    #expect(counts.loads == loads.count && counts.exactLoads > 500, "\(counts)")
    #expect(counts.blocked > 100 && counts.blocked < counts.exactLoads, "\(counts)")
  }

  /// A part of the log, by as much of the large list as Firefox takes.
  func comparesLog() throws {
    let rows = try Logs.rows().enumerated().filter { $0.offset % 10 == 0 }
    let loads = rows.compactMap { $0.element.load() }
    let counts = try compare(try Logs.bytes("lists/\(Logs.list).json.gz"), loads)
    #expect(counts.exactLoads > 1_000 && counts.blocked > 50, "\(counts)")
  }
}

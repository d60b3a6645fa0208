import CaseGenerators
import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import EngineComparison
import ReferenceMatcher
import TestSupport
import Testing

/// An exact verdict means the engine's outcome for every load.
@Suite("Agreement of exact rules with the engine")
struct AgreementTests {
  /// Generates realistic rules of few hosts and words, so that they interact.
  static func rule(_ random: inout RandomSource) -> String {
    let hosts = [
      "a\\\\.com", "ads\\\\.a\\\\.com", "b\\\\.org", "x-b\\\\.org", "1\\\\.2\\\\.3\\\\.4",
    ]
    let words = ["ad", "ads", "ba", "x1", "AdB", "b/a"]
    let starts = [
      "^[^:]+://+([^:/]+\\\\.)?", "^[^:]+:(//)?([^/]+\\\\.)?", "^https?://([^/]+\\\\.)?",
      "^[htpsw]+://([a-z0-9-]+\\\\.)?", "^https?://", "^[^:]+:(//)?([^/]+.)?",
    ]
    let ends = [
      "[:/]", "([^-_.%a-z0-9].*)?$", "", "/", "\\\\/ad", "/.*ad", "[^-_.%a-z0-9]ad", "([/:&?].*)?$",
      "[/:&?]?.*ad",
    ]
    let tails = [
      "", "$", "[^-_.%a-z0-9]", ".*x", "[12]", "s?x", ".x", "([^-_.%a-z0-9].*)?$", "[0-9]+",
    ]
    // Texts that may occur behind the scheme, and also within it.
    let schemes = [
      "^[^:]+:(//)?.*", "^[^:]+://.*", "^https?://.*", "^https:.*", "^[htpsw]+:/.*", "^http.*",
      "^wss?:.*", "^[^:]+:.+", "^https?:(//)?.*",
    ]
    let inner = ["/ad", "//ad", "s:", "tp", "/", "ps?:", ":/", "w", "ht?", "/[ax]", ":.*ad", "/+a"]
    let filter =
      switch random.number(below: 13) {
      case 0: ".*"
      case 1..<6: random.pick(starts) + random.pick(hosts) + random.pick(ends)
      case 6..<9: random.pick(schemes) + random.pick(random.chance(50) ? inner : words)
      case 9: random.pick(schemes).replacing(".*", with: "")
      default: random.pick(words) + random.pick(tails)
      }
    var trigger = "\"url-filter\": \"\(filter)\""
    if random.chance(15) { trigger += ", \"url-filter-is-case-sensitive\": true" }
    if random.chance(25) {
      trigger += ", \"load-type\": [\"\(random.pick(["first-party", "third-party"]))\"]"
    }
    if random.chance(25) {
      let types = ["image", "script", "document", "raw", "websocket", "top-document"]
      trigger += ", \"resource-type\": [\"\(random.pick(types))\", \"\(random.pick(types))\"]"
    }
    if random.chance(30) {
      let key = random.pick(["if-domain", "unless-domain"])
      trigger += ", \"\(key)\": [\"*\(random.pick(["a.com", "b.org", "www.b.org", "1.2.3.4"]))\"]"
    }
    let action = random.pick(weighted: [
      (10, "block"), (2, "block-cookies"), (4, "ignore-previous-rules"),
      (1, "ignore-following-rules"),
    ])
    return "{\"trigger\": {\(trigger)}, \"action\": {\"type\": \"\(action)\"}}"
  }

  private static func load(_ random: inout RandomSource) -> ReferenceLoad {
    let hosts = [
      "a.com", "ads.a.com", "cdn.ads.a.com", "b.org", "x-b.org", "www.b.org", "xa.com", "1.2.3.4",
      "a.com.evil.net", "other.net",
    ]
    let paths = [
      "", "ad", "ads", "ads?x", "ba/x1", "adx", "b/a1", "AdB", "adb2", "a/ads-x", "x/ad/", "ad:x",
      "ad.x", "x?ad=1", "baxx",
    ]
    let types = [
      "image", "script", "top-document", "child-document", "fetch", "websocket", "other",
    ]
    let type = random.pick(types)
    let scheme = type == "websocket" ? random.pick(["ws", "wss"]) : random.pick(["http", "https"])
    let port = random.chance(15) ? ":8080" : ""
    let url = "\(scheme)://\(random.pick(hosts))\(port)/\(random.pick(paths))"
    let page = "https://\(random.pick(hosts))/"
    let top = type == "top-document" ? url : page
    return ReferenceLoad(
      url: url,
      topURL: top,
      frameURL: random.chance(30) ? "https://\(random.pick(hosts))/f" : top,
      resourceType: type,
      isFirstParty: sharesDomain(url, top),
      loadContext: type == "child-document" ? "child-frame" : "top-frame",
      method: "get"
    )
  }

  /// Compares what a list's exact rules do with what the engine does, and counts.
  private func compare(
    _ rules: [String],
    _ loads: [ReferenceLoad],
    _ counts: inout (rules: Int, loads: Int, blocked: Int)
  ) throws {
    let all = RuleListReader.read("[" + rules.joined(separator: ",") + "]")
    guard let list = all.ruleList else { return }
    let first = Translator.translate([DeclarativeList(name: "", rules: list.rules)])
    // The remaining rules are a list, too, and may be ordered differently.
    let exact = first.lists[0].verdicts.filter { $0.verdict == .exact }.map { rules[$0.rule] }
    guard !exact.isEmpty else { return }
    let text = "[" + exact.joined(separator: ",") + "]"
    let bench = try Bench([text])
    guard bench.verdicts.allSatisfy({ $0 == .exact }) else { return }
    counts.rules += exact.count
    for load in loads {
      guard let load = load.resourceLoad, let seen = BrowserLoad(load) else { continue }
      let outcome = bench.model.outcome(seen)
      let engine = bench.blocker.outcome(for: load)
      counts.loads += 1
      counts.blocked += engine.isBlocked ? 1 : 0
      #expect(outcome.isBlocked == engine.isBlocked, "\(seen) by \(text)")
      if !engine.isBlocked {
        #expect(outcome.losesCookies == engine.blocksCookies, "\(seen) by \(text)")
      }
    }
  }

  @Test("rules as lists have them")
  func likeLists() throws {
    var random = RandomSource(seed: 11)
    var counts = (rules: 0, loads: 0, blocked: 0)
    for _ in 0..<400 {
      let rules = (0..<random.number(in: 1...6)).map { _ in Self.rule(&random) }
      let loads = (0..<30).map { _ in Self.load(&random) }
      try compare(rules, loads, &counts)
    }
    // Otherwise hardly anything would have been compared.
    #expect(counts.rules > 500 && counts.loads > 5_000 && counts.blocked > 300, "\(counts)")
  }

  @Test("rules of all kinds, from the engine's own generator")
  func ofAllKinds() throws {
    var options = CaseOptions()
    options.actionWeights = [
      "block": 60, "ignore-previous-rules": 20, "block-cookies": 10, "css-display-none": 5,
    ]
    options.conditions = 10
    let generator = CaseGenerator(options: options)
    var counts = (rules: 0, loads: 0, blocked: 0)
    for seed in 0..<400 {
      let made = generator.makeCase(seed: UInt64(seed))
      try compare(made.rules.map(\.text), made.loads, &counts)
    }
    #expect(counts.rules > 300 && counts.loads > 500 && counts.blocked > 30, "\(counts)")
  }
}

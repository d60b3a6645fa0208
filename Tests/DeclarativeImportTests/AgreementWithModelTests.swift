import ContentBlocking
import DeclarativeImport
import DeclarativeModel
import DeclarativeRules
import ResourceLoads
import TestSupport
import Testing
import WebURL

/// Rules that are called converted have the outcome that they have in the model of Chromium.
@Suite("Imported rules, compared with a model of Chromium")
struct AgreementWithModelTests {
  private static let hosts = ["a.com", "ads.a.com", "b.org", "x-b.org", "1.2.3.4", "other.net"]
  private static let types = [
    "sub_frame", "stylesheet", "script", "image", "font", "xmlhttprequest", "ping", "media",
    "websocket", "other", "main_frame",
  ]

  /// A rule of few hosts and words, so that rules meet.
  static func rule(_ random: inout RandomSource) -> DeclarativeRule {
    var condition = DeclarativeRule.Condition()
    switch random.number(below: 10) {
    case 0..<4: condition.requestDomains = domains(&random)
    case 4..<6:
      condition.urlFilter =
        "||" + random.pick(hosts) + random.pick(["^", "/", "/ad", "^ad", "^*x", ""])
    case 6: condition.regexFilter = random.pick(["ad[0-9]", "^https://ads", "/ads?/", "x$"])
    default:
      condition.urlFilter = random.pick([
        "/ad", "ad^", "^ad^", "|https://", "|http://a.com", "ads?x", "*", "x|", "ad*x", "/ad/",
      ])
    }
    if random.chance(20), condition.regexFilter == nil, !condition.requestDomains.isEmpty {
      condition.urlFilter = random.pick(["/ads/", "?x=", "/ad/x", "||ads.a.com^", "/ad", "ad"])
    }
    if random.chance(12) { condition.excludedRequestDomains = [random.pick(hosts)] }
    if random.chance(12) { condition.initiatorDomains = domains(&random) }
    if random.chance(12) { condition.excludedInitiatorDomains = domains(&random) }
    if random.chance(8) { condition.topDomains = domains(&random) }
    if random.chance(8) { condition.excludedTopDomains = domains(&random) }
    if random.chance(15) { condition.party = random.chance(50) ? .firstParty : .thirdParty }
    if random.chance(10) { condition.isCaseSensitive = true }
    condition.types =
      random.chance(50)
      ? Self.types.filter { $0 != "main_frame" }
      : Array(Set([random.pick(Self.types), random.pick(Self.types)])).sorted()
    return DeclarativeRule(
      priority: random.number(in: 1...3),
      action: random.pick(weighted: [
        (10, .block), (6, .allow), (2, .removeCookies), (1, .upgradeScheme),
      ]),
      condition: condition
    )
  }

  private static func domains(_ random: inout RandomSource) -> [String] {
    Array(Set((0...random.number(below: 2)).map { _ in random.pick(hosts) })).sorted()
  }

  private static func load(_ random: inout RandomSource) -> ResourceLoad? {
    let types: [ResourceType] = [
      .image, .script, .topDocument, .childDocument, .fetch, .webSocket, .other, .styleSheet,
    ]
    let paths = ["", "ad", "ads", "ads?x", "ad1", "ads/x", "ad/x", "AD", "x?x=1", "bad", "ad/1/x"]
    let type = random.pick(types)
    let scheme = type == .webSocket ? "wss" : random.pick(["http", "https"])
    let port = random.chance(10) ? ":8080" : ""
    let host = random.chance(20) ? "www." + random.pick(hosts) : random.pick(hosts)
    let url = WebURL("\(scheme)://\(host)\(port)/\(random.pick(paths))")
    let page = WebURL("https://\(random.pick(hosts))/")
    return url.map { ResourceLoad(url: $0, topURL: page, resourceType: type) }
  }

  @Test("rules of all kinds")
  func generated() throws {
    var random = RandomSource(seed: Effort.seed)
    var counts = (rules: 0, converted: 0, loads: 0, blocked: 0, allowed: 0)
    for _ in 0..<(300 * Effort.factor) {
      let rules = (0...random.number(below: 5)).map { _ in Self.rule(&random) }
      let all = try ImportBench(Self.json(rules))
      counts.rules += rules.count
      // What is left is a list, too, and may be ordered differently.
      let kept = zip(rules, all.list.entries).filter { $0.1.outcome == .converted }.map(\.0)
      guard !kept.isEmpty else { continue }
      let bench = try ImportBench(Self.json(kept))
      guard bench.list.count(.converted) == kept.count else { continue }
      counts.converted += kept.count
      let model = try DeclarativeModel(kept)
      for _ in 0..<30 {
        guard let load = Self.load(&random), let seen = BrowserLoad(load) else { continue }
        let expected = model.outcome(seen)
        let outcome = bench.outcome(load)
        counts.loads += 1
        counts.blocked += expected.isBlocked ? 1 : 0
        counts.allowed += expected.decider.map { kept[$0].action == .allow } ?? false ? 1 : 0
        // A load that is upgraded is matched again in Chromium.
        let isUpgraded = seen.url.hasPrefix("http:") && !seen.url.contains(":8080")
        let isAlike =
          outcome.isBlocked == expected.isBlocked
          && (outcome.isBlocked || outcome.blocksCookies == expected.losesCookies)
          && (outcome.isBlocked || !isUpgraded || outcome.makesHTTPS == expected.isUpgraded)
        guard !isAlike else { continue }
        let made = String(decoding: bench.list.json, as: UTF8.self)
        Issue.record(
          "\(seen): \(outcome) and not \(expected) by \(Self.json(kept)), now \(made)"
        )
        return
      }
    }
    // Otherwise hardly anything would have been compared.
    #expect(counts.converted > 300 && counts.loads > 3_000, "\(counts)")
    #expect(counts.blocked > 300 && counts.allowed > 100, "\(counts)")
  }

  static func json(_ rules: [DeclarativeRule]) -> String {
    var json: [UInt8] = Array("[".utf8)
    for (place, rule) in rules.enumerated() {
      if place > 0 { json.append(UInt8(ascii: ",")) }
      rule.appendJSON(id: place + 1, to: &json)
    }
    return String(decoding: json, as: UTF8.self) + "]"
  }
}

import ContentRules
import FilterConversion
import FilterMatcher
import TestSupport
import Testing

/// A converted list decides as the filters do.
@Suite("Converted filters, compared with a matcher of filters")
struct GeneratedFilterTests {
  /// The newest engine, one that knows documents of frames, and the one that is assumed.
  static let targets: [EngineRelease?] = [
    nil, EngineRelease(safari: SafariVersion(26)), EngineRelease(safari: SafariVersion(16, 4)),
  ]

  @Test("generated requests are decided alike, but for known differences", arguments: targets)
  func requests(target: EngineRelease?) throws {
    var generator = FilterGenerator(random: RandomSource(seed: Effort.seed))
    var counts = (requests: 0, blocked: 0, lifted: 0)
    var excused: [String: Int] = [:]
    let rounds = (target == nil ? 250 : 100) * Effort.factor
    for _ in 0..<rounds {
      var filters = (0...generator.random.number(below: 6)).map { _ in generator.networkFilter() }
      if let bad = generator.badFilter(of: filters) { filters.append(bad) }
      guard let converted = try ConvertedFilters(filters, target: target) else { continue }
      let codes = converted.approximations
      for _ in 0..<40 {
        let request = generator.request()
        guard let isBlocked = converted.blocks(request) else { continue }
        let decision = converted.plain.decide(request)
        counts.requests += 1
        counts.blocked += decision.fate == .block ? 1 : 0
        counts.lifted += decision.fate == .load && decision.filter != nil ? 1 : 0
        guard (decision.fate != .load) != isBlocked else { continue }
        if let known = KnownDifference.explaining(request, decision, codes) {
          excused[known.code?.rawValue ?? known.reason, default: 0] += 1
          continue
        }
        Issue.record(
          """
          \(request.url) \(request.type) on \(request.page) is \(isBlocked ? "" : "not ")blocked by
          \(String(decoding: converted.conversion.json, as: UTF8.self))
          of \(filters); the filters: \(decision)
          """
        )
        return
      }
    }
    // Otherwise hardly anything would have been compared.
    #expect(
      counts.requests > 20 * rounds && counts.blocked > 4 * rounds && counts.lifted > rounds / 10,
      "\(counts)"
    )
    #expect(excused.values.reduce(0, +) < counts.requests / 20, "\(excused)")
  }

  @Test("generated pages hide alike", arguments: targets)
  func pages(target: EngineRelease?) throws {
    var generator = FilterGenerator(random: RandomSource(seed: Effort.seed &+ 1))
    var counts = (pages: 0, hiding: 0)
    let rounds = (target == nil ? 250 : 100) * Effort.factor
    for _ in 0..<rounds {
      var filters = (0...generator.random.number(below: 6)).map { _ in generator.cosmeticFilter() }
      filters += (0..<generator.random.number(below: 3)).map { _ in generator.networkFilter() }
      guard let converted = try ConvertedFilters(filters, target: target) else { continue }
      // Said in the account, and of older engines alone.
      let codes = converted.approximations
      guard !codes.contains(.genericHidingToo), !codes.contains(.genericHidingAlone) else {
        continue
      }
      for _ in 0..<10 {
        let page = generator.page()
        let wanted = converted.plain.hiddenSelectors(on: page).sorted()
        counts.pages += 1
        counts.hiding += wanted.isEmpty ? 0 : 1
        let hidden = converted.hidden(on: page)
        guard hidden != wanted else { continue }
        Issue.record(
          """
          \(page) hides \(hidden) and not \(wanted) by
          \(String(decoding: converted.conversion.json, as: UTF8.self))
          of \(filters)
          """
        )
        return
      }
    }
    #expect(counts.pages > 4 * rounds && counts.hiding > rounds, "\(counts)")
  }

  @Test(
    "what a filter with $denyallow excludes stays excluded where $genericblock lifts it",
    arguments: [
      ("~a.com|d.org|a.com", "ads.a.com", "ads.a.com", false),
      ("a.com|~ads.a.com", "cdn.ads.a.com", "cdn.ads.a.com", false),
      ("a.com|~ads.a.com", "ads.a.com", "ads.a.com", false),
      ("a.com|~ads.a.com|cdn.ads.a.com", "cdn.ads.a.com", "x.cdn.ads.a.com", true),
      ("a.com", "ads.a.com", "ads.a.com", true),
    ],
    targets
  )
  func exclusions(
    _ condition: (domains: String, lifted: String, page: String, isBlocked: Bool),
    target: EngineRelease?
  ) throws {
    let filters = [
      "||b.org^$denyallow=c.org,domain=\(condition.domains)",
      "@@||\(condition.lifted)^$genericblock",
    ]
    let converted = try #require(try ConvertedFilters(filters, target: target))
    let page = "https://\(condition.page)/"
    let request = FilterRequest(url: "https://b.org/x.js", type: "script", page: page)
    #expect(converted.blocks(request) == condition.isBlocked, "\(filters)")
    #expect((converted.plain.decide(request).fate == .block) == condition.isBlocked, "\(filters)")
  }

  @Test("$denyallow and $genericblock together", arguments: targets)
  func genericBlocking(target: EngineRelease?) throws {
    var generator = FilterGenerator(random: RandomSource(seed: Effort.seed &+ 2))
    var counts = (requests: 0, blocked: 0)
    for _ in 0..<(60 * Effort.factor) {
      var filters = [generator.exclusiveFilter(), generator.genericBlockingException()]
      filters += (0..<generator.random.number(below: 3)).map { _ in generator.networkFilter() }
      guard let converted = try ConvertedFilters(filters, target: target) else { continue }
      let codes = converted.approximations
      for _ in 0..<40 {
        let request = generator.request()
        guard let isBlocked = converted.blocks(request) else { continue }
        let decision = converted.plain.decide(request)
        counts.requests += 1
        counts.blocked += decision.fate == .block ? 1 : 0
        guard (decision.fate != .load) != isBlocked,
          KnownDifference.explaining(request, decision, codes) == nil
        else { continue }
        Issue.record("\(request) of \(filters) is \(isBlocked ? "" : "not ")blocked: \(decision)")
        return
      }
    }
    #expect(counts.requests > 1_000 && counts.blocked > 100, "\(counts)")
  }
}

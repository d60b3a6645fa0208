import FilterConversion
import FilterMatcher
import TestSupport
import Testing

/// A converted list decides as the filters do.
@Suite("Converted filters, compared with a matcher of filters")
struct GeneratedFilterTests {
  @Test("generated requests are decided alike, but for known differences")
  func requests() throws {
    var generator = FilterGenerator(random: RandomSource(seed: Effort.seed))
    var counts = (requests: 0, blocked: 0, lifted: 0)
    var excused: [String: Int] = [:]
    for _ in 0..<(250 * Effort.factor) {
      var filters = (0...generator.random.number(below: 6)).map { _ in generator.networkFilter() }
      if let bad = generator.badFilter(of: filters) { filters.append(bad) }
      guard let converted = try ConvertedFilters(filters) else { continue }
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
    #expect(counts.requests > 5_000 && counts.blocked > 1_000 && counts.lifted > 60, "\(counts)")
    #expect(excused.values.reduce(0, +) < counts.requests / 20, "\(excused)")
  }

  @Test("generated pages hide alike")
  func pages() throws {
    var generator = FilterGenerator(random: RandomSource(seed: Effort.seed &+ 1))
    var counts = (pages: 0, hiding: 0)
    for _ in 0..<(250 * Effort.factor) {
      var filters = (0...generator.random.number(below: 6)).map { _ in generator.cosmeticFilter() }
      filters += (0..<generator.random.number(below: 3)).map { _ in generator.networkFilter() }
      guard let converted = try ConvertedFilters(filters) else { continue }
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
    #expect(counts.pages > 1_000 && counts.hiding > 300, "\(counts)")
  }
}

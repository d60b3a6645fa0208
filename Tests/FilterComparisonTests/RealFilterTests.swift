import FilterConversion
import FilterMatcher
import Foundation
import TestSupport
import Testing

/// Real filters on real requests.
@Suite("Real filters, compared with a matcher of filters", .disabled(if: SharedData.isAbsent))
struct RealFilterTests {
  private struct Labelled: Decodable {
    var filters: [String]
    var sourceUrl: String
    var type: String
    var url: String
  }

  private static let types = [
    "xhr": "xmlhttprequest", "fetch": "xmlhttprequest", "texttrack": "media", "manifest": "other",
  ]

  @Test("requests with filters of their own")
  func labelled() throws {
    let bytes = try SharedData.bytes("data/requests/labelled-brave.json")
    let rows = try JSONDecoder().decode([Labelled].self, from: Data(bytes))
    var counts = (requests: 0, blocked: 0)
    for row in rows.enumerated() where row.offset % 8 == Int(Effort.seed % 8) {
      let row = row.element
      guard let converted = try ConvertedFilters(row.filters) else { continue }
      let page = row.sourceUrl.hasSuffix("//") ? "https://page.example/" : row.sourceUrl
      let request = FilterRequest(
        url: row.url.split(separator: "/").count == 2 ? row.url + "/" : row.url,
        type: Self.types[row.type] ?? row.type,
        page: page
      )
      guard let isBlocked = converted.blocks(request) else { continue }
      let decision = converted.plain.decide(request)
      counts.requests += 1
      counts.blocked += isBlocked ? 1 : 0
      let isAlike = (decision.fate != .load) == isBlocked
      let known = KnownDifference.explaining(request, decision, converted.approximations)
      #expect(isAlike || known != nil, "\(request) by \(row.filters): \(decision)")
    }
    #expect(counts.requests > 500 && counts.blocked > 400, "\(counts)")
  }

  @Test("requests of a log by a large list")
  func log() throws {
    // Matching what no known text speeds up is slow, so only some requests are decided.
    let lines = try SharedData.lines("data/filters/easyprivacy-2026-08-13.txt").map(String.init)
    let converted = try #require(try ConvertedFilters(lines))
    var counts = (requests: 0, blocked: 0)
    let rows = try SharedData.lines("data/requests/top500-2019.tsv").dropFirst()
    for (number, row) in rows.enumerated() where number % 100 == Int(Effort.seed % 100) {
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns[1].hasPrefix("http"), columns[2] != "document" else { continue }
      let request = FilterRequest(
        url: columns[0],
        type: Self.types[columns[2]] ?? columns[2],
        page: columns[1]
      )
      guard let isBlocked = converted.blocks(request) else { continue }
      let decision = converted.plain.decide(request)
      counts.requests += 1
      counts.blocked += isBlocked ? 1 : 0
      guard (decision.fate != .load) != isBlocked else { continue }
      let codes = converted.approximations(decision.filter, request)
      let known = KnownDifference.explaining(request, decision, codes)
      #expect(known != nil, "\(request): \(decision), by the list: \(isBlocked)")
    }
    #expect(counts.requests > 100 && counts.blocked > 20, "\(counts)")
  }
}

import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import Foundation
import ResourceLoads
import TestSupport
import Testing
import WebURL

/// The real filter lists, where they are.
@Suite("Real filter lists are converted completely")
struct RealListTests {
  @Test(
    "EasyList, EasyPrivacy and AdGuard's base",
    .disabled(if: SharedData.isAbsent, "there is no folder of real lists (TICKBIRD_SHARED)"),
    arguments: [
      ["easylist-2026-08-13", "easyprivacy-2026-08-13"], ["adguard-base-optimized-2021-12-13"],
      ["easylist-2021-08-08", "easyprivacy-2021-08-08"],
    ]
  )
  func convert(names: [String]) throws {
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    for name in names {
      let text = try SharedData.bytes("data/filters/\(name).txt")
      let dialect = try #require(FilterDialect.recognize(text))
      reader.add(FilterSource(name: name, dialect: dialect, text: text), including: &none)
    }
    let conversion = FilterConverter.convert(reader.collection)
    #expect(conversion.outcomes.count == reader.collection.lines.count)
    #expect(conversion.ruleCount <= conversion.ruleLimit)
    let report = RuleListReader.read(
      conversion.json.span,
      options: ContentRuleList.readingOptions(),
      forEachRule: { _ in }
    )
    #expect(report.isAccepted)
    #expect(report.skippedRules.isEmpty)
    #expect(report.ruleCount == conversion.ruleCount)
    let warnings = report.diagnostics.filter { $0.severity != .note }
    #expect(warnings.isEmpty, "\(warnings.prefix(5).map(\.message))")
    for (line, outcome) in conversion.outcomes.enumerated() {
      let reasons = conversion.reasons[line] ?? []
      let rules = conversion.rules(ofLine: line)
      switch outcome {
      case .approximated: #expect(!reasons.isEmpty && !rules.isEmpty, "line \(line)")
      case .impossible: #expect(!reasons.isEmpty && rules.isEmpty, "line \(line)")
      case .converted: #expect(!reasons.isEmpty || !rules.isEmpty, "line \(line)")
      case .comment: #expect(rules.isEmpty, "line \(line)")
      }
    }
    // Nine in ten filters are exact in every list.
    let filters = conversion.outcomes.count - conversion.count(.comment)
    #expect(conversion.count(.converted) * 10 > filters * 8)
  }

  private struct Labelled: Decodable {
    var filters: [String]
    var sourceUrl: String
    var type: String
    var url: String
  }

  /// Each request matches each of its filters; of exceptions it is told whether they lift a filter
  /// for all loads.
  @Test(
    "requests that match a filter match its rules",
    .disabled(if: SharedData.isAbsent, "there is no folder of real requests (TICKBIRD_SHARED)")
  )
  func labelled() throws {
    let requests = try JSONDecoder().decode(
      [Labelled].self,
      from: Data(SharedData.bytes("data/requests/labelled-brave.json"))
    )
    let types: [String: ResourceType] = [
      "script": .script, "image": .image, "xhr": .fetch, "fetch": .fetch,
      "subdocument": .childDocument, "stylesheet": .styleSheet, "other": .other, "media": .media,
      "font": .font,
    ]
    var missed: [String] = []
    var count = 0
    var known: [String: FilterBench] = [:]
    for index in stride(from: 0, to: requests.count, by: 24 * SharedData.sampleStep) {
      let request = requests[index]
      let url: WebURL? = WebURL(request.url)
      guard let type = types[request.type], url != nil else { continue }
      // Sources are often no more than a scheme.
      let page = request.sourceUrl.count > 8 ? request.sourceUrl : "https://page.test/"
      for filter in request.filters {
        let bench: FilterBench
        if let there = known[filter] {
          bench = there
        } else {
          bench = try FilterBench(filter.hasPrefix("@@") ? ["://", filter] : [filter])
          known[filter] = bench
        }
        count += 1
        let isBlocked = (try? bench.blocks(request.url, on: page, type)) ?? false
        if isBlocked == filter.hasPrefix("@@") {
          missed.append("\(filter) \(request.url) \(page) \(request.type)")
        }
      }
    }
    #expect(count > 300 / SharedData.sampleStep)
    #expect(missed.isEmpty, "\(missed.count): \(missed.prefix(40).joined(separator: "\n"))")
  }
}

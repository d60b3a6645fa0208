import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import Foundation
import TestSupport
import Testing

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
}

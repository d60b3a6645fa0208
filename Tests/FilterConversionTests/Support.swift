import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing
import WebURL

/// Filters, the rules that they become, and an engine for the rules.
final class FilterBench {
  let collection: FilterCollection
  let conversion: FilterConversion
  let rules: [Rule]
  private var blocker: ContentBlocker

  /// - Throws: If the rules are refused, which they never may be.
  init(
    _ lines: [String],
    _ dialect: FilterDialect = .abp,
    target: EngineRelease? = nil
  ) throws {
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    let text = Array(lines.joined(separator: "\n").utf8)
    reader.add(FilterSource(name: "list", dialect: dialect, text: text), including: &none)
    collection = reader.collection
    conversion = FilterConverter.convert(
      collection,
      options: FilterConversionOptions(target: target)
    )
    guard conversion.ruleCount > 0 else {
      rules = []
      blocker = ContentBlocker(lists: [])
      return
    }
    var options = ReadingOptions(target: target)
    options.findsTraps = false
    let report = RuleListReader.read(conversion.json, options: options)
    let list = try #require(report.ruleList, "\(report.webKitError?.message ?? "refused")")
    #expect(report.skippedRules.isEmpty)
    #expect(report.ruleCount == conversion.ruleCount)
    #expect(report.diagnostics.isEmpty, "\(report.diagnostics.map(\.message))")
    rules = list.rules
    blocker = ContentBlocker(
      lists: [try ContentRuleList(identifier: "list", encodedContentRuleList: conversion.json)]
    )
  }

  convenience init(_ line: String, _ dialect: FilterDialect = .abp) throws {
    try self.init([line], dialect)
  }

  /// The patterns of all rules.
  var patterns: [String] { rules.map(\.trigger.urlFilter.text) }

  /// The outcome of a line, from 1.
  func outcome(_ line: Int = 1) -> ConversionOutcome { conversion.outcomes[line - 1] }

  /// The codes of a line's reasons.
  func codes(_ line: Int = 1) -> [String] {
    (conversion.reasons[line - 1] ?? []).map(\.code.rawValue)
  }

  private func address(_ text: String) throws -> WebURL {
    let url: WebURL? = WebURL(text)
    return try #require(url, "\(text)")
  }

  private func load(
    _ url: String,
    _ page: String,
    _ type: ResourceType
  ) throws -> ResourceLoad {
    ResourceLoad(
      url: try address(url),
      topURL: try address(page),
      resourceType: type
    )
  }

  /// Whether a load is blocked.
  func blocks(
    _ url: String,
    on page: String = "https://page.test/",
    _ type: ResourceType = .script
  ) throws -> Bool {
    blocker.decision(for: try load(url, page, type)).isBlocked
  }

  /// The selectors that are hidden on a page that loads one image besides itself.
  func hidden(on page: String) throws -> Set<String> {
    var selectors: Set<String> = []
    for (url, type) in [
      (page, ResourceType.topDocument), ("https://image.test/x.png", .image),
    ] {
      let decision = blocker.decision(for: try load(url, page, type))
      for selector in decision.hiddenSelectors {
        for part in selector.split(separator: ",") {
          selectors.insert(part.trimmingPrefix(" ").description)
        }
      }
      for (number, result) in decision.lists.enumerated() where result.hidesGlobally {
        for part in (blocker.lists[number].globalSelectors ?? "").split(separator: ",") {
          selectors.insert(part.trimmingPrefix(" ").description)
        }
      }
    }
    return selectors
  }
}

import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import FilterMatcher
import Foundation
import ResourceLoads
import Testing
import WebURL

/// Filters, converted and not.
final class ConvertedFilters {
  let filters: [String]
  let conversion: FilterConversion
  /// The filters that the conversion says are not in the list have no part in it.
  let plain: PlainFilterList
  private var blocker: ContentBlocker
  private let selectors: [String?]
  private let globalSelectors: String?

  /// Converts filters; `nil` if no rule is left.
  init?(
    _ filters: [String],
    dialect: FilterDialect = .abp,
    target: EngineRelease? = nil
  ) throws {
    self.filters = filters
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    let text = Array(filters.joined(separator: "\n").utf8)
    reader.add(FilterSource(name: "filters", dialect: dialect, text: text), including: &none)
    conversion = FilterConverter.convert(
      reader.collection,
      options: FilterConversionOptions(target: target)
    )
    let conversion = self.conversion
    let kept = filters.indices.filter { line in
      let left: [ConversionReason.Code] = [.switchedOff, .otherPlatform]
      return conversion.outcomes[line] != .impossible
        && !(conversion.reasons[line] ?? []).contains { left.contains($0.code) }
    }
    plain = PlainFilterList(kept.map { filters[$0] }) { host in
      let bytes = Array(host.utf8)
      return PublicSuffixList.publicSuffix(ofHost: bytes.span)
        .map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    }
    guard conversion.ruleCount > 0 else { return nil }
    let json = conversion.json
    let list = try ContentRuleList(identifier: "filters", encodedContentRuleList: json)
    blocker = ContentBlocker(lists: [list])
    globalSelectors = list.globalSelectors
    let rules = try JSONSerialization.jsonObject(with: Data(json)) as? [[String: Any]] ?? []
    selectors = rules.map { ($0["action"] as? [String: Any])?["selector"] as? String }
  }

  /// The reasons for which lines were approximated.
  var approximations: Set<ConversionReason.Code> {
    Set(
      conversion.outcomes.indices.filter { conversion.outcomes[$0] == .approximated }
        .flatMap { conversion.reasons[$0] ?? [] }.map(\.code)
    )
  }

  /// The reasons for which the lines were approximated that decide a request: that of a filter, and
  /// those of the rules that act.
  func approximations(
    _ filter: String?,
    _ request: FilterRequest
  ) -> Set<ConversionReason.Code> {
    var lines = filters.indices.filter { filters[$0] == filter }
    if let load = Self.load(request) {
      let rules = Set(blocker.decision(for: load).actions.flatMap(\.rules))
      lines += filters.indices.filter { line in
        conversion.rules(ofLine: line).contains { rules.contains(Int($0)) }
      }
    }
    return Set(
      lines.filter { conversion.outcomes[$0] == .approximated }
        .flatMap { conversion.reasons[$0] ?? [] }.map(\.code)
    )
  }

  /// Whether the list blocks a request; `nil` for one that the engine cannot be asked about.
  func blocks(_ request: FilterRequest) -> Bool? {
    guard let load = Self.load(request) else { return nil }
    return blocker.outcome(for: load).isBlocked
  }

  /// The selectors that the list hides on a page, sorted.
  func hidden(on page: String) -> [String] {
    // The page's own load, and one of an image that it has.
    let requests = [
      FilterRequest(url: page, type: "document", page: page),
      FilterRequest(url: "https://images.example/x.png", type: "image", page: page),
    ]
    var hiding = PageHiding(listCount: 1)
    for load in requests.compactMap(Self.load) { blocker.addHiding(of: load, to: &hiding) }
    let global = hiding.attachesGlobalSheet[0] ? [globalSelectors].compactMap(\.self) : []
    let parts = (hiding.rules(ofList: 0).compactMap { selectors[$0] } + global)
      .flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
    return Set(parts).sorted()
  }

  private static let types: [String: ResourceType] = [
    "script": .script, "image": .image, "stylesheet": .styleSheet, "subdocument": .childDocument,
    "xmlhttprequest": .fetch, "font": .font, "media": .media, "websocket": .webSocket,
    "ping": .ping, "other": .other, "document": .topDocument, "popup": .popup,
  ]

  /// A request as the engine's load.
  static func load(_ request: FilterRequest) -> ResourceLoad? {
    guard let url = WebURL(request.url), let page = WebURL(request.page),
      let type = types[request.type]
    else { return nil }
    return ResourceLoad(
      url: url,
      topURL: page,
      frameURL: request.frame.flatMap { WebURL($0) },
      resourceType: type
    )
  }
}

import ReferenceMatcher
internal import TestSupport

/// Generates loads for a list, so that many rules match and many almost match.
struct LoadGenerator {
  let urls: URLGenerator
  let isFirstParty: (String, String) -> Bool
  private var filters: [ReferencePattern] = []
  private var topEntries: [ReferencePattern] = []
  private var frameEntries: [ReferencePattern] = []
  private var domains: [String] = []
  private var methods: [String] = []

  init(rules: [JSONValue], urls: URLGenerator, isFirstParty: @escaping (String, String) -> Bool) {
    self.urls = urls
    self.isFirstParty = isFirstParty
    for trigger in rules.compactMap({ $0.object?["trigger"]?.object }) {
      func texts(_ keys: String...) -> [String] {
        keys.flatMap { trigger[$0]?.array ?? [] }.compactMap(\.string)
      }
      func patterns(_ texts: [String]) -> [ReferencePattern] {
        texts.compactMap { try? ReferencePattern($0, isCaseSensitive: true) }
      }
      filters += patterns([trigger["url-filter"]?.string].compactMap(\.self))
      topEntries += patterns(texts("if-top-url", "unless-top-url"))
      frameEntries += patterns(texts("if-frame-url", "unless-frame-url"))
      domains += texts("if-domain", "unless-domain")
      methods += [trigger["request-method"]?.string].compactMap(\.self)
    }
  }

  static let resourceTypes = [
    "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
    "media", "popup", "ping", "fetch", "websocket", "csp-report", "other",
  ]

  func load(_ random: inout RandomSource) -> ReferenceLoad {
    let url = url(of: filters, &random)
    let topURL = pageURL(entries: topEntries, &random)
    let frameURL =
      switch random.number(below: 10) {
      case 0..<4: topURL
      case 4: "about:blank"
      default: pageURL(entries: frameEntries, &random)
      }
    let method: String? =
      switch random.number(below: 10) {
      case 0: nil
      case 1..<6: "get"
      case 6..<8 where !methods.isEmpty: random.pick(methods).lowercased()
      default: random.pick(["post", "head", "put", "connect", "propfind"])
      }
    return ReferenceLoad(
      url: url,
      topURL: topURL,
      frameURL: frameURL,
      resourceType: random.pick(Self.resourceTypes),
      isFirstParty: isFirstParty(url, topURL),
      loadContext: random.pick(["top-frame", "child-frame"]),
      method: method
    )
  }

  private func url(of patterns: [ReferencePattern], _ random: inout RandomSource) -> String {
    guard !patterns.isEmpty else { return urls.url(&random) }
    switch random.number(below: 10) {
    case 0..<5: return urls.url(for: random.pick(patterns), &random)
    case 5..<7: return urls.nearMiss(for: random.pick(patterns), &random)
    default: return urls.url(&random)
    }
  }

  private func pageURL(
    entries: [ReferencePattern],
    _ random: inout RandomSource
  ) -> String {
    if !domains.isEmpty && random.chance(50) {
      return urls.url(forDomain: random.pick(domains), &random)
    }
    return url(of: entries, &random)
  }
}

/// What stands behind the `$` of a network filter.
///
/// > Source: Adblock Plus, “How to write filters”, filter options; uBlock Origin, “Static filter
/// > syntax”; AdGuard, “How to create your own ad filters”.
struct FilterOptions: Sendable {
  /// The types that the filter is for.
  var types = Self.ordinaryTypes
  /// What an exception turns off on pages that it is for.
  var pageEffects: Set<PageEffect> = []
  /// Whether only requests to other sites (true) or to the same one (false) are meant.
  var isThirdParty: Bool?
  var documents = DomainCondition()
  /// Hosts of requests, of `to=`.
  var targets = DomainCondition()
  /// Domains whose requests are left alone, of `denyallow=`.
  var denied: Set<String> = []
  var methods: Set<String> = []
  var unwantedMethods: Set<String> = []
  var matchesCase = false
  var isImportant = false
  var isBadFilter = false
  /// Whether the request is answered by something else, so that it neither fails nor is sent.
  var isReplaced = false

  /// What an exception turns off on a page.
  enum PageEffect: String, Sendable {
    case document, elemhide, generichide, specifichide, genericblock, urlblock
  }

  /// The types of a filter that names none: all but pages and pop-ups.
  static let ordinaryTypes: Set<String> = [
    "script", "image", "stylesheet", "object", "subdocument", "xmlhttprequest", "websocket",
    "ping", "font", "media", "webrtc", "other",
  ]

  private static let typeNames: [String: String] = {
    var names = Dictionary(uniqueKeysWithValues: ordinaryTypes.map { ($0, $0) })
    names["popup"] = "popup"
    names["beacon"] = "ping"
    names["css"] = "stylesheet"
    names["xhr"] = "xmlhttprequest"
    names["frame"] = "subdocument"
    names["object-subrequest"] = "object"
    names["background"] = "image"
    return names
  }()

  private static let effectNames: [String: PageEffect] = [
    "document": .document, "doc": .document, "elemhide": .elemhide, "ehide": .elemhide,
    "generichide": .generichide, "ghide": .generichide, "specifichide": .specifichide,
    "shide": .specifichide, "genericblock": .genericblock, "urlblock": .urlblock,
  ]

  /// Reads options; `nil` if one of them is unknown or not for network requests, for such a filter
  /// does nothing to them.
  init?(_ text: Substring, isException: Bool) {
    var named: Set<String>?
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let option = part.drop { $0 == " " }
      let isNegated = option.hasPrefix("~")
      let whole = option.drop { $0 == "~" }
      let name = whole.prefix { $0 != "=" }.lowercased()
      let value = whole.contains("=") ? whole.drop { $0 != "=" }.dropFirst() : nil
      if let type = Self.typeNames[name] {
        if isNegated {
          named = (named ?? Self.ordinaryTypes).subtracting([type])
        } else {
          named = (named ?? []).union([type])
        }
      } else if let effect = Self.effectNames[name] {
        if effect == .document, isNegated { continue }
        guard !isNegated else { return nil }
        if isException {
          pageEffects.insert(effect)
        } else if effect == .document {
          named = (named ?? []).union(["document"])
        } else {
          return nil
        }
      } else if !read(name, isNegated, value, &named) {
        return nil
      }
    }
    // An exception for pages alone lifts nothing of single requests, but that of the page.
    types = named ?? (pageEffects.isEmpty ? Self.ordinaryTypes : [])
    if pageEffects.contains(.document) { types.insert("document") }
  }

  private mutating func read(
    _ name: String,
    _ isNegated: Bool,
    _ value: Substring?,
    _ named: inout Set<String>?
  ) -> Bool {
    switch (name, value) {
    case ("third-party", nil), ("3p", nil): isThirdParty = !isNegated
    case ("first-party", nil), ("1p", nil): isThirdParty = isNegated
    case ("match-case", nil): matchesCase = !isNegated
    case ("important", nil): isImportant = true
    case ("badfilter", nil): isBadFilter = true
    case ("all", nil): named = (named ?? []).union(Self.ordinaryTypes).union(["document", "popup"])
    case ("domain", let value?), ("from", let value?):
      guard let condition = DomainCondition(value.split(separator: "|")), !condition.isEmpty
      else { return false }
      documents = condition
    case ("to", let value?):
      guard let condition = DomainCondition(value.split(separator: "|")), !condition.isEmpty
      else { return false }
      targets = condition
    case ("denyallow", let value?):
      denied = Set(value.split(separator: "|").map { $0.lowercased() })
    case ("method", let value?):
      for method in value.lowercased().split(separator: "|") {
        if method.hasPrefix("~") {
          unwantedMethods.insert(String(method.dropFirst()))
        } else {
          methods.insert(String(method))
        }
      }
    case ("rewrite", _?), ("redirect", _?), ("empty", nil), ("mp4", nil): isReplaced = true
    default: return false
    }
    return true
  }
}

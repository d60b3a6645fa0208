/// Chromium's resource types in WebKit's words.
enum WebKitTypes {
  /// The word for each type that WebKit has.
  static let words: [String: String] = [
    "main_frame": "top-document", "sub_frame": "child-document", "image": "image",
    "stylesheet": "style-sheet", "script": "script", "font": "font", "media": "media",
    "ping": "ping", "xmlhttprequest": "fetch", "websocket": "websocket",
    "csp_report": "csp-report", "other": "other",
  ]
  /// Types that WebKit has no word for; documents of plug-ins are child documents there.
  static let unknown: Set<String> = ["object", "webtransport", "webbundle"]

  /// The order in which words are written.
  static let order = [
    "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
    "media", "ping", "fetch", "websocket", "csp-report", "other",
  ]

  /// The words for a condition's types, and the types that have none.
  ///
  /// Without types a rule is for all but pages. WebKit's `other` has pings and reports, too, which
  /// cannot be parted from it.
  static func words(of condition: ImportedRule.Condition) -> (words: Set<String>, lost: [String]) {
    guard let types = condition.types else {
      let excluded = Set((condition.excludedTypes ?? ["main_frame"]).compactMap { Self.words[$0] })
      var wanted = Set(order).subtracting(excluded)
      if condition.excludedTypes?.contains("image") ?? false { wanted.remove("svg-document") }
      return (wanted, [])
    }
    // Documents of plug-ins are child documents in WebKit, and what else it does not name is other.
    let lost = types.filter { type in
      unknown.contains(type) && !types.contains(type == "object" ? "sub_frame" : "other")
    }
    return (Set(types.compactMap { Self.words[$0] }), lost)
  }
}

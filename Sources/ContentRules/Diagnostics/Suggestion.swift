/// Finds the known word that an unknown one was probably meant to be.
package enum Suggestion {
  /// Returns a hint for an unknown key.
  static func key(for word: String, among known: [String]) -> String? {
    if let note = notesOnKeys[word] { return note }
    if let renamed = renamedKeys[normalized(word)] { return hint(renamed, known) }
    return nearest(to: word, among: known).map { "did you mean \($0)?" }
  }

  /// Returns the key that an unknown one probably stands for, if its value can stay.
  ///
  /// Excludes names from other rule languages, since their values differ.
  static func keyWord(for word: String, among known: [String]) -> String? {
    guard notesOnKeys[word] == nil, renamedKeys[normalized(word)] == nil else { return nil }
    return nearest(to: word, among: known)
  }

  /// Returns a hint for an unknown value.
  static func value(for word: String, among known: [String]) -> String? {
    valueWord(for: word, among: known).map { "did you mean \($0)?" }
  }

  /// Returns the value that an unknown one probably stands for.
  static func valueWord(for word: String, among known: [String]) -> String? {
    for names in [renamedTypes, renamedValues] {
      if let renamed = names[normalized(word)], known.contains(renamed) { return renamed }
    }
    return nearest(to: word, among: known)
  }

  private static func hint(_ key: String, _ known: [String]) -> String {
    known.contains(key) ? "did you mean \(key)?" : "did you mean \(key), which goes elsewhere?"
  }

  /// Keys with a meaning in the past or elsewhere.
  private static let notesOnKeys = [
    "if-ancestor-frame-url":
      "this key was in development in mid-2025 only; if-frame-url is there to stay",
    "if-ancestor-subframe-url":
      "this key was in development in mid-2025 only; if-frame-url is there to stay",
    "condition": "this looks like a declarativeNetRequest rule; a content blocker has trigger",
    "comment": nil,
  ].compactMapValues { $0 }

  /// Other names for keys, mostly those of declarativeNetRequest, without case and hyphens.
  private static let renamedKeys = [
    "urlfilter": "url-filter", "regexfilter": "url-filter", "urlpattern": "url-filter",
    "filter": "url-filter", "url": "url-filter",
    "isurlfiltercasesensitive":
      "url-filter-is-case-sensitive", "casesensitive": "url-filter-is-case-sensitive",
    "resourcetypes": "resource-type", "types": "resource-type", "loadtypes": "load-type",
    "domaintype": "load-type", "thirdparty": "load-type", "loadcontexts": "load-context",
    "requestmethods": "request-method", "method": "request-method", "methods": "request-method",
    "initiatordomains": "if-domain", "domains": "if-domain", "domain": "if-domain",
    "ifdomains": "if-domain", "topdomains": "if-domain",
    "excludedinitiatordomains": "unless-domain", "excludeddomains": "unless-domain",
    "notdomain": "unless-domain", "unlessdomains": "unless-domain",
    "ifurl": "if-top-url", "unlessurl": "unless-top-url", "iftopurls": "if-top-url",
    "unlesstopurls": "unless-top-url", "css": "selector", "selectors": "selector",
    "cssselector": "selector", "actiontype": "type", "requestheaders": "request-headers",
    "responseheaders": "response-headers", "triggers": "trigger", "actions": "action",
  ]

  /// Other names for types in browsers and filter lists, without hyphens, each with the type that
  /// WebKit gives such a load: that of a beacon is not `ping`.
  private static let renamedTypes = [
    "mainframe": "top-document", "page": "top-document", "doc": "document", "html": "document",
    "subframe": "child-document", "subdocument": "child-document", "iframe": "child-document",
    "frame": "child-document", "frames": "child-document", "object": "child-document",
    "embed": "child-document",
    "images": "image", "img": "image", "imageset": "image", "picture": "image",
    "stylesheet": "style-sheet", "style": "style-sheet", "css": "style-sheet",
    "cssstyle": "style-sheet", "xslt": "style-sheet",
    "scripts": "script", "js": "script", "javascript": "script", "json": "script",
    "fonts": "font", "svg": "svg-document",
    "video": "media", "audio": "media", "texttrack": "media", "track": "media",
    "xmlhttprequest": "fetch", "xhr": "fetch", "preflight": "fetch",
    "websockets": "websocket", "ws": "websocket", "window": "popup",
    "csp": "csp-report", "cspviolationreport": "csp-report", "report": "csp-report",
    "beacon": "other", "sendbeacon": "other", "eventsource": "other", "manifest": "other",
    "webmanifest": "other", "worker": "other", "sharedworker": "other", "serviceworker": "other",
    "objectsubrequest": "other", "signedexchange": "other", "speculative": "other",
    "webbundle": "other", "webtransport": "other", "xmldtd": "other",
  ]

  /// Other names for other values, without hyphens.
  private static let renamedValues = [
    "allow": "ignore-previous-rules", "allowallrequests": "ignore-previous-rules",
    "ignoreprevious": "ignore-previous-rules", "ignorefollowing": "ignore-following-rules",
    "upgradescheme": "make-https", "https": "make-https", "hide": "css-display-none",
    "css": "css-display-none", "displaynone": "css-display-none", "blockcookie": "block-cookies",
    "cookies": "block-cookies", "1p": "first-party", "3p": "third-party", "first": "first-party",
    "third": "third-party", "mainframe": "top-frame", "main": "top-frame", "top": "top-frame",
    "subframe": "child-frame", "sub": "child-frame", "iframe": "child-frame",
    "replace": "set", "add": "append", "delete": "remove",
  ]

  /// Returns the known word at the least edit distance, if that is small.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let wanted = normalized(word)
    guard !wanted.isEmpty, wanted.utf8.count <= 64 else { return nil }
    var best: (word: String, distance: Int)?
    for candidate in known {
      let other = normalized(candidate)
      let limit = min(best.map { $0.distance - 1 } ?? 3, max(1, other.utf8.count / 4))
      guard limit >= 0, abs(other.utf8.count - wanted.utf8.count) <= limit else { continue }
      let distance = editDistance(Array(wanted.utf8), Array(other.utf8))
      if distance <= limit { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The word in lower case without hyphens, underscores and spaces.
  private static func normalized(_ word: String) -> String {
    String(word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " })
  }

  /// Returns the edit distance: insertions, deletions, replacements and swaps of neighbours.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(last[j + 1], row[j]) + 1
        cost = min(cost, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}

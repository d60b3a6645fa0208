internal import ContentBlocking
internal import LoadDeciding
package import ResourceLoads
package import WebURL

/// The words that describe loads in inputs and options.
package enum LoadWords {
  /// Returns the type of a word; `document` has none of its own.
  package static func resourceType(_ word: String) -> ResourceType? {
    ResourceLoad.resourceType(word)
      ?? chromiumTypes.first { $0.word == word }?.type
  }

  /// The words of Chromium's developer tools that differ from the engine's.
  static let chromiumTypes: [(word: String, type: ResourceType)] = [
    ("stylesheet", .styleSheet), ("xhr", .fetch), ("texttrack", .media), ("manifest", .other),
    ("eventsource", .other), ("preflight", .fetch), ("signedexchange", .other),
  ]

  /// Whether a word means a text track.
  ///
  /// Text tracks have the type `media` but lose their fragment, because WebKit requests them like
  /// any other subresource.
  static func isTextTrack(_ word: some StringProtocol) -> Bool { word == "texttrack" }

  /// Returns the URL that rules see for a load whose type was given by a word.
  package static func url(_ url: WebURL, ofType word: String) -> WebURL {
    isTextTrack(word) ? LoadDefaults.matched(url, .other) : url
  }

  /// Returns the type that the word `document` means: the page's own document or a frame's.
  ///
  /// Decided by the frame that starts the load, or else by the URLs of load and page.
  package static func documentType(
    _ context: LoadContext?,
    url: WebURL,
    page: WebURL?
  ) -> ResourceType {
    if let context { return context == .topFrame ? .topDocument : .childDocument }
    guard let page else { return .topDocument }
    let isPage =
      LoadDefaults.matched(url, .topDocument) == LoadDefaults.matched(page, .topDocument)
    return isPage ? .topDocument : .childDocument
  }

  /// Returns the word of a single type.
  package static func word(for type: ResourceType) -> String { type.word }

  /// Returns the load context of a word.
  package static func loadContext(_ word: String) -> LoadContext? {
    switch word {
    case "top-frame": .topFrame
    case "child-frame": .childFrame
    default: nil
    }
  }

  /// Returns the load type of a word.
  package static func loadType(_ word: String) -> LoadType? {
    switch word {
    case "first-party": .firstParty
    case "third-party": .thirdParty
    default: nil
    }
  }

  /// Returns the method of a name, ignoring case; `nil` for methods that rules cannot name.
  package static func requestMethod(_ word: String) -> RequestMethod? {
    let word = word.lowercased()
    return RequestMethod.allCases.first { $0.word == word }
  }

  /// Returns an error message for an unknown word, with the nearest known one.
  package static func unknown(
    _ what: String,
    _ word: String,
    among known: [String]
  ) -> String {
    let shown = word.count > 40 ? String(word.prefix(40)) + "…" : word
    let hint = suggestion(for: word, among: known).map { "did you mean \($0)?" }
    return "there is no \(what) \"\(shown)\"; "
      + (hint ?? "use one of \(known.joined(separator: ", "))")
  }

  /// The words for resource types, `document` included.
  package static var resourceTypeWords: [String] {
    ["document"] + ResourceType.words.map { "\($0.word)" }
  }

  /// Names for resource types in other tools.
  private static let otherNames = [
    "css": "style-sheet", "style": "style-sheet",
    "img": "image", "images": "image", "picture": "image", "js": "script", "scripts": "script",
    "xmlhttprequest": "fetch", "iframe": "child-document",
    "frame": "child-document", "subdocument": "child-document", "subframe": "child-document",
    "sub_frame": "child-document", "main_frame": "top-document", "mainframe": "top-document",
    "page": "top-document", "html": "top-document", "video": "media", "audio": "media",
    "beacon": "other", "worker": "other", "svg": "svg-document", "ws": "websocket",
    "web-socket": "websocket", "csp": "csp-report", "raw": "fetch", "window": "popup",
  ]

  /// Returns the known word that an unknown one was probably meant to be.
  package static func suggestion(for word: String, among known: [String]) -> String? {
    let wanted = word.lowercased()
    if let other = otherNames[wanted], known.contains(other) { return other }
    guard wanted.utf8.count <= 40 else { return nil }
    return known.map { ($0, distance(Array(wanted.utf8), Array($0.utf8))) }
      .filter { $0.1 <= max(1, $0.0.utf8.count / 3) }.min { $0.1 < $1.1 }?.0
  }

  /// Returns the edit distance: insertions, deletions and replacements.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in 0..<b.count {
        let cost = min(row[j], row[j + 1]) + 1
        let replaced = diagonal + (letter == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(cost, replaced)
      }
    }
    return row[b.count]
  }
}

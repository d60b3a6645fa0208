internal import ResourceLoads
internal import WebURL

/// A document of the log, or a page whose document the log lacks.
struct LoggedDocument {
  var url: WebURL
  /// The method of its request.
  var method: String
  /// The page that it belongs to, or that it is.
  var page: Int
  var isTop: Bool
  /// Its index among the entries, if it is there.
  var entry: Int?
}

/// The documents and other loads of a log by their URLs, to find initiators.
///
/// Several pages may have the same URL, so each is first looked up among entries with the same
/// `pageref`. Of several the last one is returned.
struct LoggedDocuments {
  /// A look-up key: among entries with this `pageref`, or anywhere.
  private struct Key: Hashable {
    var name: String?
    var url: WebURL
  }

  /// A key for a Referer that is cut to its origin, as browsers do for cross-origin requests.
  private struct OriginKey: Hashable {
    var name: String?
    var origin: String
  }

  private(set) var all: [LoggedDocument] = []
  private var documents: [Key: Int] = [:]
  private var unnamed: Int?
  private var origins: [OriginKey: (document: Int, count: Int)] = [:]
  /// Scripts and style sheets, and the document of each.
  private var sources: [Key: (entry: Int, document: Int)] = [:]

  /// Adds a document and returns its number.
  mutating func add(_ document: LoggedDocument, name: String?) -> Int {
    let number = all.count
    all.append(document)
    let origin = document.url.origin
    for name in Set([name, nil]) {
      documents[Key(name: name, url: document.url)] = number
      guard origin != "null" else { continue }
      let key = OriginKey(name: name, origin: origin)
      origins[key] = (number, (origins[key]?.count ?? 0) + 1)
    }
    return number
  }

  /// Adds a document that is not looked up by its URL, which many have, and returns its number.
  ///
  /// The one that was added last is returned again if it has the same page and entry.
  mutating func addUnnamed(_ document: LoggedDocument) -> Int {
    if let unnamed, all[unnamed].page == document.page, all[unnamed].entry == document.entry {
      return unnamed
    }
    let number = all.count
    all.append(document)
    unnamed = number
    return number
  }

  /// Adds a load that is not a document but may initiate loads: a script or a style sheet.
  mutating func addSource(_ url: WebURL, entry: Int, document: Int, name: String?) {
    for name in Set([name, nil]) { sources[Key(name: name, url: url)] = (entry, document) }
  }

  /// Returns the document with a URL.
  func document(at url: WebURL, name: String?) -> Int? {
    documents[Key(name: name, url: url)]
      ?? (name == nil ? nil : documents[Key(name: nil, url: url)])
  }

  /// Returns the script or style sheet with a URL.
  func source(at url: WebURL, name: String?) -> (entry: Int, document: Int)? {
    sources[Key(name: name, url: url)] ?? (name == nil ? nil : sources[Key(name: nil, url: url)])
  }

  /// Returns the last document of an origin, and whether it is the only one.
  func document(ofOrigin url: WebURL, name: String?) -> (document: Int, isOnly: Bool)? {
    let found =
      origins[OriginKey(name: name, origin: url.origin)]
      ?? (name == nil ? nil : origins[OriginKey(name: nil, origin: url.origin)])
    return found.map { ($0.document, $0.count == 1) }
  }
}

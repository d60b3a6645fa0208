internal import ResourceLoads
internal import WebURL

/// A document that the log has, or a page whose document it does not have.
struct LoggedDocument {
  var url: WebURL
  /// The method of its request.
  var method: String
  /// The page that it is in, or that it is.
  var page: Int
  var isTop: Bool
  /// Its place among the entries, if it is there.
  var entry: Int?
}

/// The documents and other loads of a log by their URLs, so that those who ask can be found.
///
/// Pages may have the same URL, and so each is looked for in its own part of the log first: that of
/// its `pageref`. The last one with a URL is taken.
struct LoggedDocuments {
  /// Where something is: among what has this `pageref`, or anywhere.
  private struct Key: Hashable {
    var name: String?
    var url: WebURL
  }

  /// A place that a Referer may be short for: browsers tell strangers the origin alone.
  private struct OriginKey: Hashable {
    var name: String?
    var origin: String
  }

  private(set) var all: [LoggedDocument] = []
  private var documents: [Key: Int] = [:]
  private var origins: [OriginKey: (document: Int, count: Int)] = [:]
  /// Scripts and style sheets, and the document of each.
  private var sources: [Key: (entry: Int, document: Int)] = [:]

  /// Adds a document; the result is its number.
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

  /// Adds what is no document but may ask for loads; only scripts and style sheets do.
  mutating func addSource(_ url: WebURL, entry: Int, document: Int, name: String?) {
    for name in Set([name, nil]) { sources[Key(name: name, url: url)] = (entry, document) }
  }

  /// The document with a URL.
  func document(at url: WebURL, name: String?) -> Int? {
    documents[Key(name: name, url: url)]
      ?? (name == nil ? nil : documents[Key(name: nil, url: url)])
  }

  /// The script or style sheet with a URL.
  func source(at url: WebURL, name: String?) -> (entry: Int, document: Int)? {
    sources[Key(name: name, url: url)] ?? (name == nil ? nil : sources[Key(name: nil, url: url)])
  }

  /// The last document of an origin, and whether it is the only one.
  func document(ofOrigin url: WebURL, name: String?) -> (document: Int, isOnly: Bool)? {
    let found =
      origins[OriginKey(name: name, origin: url.origin)]
      ?? (name == nil ? nil : origins[OriginKey(name: nil, origin: url.origin)])
    return found.map { ($0.document, $0.count == 1) }
  }
}

internal import CommandInput
internal import CommandOutput
public import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// Rules that let single loads through.
public enum LoadException {
  /// Returns a rule that lets a load through: its scheme, host and path, its type, and the host of
  /// its page.
  ///
  /// - Returns: `nil` where that cannot be said.
  public static func rule(for load: ResourceLoad) -> String? {
    let url = load.url
    guard url.scheme == "http" || url.scheme == "https", url.username.isEmpty,
      let page = load.topURL.host, !page.isEmpty
    else { return nil }
    var pattern = "^"
    for byte in url.utf8[..<url.pathRange.upperBound] {
      if ".*+?^$()[]{}|\\".utf8.contains(byte) { pattern += "\\" }
      pattern.unicodeScalars.append(Unicode.Scalar(byte))
    }
    // The path must match as a whole; the query may vary from load to load.
    pattern += url.query == nil ? "$" : "\\?"
    var json = JSONWriter()
    json.object { json in
      json.field("trigger") { json in
        json.object { json in
          json.field("url-filter", pattern)
          // The single document types are newer than `document` with a load context.
          let isPage = load.resourceType == .topDocument
          let word = isPage ? "document" : LoadWords.word(for: load.resourceType)
          json.field("resource-type") { json in json.array { $0.string(word) } }
          if isPage { json.field("load-context") { json in json.array { $0.string("top-frame") } } }
          json.field("if-domain") { json in json.array { $0.string(page) } }
        }
      }
      json.field("action") { json in json.object { $0.field("type", "ignore-previous-rules") } }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

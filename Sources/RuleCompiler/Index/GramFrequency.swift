/// Groups of four bytes that a large part of all URLs contains.
///
/// Looking for them would find something on nearly every page, so literals are filed under others
/// where they can.
enum GramFrequency {
  /// Whether URLs at large contain the gram (four folded bytes, little-endian) often.
  static func isCommon(_ gram: UInt32) -> Bool { common.contains(gram) }

  private static let common: Set<UInt32> = {
    let texts: [StaticString] = [
      "https://www.", "http://www.", "https://static.", "https://cdn.", "https://images.",
      ".com/", ".net/", ".org/", ".co.uk/", ".de/", ".io/", ".js?", ".png?", ".jpg?", ".css?",
      ".html", ".php?", ".aspx", ".json", ".gif?", ".jpeg", ".svg", ".woff2", "/images/",
      "/image/", "/assets/", "/static/", "/scripts/", "/script/", "/content/", "/wp-content/",
      "/uploads/", "/plugins/", "/themes/", "/css/", "/js/", "/img/", "/api/", "/v1/", "/v2/",
      "min.js", ".min.css", "jquery", "google", "facebook", "amazon", "cloudfront.net",
      "googleapis.com", "gstatic.com", "version=", "&callback=", "?callback=", "&type=", "&id=",
      "?id=", "&url=", "https%3a%2f%2f", "http%3a%2f%2f", "%2fwww.", ".com%2f", "undefined",
      "true", "false", "null", "&width=", "&height=", "0000", "common", "main", "index",
      "/pixel", "pixel.", "script", "style", "master", "default", "://s", "://a", "://c",
    ]
    var grams: Set<UInt32> = []
    for text in texts {
      let bytes = Array("\(text)".utf8)
      for place in 0..<max(0, bytes.count - 3) {
        grams.insert(
          UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
            | UInt32(bytes[place + 3]) << 24
        )
      }
    }
    return grams
  }()
}

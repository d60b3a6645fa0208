internal import ContentRules

/// What keeps a file from being shown as a page.
enum PageObstacle {
  /// Returns why a file is no page, to follow its name, with the way out; `nil` if it may be one.
  ///
  /// A browser would show any text as a page of one request, which nothing blocks.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  static func find(in bytes: [UInt8]) -> String? {
    let way = "give an HTML file, a folder with an index.html, or MHTML"
    guard !bytes.isEmpty else { return "is empty, and no page; \(way)" }
    let text = bytes[(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)...].drop { $0 <= 0x20 }
    if text.first == UInt8(ascii: "<") { return nil }
    if text.first == UInt8(ascii: "{"), isNetworkLog(text) {
      return "is a network log (HAR), and no page; give it by --har"
    }
    let hasTag = bytes.contains(UInt8(ascii: "<"))
    switch OtherFormat.recognize(bytes.span) {
    // Pages may be UTF-16 as well.
    case .utf16 where hasTag: return nil
    case .webPage: return nil
    case let format?: return "is \(format.name), and no page; \(way)"
    // A filter list, which may begin with a bracket, too, is known by now.
    case nil where text.first.map("{[".utf8.contains) ?? false:
      return "is JSON, such as a rule list, and no page; \(way)"
    case nil: return hasTag ? nil : "is a text without any tag, and no page; \(way)"
    }
  }

  /// Whether an object's first key is that of an HTTP archive.
  private static func isNetworkLog(_ text: ArraySlice<UInt8>) -> Bool {
    text.dropFirst().drop { $0 <= 0x20 }.starts(with: "\"log\"".utf8)
  }
}

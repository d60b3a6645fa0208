/// Recognises lists of other kinds, which people give by mistake.
///
/// None of them is JSON, so WebKit's verdict is known without reading.
enum OtherFormat {
  /// A filter list in Adblock syntax.
  case filterList
  case hostsFile
  case hostNames
  case webPage

  /// Returns the kind of the text, judged by its beginning; `nil` if it may be meant as JSON.
  static func recognize(_ text: Span<UInt8>) -> OtherFormat? {
    var position = text.matches("\u{FEFF}", at: 0) ? 3 : 0
    while position < text.count, isSpace(text[position]) { position += 1 }
    guard position < text.count else { return nil }
    let start = text.extracting(position..<min(text.count, position + 16))
    let beginning = JSONText.string(start).lowercased()
    if ["[adblock", "[ublock", "[adguard"].contains(where: { beginning.hasPrefix($0) }) {
      return .filterList
    }
    if ["<!doctype", "<html", "<head"].contains(where: { beginning.hasPrefix($0) }) {
      return .webPage
    }
    switch text[position] {
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "\""): return nil
    default: return judge(LineCounts(text, from: position))
    }
  }

  private static func judge(_ counts: LineCounts) -> OtherFormat? {
    // A comment alone proves nothing; half of the lines may be odd.
    if counts.hosts > 0, counts.hosts * 2 >= counts.entries { return .hostsFile }
    if counts.filters > 1, counts.filters * 2 >= counts.lines { return .filterList }
    if counts.names > 1, counts.names * 2 >= counts.entries { return .hostNames }
    return nil
  }

  /// The message and the hint for it.
  var words: (message: String, hint: String) {
    switch self {
    case .filterList:
      (
        "this is a filter list in Adblock syntax, and content blockers take JSON",
        "convert it, for example with AdGuard's SafariConverterLib, and check what comes out"
      )
    case .hostsFile:
      (
        "this is a hosts file, and content blockers take JSON",
        "write a rule for each host, with the url-filter"
          + " \"^[^:]+://+([^:/]+\\\\.)?example\\\\.com[:/]\""
      )
    case .hostNames:
      (
        "this is a list of host names, and content blockers take JSON",
        "write a rule for each host, with the url-filter"
          + " \"^[^:]+://+([^:/]+\\\\.)?example\\\\.com[:/]\""
      )
    case .webPage:
      (
        "this is a web page, and content blockers take JSON",
        "a server may have answered with an error instead of the list; load it again"
      )
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  /// Counts the kinds of the first lines.
  private struct LineCounts {
    /// Lines that are not empty, and those of them that are not comments.
    var lines = 0
    var entries = 0
    var hosts = 0
    var filters = 0
    var names = 0
    private static let lineLimit = 400
    private static let byteLimit = 1 << 16

    init(_ text: Span<UInt8>, from start: Int) {
      var position = start
      let end = min(text.count, start + Self.byteLimit)
      while position < end, lines < Self.lineLimit {
        var lineEnd = position
        while lineEnd < end, text[lineEnd] != 0x0A, text[lineEnd] != 0x0D { lineEnd += 1 }
        // The last line may be incomplete.
        if lineEnd < end || end == text.count { add(text.extracting(position..<lineEnd)) }
        position = lineEnd + 1
      }
    }

    /// Whether a line has one of the marks of element hiding: `##`, `#@#`, `#?#`, `#$#`, `#%#`.
    private static func hasCosmeticMark(_ line: Span<UInt8>) -> Bool {
      let hash = UInt8(ascii: "#")
      for index in line.indices.dropLast() where line[index] == hash {
        if line[index + 1] == hash { return true }
        guard index + 2 < line.count, line[index + 2] == hash else { continue }
        switch line[index + 1] {
        case UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "%"): return true
        default: continue
        }
      }
      return false
    }

    private mutating func add(_ bytes: Span<UInt8>) {
      let start = bytes.extracting(0..<min(bytes.count, 500))
      let line = JSONText.string(start)
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first else { return }
      lines += 1
      let isCosmetic = Self.hasCosmeticMark(start)
      if first.hasPrefix("!") || first.hasPrefix("||") || first.hasPrefix("@@")
        || isCosmetic && !first.hasPrefix("# ") && words.count < 40 && !first.hasPrefix("####")
      {
        filters += 1
      }
      if first.hasPrefix("#") || first.hasPrefix("!") { return }
      entries += 1
      if words.count > 1, Self.addresses.contains(String(first)) { hosts += 1 }
      if words.count == 1, Self.isName(first) { names += 1 }
    }

    private static let addresses: Set<String> = [
      "0.0.0.0", "127.0.0.1", "::", "::1", "0", "255.255.255.255", "fe80::1%lo0", "ff02::1",
    ]

    private static func isName(_ word: Substring) -> Bool {
      let labels = word.split(separator: ".", omittingEmptySubsequences: false)
      guard labels.count > 1, let last = labels.last,
        last.utf8.contains(where: { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A })
      else { return false }
      return labels.allSatisfy { label in
        !label.isEmpty
          && label.utf8.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0.isDigit || $0 == 0x2D || $0 == 0x5F
          }
      }
    }
  }
}

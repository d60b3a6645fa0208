/// Recognises files of other kinds, which people give by mistake.
///
/// None of them is JSON, so WebKit's verdict is known without reading.
package enum OtherFormat: Equatable {
  /// A filter list in Adblock syntax.
  case filterList
  case hostsFile
  case hostNames
  case webPage
  case utf16
  /// No text; with what it is instead.
  case binary(String)

  /// Returns the kind of the text, judged by its beginning; `nil` if it may be meant as JSON.
  package static func recognize(_ text: Span<UInt8>) -> OtherFormat? {
    if isUTF16(text) { return .utf16 }
    for (bytes, name) in signatures where bytes.count <= text.count {
      if bytes.indices.allSatisfy({ bytes[$0] == text[$0] }) { return .binary(name) }
    }
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
    default: break
    }
    let head = text.extracting(0..<min(text.count, 512))
    if head.indices.contains(where: { head[$0] == 0 }) {
      return .binary("no text, since it has zero bytes")
    }
    return judge(LineCounts(text, from: position))
  }

  /// Whether a text begins with the mark of UTF-16, or with two letters of ASCII in it.
  private static func isUTF16(_ text: Span<UInt8>) -> Bool {
    guard text.count > 1 else { return false }
    if text[0] == 0xFF && text[1] == 0xFE || text[0] == 0xFE && text[1] == 0xFF { return true }
    guard text.count > 3 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x09..<0x7F).contains(byte) }
    return isLetter(text[0]) && text[1] == 0 && isLetter(text[2]) && text[3] == 0
      || text[0] == 0 && isLetter(text[1]) && text[2] == 0 && isLetter(text[3])
  }

  /// What files of other kinds begin with.
  private static let signatures: [(bytes: [UInt8], name: String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a picture (PNG)"), ([0xFF, 0xD8, 0xFF], "a picture (JPEG)"),
    (Array("GIF8".utf8), "a picture (GIF)"), (Array("RIFF".utf8), "a picture or a film (RIFF)"),
    (Array("%PDF-".utf8), "a PDF document"), (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"), (Array("BZh".utf8), "a bzip2 archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    (Array("SQLite format 3".utf8), "an SQLite database"),
    (Array("bplist".utf8), "a binary property list"),
    ([0x7F, 0x45, 0x4C, 0x46], "a program (ELF)"),
    (Array("TICKBIRD".utf8), "a compiled rule list"),
  ]

  private static func judge(_ counts: LineCounts) -> OtherFormat? {
    // A comment alone proves nothing; half of the lines may be odd.
    if counts.hosts > 0, counts.hosts * 2 >= counts.entries { return .hostsFile }
    if counts.filters > 1, counts.filters * 2 >= counts.lines { return .filterList }
    if counts.names > 1, counts.names * 2 >= counts.entries { return .hostNames }
    return nil
  }

  /// What it is, to follow `this is`.
  package var name: String {
    switch self {
    case .filterList: "a filter list in Adblock syntax"
    case .hostsFile: "a hosts file"
    case .hostNames: "a list of host names"
    case .webPage: "a web page"
    case .utf16: "UTF-16"
    case .binary(let name): name
    }
  }

  /// The message and the hint for it.
  var words: (message: String, hint: String) {
    ("this is \(name), and content blockers take JSON\(self == .utf16 ? " in UTF-8" : "")", hint)
  }

  private var hint: String {
    switch self {
    case .filterList: "convert it: tickbird convert FILE -o rules.json"
    case .hostsFile, .hostNames:
      "convert it: tickbird convert --from hosts FILE -o rules.json"
    case .webPage:
      "a server may have answered with an error instead of the list; load it again"
    case .utf16: "save the file as UTF-8"
    case .binary: "give the list itself, which is a JSON array of rules"
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

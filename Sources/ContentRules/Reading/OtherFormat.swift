/// Recognises files of other kinds, which people give by mistake, and servers in place of lists.
///
/// The one place that decides what is no list: ``recognize(_:)`` for lists of rules, which are JSON, so that
/// WebKit's verdict on all others is known without reading; ``recognizeNoList(_:)`` for lists of any kind.
package enum OtherFormat: Equatable {
  /// A filter list in Adblock syntax.
  case filterList
  case hostsFile
  case hostNames
  case webPage
  case utf16
  case compiledList
  /// Domains for resolvers of names or for proxies, in a form with the name.
  case resolver(String)
  /// No text; with what it is instead.
  case binary(String)

  /// Returns the kind of the text, judged by its beginning; `nil` if it may be meant as JSON.
  ///
  /// - Complexity: O(1) for what begins as JSON does, else O(*n*).
  package static func recognize(_ text: Span<UInt8>) -> OtherFormat? {
    if let format = recognizeNoList(text) { return format }
    let position = start(of: text)
    guard position < text.count, !isJSON(text, from: position) else { return nil }
    if isFilterHeader(text, at: position) { return .filterList }
    return judge(LineCounts(text, from: position))
  }

  /// Returns the kind of a text that is neither a list of rules nor one of filters, hosts or host names;
  /// `nil` if it may be one of these.
  ///
  /// - Complexity: O(1) for what begins as JSON does, else O(*n*).
  package static func recognizeNoList(_ text: Span<UInt8>) -> OtherFormat? {
    if isUTF16(text) { return .utf16 }
    for (bytes, format) in signatures where bytes.count <= text.count {
      if bytes.indices.allSatisfy({ bytes[$0] == text[$0] }) { return format }
    }
    let position = start(of: text)
    guard position < text.count else { return nil }
    if isMarkup(text, at: position) { return .webPage }
    // JSON has a place for what is wrong with it.
    guard !isJSON(text, from: position) else { return nil }
    if text.indices.contains(where: { text[$0] == 0 }) {
      return .binary("no text, since it has zero bytes")
    }
    return ResolverFormat.recognize(text, from: position).map { .resolver($0.name) }
  }

  /// Returns where a text begins, behind a byte-order mark and blanks.
  private static func start(of text: Span<UInt8>) -> Int {
    var position = text.matches("\u{FEFF}", at: 0) ? 3 : 0
    while position < text.count, isSpace(text[position]) { position += 1 }
    return position
  }

  /// Whether a text begins as JSON does, apart from numbers and words.
  private static func isJSON(_ text: Span<UInt8>, from position: Int) -> Bool {
    switch text[position] {
    case UInt8(ascii: "["): !isFilterHeader(text, at: position)
    case UInt8(ascii: "{"), UInt8(ascii: "\""): true
    default: false
    }
  }

  /// Whether there is a first line such as `[Adblock Plus 2.0]`.
  private static func isFilterHeader(_ text: Span<UInt8>, at position: Int) -> Bool {
    let start = text.extracting(position..<min(text.count, position + 16))
    let beginning = JSONText.string(start).lowercased()
    return ["[adblock", "[ublock", "[adguard"].contains { beginning.hasPrefix($0) }
  }

  /// Whether a tag, a comment or a declaration of HTML or XML is at a position: no filter begins so, since no
  /// URL contains `<`.
  private static func isMarkup(_ text: Span<UInt8>, at position: Int) -> Bool {
    guard text[position] == UInt8(ascii: "<"), position + 1 < text.count else { return false }
    switch text[position + 1] {
    case UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "/"): return true
    case let byte: return byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
    }
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
  private static let signatures: [(bytes: [UInt8], format: OtherFormat)] = [
    ([0x89, 0x50, 0x4E, 0x47], .binary("a picture (PNG)")),
    ([0xFF, 0xD8, 0xFF], .binary("a picture (JPEG)")),
    (Array("GIF8".utf8), .binary("a picture (GIF)")),
    (Array("RIFF".utf8), .binary("a picture or a film (RIFF)")),
    (Array("%PDF-".utf8), .binary("a PDF document")),
    (Array("PK\u{3}\u{4}".utf8), .binary("a ZIP archive")),
    ([0x1F, 0x8B], .binary("a gzip archive")), (Array("BZh".utf8), .binary("a bzip2 archive")),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], .binary("an xz archive")),
    ([0x28, 0xB5, 0x2F, 0xFD], .binary("a Zstandard archive")),
    (Array("SQLite format 3".utf8), .binary("an SQLite database")),
    (Array("bplist".utf8), .binary("a binary property list")),
    ([0x7F, 0x45, 0x4C, 0x46], .binary("a program (ELF)")),
    (Array("TICKBIRD".utf8), .compiledList),
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
    case .compiledList: "a compiled rule list"
    case .resolver(let name), .binary(let name): name
    }
  }

  /// Why it is no list and what to do, to follow the file's name or `it`; without a full stop.
  package var refusal: String {
    "is \(name)\(self == .compiledList ? "" : ", and no list"); \(hint)"
  }

  /// The message and the hint for a text that was given as a rule list.
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
    case .compiledList: "give the list that it was compiled from"
    case .resolver:
      "take the list as a hosts file, as one domain a line, or in Adblock syntax, as most are published, too"
    case .binary: "give the list itself"
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

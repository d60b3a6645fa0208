internal import CLibXML2

/// Cuts HTML into tags and text.
///
/// Follows the HTML standard's tokenizer where it matters for links and plain text: attribute
/// syntax, comments, and the raw text of `script` and `style`. It makes one pass over the bytes,
/// without errors and without nesting.
struct HTMLTokenizer {
  /// A piece of a document.
  enum Token: Equatable {
    /// A start tag: its name in lower case, and its attributes (of duplicates the first).
    case start(String, [String: String])
    /// An end tag: its name in lower case.
    case end(String)
    /// Text with its character references decoded.
    case text(String)
  }

  private let bytes: [UInt8]
  private var position = 0
  private static let attributeLimit = 32
  private static let valueLimit = 8_192

  /// The position of the last tag's end; a less-than sign after it is text.
  private let lastEnd: Int

  init(_ text: String) {
    bytes = Array(text.utf8)
    lastEnd = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
  }

  /// Returns the next token, or nil at the end.
  mutating func next() -> Token? {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") { return .text(textRun()) }
      if let token = markup() { return token }
    }
    return nil
  }

  /// Skips to the end tag of a raw-text element.
  mutating func skipRawText(of name: String) {
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), matches(end) { return }
      position += 1
    }
  }

  private mutating func textRun() -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return CharacterReferences.decode(bytes[start..<position])
  }

  /// Reads the markup at `<`; nil if it produces no token.
  private mutating func markup() -> Token? {
    guard position < lastEnd else {
      position += 1
      return .text("<")
    }
    switch bytes[position + 1] {
    case UInt8(ascii: "!"):
      if matches(Array("<!--".utf8)) {
        skip(past: Array("-->".utf8))
      } else if matches(Array("<![CDATA[".utf8)) {
        position += "<![CDATA[".utf8.count
        let start = position
        skip(past: Array("]]>".utf8))
        return .text(String(decoding: bytes[start..<max(start, position - 3)], as: UTF8.self))
      } else {
        skip(past: [UInt8(ascii: ">")])
      }
      return nil
    case UInt8(ascii: "?"):
      skip(past: [UInt8(ascii: ">")])
      return nil
    case UInt8(ascii: "/"):
      guard position + 2 < bytes.count, bytes[position + 2].isLetter else {
        skip(past: [UInt8(ascii: ">")])
        return nil
      }
      position += 2
      let name = tagName()
      skip(past: [UInt8(ascii: ">")])
      return .end(name)
    case let byte where byte.isLetter:
      position += 1
      let name = tagName()
      return .start(name, attributes())
    default:
      position += 1
      return .text("<")
    }
  }

  private mutating func tagName() -> String {
    let start = position
    while position < bytes.count, !bytes[position].endsTagName { position += 1 }
    return String(decoding: bytes[start..<position].prefix(64), as: UTF8.self).lowercased()
  }

  private mutating func attributes() -> [String: String] {
    var found: [String: String] = [:]
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        return found
      }
      if byte.isBlank || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      let start = position
      position += 1
      while position < bytes.count, !bytes[position].endsTagName,
        bytes[position] != UInt8(ascii: "=")
      { position += 1 }
      let name = String(decoding: bytes[start..<position].prefix(64), as: UTF8.self).lowercased()
      skipBlanks()
      var value = ""
      if position < bytes.count, bytes[position] == UInt8(ascii: "=") {
        position += 1
        skipBlanks()
        value = attributeValue()
      }
      if found.count < Self.attributeLimit, found[name] == nil { found[name] = value }
    }
    return found
  }

  private mutating func attributeValue() -> String {
    guard position < bytes.count else { return "" }
    let quote = bytes[position]
    let start: Int
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      start = position
      while position < bytes.count, bytes[position] != quote { position += 1 }
      defer { position = min(position + 1, bytes.count) }
      return CharacterReferences.decode(bytes[start..<position].prefix(Self.valueLimit))
    }
    start = position
    while position < bytes.count, !bytes[position].isBlank, bytes[position] != UInt8(ascii: ">") {
      position += 1
    }
    return CharacterReferences.decode(bytes[start..<position].prefix(Self.valueLimit))
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
  }

  private mutating func skip(past end: [UInt8]) {
    while position < bytes.count {
      if bytes[position] == end[0], matches(end) {
        position += end.count
        return
      }
      position += 1
    }
  }

  /// Returns whether the given lower-case bytes are at the position, in any case.
  private func matches(_ text: [UInt8]) -> Bool {
    guard bytes.count - position >= text.count else { return false }
    for (offset, byte) in text.enumerated() {
      let here = bytes[position + offset]
      guard here == byte || here.lowercasedLetter == byte else { return false }
    }
    return true
  }
}

/// Character references of HTML and XML.
enum CharacterReferences {
  /// Decodes all references in a text; anything else stays as it is.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      guard bytes[position] == UInt8(ascii: "&"),
        let (scalar, end) = reference(in: bytes, at: position)
      else {
        out.append(bytes[position])
        position += 1
        continue
      }
      out.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
      position = end
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Decodes the reference at the `&` at a position.
  ///
  /// - Returns: The character and the reference's end, or nil when it is not a reference.
  static func reference(
    in bytes: ArraySlice<UInt8>,
    at start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    var position = start + 1
    guard position < bytes.endIndex else { return nil }
    if bytes[position] == UInt8(ascii: "#") {
      return numeric(in: bytes, at: position + 1)
    }
    let nameStart = position
    while position < bytes.endIndex, position - nameStart < 10,
      bytes[position].isLetter || bytes[position].isDigit
    { position += 1 }
    guard position < bytes.endIndex, bytes[position] == UInt8(ascii: ";"), position > nameStart
    else { return nil }
    let name = String(decoding: bytes[nameStart..<position], as: UTF8.self)
    guard let scalar = named(name) else { return nil }
    return (scalar, position + 1)
  }

  /// Returns the character of an entity of XML or HTML 4.
  static func named(_ name: String) -> Unicode.Scalar? {
    if name == "apos" { return "'" }
    // The table is libxml2's.
    guard let entry = unsafe htmlEntityLookup(name) else { return nil }
    return Unicode.Scalar(unsafe entry.pointee.value)
  }

  private static func numeric(
    in bytes: ArraySlice<UInt8>,
    at start: Int
  ) -> (scalar: Unicode.Scalar, end: Int)? {
    var position = start
    var radix: UInt32 = 10
    if position < bytes.endIndex, bytes[position].lowercasedLetter == UInt8(ascii: "x") {
      radix = 16
      position += 1
    }
    var value: UInt32 = 0
    let digits = position
    while position < bytes.endIndex, position - digits < 8,
      let digit = bytes[position].digit(radix: radix)
    {
      value = value &* radix &+ digit
      position += 1
    }
    guard position > digits, position < bytes.endIndex, bytes[position] == UInt8(ascii: ";") else {
      return nil
    }
    // References to windows-1252's own numbers are common; the HTML standard maps them.
    if (0x80...0x9F).contains(value) {
      return (Windows1252.scalar(UInt8(value)), position + 1)
    }
    let isShown = value >= 0x20 || value == 0x09 || value == 0x0A || value == 0x0D
    let scalar = isShown ? Unicode.Scalar(value) : nil
    return (scalar ?? "\u{FFFD}", position + 1)
  }
}

extension UInt8 {
  var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
  var isDigit: Bool { (0x30...0x39).contains(self) }
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
  var lowercasedLetter: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  fileprivate var endsTagName: Bool { isBlank || self == 0x2F || self == 0x3E }

  fileprivate func digit(radix: UInt32) -> UInt32? {
    switch lowercasedLetter {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x61...0x66 where radix == 16: UInt32(lowercasedLetter - 0x61 + 10)
    default: nil
    }
  }
}

import Foundation

/// Reads property lists in the format of Xcode's projects: `{ key = value; }`, `( a, b, )`,
/// `<0A0B>`, quoted or bare strings, and comments.
///
/// > Source: Apple, "Old-Style ASCII Property Lists"; the escapes are those of Core Foundation.
struct OldStylePropertyList {
  /// Limits that keep the cost of any input within a few times its size.
  enum Limits {
    /// The depth of containers; Xcode's own projects have six.
    static let depth = 64
    /// The number of strings, data and containers; the largest known projects have about one
    /// million.
    static let nodes = 4_000_000
  }

  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var line = 1
  private var lineStart = 0
  private var nodes = 0

  private init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      position = 3
      lineStart = 3
    }
  }

  /// Parses a whole text in UTF-8; `name` is for errors.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.syntax` and the place.
  static func parse(_ bytes: [UInt8], name: String) throws -> PropertyListNode {
    var parser = OldStylePropertyList(bytes, name: name)
    try parser.skipSpace()
    let root = try parser.value(depth: 0)
    try parser.skipSpace()
    guard parser.position == bytes.count else {
      throw parser.failure("nothing more is expected after the list")
    }
    return root
  }

  private var place: PropertyListNode.Place {
    PropertyListNode.Place(line: line, column: position - lineStart + 1)
  }

  private func failure(
    _ message: String,
    at place: PropertyListNode.Place? = nil
  ) -> XcodeProjectError {
    let place = place ?? self.place
    return XcodeProjectError(.syntax, "\(name):\(place.line):\(place.column): \(message)")
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") {
      line += 1
      lineStart = position + 1
    }
    position += 1
  }

  private mutating func skipSpace() throws {
    while let byte = current {
      switch byte {
      case 0x09...0x0D, 0x20: advance()
      case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
        while let byte = current, byte != UInt8(ascii: "\n") { advance() }
      case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws {
    let start = place
    advance()
    advance()
    while let byte = current {
      advance()
      if byte == UInt8(ascii: "*"), current == UInt8(ascii: "/") {
        advance()
        return
      }
    }
    throw failure("this comment has no end", at: start)
  }

  /// Finds conflict markers: projects are merged by hand, and these are their commonest fault.
  private func checkMerge() throws {
    let marks = [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")]
    guard let byte = current, marks.contains(byte), position + 7 <= bytes.count,
      bytes[position..<position + 7].allSatisfy({ $0 == byte })
    else { return }
    throw failure("a merge conflict is left here; resolve it first")
  }

  private mutating func value(depth: Int) throws -> PropertyListNode {
    nodes += 1
    guard nodes <= Limits.nodes else { throw failure("more than \(Limits.nodes) values") }
    let place = place
    try checkMerge()
    switch current {
    case UInt8(ascii: "{"): return try dictionary(depth: depth, at: place)
    case UInt8(ascii: "("): return try array(depth: depth, at: place)
    case UInt8(ascii: "<"): return try data(at: place)
    case nil: throw failure("the list ends where a value is expected")
    default: return PropertyListNode(.string(try text()), at: place)
    }
  }

  private func check(_ depth: Int) throws {
    guard depth < Limits.depth else {
      throw failure("containers are nested more than \(Limits.depth) deep")
    }
  }

  private mutating func dictionary(
    depth: Int,
    at place: PropertyListNode.Place
  ) throws -> PropertyListNode {
    try check(depth)
    advance()
    var entries: [String: PropertyListNode] = [:]
    while true {
      try skipSpace()
      guard let byte = current else { throw failure("this { has no }", at: place) }
      if byte == UInt8(ascii: "}") {
        advance()
        return PropertyListNode(.dictionary(entries), at: place)
      }
      let key = try text()
      try skipSpace()
      // `key;` means `key = key;`.
      if current == UInt8(ascii: ";") {
        advance()
        entries[key] = PropertyListNode(.string(key), at: place)
        continue
      }
      guard current == UInt8(ascii: "=") else {
        throw failure("\"\(shortened(key))\" must be followed by =")
      }
      advance()
      try skipSpace()
      let node = try value(depth: depth + 1)
      entries[key] = node
      try skipSpace()
      switch current {
      case UInt8(ascii: ";"): advance()
      case UInt8(ascii: "}"): continue
      default: throw failure("the value of \"\(shortened(key))\" must be followed by ;")
      }
    }
  }

  private mutating func array(
    depth: Int,
    at place: PropertyListNode.Place
  ) throws -> PropertyListNode {
    try check(depth)
    advance()
    var elements: [PropertyListNode] = []
    while true {
      try skipSpace()
      guard let byte = current else { throw failure("this ( has no )", at: place) }
      if byte == UInt8(ascii: ")") {
        advance()
        return PropertyListNode(.array(elements), at: place)
      }
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      switch current {
      case UInt8(ascii: ","): advance()
      case UInt8(ascii: ")"): continue
      default: throw failure("the values of an array must be separated by ,")
      }
    }
  }

  private mutating func data(at place: PropertyListNode.Place) throws -> PropertyListNode {
    advance()
    var digits: [UInt8] = []
    while let byte = current {
      switch byte {
      case 0x09...0x0D, 0x20: advance()
      case UInt8(ascii: ">"):
        guard digits.count.isMultiple(of: 2) else {
          throw failure("data must have an even number of hexadecimal digits", at: place)
        }
        advance()
        let data = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return PropertyListNode(.data(data), at: place)
      default:
        guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
          throw failure("data must be hexadecimal digits")
        }
        digits.append(UInt8(digit))
        advance()
      }
    }
    throw failure("this < has no >", at: place)
  }

  private mutating func text() throws -> String {
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try quoted()
    default: break
    }
    let start = position
    while let byte = current, Self.isBare(byte) { position += 1 }
    guard position > start else {
      try checkMerge()
      guard let byte = current else { throw failure("the list ends where a string is expected") }
      let shown = byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "this"
      throw failure("\(shown) must be in quotes, or is out of place")
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    // Other tools write these unquoted.
    case UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "~"), 0x80...0xFF: true
    default: false
    }
  }

  private mutating func quoted() throws -> String {
    let start = place
    let quote = current
    advance()
    var text: [UInt8] = []
    // The halves of a surrogate pair are two escapes.
    var units: [UInt16] = []
    while let byte = current {
      if byte == UInt8(ascii: "\\"), next == UInt8(ascii: "U") {
        if let unit = unicodeEscape() {
          units.append(unit)
          continue
        }
      }
      if !units.isEmpty {
        text += Array(String(decoding: units, as: UTF16.self).utf8)
        units = []
      }
      advance()
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
    }
    throw failure("this string has no end", at: start)
  }

  private mutating func unicodeEscape() -> UInt16? {
    let digits = bytes[min(position + 2, bytes.count)..<min(position + 6, bytes.count)]
      .prefix { Character(Unicode.Scalar($0)).isHexDigit }
    guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
    position += 2 + digits.count
    return unit
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    guard let byte = current else { throw failure("this string has no end") }
    advance()
    switch byte {
    case UInt8(ascii: "a"): text.append(0x07)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "v"): text.append(0x0B)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      var code = Int(byte - UInt8(ascii: "0"))
      var count = 1
      while count < 3, let digit = current, (0x30...0x37).contains(digit) {
        code = code * 8 + Int(digit - UInt8(ascii: "0"))
        count += 1
        advance()
      }
      // Octal escapes are characters of NeXTSTEP's encoding.
      let decoded = String(bytes: [UInt8(code & 0xFF)], encoding: .nextstep)
      text += Array((decoded ?? "\u{FFFD}").utf8)
    default: text.append(byte)
    }
  }

  private func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(60) + "…" : text
  }
}

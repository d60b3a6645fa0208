/// Reads JSON as browsers read manifests: with comments, and nothing else that JSON lacks.
///
/// A manifest is a stranger's text: its size and depth are bounded, and every fault is an error with
/// line and column.
public struct ManifestReader {
  /// The largest text, in bytes.
  public static let sizeLimit = 1 << 20
  private static let depthLimit = 64
  /// The most values in a text.
  private static let countLimit = 1 << 17

  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var count = 0

  private init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8.
  ///   - name: The file's name, for errors.
  ///   - sizeLimit: The most bytes.
  /// - Returns: The value.
  /// - Throws: ``WebExtensionError`` with code `.syntax` or `.limit`.
  /// - Complexity: O(*n*) in the bytes.
  public static func read(
    _ bytes: [UInt8],
    name: String,
    sizeLimit: Int = sizeLimit
  ) throws(WebExtensionError) -> ManifestValue {
    guard bytes.count <= sizeLimit else {
      throw WebExtensionError(
        .limit,
        "\(name) has \(bytes.count) bytes, more than the \(sizeLimit) that are read"
      )
    }
    var reader = ManifestReader(bytes, name: name)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
    try reader.skipSpace()
    let value = try reader.value(depth: 0)
    try reader.skipSpace()
    guard reader.position == bytes.count else {
      throw reader.fault("something follows the end of the value")
    }
    return value
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ reason: String, at offset: Int? = nil) -> WebExtensionError {
    let place = TextPlace(offset: offset ?? position, in: bytes)
    return WebExtensionError(.syntax, "\(name):\(place.line):\(place.column): \(reason)")
  }

  private mutating func skipSpace() throws(WebExtensionError) {
    while let byte {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      case UInt8(ascii: "/"): try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(WebExtensionError) {
    let start = position
    switch start + 1 < bytes.count ? bytes[start + 1] : 0 {
    case UInt8(ascii: "/"): while let byte, byte != 0x0A { position += 1 }
    case UInt8(ascii: "*"):
      position += 2
      while true {
        guard position + 1 < bytes.count else { throw fault("the comment has no end", at: start) }
        if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") { break }
        position += 1
      }
      position += 2
    default: throw fault("a value, a key or a comment was expected")
    }
  }

  private mutating func value(depth: Int) throws(WebExtensionError) -> ManifestValue {
    count += 1
    guard depth <= Self.depthLimit, count <= Self.countLimit else {
      let place = TextPlace(offset: position, in: bytes)
      throw WebExtensionError(
        .limit,
        "\(name):\(place.line):\(place.column): more than \(Self.countLimit) values, or nested more "
          + "than \(Self.depthLimit) levels deep"
      )
    }
    let start = position
    guard let byte else { throw fault("the text ends where a value was expected") }
    switch byte {
    case UInt8(ascii: "{"): return ManifestValue(try object(depth: depth), offset: start)
    case UInt8(ascii: "["): return ManifestValue(try array(depth: depth), offset: start)
    case UInt8(ascii: "\""): return ManifestValue(.string(try string()), offset: start)
    case UInt8(ascii: "-"), 0x30...0x39: return ManifestValue(.number(try number()), offset: start)
    default:
      for (word, content) in [
        ("true", ManifestValue.Content.bool(true)), ("false", .bool(false)), ("null", .null),
      ] where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return ManifestValue(content, offset: start)
      }
      throw fault("a value was expected")
    }
  }

  private mutating func object(depth: Int) throws(WebExtensionError) -> ManifestValue.Content {
    var members: [ManifestValue.Member] = []
    var indices: [String: Int] = [:]
    position += 1
    try skipSpace()
    if byte == UInt8(ascii: "}") {
      position += 1
      return .object([])
    }
    while true {
      try skipSpace()
      let start = position
      guard byte == UInt8(ascii: "\"") else { throw fault("a key in quotation marks was expected") }
      let key = try string()
      try skipSpace()
      guard byte == UInt8(ascii: ":") else { throw fault("a colon was expected behind the key") }
      position += 1
      try skipSpace()
      let member = ManifestValue.Member(
        key: key,
        offset: start,
        value: try value(depth: depth + 1)
      )
      // The last one counts, as in browsers.
      if let index = indices[key] {
        members[index] = member
      } else {
        indices[key] = members.count
        members.append(member)
      }
      try skipSpace()
      if try isAtEnd(of: "}") { return .object(members) }
    }
  }

  private mutating func array(depth: Int) throws(WebExtensionError) -> ManifestValue.Content {
    var elements: [ManifestValue] = []
    position += 1
    try skipSpace()
    if byte == UInt8(ascii: "]") {
      position += 1
      return .array([])
    }
    while true {
      try skipSpace()
      elements.append(try value(depth: depth + 1))
      try skipSpace()
      if try isAtEnd(of: "]") { return .array(elements) }
    }
  }

  /// Skips a comma, or the bracket that closes the container.
  private mutating func isAtEnd(of closing: Unicode.Scalar) throws(WebExtensionError) -> Bool {
    guard let byte, byte == UInt8(ascii: ",") || byte == UInt8(ascii: closing) else {
      throw fault("a comma or \(closing) was expected")
    }
    position += 1
    return byte != UInt8(ascii: ",")
  }

  private mutating func number() throws(WebExtensionError) -> String {
    let start = position
    func digits(_ reader: inout ManifestReader) -> Int {
      let first = reader.position
      while let byte = reader.byte, (0x30...0x39).contains(byte) { reader.position += 1 }
      return reader.position - first
    }
    if byte == UInt8(ascii: "-") { position += 1 }
    let isZero = byte == UInt8(ascii: "0")
    let whole = digits(&self)
    guard whole > 0, !isZero || whole == 1 else { throw fault("a number was expected", at: start) }
    if byte == UInt8(ascii: ".") {
      position += 1
      guard digits(&self) > 0 else { throw fault("a digit was expected") }
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      guard digits(&self) > 0 else { throw fault("a digit was expected") }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func string() throws(WebExtensionError) -> String {
    let start = position
    var text: [UInt8] = []
    position += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw fault("the text is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"): try escape(&text)
      case 0..<0x20: throw fault("a control character must be written as an escape")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault("the text in quotation marks has no end", at: start)
  }

  private mutating func escape(_ text: inout [UInt8]) throws(WebExtensionError) {
    let start = position
    position += 1
    guard let byte else { throw fault("the escape has no end", at: start) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try hexadecimal(start)
      if (0xD800..<0xDC00).contains(code), position + 1 < bytes.count,
        bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let low = try hexadecimal(start)
        guard (0xDC00..<0xE000).contains(low) else {
          throw fault("half of a character stands alone", at: start)
        }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else {
        throw fault("half of a character stands alone", at: start)
      }
      text += Array(String(scalar).utf8)
    default: throw fault("this escape does not exist", at: start)
    }
  }

  private mutating func hexadecimal(_ start: Int) throws(WebExtensionError) -> UInt32 {
    guard position + 4 <= bytes.count,
      bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits were expected", at: start) }
    position += 4
    return code
  }
}

/// A place in a text, counted from 1.
struct TextPlace: Equatable {
  let line: Int
  /// In bytes.
  let column: Int

  init(offset: Int, in bytes: some Collection<UInt8>) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == 0x0A {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    self.line = line
    self.column = column
  }
}

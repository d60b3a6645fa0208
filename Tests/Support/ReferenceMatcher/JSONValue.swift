/// One value of a JSON text, as WebKit's own small reader understands it.
///
/// A repeated key keeps its last value. A lone surrogate becomes U+FFFD, because a Swift string
/// cannot hold it; this can only show in a selector or a notification.
///
/// > Source: The rule language, section 1.
public indirect enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The string, if the value is one.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, if the value is one.
  public var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The boolean, if the value is one.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// The members, if the value is an array.
  public var array: [JSONValue]? { if case .array(let members) = self { members } else { nil } }

  /// The members, if the value is an object.
  public var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }
}

extension JSONValue {
  /// The value as JSON text, with keys in the order of their UTF-8 bytes.
  ///
  /// Equal values have equal texts, and the text is the same on every machine.
  public var text: String {
    switch self {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let number):
      // A whole number is written without a fraction, as people write it.
      Int(exactly: number).map { abs($0) < 1 << 53 ? String($0) : "\(number)" } ?? "\(number)"
    case .string(let string): Self.quoted(string)
    case .array(let members): "[" + members.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  /// Writes a string between quotation marks, with escapes where JSON asks for them.
  public static func quoted(_ string: String) -> String {
    var result = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Reads a JSON text.
  ///
  /// - Parameter text: UTF-8. Malformed sequences are replaced, not refused.
  /// - Throws: ``ReferenceRefusal`` named `JSONInvalid`.
  public init(parsing text: some Sequence<UInt8>) throws {
    var reader = JSONReader(characters: Array(String(decoding: Array(text), as: UTF8.self).utf16))
    self = try reader.readDocument()
  }
}

/// Reads JSON text from front to back, by recursive descent over UTF-16 units.
private struct JSONReader {
  /// How many arrays and objects may be open at once.
  static let maximumDepth = 1001

  let characters: [UInt16]
  var position = 0
  var depth = 0

  init(characters: [UInt16]) { self.characters = characters }

  private let invalid = ReferenceRefusal(name: "JSONInvalid")

  private var next: Unicode.Scalar? {
    guard position < characters.count else { return nil }
    return Unicode.Scalar(characters[position]) ?? "\u{FFFD}"
  }

  mutating func readDocument() throws -> JSONValue {
    let value = try readValue()
    skipWhiteSpace()
    guard position == characters.count else { throw invalid }
    return value
  }

  private mutating func skipWhiteSpace() {
    while let next, next == " " || next == "\t" || next == "\n" || next == "\r" { position += 1 }
  }

  /// Skips white space and then the given character, if it comes next.
  private mutating func skip(_ wanted: Unicode.Scalar) -> Bool {
    skipWhiteSpace()
    guard next == wanted else { return false }
    position += 1
    return true
  }

  private mutating func readValue() throws -> JSONValue {
    skipWhiteSpace()
    switch next {
    case "{": return .object(try nested { try $0.readObject() })
    case "[": return .array(try nested { try $0.readArray() })
    case "\"": return .string(try readString())
    case "t": return try readWord("true", .boolean(true))
    case "f": return try readWord("false", .boolean(false))
    case "n": return try readWord("null", .null)
    default: return try readNumber()
    }
  }

  private mutating func nested<Value>(
    _ read: (inout JSONReader) throws -> Value
  ) throws -> Value {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw invalid }
    position += 1
    return try read(&self)
  }

  private mutating func readArray() throws -> [JSONValue] {
    var members: [JSONValue] = []
    if skip("]") { return members }
    repeat { members.append(try readValue()) } while skip(",")
    guard skip("]") else { throw invalid }
    return members
  }

  private mutating func readObject() throws -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    if skip("}") { return members }
    repeat {
      skipWhiteSpace()
      let key = try readString()
      guard skip(":") else { throw invalid }
      members[key] = try readValue()
    } while skip(",")
    guard skip("}") else { throw invalid }
    return members
  }

  private mutating func readWord(_ word: String, _ value: JSONValue) throws -> JSONValue {
    guard characters[position...].starts(with: word.utf16) else { throw invalid }
    position += word.utf16.count
    return value
  }

  private mutating func readNumber() throws -> JSONValue {
    let start = position
    if next == "-" { position += 1 }
    let firstDigit = next
    let whole = try readDigits()
    guard whole == 1 || firstDigit != "0" else { throw invalid }
    if next == "." {
      position += 1
      _ = try readDigits()
    }
    if next == "e" || next == "E" {
      position += 1
      if next == "+" || next == "-" { position += 1 }
      _ = try readDigits()
    }
    let text = String(decoding: characters[start..<position], as: UTF16.self)
    guard let number = Double(text) else { throw invalid }
    return .number(number)
  }

  /// Skips one digit or more and says how many.
  private mutating func readDigits() throws -> Int {
    let start = position
    while let next, "0" <= next, next <= "9" { position += 1 }
    guard position > start else { throw invalid }
    return position - start
  }

  private mutating func readString() throws -> String {
    guard next == "\"" else { throw invalid }
    position += 1
    var units: [UInt16] = []
    while position < characters.count {
      let unit = characters[position]
      position += 1
      switch unit {
      case 0x22: return String(decoding: units, as: UTF16.self)
      case 0x5C: units.append(try readEscape())
      default: units.append(unit)
      }
    }
    throw invalid
  }

  private mutating func readEscape() throws -> UInt16 {
    guard let letter = next else { throw invalid }
    position += 1
    switch letter {
    case "\"", "\\", "/": return characters[position - 1]
    case "b": return 0x08
    case "f": return 0x0C
    case "n": return 0x0A
    case "r": return 0x0D
    case "t": return 0x09
    case "v": return 0x0B
    case "x": return try readHexadecimal(digits: 2)
    case "u": return try readHexadecimal(digits: 4)
    default: throw invalid
    }
  }

  private mutating func readHexadecimal(digits: Int) throws -> UInt16 {
    let end = position + digits
    guard end <= characters.count else { throw invalid }
    var value: UInt16 = 0
    while position < end {
      guard let digit = next?.hexadecimalDigit else { throw invalid }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }
}

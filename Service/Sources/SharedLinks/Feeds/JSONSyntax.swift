/// Checks the structure of JSON, and locates the first fault.
///
/// Foundation's parser accepts trailing commas, reports no positions, and recurses.
struct JSONSyntax {
  /// What is wrong, and at which position.
  struct Fault: Error, Equatable {
    var line: Int
    /// The position in the line, in characters from 1.
    var column: Int
    var message: String

    var sentence: String { "line \(line), column \(column): \(message)" }
  }

  private let bytes: [UInt8]
  private var position = 0
  private var open: [UInt8] = []

  /// Checks a document of valid UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - depth: How deeply arrays and objects may be nested.
  /// - Throws: The first fault.
  static func check(_ bytes: [UInt8], depth: Int) throws(Fault) {
    var syntax = JSONSyntax(bytes: bytes)
    try syntax.run(depth: depth)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run(depth: Int) throws(Fault) {
    // Whether a value must come next, or something that continues or closes the container.
    var expectsValue = true
    while true {
      skipBlanks()
      guard position < bytes.count else {
        if open.isEmpty, !expectsValue { return }
        throw fault("the document breaks off")
      }
      let byte = bytes[position]
      if expectsValue {
        expectsValue = try value(byte, depth: depth)
        continue
      }
      guard let container = open.last else { throw fault("there is text after the end") }
      switch byte {
      case UInt8(ascii: ","):
        let comma = position
        position += 1
        skipBlanks()
        if position < bytes.count, bytes[position] == 0x5D || bytes[position] == 0x7D {
          position = comma
          throw fault("a comma is followed by nothing; take it out")
        }
        if container == UInt8(ascii: "{") { try key() }
        expectsValue = true
      case UInt8(ascii: "]") where container == UInt8(ascii: "["),
        UInt8(ascii: "}") where container == UInt8(ascii: "{"):
        open.removeLast()
        position += 1
      default:
        throw fault("a comma or a closing bracket is missing")
      }
    }
  }

  /// Skips a scalar value, or the opening bracket of a container.
  ///
  /// - Returns: Whether a value has to follow.
  private mutating func value(_ byte: UInt8, depth: Int) throws(Fault) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < depth else { throw fault("it is nested more than \(depth) deep") }
      position += 1
      skipBlanks()
      let end: UInt8 = byte == UInt8(ascii: "{") ? 0x7D : 0x5D
      if position < bytes.count, bytes[position] == end {
        position += 1
        return false
      }
      open.append(byte)
      if byte == UInt8(ascii: "{") { try key() }
      return true
    case UInt8(ascii: "\""):
      try string()
    default:
      let start = position
      while position < bytes.count, bytes[position].isInWord { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      let isNumber = Double(word) != nil && (byte.isDigit || byte == UInt8(ascii: "-"))
      guard isNumber || ["true", "false", "null"].contains(word) else {
        position = start
        throw fault("a value is missing")
      }
    }
    return false
  }

  private mutating func key() throws(Fault) {
    skipBlanks()
    guard position < bytes.count else { throw fault("the document breaks off") }
    guard bytes[position] == UInt8(ascii: "\"") else {
      throw fault("a key in double quotes is missing")
    }
    try string()
    skipBlanks()
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
      throw fault("a colon is missing after the key")
    }
    position += 1
  }

  private mutating func string() throws(Fault) {
    let start = position
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return
      case UInt8(ascii: "\\"): position += 2
      case 0x00..<0x20: throw fault("a string contains a control character")
      default: position += 1
      }
    }
    position = start
    throw fault("a string is not closed")
  }

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
  }

  private func fault(_ message: String) -> Fault {
    let before = bytes.prefix(position)
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return Fault(
      line: before.count { $0 == 0x0A } + 1,
      column: String(decoding: before[lineStart...], as: UTF8.self).count + 1,
      message: message
    )
  }
}

extension UInt8 {
  fileprivate var isInWord: Bool {
    isLetter || isDigit || self == 0x2B || self == 0x2D || self == 0x2E
  }
}

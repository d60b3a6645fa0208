internal import ContentRules

/// Writes JSON as bytes, keys in the order in which they are given, without white space.
///
///     var json = JSONWriter()
///     json.object { $0.field("rules") { $0.number(3) } }
package struct JSONWriter {
  /// The bytes written so far.
  package var bytes: [UInt8] = []
  private var needsComma = false

  /// Creates an empty writer.
  package init() {}

  /// Writes an object; the closure writes its fields.
  package mutating func object(_ fields: (inout JSONWriter) -> Void) {
    container("{", "}", fields)
  }

  /// Writes an array; the closure writes its values.
  package mutating func array(_ values: (inout JSONWriter) -> Void) {
    container("[", "]", values)
  }

  /// Writes an array; the closure writes the value for each element.
  package mutating func array<Elements: Sequence>(
    of elements: Elements,
    _ value: (inout JSONWriter, Elements.Element) -> Void
  ) {
    array { json in
      for element in elements { value(&json, element) }
    }
  }

  /// Writes a key; the closure writes its value.
  package mutating func field(_ key: StaticString, _ value: (inout JSONWriter) -> Void) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
    )
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    value(&self)
  }

  /// Writes a key that is not known beforehand; the closure writes its value.
  package mutating func field(text key: String, _ value: (inout JSONWriter) -> Void) {
    string(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
    value(&self)
  }

  /// Writes a key and a string.
  package mutating func field(_ key: StaticString, _ text: String) {
    field(key) { $0.string(text) }
  }

  /// Writes a key and a number.
  package mutating func field(_ key: StaticString, _ number: Int) {
    field(key) { $0.number(number) }
  }

  /// Writes a key and a boolean.
  package mutating func field(_ key: StaticString, _ value: Bool) {
    field(key) { $0.boolean(value) }
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { unsafe string(utf8: $0) }
  }

  /// Writes a string of UTF-8.
  package mutating func string(utf8 text: some Sequence<UInt8>) {
    comma()
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    var isASCII = true
    for byte in text {
      switch byte {
      case 0x80...:
        isASCII = false
        bytes.append(byte)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x09: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0x0D: bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
      case 0..<0x20, 0x7F:
        let digits = Array("0123456789abcdef".utf8)
        bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    if !isASCII {
      // So that JSON on a terminal cannot deceive.
      let shown = DisplayText.json(String(decoding: bytes[start...], as: UTF8.self))
      bytes.replaceSubrange(start..., with: shown.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes a whole number.
  package mutating func number(_ number: Int) {
    comma()
    digits(number)
  }

  /// Writes the digits of a number, after a ``literal(_:)``.
  package mutating func digits(_ number: Int) {
    guard number >= 10 else {
      if number >= 0 {
        bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number))
      } else {
        bytes.append(contentsOf: "\(number)".utf8)
      }
      return
    }
    let start = bytes.count
    var rest = number
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  /// Writes JSON text unchanged, for lines that are written by the million.
  package mutating func literal(_ text: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Writes values behind a ``literal(_:)``.
  package mutating func value(_ value: (inout JSONWriter) -> Void) {
    needsComma = false
    value(&self)
    needsComma = false
  }

  /// Writes a number, without a fraction if it is an integer; NaN and infinity become `null`.
  package mutating func number(_ number: Double) {
    guard number.isFinite else { return null() }
    comma()
    // Where `Int` has 32 bits, too.
    let text = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes `true` or `false`.
  package mutating func boolean(_ value: Bool) {
    comma()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes `null`.
  package mutating func null() {
    comma()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a line break, which ends a JSON text.
  package mutating func endLine() {
    bytes.append(0x0A)
    needsComma = false
  }

  /// Removes closing brackets, so that more can be written inside of them.
  package mutating func reopen(_ brackets: Int) {
    bytes.removeLast(brackets)
    needsComma = bytes.last != UInt8(ascii: "[") && bytes.last != UInt8(ascii: "{")
  }

  /// Closes what was reopened.
  package mutating func close(_ brackets: StaticString) {
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: brackets.utf8Start, count: brackets.utf8CodeUnitCount)
    )
    needsComma = true
  }

  /// Returns and clears what was written, so that a long text is never in memory as a whole.
  package mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  private mutating func container(
    _ opening: Unicode.Scalar,
    _ closing: Unicode.Scalar,
    _ body: (inout JSONWriter) -> Void
  ) {
    comma()
    bytes.append(UInt8(ascii: opening))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: closing))
    needsComma = true
  }

  private mutating func comma() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

// Values are identified by their indexes on the tape; an index beyond it has no value.
extension JSONTape {
  /// Returns the kind of a value.
  package func kind(_ value: Int) -> Kind? {
    value < nodes.count ? nodes[value].kind : nil
  }

  /// Returns the offset of a value in the text, in bytes.
  package func offset(of value: Int) -> Int {
    value < nodes.count ? Int(nodes[value].start) : 0
  }

  /// Returns the values of an array, or the keys and values of an object in turn.
  package func children(of value: Int) -> Children {
    guard value < nodes.count, nodes[value].kind == .array || nodes[value].kind == .object else {
      return Children(tape: self, position: 0, end: 0)
    }
    return Children(tape: self, position: value + 1, end: Int(nodes[value].next))
  }

  /// The indexes of the values in a container.
  package struct Children: Sequence, IteratorProtocol {
    fileprivate let tape: JSONTape
    fileprivate var position: Int
    fileprivate let end: Int

    package mutating func next() -> Int? {
      guard position < end else { return nil }
      defer { position = Int(tape.nodes[position].next) }
      return position
    }
  }

  /// Returns the value of an object's key, the last one if there are several.
  package func member(_ key: StaticString, of object: Int, in text: Span<UInt8>) -> Int? {
    guard kind(object) == .object else { return nil }
    var found: Int?
    var position = object + 1
    let end = Int(nodes[object].next)
    while position < end {
      if isString(position, key, in: text) { found = position + 1 }
      position = Int(nodes[position + 1].next)
    }
    return found
  }

  /// Whether a string is the given text, with or without escapes.
  package func isString(_ value: Int, _ word: StaticString, in text: Span<UInt8>) -> Bool {
    guard kind(value) == .string else { return false }
    let range = Int(nodes[value].start)..<Int(nodes[value].end)
    guard nodes[value].flag else { return text.equals(word, range) }
    // An escape takes up to twelve bytes for one to four of the text.
    guard range.count <= 12 * word.utf8CodeUnitCount else { return false }
    let bytes = text.unescaped(range)
    return bytes.span.equals(word, 0..<bytes.count)
  }

  /// Returns the range of a string's bytes; `nil` if the value is not a string, or has escapes.
  package func plainRange(_ value: Int) -> Range<Int>? {
    guard kind(value) == .string, !nodes[value].flag else { return nil }
    return Int(nodes[value].start)..<Int(nodes[value].end)
  }

  /// Returns the bytes of a string, escapes resolved; `nil` if the value is not a string.
  package func bytes(_ value: Int, in text: Span<UInt8>) -> [UInt8]? {
    guard kind(value) == .string else { return nil }
    let node = nodes[value]
    let range = Int(node.start)..<Int(node.end)
    guard node.flag else {
      return unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        for (offset, index) in range.enumerated() { unsafe buffer[offset] = text[index] }
        count = range.count
      }
    }
    return text.unescaped(range)
  }

  /// Returns the text of a string; `nil` if the value is not a string.
  package func string(_ value: Int?, in text: Span<UInt8>) -> String? {
    value.flatMap { bytes($0, in: text) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a value is `true`.
  package func isTrue(_ value: Int) -> Bool { kind(value) == .boolean && nodes[value].flag }

  /// Returns the value of a number; `nil` for anything else.
  package func number(_ value: Int, in text: Span<UInt8>) -> Double? {
    guard kind(value) == .number else { return nil }
    let range = Int(nodes[value].start)..<Int(nodes[value].end)
    guard range.count <= 1_000 else { return nil }
    return Double(String(decoding: range.map { text[$0] }, as: UTF8.self))
  }

  /// Returns the value of an integer; `nil` for anything else.
  package func integer(_ value: Int?, in text: Span<UInt8>) -> Int? {
    guard let value, kind(value) == .number else { return nil }
    let node = nodes[value]
    var digits: [UInt8] = []
    for index in Int(node.start)..<min(Int(node.end), Int(node.start) + 24) {
      digits.append(text[index])
    }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}

extension Span<UInt8> {
  /// Returns the first position from `start` on that is not white space.
  func skippingSpace(_ start: Int) -> Int {
    var position = start
    while position < count {
      switch self[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return position
      }
    }
    return position
  }

  func has(_ character: Unicode.Scalar, at position: Int) -> Bool {
    position < count && self[position] == UInt8(ascii: character)
  }

  func equals(_ word: StaticString, _ range: Range<Int>) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    let start = unsafe word.utf8Start
    for offset in 0..<range.count
    where unsafe self[range.lowerBound + offset] != start[offset] {
      return false
    }
    return true
  }

  /// Returns the bytes of a string, escapes resolved; lone surrogates become U+FFFD.
  fileprivate func unescaped(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound {
      guard self[position] == UInt8(ascii: "\\"), position + 1 < range.upperBound else {
        bytes.append(self[position])
        position += 1
        continue
      }
      let letter = self[position + 1]
      position += 2
      switch letter {
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"):
        guard var code = hexadecimal(position, range.upperBound) else {
          bytes.append(letter)
          continue
        }
        position += 4
        if code & 0xFC00 == 0xD800, position + 6 <= range.upperBound,
          self[position] == UInt8(ascii: "\\"), self[position + 1] == UInt8(ascii: "u"),
          let low = hexadecimal(position + 2, range.upperBound), low & 0xFC00 == 0xDC00
        {
          code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
          position += 6
        }
        bytes += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
      default: bytes.append(letter)
      }
    }
    return bytes
  }

  private func hexadecimal(_ start: Int, _ end: Int) -> UInt32? {
    guard start + 4 <= end else { return nil }
    var code: UInt32 = 0
    for index in start..<start + 4 {
      guard let digit = Character(Unicode.Scalar(self[index])).hexDigitValue else { return nil }
      code = code << 4 | UInt32(digit)
    }
    return code
  }
}

extension UInt8 {
  var isInNumber: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}

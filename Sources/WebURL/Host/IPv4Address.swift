/// An IPv4 address, in every spelling that the standard accepts.
///
/// > Source: URL standard, "IPv4 parser" and "IPv4 serializer".
struct IPv4Address: Equatable, Sendable {
  /// The address, its first part in the highest byte.
  var value: UInt32

  /// Whether a domain's last label, or the one before a final dot, is a number.
  static func endsInNumber(_ domain: ArraySlice<UInt8>) -> Bool {
    var rest = domain
    if rest.last == ASCII.dot { rest = rest.dropLast() }
    let labelStart = (rest.lastIndex(of: ASCII.dot) ?? rest.startIndex - 1) + 1
    let label = rest[labelStart...]
    guard let first = label.first, ASCII.isDigit(first) else { return false }
    return label.allSatisfy { ASCII.isDigit($0) } || number(label) != nil
  }

  /// Parses one to four numbers between dots; the last one fills all the remaining bytes.
  init?(parsing text: ArraySlice<UInt8>) {
    var rest = text
    if rest.last == ASCII.dot { rest = rest.dropLast() }
    var parts: [UInt64] = []
    for part in rest.split(separator: ASCII.dot, omittingEmptySubsequences: false) {
      guard parts.count < 4, let number = Self.number(part) else { return nil }
      parts.append(number)
    }
    guard let last = parts.popLast(), parts.allSatisfy({ $0 <= 255 }),
      last < 1 << (8 * UInt64(4 - parts.count))
    else { return nil }
    var value = UInt32(truncatingIfNeeded: last)
    for (index, part) in parts.enumerated() {
      value |= UInt32(truncatingIfNeeded: part) << UInt32(8 * (3 - index))
    }
    self.value = value
  }

  /// Appends the four decimal parts.
  func append(to output: inout [UInt8]) {
    for shift in [24, 16, 8, 0] as [UInt32] {
      output.append(contentsOf: String(value >> shift & 255).utf8)
      if shift > 0 { output.append(ASCII.dot) }
    }
  }

  /// Reads a decimal, octal (`0…`) or hexadecimal (`0x…`) number, saturating at 2³².
  private static func number(_ text: ArraySlice<UInt8>) -> UInt64? {
    guard !text.isEmpty else { return nil }
    var digits = text
    var radix: UInt64 = 10
    if text.count >= 2, text[text.startIndex] == ASCII.zero {
      if text[text.startIndex + 1] | 0x20 == UInt8(ascii: "x") {
        digits = text.dropFirst(2)
        radix = 16
      } else {
        digits = text.dropFirst()
        radix = 8
      }
    }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = ASCII.hexValue(byte), digit < radix else { return nil }
      value = min(value * radix + UInt64(digit), 1 << 32)
    }
    return value
  }
}

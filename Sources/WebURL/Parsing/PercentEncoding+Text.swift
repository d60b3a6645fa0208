// What Foundation's functions of `String` do; a program that uses no more of it than these would have
// all of it in it.
extension PercentEncoding {
  /// Returns a text in ASCII, with every byte percent-encoded but letters, digits, and some others.
  package static func encode(_ text: String, keeping others: StaticString) -> String {
    var output: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: output.append(byte)
      case _
      where unsafe UnsafeBufferPointer(start: others.utf8Start, count: others.utf8CodeUnitCount)
        .contains(byte):
        output.append(byte)
      default: append(byte, to: &output)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Returns a text with every `%XX` decoded; `nil` if there is a `%` without two digits, or the
  /// result is no UTF-8.
  package static func decodeStrictly(_ text: some StringProtocol) -> String? {
    let bytes = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == ASCII.percent else {
        output.append(bytes[index])
        index += 1
        continue
      }
      guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
        let low = ASCII.hexValue(bytes[index + 2])
      else { return nil }
      output.append(high << 4 | low)
      index += 3
    }
    return String(validating: output, as: UTF8.self)
  }
}

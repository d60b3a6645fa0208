/// Percent-encoding and -decoding of bytes.
///
/// > Source: URL standard, "Percent-encoded bytes".
package enum PercentEncoding {
  /// Appends a text, percent-encoding every byte that is not in `plain`.
  static func append(_ text: ArraySlice<UInt8>, plain: ByteSet, to output: inout [UInt8]) {
    var runStart = text.startIndex
    var index = runStart
    while index < text.endIndex {
      let byte = text[index]
      if !plain.contains(byte) {
        output.append(contentsOf: text[runStart..<index])
        append(byte, to: &output)
        runStart = index + 1
      }
      index += 1
    }
    output.append(contentsOf: text[runStart..<index])
  }

  /// Appends one byte as `%XX`.
  static func append(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(ASCII.percent)
    output.append(ASCII.hexDigit(byte >> 4))
    output.append(ASCII.hexDigit(byte & 15))
  }

  /// Decodes every `%XX`; a `%` without two hexadecimal digits stays.
  static func decode(_ text: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if text[index] == ASCII.percent, index + 2 < text.count,
        let high = ASCII.hexValue(text[index + 1]), let low = ASCII.hexValue(text[index + 2])
      {
        output.append(high << 4 | low)
        index += 3
      } else {
        output.append(text[index])
        index += 1
      }
    }
    return output
  }
}

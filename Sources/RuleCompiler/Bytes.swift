extension [UInt8] {
  /// Appends the bytes of a span.
  mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Appends a number's bytes, the lowest first.
  mutating func appendLittleEndian(_ number: some FixedWidthInteger & UnsignedInteger) {
    for byte in 0..<number.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: number >> (8 * byte)))
    }
  }

  /// Appends the bytes of numbers, one after the other, the lowest of each first.
  mutating func appendLittleEndian<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    contentsOf numbers: [Number]
  ) {
    if 1.littleEndian == 1 {
      unsafe numbers.withUnsafeBytes { unsafe append(contentsOf: $0) }
    } else {
      for number in numbers { appendLittleEndian(number) }
    }
  }

  /// Appends a number as LEB128.
  mutating func appendVarint(_ number: UInt32) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends zeros until the length is a multiple of `alignment`.
  mutating func align(to alignment: Int) {
    while count % alignment != 0 { append(0) }
  }
}

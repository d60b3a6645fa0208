internal import CLibrary

extension [UInt8] {
  /// Returns the position of a byte's first occurrence from a position on, by the C library's
  /// `memchr`.
  @inline(__always)
  package func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
    firstIndex(ofByte: byte, in: start..<count)
  }

  /// Returns the position of a byte's first occurrence in a range, by the C library's `memchr`.
  @inline(__always)
  package func firstIndex(ofByte byte: UInt8, in range: Range<Int>) -> Int? {
    guard range.lowerBound < range.upperBound else { return nil }
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The length of the byte order mark at the start; 0 if there is none.
  package var byteOrderMarkCount: Int { starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  /// Whether a range has the bytes of another array.
  @inline(__always)
  package func equals(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
    guard range.count == other.count else { return false }
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    guard !other.isEmpty else { return true }
    return unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { other in
        guard let base = bytes.baseAddress, let start = other.baseAddress else {
          return false
        }
        return unsafe memcmp(base + range.lowerBound, start, range.count) == 0
      }
    }
  }
}

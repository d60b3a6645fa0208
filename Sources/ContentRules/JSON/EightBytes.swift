/// Looking at eight bytes at a time.
extension UInt64 {
  /// Eight times the same byte.
  @inline(__always)
  static func eightTimes(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  /// Sets the highest bit of each byte that is 0; the lowest bit that is set is exact, above it a borrow may
  /// have set others.
  @inline(__always)
  var zeroBytes: UInt64 {
    (self &- Self.eightTimes(1)) & ~self & Self.eightTimes(0x80)
  }
}

/// A 64-bit checksum that tells a damaged file from a good one.
///
/// It guards against broken disks and cut-off writes, not against an adversary: whoever can write
/// the file can write the checksum. Four lanes of multiply-and-fold over eight bytes each keep it
/// near the speed of memory.
enum Checksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Folds the bytes from `start` to the end of the buffer.
  ///
  /// - Complexity: O(*n*), some 0.2 ns a byte; allocates nothing.
  static func of(_ image: Image, from start: Int) -> UInt64 {
    var lanes = SIMD4<UInt64>(1, 2, 3, 4)
    var offset = start
    while offset <= image.count - 32 {
      let words = SIMD4<UInt64>(
        image.u64(offset),
        image.u64(offset &+ 8),
        image.u64(offset &+ 16),
        image.u64(offset &+ 24)
      )
      lanes = (lanes ^ words) &* SIMD4(repeating: multiplier)
      lanes ^= lanes &>> 29
      offset &+= 32
    }
    var sum = UInt64(truncatingIfNeeded: image.count &- start)
    for lane in 0..<4 {
      sum = (sum ^ lanes[lane]) &* multiplier
      sum ^= sum &>> 32
    }
    while offset < image.count {
      sum = (sum ^ UInt64(image.u8(offset))) &* multiplier
      sum ^= sum &>> 29
      offset &+= 1
    }
    return sum
  }
}

extension Int {
  /// Creates an offset or a count from an untrusted number of a file.
  ///
  /// With a 32-bit `Int`, no file is as long as ``largestInFile``. A larger number is clamped to
  /// that: it fails the same checks, and sums do not overflow.
  init(inFile number: UInt32) {
    self = Int(truncatingIfNeeded: Swift.min(number, Self.largestInFile))
  }

  /// The number that ``init(inFile:)`` clamps to.
  static let largestInFile = UInt32(clamping: Int.max / 4)
}

/// The bytes of a compiled rule list, read in place.
///
/// Every read checks its bounds. A fault in a file that passed validation, such as a disk that
/// changes under a mapping, traps instead of reading foreign memory. The view does not own its
/// bytes: ``CompiledRuleList`` keeps them alive.
///
/// All numbers are little-endian.
@safe
struct Image: Sendable {
  // Sendable because nothing ever writes through the pointer while an image exists.
  nonisolated(unsafe) private let base: UnsafeRawPointer
  /// The number of bytes.
  let count: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer has no address; any non-null one will do, since no read passes its check.
    unsafe base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    count = bytes.count
  }

  /// Whether `size` bytes from an offset on lie within the file.
  ///
  /// One comparison suffices: a negative offset is a huge unsigned one, and no file is shorter than
  /// its header.
  @inline(__always)
  private func holds(_ size: Int, at offset: Int) -> Bool {
    UInt(bitPattern: offset) < UInt(bitPattern: count &- (size &- 1))
  }

  @inline(__always)
  func u8(_ offset: Int) -> UInt8 {
    precondition(holds(1, at: offset), "read beyond the compiled rule list")
    return unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  func u16(_ offset: Int) -> UInt16 {
    precondition(holds(2, at: offset), "read beyond the compiled rule list")
    return unsafe UInt16(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  func u32(_ offset: Int) -> UInt32 {
    precondition(holds(4, at: offset), "read beyond the compiled rule list")
    return unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  func u64(_ offset: Int) -> UInt64 {
    precondition(holds(8, at: offset), "read beyond the compiled rule list")
    return unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The byte at an offset that the caller knows to be within the file.
  @unsafe
  @inline(__always)
  func u8(unchecked offset: Int) -> UInt8 {
    unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// The four bytes at an offset that the caller knows to be within the file.
  @unsafe
  @inline(__always)
  func u32(unchecked offset: Int) -> UInt32 {
    unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The eight bytes at an offset that the caller knows to be within the file.
  @unsafe
  @inline(__always)
  func u64(unchecked offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The address of the bytes from an offset on, which the caller knows to be within the file.
  @unsafe
  @inline(__always)
  func address(unchecked offset: Int) -> UnsafePointer<UInt8> {
    unsafe (base + offset).assumingMemoryBound(to: UInt8.self)
  }

  /// Reads an unsigned LEB128 number of at most 32 bits and advances the offset past it.
  ///
  /// Longer encodings are cut off after five bytes; the validator refuses them. Reads eight bytes
  /// at once, which lie within the file because the universal table follows all records.
  @inline(__always)
  func varint(_ offset: inout Int) -> UInt32 {
    let word = u64(offset)
    if word & 0x80 == 0 {
      offset &+= 1
      return UInt32(truncatingIfNeeded: word & 0x7F)
    }
    // No branch on the number of bytes, which is unpredictable.
    let ends = ~word & 0x8080_8080 | 0x80 &<< 32
    offset &+= ends.trailingZeroBitCount &>> 3 &+ 1
    let bytes = word & (ends ^ (ends &- 1))
    // The first four groups of seven bits are moved together by differences: two by two, then the twos.
    let groups = UInt32(truncatingIfNeeded: bytes) & 0x7F7F_7F7F
    let twos = groups &- (groups & 0x7F00_7F00) &>> 1
    let low = twos &- (twos & 0x3FFF_0000) &>> 2 &* 3
    return low | UInt32(truncatingIfNeeded: bytes &>> 4) & 0xF000_0000
  }

  /// Advances an offset past a number that ``varint(_:)`` reads.
  @inline(__always)
  func skipVarint(_ offset: inout Int) {
    let ends = ~UInt64(u32(offset)) & 0x1_8080_8080
    offset &+= ends.trailingZeroBitCount &>> 3 &+ 1
  }

  /// Returns the largest byte in a range; 0 in an empty one.
  func largestByte(in range: Range<Int>) -> UInt8 {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "read beyond the list")
    var largest = SIMD16<UInt8>(repeating: 0)
    var offset = range.lowerBound
    while offset <= range.upperBound - 16 {
      let bytes = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
      // Not `pointwiseMax`, nor `max()` below, which are calls of functions without vectors.
      largest.replace(with: bytes, where: bytes .> largest)
      offset &+= 16
    }
    let eight = largest.lowHalf.replacing(
      with: largest.highHalf,
      where: largest.highHalf .> largest.lowHalf
    )
    let four = eight.lowHalf.replacing(
      with: eight.highHalf,
      where: eight.highHalf .> eight.lowHalf
    )
    var result = max(max(four.x, four.y), max(four.z, four.w))
    while offset < range.upperBound {
      unsafe result = max(result, u8(unchecked: offset))
      offset &+= 1
    }
    return result
  }

  /// Returns a copy of the bytes in a range of offsets.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "read beyond the list")
    return unsafe [UInt8](
      UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    )
  }

  /// The bytes as a raw buffer, for hashing in one pass.
  var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base, count: count)
  }
}

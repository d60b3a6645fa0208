/// Reads an input from front to back; returns zeros when it is used up.
public struct InputReader {
  private var left: ArraySlice<UInt8>

  /// Begins at the first byte.
  public init(_ input: [UInt8]) { left = input[...] }

  /// Whether everything was read.
  public var isEmpty: Bool { left.isEmpty }

  /// The next byte.
  public mutating func byte() -> UInt8 { left.popFirst() ?? 0 }

  /// A number of three bytes, the lowest first.
  public mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 | Int(byte()) << 16 }

  /// The bytes up to the next line feed, or all that is left.
  public mutating func line() -> [UInt8] {
    let line = left.prefix { $0 != 0x0A }
    left = left.dropFirst(line.count + 1)
    return Array(line)
  }

  /// Everything that is left.
  public mutating func rest() -> [UInt8] {
    defer { left = [] }
    return Array(left)
  }
}

extension [UInt8] {
  /// The bytes as text; those that are not UTF-8 are replaced.
  public var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes in pieces, whose lengths depend on a seed; a stream reader must not depend on them.
  public func pieces(_ seed: UInt8) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var state = UInt32(seed) &* 2_654_435_761 &+ 1
    var position = 0
    while position < count {
      state = state &* 1_664_525 &+ 1_013_904_223
      // Mostly short ones, now and then long ones.
      let length = 1 + Int(state >> 24) % (state >> 16 & 7 == 0 ? 256 : 5)
      pieces.append(Array(self[position..<Swift.min(count, position + length)]))
      position += length
    }
    return pieces
  }
}

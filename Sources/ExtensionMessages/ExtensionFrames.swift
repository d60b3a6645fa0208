/// Splits a stream of bytes into messages.
///
/// A frame is the body's length, a 4-byte little-endian number, and the body:
///
///     length (4) │ body (length)
///
/// Append bytes as they arrive, and take bodies until there are no more. A frame beyond the limit
/// is refused as soon as its length is known, before its bytes are stored.
public struct ExtensionFrames: Sendable {
  private let limits: ExtensionMessageLimits
  private var bytes: [UInt8] = []
  private var start = 0

  /// Creates an empty stream.
  public init(limits: ExtensionMessageLimits = ExtensionMessageLimits()) {
    self.limits = limits
  }

  /// Whether there is no unfinished frame, so that the stream may end.
  public var isEmpty: Bool { start == bytes.count }

  /// Appends received bytes.
  public mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0, start == bytes.count || start > 1 << 16 {
      bytes.removeSubrange(..<start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Returns the next whole body; `nil` until more bytes arrive.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.limitExceeded`; the stream is then unusable.
  public mutating func next() throws(ExtensionMessageError) -> [UInt8]? {
    guard bytes.count - start >= 4 else { return nil }
    var length = 0
    for index in 0..<4 { length |= Int(bytes[start + index]) << (8 * index) }
    guard length <= limits.bytes else {
      throw ExtensionMessageError(
        .limitExceeded,
        "a message of \(length) bytes exceeds \(limits.bytes)"
      )
    }
    guard bytes.count - start - 4 >= length else { return nil }
    let body = [UInt8](bytes[start + 4..<start + 4 + length])
    start += 4 + length
    return body
  }

  /// Returns a body in its frame.
  ///
  /// - Precondition: The body has at most 4,294,967,295 bytes, which ``ExtensionMessageLimits`` ensures.
  public static func frame(_ body: [UInt8]) -> [UInt8] {
    precondition(body.count <= Int(UInt32.max), "a frame's length has 32 bits")
    var frame: [UInt8] = []
    frame.reserveCapacity(body.count + 4)
    for shift in stride(from: 0, to: 32, by: 8) {
      frame.append(UInt8(truncatingIfNeeded: body.count >> shift))
    }
    frame.append(contentsOf: body)
    return frame
  }
}

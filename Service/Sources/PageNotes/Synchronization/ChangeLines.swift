internal import Crypto
internal import Foundation

/// Reads a file's lines from an offset on, in bounded memory however long they are.
final class ChangeLines {
  /// A line without its line end.
  struct Line {
    /// The bytes; empty if the line is too long.
    var bytes: Data
    /// Whether this is a line, or part of one, that exceeds the limit.
    ///
    /// The part ends at the current read position, so that a call never has to read all of it.
    var isTooLong = false
    /// Whether its line end was found.
    var isEnded: Bool
    /// The offset of the next line.
    var end: Int
  }

  private let handle: FileHandle
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The buffer offset of the next line, and the offset up to which no line end was found.
  private var (start, searched) = (0, 0)
  /// The buffer's offset in the file.
  private var position: Int
  private var isAtEnd = false
  /// Whether the current line exceeds the limit.
  private var isTooLong = false

  private static let chunk = 256 << 10
  private static let windowSize = 4096

  /// Starts reading a file at an offset.
  ///
  /// A line is too long if it has more than `limit` bytes, plus at most one buffer's worth.
  init(_ handle: FileHandle, from offset: Int, limit: Int = ChangeLine.limit) {
    self.handle = handle
    self.limit = limit
    position = offset
  }

  /// Returns the next non-empty line; `nil` at the end.
  ///
  /// - Complexity: O(*n*) in the bytes of the line and of the empty ones before it.
  func next() throws -> Line? {
    while true {
      if let newline = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = take(upTo: newline, isEnded: true)
        (start, searched) = (newline + 1, newline + 1)
        if line.bytes.isEmpty && !line.isTooLong { continue }
        return line
      }
      searched = buffer.count
      if isAtEnd {
        guard start < buffer.count || isTooLong else { return nil }
        let line = take(upTo: buffer.count, isEnded: false)
        start = buffer.count
        return line
      }
      if let part = try fill() { return part }
    }
  }

  private func take(upTo end: Int, isEnded: Bool) -> Line {
    defer { isTooLong = false }
    return Line(
      bytes: isTooLong ? Data() : Data(buffer[start..<end]),
      isTooLong: isTooLong,
      isEnded: isEnded,
      end: position + end + (isEnded ? 1 : 0)
    )
  }

  /// Reads more into the buffer.
  ///
  /// - Returns: Part of a line that is too long, whose bytes are dropped; nil otherwise.
  private func fill() throws -> Line? {
    if buffer.count - start > limit {
      start = buffer.count
      isTooLong = true
      return Line(bytes: Data(), isTooLong: true, isEnded: false, end: position + start)
    }
    position += start
    buffer.removeFirst(start)
    (start, searched) = (0, buffer.count)
    // The handle's position may have been moved elsewhere.
    try handle.seek(toOffset: UInt64(position + buffer.count))
    guard let more = try handle.read(upToCount: Self.chunk), !more.isEmpty else {
      isAtEnd = true
      return nil
    }
    buffer.append(contentsOf: more)
    return nil
  }

  /// Returns a digest of the bytes just before an offset, which shows whether what was read is
  /// still there.
  ///
  /// A sealed line is unique, so its last bytes identify it and everything that an honest device
  /// wrote before it.
  static func digest(_ handle: FileHandle, before offset: Int) throws -> String {
    let start = max(0, offset - windowSize)
    try handle.seek(toOffset: UInt64(start))
    let bytes = try handle.read(upToCount: offset - start) ?? Data()
    return SHA256.hash(data: bytes).prefix(12).reduce(into: "\(bytes.count) ") {
      $0 += String($1, radix: 16)
    }
  }
}

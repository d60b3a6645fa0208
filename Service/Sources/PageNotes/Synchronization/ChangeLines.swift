internal import Crypto
internal import Foundation

/// A file's lines from some place on, within bounded memory however long they are.
final class ChangeLines {
  /// A line without its end.
  struct Line {
    /// Empty if the line is too long.
    var bytes: Data
    /// Whether this is a line, or a part of one, that is longer than lines may be.
    ///
    /// A part ends where reading has come to, so that nobody has to read all of it at once.
    var isTooLong = false
    /// Whether its end has arrived.
    var isEnded: Bool
    /// Where the next one begins in the file.
    var end: Int
  }

  private let handle: FileHandle
  private let limit: Int
  private var buffer: [UInt8] = []
  /// Where in the buffer the next line begins, and up to where no end of a line was found.
  private var (start, searched) = (0, 0)
  /// Where in the file the buffer begins.
  private var position: Int
  private var isAtEnd = false
  /// Whether the line that has been begun is longer than lines may be.
  private var isTooLong = false

  private static let chunk = 256 << 10
  private static let windowSize = 4096

  /// Reads a file from an offset on.
  ///
  /// Lines with more bytes than `limit` and a part that is read at once are too long.
  init(_ handle: FileHandle, from offset: Int, limit: Int = ChangeLine.limit) {
    self.handle = handle
    self.limit = limit
    position = offset
  }

  /// The next line that is not empty; `nil` at the end.
  ///
  /// - Complexity: O(*n*) for *n* bytes of the line, and of empty ones before it.
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

  /// Reads more.
  ///
  /// - Returns: A part of a line that is too long, of which nothing is kept.
  private func fill() throws -> Line? {
    if buffer.count - start > limit {
      start = buffer.count
      isTooLong = true
      return Line(bytes: Data(), isTooLong: true, isEnded: false, end: position + start)
    }
    position += start
    buffer.removeFirst(start)
    (start, searched) = (0, buffer.count)
    // Others may have moved the handle.
    try handle.seek(toOffset: UInt64(position + buffer.count))
    guard let more = try handle.read(upToCount: Self.chunk), !more.isEmpty else {
      isAtEnd = true
      return nil
    }
    buffer.append(contentsOf: more)
    return nil
  }

  /// Tells whether the file before an offset is what was read: a digest of the bytes just before.
  ///
  /// A sealed line occurs once, so that its last bytes name it and all that an honest device wrote
  /// before it.
  static func digest(_ handle: FileHandle, before offset: Int) throws -> String {
    let start = max(0, offset - windowSize)
    try handle.seek(toOffset: UInt64(start))
    let bytes = try handle.read(upToCount: offset - start) ?? Data()
    return SHA256.hash(data: bytes).prefix(12).reduce(into: "\(bytes.count) ") {
      $0 += String($1, radix: 16)
    }
  }
}

import CommandInput

/// Splits an input into lines, with memory for one line and one piece.
///
/// Lines end with LF or CR LF; the last line need not. Lines longer than the limit are skipped and
/// reported as such.
struct LineReader {
  /// The most bytes of a line.
  let limit: Int
  private let input: ByteInput

  /// Reads lines of an input.
  init(_ input: ByteInput, limit: Int = 1 << 20) {
    self.input = input
    self.limit = limit
  }

  /// Calls a function for each line, in order.
  ///
  /// - Parameters:
  ///   - pieceEnd: Called after all lines of a piece, before waiting for more; flush answers here.
  ///   - body: Receives the line without its end, or `nil` for one that is too long.
  /// - Throws: ``InputError`` when reading fails, and what the functions throw.
  func forEach(
    pieceEnd: () throws -> Void = {},
    _ body: (_ line: [UInt8]?) throws -> Void
  ) throws {
    var start: [UInt8] = []
    var isTooLong = false
    func end(_ line: [UInt8]) throws {
      if isTooLong || line.count > limit {
        try body(nil)
      } else {
        try body(line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : line)
      }
      isTooLong = false
    }
    while let piece = try input.next() {
      var position = 0
      while let feed = piece[position...].firstIndex(of: UInt8(ascii: "\n")) {
        if start.isEmpty {
          try end(Array(piece[position..<feed]))
        } else {
          if !isTooLong { start += piece[position..<feed] }
          let line = start
          start = []
          try end(line)
        }
        position = feed + 1
      }
      if position < piece.count {
        if start.count + piece.count - position > limit + 1 {
          isTooLong = true
          // Keeps one byte, to show that the line has begun.
          start = [0]
        } else if !isTooLong {
          start += piece[position...]
        }
      }
      try pieceEnd()
    }
    if !start.isEmpty { try end(start) }
    try pieceEnd()
  }
}

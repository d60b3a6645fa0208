/// Whole lines of an input that are processed together.
package struct Chunk: Sendable {
  /// The lines with their line ends, which the last one may lack.
  package var bytes: [UInt8]
  /// The number of the first line, from 1.
  package var firstLine: Int
  /// Whether this stands for a single line that exceeds the limit.
  package var isTooLong = false

  /// Creates a chunk.
  package init(bytes: [UInt8], firstLine: Int, isTooLong: Bool = false) {
    self.bytes = bytes
    self.firstLine = firstLine
    self.isTooLong = isTooLong
  }

  /// Calls `body` for each line, in order, with its number and range.
  ///
  /// A CR before the line's end is not part of it. The range is `nil` for a line that is too long.
  package func forEachLine(
    limit: Int,
    _ body: (_ number: Int, _ range: Range<Int>?) -> Void
  ) {
    guard !isTooLong else { return body(firstLine, nil) }
    var number = firstLine
    var start = 0
    while start < bytes.count {
      let end = bytes.firstIndex(ofByte: 0x0A, from: start) ?? bytes.count
      if end - start > limit {
        body(number, nil)
      } else {
        let hasReturn = end > start && bytes[end - 1] == 0x0D
        body(number, start..<(hasReturn ? end - 1 : end))
      }
      number += 1
      start = end + 1
    }
  }

  /// Calls `body` for each line that is not blank.
  ///
  /// Blank lines are counted, but not answered: a file of them compresses to almost nothing, and
  /// the answers would be a hundred times as long.
  package func forEachFilledLine(
    limit: Int,
    _ body: (_ number: Int, _ range: Range<Int>?) -> Void
  ) {
    forEachLine(limit: limit) { number, range in
      if let range, isBlank(range) { return }
      body(number, range)
    }
  }

  private func isBlank(_ line: Range<Int>) -> Bool {
    for place in line {
      switch bytes[place] {
      case 0x09, 0x0D, 0x20: continue
      default: return false
      }
    }
    return true
  }
}

/// Splits an input into chunks of whole lines, with memory for one chunk and one line.
///
/// Returns chunks before waiting for more input, so that whoever sends line by line gets answers.
package struct ChunkReader {
  /// The most bytes of a line.
  package let limit: Int
  /// The digest of all bytes so far.
  package private(set) var digest = ByteDigest()
  private let input: ByteInput
  private let size: Int
  private let isDigested: Bool
  private var buffer: [UInt8] = []
  private var nextLine = 1
  private var isPassingOver = false
  private var hasFirstLine = false
  private var fault: InputError?
  private var isAtEnd = false

  /// Creates a reader for chunks of about the given size; computes the digest unless told not to.
  package init(
    _ input: ByteInput,
    size: Int = 1 << 20,
    limit: Int = 1 << 20,
    isDigested: Bool = true
  ) {
    self.input = input
    self.isDigested = isDigested
    self.size = size
    self.limit = limit
  }

  /// Returns the next chunk; `nil` at the end.
  ///
  /// - Throws: ``InputError`` if reading fails, after all whole lines before have been returned.
  package mutating func next() throws(InputError) -> Chunk? {
    if let fault { throw fault }
    if hasFirstLine {
      // What was read to find the first line may be all that comes for now.
      hasFirstLine = false
      if !isAtEnd, buffer.count >= size || !input.isReady, let chunk = wholeLines() {
        return chunk
      }
    }
    while !isAtEnd {
      do throws(InputError) {
        guard let piece = try input.next() else {
          isAtEnd = true
          break
        }
        if isDigested { digest.append(piece) }
        if let chunk = take(piece) { return chunk }
      } catch {
        fault = error
        guard let chunk = wholeLines() else { throw error }
        return chunk
      }
    }
    if isPassingOver {
      isPassingOver = false
      return Chunk(bytes: [], firstLine: nextLine, isTooLong: true)
    }
    guard !buffer.isEmpty else { return nil }
    let rest = buffer
    buffer = []
    return chunk(rest)
  }

  /// Returns the first line, without its end, before any chunk is taken; `nil` if it is too long.
  ///
  /// Removes a byte order mark before it, as editors on Windows write one.
  package mutating func firstLine() throws(InputError) -> [UInt8]? {
    hasFirstLine = true
    while true {
      if buffer.firstIndex(ofByte: 0x0A, from: 0) != nil || buffer.count > limit {
        return startingLine()
      }
      guard let piece = try input.next() else {
        isAtEnd = true
        return startingLine()
      }
      if isDigested { digest.append(piece) }
      buffer += piece
    }
  }

  /// The bytes that were read but not returned yet; after ``firstLine()`` at least the first few.
  package var start: ArraySlice<UInt8> { buffer.prefix(256) }

  /// Removes the first line, after ``firstLine()``.
  package mutating func dropFirstLine() {
    let end = buffer.firstIndex(ofByte: 0x0A, from: 0) ?? buffer.count
    buffer.removeFirst(min(end + 1, buffer.count))
    nextLine += 1
  }

  /// Returns everything that is left, for a text that does not consist of lines.
  package mutating func rest(sizeLimit: Int) throws(InputError) -> [UInt8] {
    var bytes = buffer
    buffer = []
    while !isAtEnd {
      guard let piece = try input.next() else { break }
      if isDigested { digest.append(piece) }
      let limit = input.wholeLimit(sizeLimit)
      guard piece.count <= limit - bytes.count else {
        throw InputError(
          "\(input.name) has more than \(limit >> 20) MiB, and an archive is read as a whole; "
            + "give smaller ones"
        )
      }
      bytes += piece
    }
    isAtEnd = true
    return bytes
  }

  private mutating func startingLine() -> [UInt8]? {
    buffer.removeFirst(buffer.byteOrderMarkCount)
    let end = buffer.firstIndex(ofByte: 0x0A, from: 0) ?? buffer.count
    guard end <= limit else { return nil }
    return Array(buffer[..<(end > 0 && buffer[end - 1] == 0x0D ? end - 1 : end)])
  }

  /// Adds a piece; returns a chunk if one is complete.
  private mutating func take(_ piece: [UInt8]) -> Chunk? {
    if isPassingOver {
      guard let end = piece.firstIndex(of: 0x0A) else { return nil }
      isPassingOver = false
      buffer = Array(piece[(end + 1)...])
      nextLine += 1
      return Chunk(bytes: [], firstLine: nextLine - 1, isTooLong: true)
    }
    buffer += piece
    guard buffer.count >= size || !input.isReady else { return nil }
    if let chunk = wholeLines() { return chunk }
    if buffer.count > limit + 1 {
      buffer = []
      isPassingOver = true
    }
    return nil
  }

  private mutating func wholeLines() -> Chunk? {
    guard let end = buffer.lastIndex(of: 0x0A) else { return nil }
    guard end + 1 < buffer.count else {
      let whole = buffer
      buffer = []
      return chunk(whole)
    }
    let whole = Array(buffer[...end])
    buffer.removeFirst(end + 1)
    return chunk(whole)
  }

  private mutating func chunk(_ bytes: [UInt8]) -> Chunk {
    let chunk = Chunk(bytes: bytes, firstLine: nextLine)
    var lines = 0
    for byte in bytes where byte == 0x0A { lines &+= 1 }
    nextLine += lines
    return chunk
  }
}

/// Cuts a stream of bytes into the bodies of messages, each behind a `Content-Length` header.
///
/// > Source: the Language Server Protocol 3.17, “Base Protocol”.
package struct FrameReader {
  /// What the stream has next.
  package enum Event: Equatable {
    /// The body of a message.
    case message([UInt8])
    /// Something that is not a message; reading goes on behind it.
    case fault(String)
    /// Something behind which no message can be found; the stream is of no more use.
    case lost(String)
  }

  /// The longest body in bytes; longer ones are skipped.
  ///
  /// A list of 20 MB in JSON escapes has at most six times as much.
  package static let bodyLimit = 192 << 20
  /// The longest header in bytes.
  package static let headerLimit = 8 << 10

  private enum State {
    case header
    case body(length: Int)
    case skipping(length: Int)
    case lost
  }

  private var state = State.header
  private var buffer: [UInt8] = []
  /// The number of bytes at the buffer's start that were used.
  private var used = 0
  /// Where the search for the header's end goes on.
  private var searched = 0

  /// Creates a reader at the start of a stream.
  package init() {}

  /// Whether the stream may end here: no message has begun.
  package var isBetweenMessages: Bool {
    if case .header = state { buffer.count == used } else { false }
  }

  /// Adds bytes of the stream.
  package mutating func append(_ bytes: [UInt8]) {
    if case .lost = state { return }
    if used > 0 {
      buffer.removeFirst(used)
      searched -= used
      used = 0
    }
    buffer += bytes
  }

  /// Returns the next event; `nil` if more bytes are needed for one.
  ///
  /// - Complexity: O(*n*) for *n* bytes of the stream, over all calls.
  package mutating func next() -> Event? {
    while true {
      switch state {
      case .lost: return nil
      case .header:
        guard let event = readHeader() else { return nil }
        if let event = event { return event }
      case .body(let length):
        guard buffer.count - used >= length else {
          buffer.reserveCapacity(length)
          return nil
        }
        let body = Array(buffer[used..<used + length])
        used += length
        searched = used
        state = .header
        if used == buffer.count { forget() }
        return .message(body)
      case .skipping(let length):
        let count = min(length, buffer.count - used)
        used += count
        searched = used
        if used == buffer.count { forget() }
        guard count == length else {
          state = .skipping(length: length - count)
          return nil
        }
        state = .header
      }
    }
  }

  /// Frees a long buffer, and keeps a short one.
  private mutating func forget() {
    buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
    used = 0
    searched = 0
  }

  /// Reads a header: `nil` if it has no end yet, `.some(nil)` if a body follows it.
  private mutating func readHeader() -> Event?? {
    var end = max(searched, used)
    while end + 3 < buffer.count, !isHeaderEnd(end) { end += 1 }
    searched = end
    guard end + 3 < buffer.count else {
      guard buffer.count - used > Self.headerLimit else { return nil }
      return .some(lose("a header without an end; each message begins with Content-Length: N"))
    }
    let header = String(decoding: buffer[used..<end], as: UTF8.self)
    used = end + 4
    searched = used
    if end - (used - 4) > Self.headerLimit { return .some(.fault("a header that is too long")) }
    switch Self.length(in: header) {
    case .failure(let fault): return .some(fault.isLost ? lose(fault.text) : .fault(fault.text))
    case .success(let length) where length > Self.bodyLimit:
      state = .skipping(length: length)
      return .some(
        .fault("a message of \(length) bytes was skipped; the most is \(Self.bodyLimit)")
      )
    case .success(let length):
      state = .body(length: length)
      return .some(nil)
    }
  }

  private mutating func lose(_ text: String) -> Event {
    state = .lost
    buffer = []
    used = 0
    return .lost(text)
  }

  private func isHeaderEnd(_ index: Int) -> Bool {
    buffer[index] == 0x0D && buffer[index + 1] == 0x0A && buffer[index + 2] == 0x0D
      && buffer[index + 3] == 0x0A
  }

  private struct HeaderFault: Error {
    var text: String
    /// Whether the length of what follows is unknown.
    var isLost = false
  }

  /// Returns the length that a header gives.
  private static func length(in header: String) -> Result<Int, HeaderFault> {
    var length: Int?
    for line in header.split(separator: "\r\n", omittingEmptySubsequences: true) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      let digits = parts[1].drop { $0 == " " || $0 == "\t" }
      let trimmed = digits.prefix { $0.isASCII && $0.isNumber }
      guard
        trimmed.endIndex == digits.endIndex
          || digits[trimmed.endIndex...].allSatisfy(\.isWhitespace),
        let number = Int(trimmed)
      else { return .failure(HeaderFault(text: "Content-Length is not a number", isLost: true)) }
      length = number
    }
    guard let length else {
      return .failure(HeaderFault(text: "a header without Content-Length"))
    }
    return .success(length)
  }
}

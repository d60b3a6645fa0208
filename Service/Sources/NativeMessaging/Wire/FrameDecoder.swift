public import CodedErrors
public import Foundation

/// Splits a stream of bytes into native messages, however the bytes arrive.
///
///     +--------------+----------------------+
///     | length, 4 B  | JSON, UTF-8          |   length in the machine's byte order
///     +--------------+----------------------+
///
/// A frame longer than the limit is discarded as it arrives, and reported. No memory is allocated
/// ahead of the bytes that arrive.
///
/// > Source: Chrome for Developers, "Native messaging"; MDN, "Native messaging".
public struct FrameDecoder: Sendable {
  /// An event in the stream.
  public enum Event: Equatable, Sendable {
    /// A message's bytes, not yet validated.
    case message(Data)
    /// A message of this size was discarded.
    case tooLarge(Int)
  }

  private enum State {
    case length([UInt8])
    case body(Data, missing: Int)
    case passing(missing: Int, length: Int)
  }

  private var state = State.length([])
  private let limit: Int

  /// Creates a decoder at the start of a frame.
  ///
  /// - Parameter limit: The longest message accepted, in bytes.
  public init(limit: Int = MessageLimits.incoming) {
    self.limit = limit
  }

  /// Whether the stream is inside a frame; if it ends here, the frame was cut off.
  public var isInFrame: Bool {
    if case .length(let bytes) = state { return !bytes.isEmpty }
    return true
  }

  /// Adds bytes, and returns the events that they complete.
  ///
  /// - Throws: ``MessageError`` with code `rubbish` for a length that no browser sends; the rest of
  ///   the stream cannot be decoded.
  /// - Complexity: O(*n*) in the bytes.
  public mutating func add(_ bytes: Data) throws(MessageError) -> [Event] {
    var events: [Event] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      switch state {
      case .length(var head):
        head.append(rest.removeFirst())
        state = .length(head)
        if head.count == 4 { try begin(Self.length(head), &events) }
      case .body(var body, let missing):
        let part = rest.prefix(missing)
        // Clear the state first: with a second reference, appending would copy the bytes.
        state = .length([])
        body.append(part)
        rest = rest.dropFirst(part.count)
        if part.count == missing {
          events.append(.message(body))
        } else {
          state = .body(body, missing: missing - part.count)
        }
      case .passing(let missing, let length):
        let count = min(missing, rest.count)
        rest = rest.dropFirst(count)
        if count == missing {
          state = .length([])
          events.append(.tooLarge(length))
        } else {
          state = .passing(missing: missing - count, length: length)
        }
      }
    }
    return events
  }

  private mutating func begin(_ length: Int, _ events: inout [Event]) throws(MessageError) {
    guard length <= MessageLimits.browserOutgoing else {
      throw MessageError(
        .rubbish,
        """
        A message of \(length) bytes was announced; browsers send at most \
        \(MessageLimits.browserOutgoing). Standard input is not a browser's
        """
      )
    }
    if length == 0 {
      state = .length([])
      events.append(.message(Data()))
    } else if length <= limit {
      state = .body(Data(), missing: length)
    } else {
      state = .passing(missing: length, length: length)
    }
  }

  private static func length(_ bytes: [UInt8]) -> Int {
    let isLittle = 1.littleEndian == 1
    return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
  }
}

/// How long messages may be, in bytes.
public enum MessageLimits {
  /// The longest message that a browser takes from a host: 1 MiB.
  public static let outgoing = 1 << 20
  /// The longest message that a browser sends: 64 MiB in Chromium; Firefox takes far too long before.
  public static let browserOutgoing = 64 << 20
  /// The longest message that is kept here.
  public static let incoming = 16 << 20
  /// How many bytes of what is too long go into one message, as base64 of 960,000 bytes.
  ///
  /// Messages of 0.1 to 1 MB were measured to take equally long for each byte.
  public static let part = 720_000
}

/// What went wrong on the wire between a browser and its host.
public struct MessageError: CodedError, Equatable {
  /// The kind of a fault; more may come.
  public struct Code: ErrorCode {
    /// The word for it.
    public let rawValue: String
    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// What arrives is no native messaging.
    public static let rubbish = Code(rawValue: "rubbish")
    /// The other side has gone.
    public static let closed = Code(rawValue: "closed")
    /// A message is longer than a browser takes.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A descriptor cannot be read or written.
    public static let system = Code(rawValue: "system")
  }

  /// The kind of the fault.
  public let code: Code
  /// What failed, and what to do.
  public let message: String

  /// Takes a kind and a sentence.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

internal import CLibrary
public import Foundation
internal import Synchronization

/// The host's end of a browser's port.
///
/// One thread receives; any thread may send. Sending blocks while the browser does not read.
public final class MessagePort: Sendable {
  private let input: Int32
  private let output: Int32
  private let decoder: Mutex<(frames: FrameDecoder, waiting: [FrameDecoder.Event])>
  /// Held while a message is written, so that messages do not interleave.
  private let sending = Mutex(())

  /// Creates a port on two descriptors, which the caller keeps.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read from.
  ///   - output: The descriptor to write to.
  ///   - limit: The longest message accepted, in bytes.
  public init(input: Int32, output: Int32, limit: Int = MessageLimits.incoming) {
    self.input = input
    self.output = output
    decoder = Mutex((FrameDecoder(limit: limit), []))
  }

  /// Waits for the next event.
  ///
  /// - Returns: `nil` if the browser closed the port between two messages.
  /// - Throws: ``MessageError`` with code `rubbish`, `closed` if the port was closed in the middle
  ///   of a message, or `system`.
  public func receive() throws -> FrameDecoder.Event? {
    try decoder.withLock { state throws(MessageError) in
      while state.waiting.isEmpty {
        let bytes = try read()
        if bytes.isEmpty {
          guard state.frames.isInFrame else { return nil }
          throw MessageError(.closed, "The browser closed the port in the middle of a message")
        }
        state.waiting = try state.frames.add(bytes)
      }
      return state.waiting.removeFirst()
    }
  }

  /// Sends a message; if it is too long, sends an error instead, and the port stays open.
  ///
  /// The error lacks the question's number, which the port does not know; whoever answers keeps to
  /// the limit.
  ///
  /// - Parameter message: JSON in UTF-8.
  /// - Throws: ``MessageError`` with code `closed` or `system`.
  public func send(_ message: Data) throws {
    let size = message.count
    let frame = try MessageFrames.frame(
      size <= MessageLimits.outgoing ? message : WireError.answerTooLarge(size: size).json
    )
    try sending.withLock { _ throws(MessageError) in try write(frame) }
  }

  private func read() throws(MessageError) -> Data {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe Foundation.read(input, $0.baseAddress, $0.count)
      }
      if count >= 0 { return Data(buffer.prefix(count)) }
      guard errno == EINTR else { throw Self.fault("read from") }
    }
  }

  private func write(_ bytes: Data) throws(MessageError) {
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(output, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw MessageError(.closed, "The browser closed the port")
      } else if errno != EINTR {
        throw Self.fault("write to")
      }
    }
  }

  private static func fault(_ what: String) -> MessageError {
    MessageError(
      .system,
      "Cannot \(what) the browser: \(systemWords(for: errno))"
    )
  }
}

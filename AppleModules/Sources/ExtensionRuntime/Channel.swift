import ExtensionMessages
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The channel to the host.
///
/// If the environment's `TICKBIRD_EXTENSION_CHANNEL` is a number, the channel is that descriptor,
/// open for reading and writing; otherwise it is standard input and output, so that an extension
/// can be tried by hand. In both cases what the handler prints goes elsewhere: before any of its
/// code runs, descriptor 1 is either not the channel or is redirected to standard error.
final class Channel: Sendable {
  static let variable = "TICKBIRD_EXTENSION_CHANNEL"

  private let input: Int32
  private let output: Int32
  private let incoming = Mutex(ExtensionFrames())
  private let sending = Mutex(())
  /// Whether the end of input means that the host has exited.
  let endsWithHost: Bool

  /// Opens the channel.
  ///
  /// - Throws: An ``ErrorReport``, which can be shown only on standard error.
  init() throws {
    if let text = ProcessInfo.processInfo.environment[Self.variable] {
      guard let descriptor = Int32(text), descriptor > 2, fcntl(descriptor, F_GETFD) >= 0 else {
        throw ErrorReport(.noHost, "\(Self.variable) is \(text), which is no open descriptor")
      }
      // Not inherited by child processes of the handler.
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      unsafe unsetenv(Self.variable)
      input = descriptor
      output = descriptor
      endsWithHost = true
    } else {
      guard isatty(0) == 0 else {
        throw ErrorReport(.noHost, "this is an app extension; run it with tickbird extension")
      }
      input = 0
      output = fcntl(1, F_DUPFD_CLOEXEC, 3)
      guard output >= 0, dup2(2, 1) >= 0 else {
        throw ErrorReport(.noHost, "standard output is closed")
      }
      endsWithHost = false
    }
  }

  /// Uses a connection to the host's socket.
  init(socket: Int32) {
    input = socket
    output = socket
    endsWithHost = true
  }

  deinit {
    if input > 2 { close(input) }
  }

  /// Waits for the next message.
  ///
  /// - Returns: The message; `nil` at the end of input.
  /// - Throws: `ExtensionMessageError`; the channel is then unusable.
  func receive() throws -> MessageToExtension? {
    try incoming.withLock { frames in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        if let body = try frames.next() {
          return try MessageToExtension(MessageValue(encoded: body))
        }
        let count = unsafe buffer.withUnsafeMutableBytes {
          unsafe read(input, $0.baseAddress, $0.count)
        }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else {
          guard frames.isEmpty else {
            throw ExtensionMessageError(.truncated, "the input ends inside a message")
          }
          return nil
        }
        frames.append(buffer[..<count])
      }
    }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
    // An app does not expect SIGPIPE when the host exits; by hand, the output may be a pipe.
    guard endsWithHost else { return unsafe write(output, bytes.baseAddress, bytes.count) }
    #if canImport(Glibc)
    return unsafe Glibc.send(output, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #elseif canImport(Musl)
    return unsafe Musl.send(output, bytes.baseAddress, bytes.count, MSG_NOSIGNAL)
    #else
    return unsafe write(output, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Sends a whole message.
  ///
  /// - Throws: `ExtensionMessageError` with code `.limitExceeded` before anything is sent, or a POSIX error.
  func send(_ message: MessageFromExtension) throws {
    let frame = ExtensionFrames.frame(try message.value.encoded())
    try sending.withLock { _ in
      var start = 0
      while start < frame.count {
        let count = unsafe frame[start...].withUnsafeBytes {
          unsafe put($0)
        }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        start += count
      }
    }
  }
}

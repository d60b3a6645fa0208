internal import CLibrary
internal import ExtensionMessages

/// A non-blocking socket that carries frames.
struct FramedStream {
  let descriptor: Descriptor
  private var frames: ExtensionFrames
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(_ descriptor: Descriptor, limits: ExtensionMessageLimits) {
    self.descriptor = descriptor
    frames = ExtensionFrames(limits: limits)
  }

  /// Whether part of a frame has arrived.
  var isInsideFrame: Bool { !frames.isEmpty }
  /// How many bytes wait to be sent.
  var backlog: Int { outgoing.count - sent }

  /// The events to poll for.
  var events: Int16 { Int16(POLLIN) | (backlog > 0 ? Int16(POLLOUT) : 0) }

  /// Appends a frame to the output buffer.
  mutating func enqueue(_ frame: [UInt8]) {
    if sent == outgoing.count {
      outgoing = []
      sent = 0
    }
    outgoing += frame
  }

  /// Sends as much as possible without blocking.
  ///
  /// - Returns: false if the peer is gone.
  mutating func send() -> Bool {
    while sent < outgoing.count {
      let count = unsafe outgoing[sent...].withUnsafeBytes {
        #if canImport(Glibc)
        unsafe CLibrary.send(
          descriptor.number,
          $0.baseAddress,
          $0.count,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        )
        #else
        unsafe CLibrary.send(
          descriptor.number,
          $0.baseAddress,
          $0.count,
          MSG_NOSIGNAL | MSG_DONTWAIT
        )
        #endif
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Reads one buffer of what has arrived.
  ///
  /// - Returns: false at the end of the stream.
  mutating func receive() -> Bool {
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes {
        unsafe recv(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      frames.append(buffer[..<count])
      return true
    }
  }

  /// Returns the next complete frame's body.
  mutating func next() throws(ExtensionMessageError) -> [UInt8]? { try frames.next() }
}

/// Wakes a thread that waits in `poll`.
final class WakeUp: Sendable {
  private let ends: (reader: Descriptor, writer: Descriptor)

  init() throws(HostError) {
    ends = try Descriptor.pair()
  }

  /// The descriptor that becomes readable.
  var descriptor: Int32 { ends.reader.number }

  func wake() {
    var byte: UInt8 = 0
    // A full buffer wakes the thread as well.
    _ = unsafe send(
      ends.writer.number,
      &byte,
      1,
      Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    )
  }

  func clear() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe recv(ends.reader.number, &bytes, 64, Int32(MSG_DONTWAIT)) > 0 {}
  }
}

/// Waits until one of several descriptors is ready.
///
/// - Parameters:
///   - interests: The descriptors, each with the events to wait for; negative ones are ignored.
///   - milliseconds: The timeout; nil for none.
/// - Returns: The ready events of each descriptor, in order.
func poll(
  _ interests: [(descriptor: Int32, events: Int16)],
  milliseconds: Int64?
) -> [Int16] {
  var set = interests.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
  let timeout = milliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
  let count = unsafe CLibrary.poll(&set, nfds_t(set.count), timeout)
  return count > 0 ? set.map(\.revents) : interests.map { _ in 0 }
}

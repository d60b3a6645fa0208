internal import ExtensionMessages
internal import CLibrary

/// The process that reads strangers' documents: it answers requests on its channel, one after the
/// other, and exits when the channel is closed.
public enum DocumentProcess {
  /// The channel's descriptor, which the sandbox passes.
  private static let channel: Int32 = 3

  /// The limits on requests.
  static let requests = ExtensionMessageLimits(bytes: 64 << 20, values: 100, depth: 4)
  /// The limits on answers.
  static let answers = ExtensionMessageLimits(bytes: 64 << 20, values: 1 << 18, depth: 8)

  /// Answers requests until the channel is closed; never returns.
  public static func run() -> Never {
    // Signals that the program and its libraries are loaded, so that their folder can be removed.
    write([])
    var frames = ExtensionFrames(limits: requests)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(channel, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(count == 0 && frames.isEmpty ? 0 : 1) }
      frames.append(buffer[..<count])
      do throws(ExtensionMessageError) {
        while let body = try frames.next() {
          guard let request = ReadingRequest(try MessageValue(encoded: body, limits: requests))
          else {
            exit(2)
          }
          try write(request.answer().value.encoded(limits: answers))
        }
      } catch {
        exit(2)
      }
    }
  }

  private static func write(_ body: [UInt8]) {
    let frame = ExtensionFrames.frame(body)
    var start = 0
    while start < frame.count {
      let count = unsafe frame[start...].withUnsafeBytes {
        unsafe CLibrary.write(channel, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(1) }
      start += count
    }
  }
}

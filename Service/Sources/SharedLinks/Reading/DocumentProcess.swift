internal import ExtensionMessages
internal import CLibrary

/// The process that reads strangers' documents: it answers one request after the other on its
/// channel, and ends when that is closed.
public enum DocumentProcess {
  /// The number of the channel's descriptor, which the sandbox gives it.
  private static let channel: Int32 = 3

  /// The bounds of what a request may be.
  static let requests = ExtensionMessageLimits(bytes: 64 << 20, values: 100, depth: 4)
  /// The bounds of what an answer may be.
  static let answers = ExtensionMessageLimits(bytes: 64 << 20, values: 1 << 18, depth: 8)

  /// Answers until the channel is closed; does not return.
  public static func run() -> Never {
    // The program and its libraries are loaded, so that their folder can go.
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

public import Foundation

/// Makes frames of messages that a host sends to a browser.
public enum MessageFrames {
  /// The frame of a message.
  ///
  /// - Throws: ``MessageError`` with code `too-large`: a browser would close the port.
  public static func frame(_ message: Data) throws(MessageError) -> Data {
    guard message.count <= MessageLimits.outgoing else {
      throw MessageError(
        .tooLarge,
        """
        The message has \(message.count) bytes; a browser takes at most \(MessageLimits.outgoing).
        """
      )
    }
    return unsafe withUnsafeBytes(of: UInt32(message.count)) { unsafe Data($0) } + message
  }

  /// The frame of an error object in the place of a message that is too long.
  ///
  ///     {"code":"too-large","message":"…","size":2000000,"type":"error"}
  public static func refusal(size: Int) -> Data {
    WireError(
      "too-large",
      "the answer has \(size) bytes, and a browser takes at most \(MessageLimits.outgoing); ask for "
        + "less at once",
      size: size
    ).json
  }
}

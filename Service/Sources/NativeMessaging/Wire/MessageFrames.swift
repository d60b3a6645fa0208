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
        The message has \(message.count) bytes; a browser takes at most \(MessageLimits.outgoing)
        """
      )
    }
    return unsafe withUnsafeBytes(of: UInt32(message.count)) { unsafe Data($0) } + message
  }
}

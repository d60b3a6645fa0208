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

  /// Cuts a message that is too long into messages that are not.
  ///
  /// Each is `{"type":"part","message":7,"part":0,"parts":3,"text":"…"}`; the texts of all parts,
  /// joined in order, are the JSON of the message. Messages that are short enough stay as they are.
  ///
  /// - Parameters:
  ///   - message: JSON in UTF-8.
  ///   - number: What distinguishes the parts of one message from those of another.
  /// - Returns: The messages; `nil` if the message is not UTF-8.
  /// - Complexity: O(*n*) for *n* bytes.
  public static func parts(of message: Data, number: Int) -> [Data]? {
    guard message.count > MessageLimits.outgoing else { return [message] }
    guard let text = String(bytes: message, encoding: .utf8) else { return nil }
    var texts: [String.UTF8View.SubSequence] = []
    let bytes = text.utf8
    var start = bytes.startIndex
    var end = start
    var size = 0
    // An index between two scalars, up to which the text is short enough once it is escaped.
    while end < bytes.endIndex {
      let next = text.unicodeScalars.index(after: end)
      let width = text.unicodeScalars[end].escapedWidth
      if size + width > MessageLimits.part {
        texts.append(bytes[start..<end])
        start = end
        size = 0
      }
      size += width
      end = next
    }
    texts.append(bytes[start..<end])
    return texts.enumerated().map { index, part in
      let head = """
        {"type":"part","message":\(number),"part":\(index),"parts":\(texts.count),"text":"
        """
      return Data(head.utf8) + escaped(part) + Data("\"}".utf8)
    }
  }

  private static func escaped(_ text: String.UTF8View.SubSequence) -> Data {
    var result = Data()
    result.reserveCapacity(MessageLimits.part)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0..<0x20: result += Data(String(format: "\\u%04x", byte).utf8)
      default: result.append(byte)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// How many bytes it has in a JSON string, as parts are written.
  fileprivate var escapedWidth: Int {
    switch self {
    case "\"", "\\": 2
    case _ where value < 0x20: 6
    default: UTF8.width(self)
    }
  }
}

internal import Crypto
internal import Foundation
internal import NativeMessaging

/// A part of data that is too long for one message.
///
/// Such data is offered by digest and size; the browser then requests one part after the other:
///
///     {"type": "part", "digest": "5f0c…", "offset": 720000}
///     {"type": "part", "offset": 720000, "bytes": "AAEC…"}
struct Part: Encodable {
  /// The offset of the part.
  let offset: Int
  /// The bytes in base64: ``MessageLimits/part`` of them, or fewer at the end.
  let bytes: String

  /// Creates the part at an offset; nil if the offset is out of range.
  init?(of bytes: Data, at offset: Int) {
    guard offset >= 0, offset < bytes.count else { return nil }
    self.offset = offset
    let start = bytes.startIndex + offset
    self.bytes = bytes[start..<min(start + MessageLimits.part, bytes.endIndex)]
      .base64EncodedString()
  }

  /// Reads the part at an offset; nil if the offset is out of range, or the file was truncated since
  /// it was opened.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - offset: Where the part begins in the data.
  ///   - start: Where the data begins in the file.
  ///   - end: Where the data ends in the file; nil for the file's end.
  init?(of file: OpenedFile, at offset: Int, from start: Int = 0, before end: Int? = nil) {
    let size = min(end ?? .max, file.stamp.size) - start
    guard offset >= 0, offset < size,
      let bytes = file.bytes(at: start + offset, count: min(MessageLimits.part, size - offset))
    else { return nil }
    self.offset = offset
    self.bytes = bytes.base64EncodedString()
  }
}

extension Data {
  /// The SHA-256 in hexadecimal, under which the data is offered.
  var digest: String { SHA256.hash(data: self).hexadecimal }
}

extension SHA256.Digest {
  /// The digest in hexadecimal.
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

internal import Crypto
internal import Foundation
internal import NativeMessaging

/// A part of bytes that are too long for one message.
///
/// Such bytes are offered by their digest and size; the browser then asks for one part after the other:
///
///     {"type": "part", "digest": "5f0c…", "offset": 720000}
///     {"type": "part", "offset": 720000, "bytes": "AAEC…"}
struct Part: Encodable {
  /// The part's first byte.
  let offset: Int
  /// The bytes in base64, ``MessageLimits/part`` of them, or what is left.
  let bytes: String

  /// The part of bytes at an offset; nil where they have none.
  init?(of bytes: Data, at offset: Int) {
    guard offset >= 0, offset < bytes.count else { return nil }
    self.offset = offset
    let start = bytes.startIndex + offset
    self.bytes = bytes[start..<min(start + MessageLimits.part, bytes.endIndex)]
      .base64EncodedString()
  }
}

extension Data {
  /// What the bytes are offered by: their SHA-256 in hexadecimal digits.
  var digest: String {
    SHA256.hash(data: self).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

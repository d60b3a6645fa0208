/// The icon of a source or an item, stored once however often it is used.
public struct LinkIcon: Equatable, Sendable {
  /// The SHA-256 of the bytes in hexadecimal digits.
  public var digest: String
  /// The media type, detected from the bytes.
  public var mediaType: String
  /// The image.
  public var bytes: [UInt8]

  /// Creates an icon from an image, whose format is detected from its first bytes.
  ///
  /// PNG, JPEG, GIF, ICO and WebP are accepted. SVG is not, although Safari shows it: it can
  /// contain scripts, entities and references to other hosts, and every page that shows the stream
  /// would have to defend against them.
  ///
  /// - Returns: nil for any other format, and for more than `limit` bytes.
  public init?(_ bytes: [UInt8], limit: Int = LinkLimits().iconBytes) {
    guard bytes.count <= limit, let type = Self.mediaType(bytes) else { return nil }
    digest = ItemIdentity.digest(bytes)
    mediaType = type
    self.bytes = bytes
  }

  init(digest: String, mediaType: String, bytes: [UInt8]) {
    self.digest = digest
    self.mediaType = mediaType
    self.bytes = bytes
  }

  private static func mediaType(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 16 else { return nil }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) { return "image/gif" }
    if bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
      return "image/webp"
    }
    // An ICO directory: reserved 0, type 1, a count, and a reserved 0 in each entry.
    if bytes.starts(with: [0, 0, 1, 0]), bytes[4] > 0 || bytes[5] > 0, bytes[9] == 0 {
      return "image/x-icon"
    }
    return nil
  }
}

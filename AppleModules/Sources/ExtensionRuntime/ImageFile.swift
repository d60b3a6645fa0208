// What UIImage and NSImage have in common here.
public import Foundation

/// An image as the bytes of its file: it can be handed on, and not be drawn.
open class ImageFile: NSObject, _ExpressibleByImageLiteral, @unchecked Sendable {
  // @unchecked: immutable after initialisation.

  /// The bytes.
  public let bytes: Data
  /// The size in points, from the file's head; zero for a format other than PNG and GIF.
  public let size: CGSize

  /// Makes an image of a file's bytes, with this number of pixels to a point.
  public init(bytes: Data, scale: CGFloat) {
    self.bytes = bytes
    let pixels = Self.pixels(of: [UInt8](bytes.prefix(24)))
    size = CGSize(width: pixels.width / scale, height: pixels.height / scale)
  }

  /// Makes an image of a file's bytes; `nil` for no image.
  public required convenience init?(data: Data) {
    guard Self.isImage([UInt8](data.prefix(16))) else { return nil }
    self.init(bytes: data, scale: 1)
  }

  /// Makes an image of a file; `nil` for no image.
  public required convenience init?(contentsOfFile path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      Self.isImage([UInt8](data.prefix(16)))
    else { return nil }
    self.init(bytes: data, scale: path.contains("@3x.") ? 3 : path.contains("@2x.") ? 2 : 1)
  }

  /// Finds an image in the bundle; `nil` if there is none.
  ///
  /// Asset catalogs are not looked into.
  public required convenience init?(named name: String) {
    let plain = name as NSString
    let types = plain.pathExtension.isEmpty ? ["png", "jpg", "jpeg", "gif"] : [plain.pathExtension]
    let stem = plain.pathExtension.isEmpty ? name : plain.deletingPathExtension
    for type in types {
      for scale in ["", "@2x", "@3x"] {
        if let path = Bundle.main.path(forResource: stem + scale, ofType: type) {
          self.init(contentsOfFile: path)
          return
        }
      }
    }
    return nil
  }

  /// Finds the image of a literal; one without contents if it is not in the bundle.
  public required convenience init(imageLiteralResourceName name: String) {
    let found = Self.init(named: name)
    self.init(bytes: found?.bytes ?? Data(), scale: 1)
  }

  private static func isImage(_ head: [UInt8]) -> Bool {
    head.starts(with: [0x89, 0x50, 0x4E, 0x47]) || head.starts(with: [0xFF, 0xD8, 0xFF])
      || head.starts(with: Array("GIF8".utf8)) || head.starts(with: [0x49, 0x49, 0x2A, 0])
      || head.starts(with: [0x4D, 0x4D, 0, 0x2A]) || head.starts(with: Array("%PDF".utf8))
      || head.starts(with: Array("RIFF".utf8)) && head.dropFirst(8).starts(with: Array("WEBP".utf8))
  }

  private static func pixels(of head: [UInt8]) -> (width: CGFloat, height: CGFloat) {
    func number(_ bytes: ArraySlice<UInt8>) -> CGFloat {
      CGFloat(bytes.reduce(0) { $0 << 8 | Int($1) })
    }
    if head.count >= 24, head.starts(with: [0x89, 0x50]) {
      return (number(head[16..<20]), number(head[20..<24]))
    }
    if head.count >= 10, head.starts(with: Array("GIF".utf8)) {
      return (CGFloat(Int(head[6]) | Int(head[7]) << 8), CGFloat(Int(head[8]) | Int(head[9]) << 8))
    }
    return (0, 0)
  }

  /// The bytes, if they are a PNG's: no format is converted here.
  public func pngData() -> Data? { bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? bytes : nil }

  /// The bytes, if they are a JPEG's: no format is converted here.
  public func jpegData(compressionQuality: CGFloat) -> Data? {
    bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? bytes : nil
  }
}

/// The text that was copied last.
///
/// It stays in the extension's process: the machine's clipboard belongs to the user's desktop.
package final class CopiedText: @unchecked Sendable {
  // @unchecked: the text is behind the lock.
  package static let general = CopiedText()
  private let lock = NSLock()
  private var text: String?

  package var string: String? {
    get { lock.withLock { text } }
    set { lock.withLock { text = newValue } }
  }
}

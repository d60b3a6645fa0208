import ExtensionGallery
import FuzzTargets

/// Reads the format and size of a picture.
enum PictureBody: FuzzBody {
  static let name = "picture"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let header = try? PictureHeader(input) else { return }
    try require(header.width > 0 && header.height > 0, "a picture without pixels")
    try require((try? PictureHeader(input + [0])) == nil, "a picture with something behind it")
    try require((try? PictureHeader(Array(input.dropLast()))) == nil, "a picture that is cut short")
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    [0, 0, 0, UInt8(data.count)] + Array(type.utf8) + data + [0, 0, 0, 0]
  }

  static var seeds: [[UInt8]] {
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let size = chunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0])
    let end = chunk("IEND", [])
    let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0, 0xFF, 0xD9]
    func webp(_ chunks: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [UInt8(chunks.count + 4), 0, 0, 0] + Array("WEBP".utf8) + chunks
    }
    let lossless: [UInt8] = Array("VP8L".utf8) + [6, 0, 0, 0, 0x2F, 2, 0x40, 0, 0, 0]
    let lossy: [UInt8] =
      Array("VP8 ".utf8) + [10, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 3, 0, 2, 0]
    let canvas: [UInt8] = Array("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0]
    return [
      png + size + chunk("IDAT", [1, 2]) + end, png + size + end, png,
      png + size + chunk("acTL", [0]) + end, [0xFF, 0xD8] + frame + scan, [0xFF, 0xD8] + scan,
      webp(lossless), webp(lossy), webp(canvas + lossless), webp(canvas), [],
      Array("<svg/>".utf8),
    ]
  }
}

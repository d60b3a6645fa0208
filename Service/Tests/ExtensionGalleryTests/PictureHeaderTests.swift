import Foundation
import Testing

@testable import ExtensionGallery

/// What is taken for a picture, and what is not.
struct PictureHeaderTests {
  @Test(
    "pictures as browsers write them say their format and size",
    arguments: [
      ("icon.png", "png", 128, 128), ("first.jpg", "jpeg", 960, 600),
      ("second.webp", "webp", 960, 600), ("lossless.webp", "webp", 64, 64),
    ]
  )
  func sizes(_ name: String, _ format: String, _ width: Int, _ height: Int) throws {
    let header = try PictureHeader(Fixture.picture(name))
    #expect(header.format.rawValue == format)
    #expect(header.width == width && header.height == height)
  }

  @Test(
    "a picture that is cut short anywhere, or that something follows, is refused",
    arguments: ["icon.png", "first.jpg", "second.webp", "lossless.webp"]
  )
  func cut(_ name: String) throws {
    let bytes = try Fixture.picture(name)
    for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 300)) {
      #expect(throws: PictureHeader.Fault.self, "\(count)") {
        try PictureHeader(Array(bytes[..<count]))
      }
    }
    for tail in ["<script>alert(1)</script>", "\0", "PK\u{3}\u{4}"] {
      #expect(throws: PictureHeader.Fault.self) { try PictureHeader(bytes + Array(tail.utf8)) }
    }
  }

  @Test("a JPEG with a second end, behind which something hides, is refused")
  func hidden() throws {
    let bytes = try Fixture.picture("first.jpg")
    let twice = bytes + Array("<html>".utf8) + [0xFF, 0xD9]
    #expect(throws: PictureHeader.Fault.self) { try PictureHeader(twice) }
  }

  @Test(
    "what is no still picture is refused",
    arguments: [
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>", "GIF89a\u{1}",
      "<!doctype html>", "", "\u{89}PNG",
    ]
  )
  func others(_ text: String) {
    #expect(throws: PictureHeader.Fault.self) { try PictureHeader(Array(text.utf8)) }
  }

  @Test("a PNG that moves, has two sizes or no data is refused")
  func chunks() throws {
    #expect(try PictureHeader(png()).width == 3)
    #expect(throws: PictureHeader.Fault.self) {
      try PictureHeader(png(between: chunk("acTL", [0, 0, 0, 2, 0, 0, 0, 0])))
    }
    #expect(throws: PictureHeader.Fault.self) { try PictureHeader(png(between: size(9, 9))) }
    #expect(throws: PictureHeader.Fault.self) { try PictureHeader(png(data: [])) }
    #expect(throws: PictureHeader.Fault.self) { try PictureHeader(png(width: 0)) }
    // A length that is larger than the file.
    #expect(throws: PictureHeader.Fault.self) {
      try PictureHeader(png(between: [0xFF, 0xFF, 0xFF, 0xFF] + Array("tEXt".utf8)))
    }
    #expect(throws: PictureHeader.Fault.self) {
      try PictureHeader(
        png(between: Array(repeating: chunk("tEXt", []), count: 5_000).flatMap(\.self))
      )
    }
  }

  @Test("random changes never trap")
  func changed() throws {
    var generator = SystemRandomNumberGenerator()
    for name in ["icon.png", "first.jpg", "second.webp", "lossless.webp"] {
      let bytes = try Fixture.picture(name)
      for _ in 0..<2_000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let index = Int.random(in: 0..<min(600, changed.count), using: &generator)
          changed[index] = UInt8.random(in: 0...255, using: &generator)
        }
        _ = try? PictureHeader(changed)
      }
    }
  }

  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    number(data.count) + Array(type.utf8) + data + [0, 0, 0, 0]
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private func size(_ width: Int, _ height: Int) -> [UInt8] {
    chunk("IHDR", number(width) + number(height) + [8, 6, 0, 0, 0])
  }

  private func png(width: Int = 3, between: [UInt8] = [], data: [UInt8]? = nil) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + size(width, 2) + between
      + (data ?? chunk("IDAT", [1, 2, 3])) + chunk("IEND", [])
  }
}

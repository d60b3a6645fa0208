import Foundation
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// The file of the browser's own rules.
@Suite("The translation's file")
struct TranslationTests {
  private static let text = Data((0..<MessageLimits.part + 9).map { UInt8(truncatingIfNeeded: $0) })

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "cache").appending(path: "rules"))
  }

  private func bytes(_ translation: Translation) throws -> Data {
    var bytes = Data()
    while bytes.count < translation.size {
      let part = try #require(translation.part(at: bytes.count))
      #expect(part.offset == bytes.count)
      bytes += try #require(Data(base64Encoded: part.bytes))
    }
    #expect(translation.part(at: translation.size) == nil)
    #expect(translation.part(at: -1) == nil)
    return bytes
  }

  @Test("What is kept is found again by what it was made of, and by nothing else")
  func kept() throws {
    try inFolder { file in
      #expect(Translation(key: ["a", "b"], in: file) == nil)
      let made = Translation(Self.text, key: ["a", "b"], in: file)
      #expect(try bytes(made) == Self.text)
      let found = try #require(Translation(key: ["a", "b"], in: file))
      #expect(found.digest == Self.text.digest && found.size == Self.text.count)
      #expect(try bytes(found) == Self.text)
      for key in [[], ["a"], ["b", "a"], ["a", "b", ""]] {
        #expect(Translation(key: key, in: file) == nil, "\(key)")
      }
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // Those who have the first one open go on with it.
      _ = Translation(Data("other".utf8), key: ["c"], in: file)
      #expect(try bytes(found) == Self.text)
    }
  }

  @Test("A damaged file is as none, wherever the damage is")
  func damaged() throws {
    try inFolder { file in
      let text = Data("{\"rules\":[]}".utf8)
      _ = Translation(text, key: ["a\n\"b"], in: file)
      let whole = try Data(contentsOf: file)
      #expect(Translation(key: ["a\n\"b"], in: file) != nil)
      for place in whole.indices {
        var bytes = whole
        bytes[place] ^= 1
        try bytes.write(to: file)
        #expect(Translation(key: ["a\n\"b"], in: file) == nil, "\(place)")
        try whole.prefix(place).write(to: file)
        #expect(Translation(key: ["a\n\"b"], in: file) == nil, "cut at \(place)")
      }
      try (whole + Data("x".utf8)).write(to: file)
      #expect(Translation(key: ["a\n\"b"], in: file) == nil)
    }
  }

  @Test("A file that is cut off while it is fetched has no more parts")
  func truncated() throws {
    try inFolder { file in
      let made = Translation(Self.text, key: [], in: file)
      #expect(made.part(at: MessageLimits.part) != nil)
      try FileHandle(forWritingTo: file).truncate(atOffset: 100)
      #expect(made.part(at: 0) == nil)
      #expect(made.part(at: MessageLimits.part) == nil)
    }
  }

  @Test("Where no file can be written, the text is in memory")
  func inMemory() throws {
    try inFolder { file in
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      #expect(try bytes(Translation(Self.text, key: ["a"], in: file)) == Self.text)
      #expect(try bytes(Translation(Self.text, key: ["a"], in: nil)) == Self.text)
      let long = [String(repeating: "x", count: 2 << 20)]
      #expect(try bytes(Translation(Self.text, key: long, in: nil)) == Self.text)
    }
  }
}

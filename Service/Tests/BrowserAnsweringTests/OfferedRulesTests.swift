import CLibrary
import Foundation
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// The file of the browser's own rules.
@Suite("Rules that are offered")
struct OfferedRulesTests {
  private static let text = Data((0..<MessageLimits.part + 9).map { UInt8(truncatingIfNeeded: $0) })

  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "cache").appending(path: "rules"))
  }

  private func bytes(_ rules: OfferedRules) throws -> Data {
    var bytes = Data()
    while bytes.count < rules.size {
      let part = try #require(rules.part(at: bytes.count))
      #expect(part.offset == bytes.count)
      bytes += try #require(Data(base64Encoded: part.bytes))
    }
    #expect(rules.part(at: rules.size) == nil)
    #expect(rules.part(at: -1) == nil)
    return bytes
  }

  @Test("What is kept is found again by what it was made of, and by nothing else")
  func kept() throws {
    try inFolder { file in
      #expect(OfferedRules(key: ["a", "b"], in: file) == nil)
      let made = OfferedRules(Self.text, key: ["a", "b"], in: file)
      #expect(try bytes(made) == Self.text)
      let found = try #require(OfferedRules(key: ["a", "b"], in: file))
      #expect(found.digest == Self.text.digest && found.size == Self.text.count)
      #expect(try bytes(found) == Self.text)
      for key in [[], ["a"], ["b", "a"], ["a", "b", ""]] {
        #expect(OfferedRules(key: key, in: file) == nil, "\(key)")
      }
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      // Those who have the first one open go on with it.
      _ = OfferedRules(Data("other".utf8), key: ["c"], in: file)
      #expect(try bytes(found) == Self.text)
    }
  }

  @Test("A damaged file is as none, wherever the damage is")
  func damaged() throws {
    try inFolder { file in
      let text = Data("{\"rules\":[]}".utf8)
      _ = OfferedRules(text, key: ["a\n\"b"], in: file)
      let whole = try Data(contentsOf: file)
      #expect(OfferedRules(key: ["a\n\"b"], in: file) != nil)
      for place in whole.indices {
        var bytes = whole
        bytes[place] ^= 1
        try bytes.write(to: file)
        #expect(OfferedRules(key: ["a\n\"b"], in: file) == nil, "\(place)")
        try whole.prefix(place).write(to: file)
        #expect(OfferedRules(key: ["a\n\"b"], in: file) == nil, "cut at \(place)")
      }
      try (whole + Data("x".utf8)).write(to: file)
      #expect(OfferedRules(key: ["a\n\"b"], in: file) == nil)
    }
  }

  @Test("A file that is cut off while it is fetched has no more parts")
  func truncated() throws {
    try inFolder { file in
      let made = OfferedRules(Self.text, key: [], in: file)
      #expect(made.part(at: MessageLimits.part) != nil && made.isThere)
      try FileHandle(forWritingTo: file).truncate(atOffset: 100)
      #expect(made.part(at: 0) == nil && !made.isThere)
      #expect(made.part(at: MessageLimits.part) == nil)
    }
  }

  @Test(
    "A file that is written to after its digest was found has no parts, whatever date it is given"
  )
  func written() throws {
    try inFolder { file in
      let made = OfferedRules(Self.text, key: [], in: file)
      let values = try FileManager.default.attributesOfItem(atPath: file.path)
      let date = try #require(values[.modificationDate] as? Date)
      let writer = try FileHandle(forWritingTo: file)
      try writer.seek(toOffset: 1_000)
      try writer.write(contentsOf: Data([0, 1, 2]))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
      #expect(made.part(at: 0) == nil && !made.isThere)
    }
  }

  @Test(
    "What is no file of this user's, or has another size than it says, is as none, and nothing waits"
  )
  func notRegular() throws {
    try inFolder { file in
      let files = FileManager.default
      _ = OfferedRules(Self.text, key: ["a"], in: file)
      let whole = try Data(contentsOf: file)
      // A link to the same file.
      let other = file.deletingLastPathComponent().appending(path: "other")
      try files.moveItem(at: file, to: other)
      try files.createSymbolicLink(at: file, withDestinationURL: other)
      #expect(OfferedRules(key: ["a"], in: file) == nil)
      // A pipe, for which opening would wait.
      try files.removeItem(at: file)
      try #require(unsafe mkfifo(file.path, 0o600) == 0)
      #expect(OfferedRules(key: ["a"], in: file) == nil)
      // A terabyte behind the right first line, most of it not there.
      try files.removeItem(at: file)
      try whole.write(to: file)
      try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 40)
      #expect(OfferedRules(key: ["a"], in: file) == nil)
      // An empty text, which the extension would not fetch.
      let line = #"{"key":["a"],"digest":"\#(Data().digest)","size":0}"#
      try Data("\(line)\n".utf8).write(to: file)
      #expect(OfferedRules(key: ["a"], in: file) == nil)
      // The next one takes its place.
      #expect(try bytes(OfferedRules(Self.text, key: ["a"], in: file)) == Self.text)
      #expect(OfferedRules(key: ["a"], in: file) != nil)
    }
  }

  @Test("What lacks a list is in memory alone, and drafts that nobody writes any more are removed")
  func incomplete() throws {
    try inFolder { file in
      let made = OfferedRules(Self.text, key: ["a"], isWhole: false, in: file)
      #expect(try bytes(made) == Self.text)
      #expect(!made.isWhole && !FileManager.default.fileExists(atPath: file.path))
      _ = OfferedRules(Self.text, key: ["a"], in: file)
      let folder = file.deletingLastPathComponent()
      for (name, age) in [(".draft-old", 4_000.0), (".draft-new", 10), ("else", 4_000)] {
        let place = folder.appending(path: name)
        try Data().write(to: place)
        let date = Date(timeIntervalSinceNow: -age)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place.path)
      }
      _ = OfferedRules(Self.text, key: ["b"], in: file)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(Set(names) == ["rules", ".draft-new", "else"])
    }
  }

  @Test("Where no file can be written, the text is in memory")
  func inMemory() throws {
    try inFolder { file in
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      #expect(try bytes(OfferedRules(Self.text, key: ["a"], in: file)) == Self.text)
    }
    try inFolder { file in
      // A first line that would not be read again.
      let long = [String(repeating: "x", count: 2 << 20)]
      let kept = try bytes(OfferedRules(Self.text, key: long, in: file))
      #expect(kept == Self.text)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }
}

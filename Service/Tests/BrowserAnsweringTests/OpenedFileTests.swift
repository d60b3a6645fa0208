import ContentBlocking
import Foundation
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// Files of lists that change while a browser fetches them.
@Suite("Files of lists")
struct OpenedFileTests {
  private func withFile(_ bytes: Data, _ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(
      path: "tickbird-\(UUID().uuidString)"
    )
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file)
  }

  @Test("Parts and digest are those of the file's bytes")
  func whole() throws {
    let bytes = Data((0..<MessageLimits.part * 2 + 7).map { UInt8(truncatingIfNeeded: $0 / 251) })
    try withFile(bytes) { location in
      let file = try #require(OpenedFile(location))
      #expect(file.digests() == .init(whole: bytes.digest, deciding: nil))
      for offset in [0, 1, MessageLimits.part, bytes.count - 1] {
        let part = try #require(Part(of: file, at: offset))
        #expect(part.offset == offset)
        #expect(part.bytes == Part(of: bytes, at: offset)?.bytes)
      }
      #expect(Part(of: file, at: bytes.count) == nil)
      #expect(Part(of: file, at: -1) == nil)
    }
    #expect(OpenedFile(URL(filePath: "/nonexistent/file")) == nil)
  }

  @Test("A file that is truncated after it was opened has no parts and no digest")
  func truncated() throws {
    try withFile(Data(repeating: 1, count: 100_000)) { location in
      let file = try #require(OpenedFile(location))
      let writer = try FileHandle(forWritingTo: location)
      try writer.truncate(atOffset: 10)
      #expect(Part(of: file, at: 0) == nil)
      #expect(Part(of: file, at: 50_000) == nil)
      #expect(file.digests() == nil)
      #expect(try #require(OpenedFile(location)).stamp != file.stamp)
    }
  }

  @Test("Another file in the place of one has another stamp")
  func replaced() throws {
    try withFile(Data(repeating: 1, count: 10)) { location in
      let file = try #require(OpenedFile(location))
      #expect(try #require(OpenedFile(location)).stamp == file.stamp)
      try Data(repeating: 2, count: 10).write(to: location, options: .atomic)
      #expect(try #require(OpenedFile(location)).stamp != file.stamp)
    }
  }

  @Test("What decides ends where the text begins, and has a digest of its own")
  func deciding() throws {
    // Rules enough for several parts of a megabyte, on both sides.
    for count in [1, 12_000] {
      let rules = (0..<count).map {
        #"{"trigger":{"url-filter":"^https?://host\#($0)\\.test/"},"action":{"type":"block"}}"#
      }
      let text = Array("[\(rules.joined(separator: ",\n"))]".utf8)
      let bytes = Data(try ContentRuleList.compile(text).file)
      try withFile(bytes) { location in
        let file = try #require(OpenedFile(location))
        let size = try #require(file.decidingSize)
        #expect(bytes[size...].starts(with: text))
        #expect(
          file.digests() == .init(whole: bytes.digest, deciding: Data(bytes[..<size]).digest)
        )
        let last = try #require(Part(of: file, at: size - 1, before: size))
        #expect(last.bytes == Data(bytes[(size - 1)..<size]).base64EncodedString())
        #expect(Part(of: file, at: size, before: size) == nil)
      }
    }
  }

  @Test("A file whose table leads out of it has no part that decides")
  func damaged() throws {
    let rule = #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#
    let whole = Data(try ContentRuleList.compile(Array(rule.utf8)).file)
    let count = Int(whole[12])
    let last = 32 + 8 * (count - 1)
    for (place, value) in [
      (0, UInt8(0)), (12, 0), (15, 255), (last + 3, 255), (last, 0), (last + 1, 255),
    ] {
      var bytes = whole
      bytes[place] = value
      if place == last { bytes[last + 1] = 0 }
      try withFile(bytes) { location in
        let file = try #require(OpenedFile(location))
        #expect(file.decidingSize == nil, "\(place)")
        #expect(file.digests() == .init(whole: bytes.digest, deciding: nil))
      }
    }
    try withFile(whole.prefix(20)) { location in
      let file = try #require(OpenedFile(location))
      #expect(file.decidingSize == nil)
    }
  }
}

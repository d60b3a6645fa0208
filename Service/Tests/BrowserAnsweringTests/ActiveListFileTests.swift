import Foundation
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// Files of lists that change while a browser fetches them.
@Suite("Files of lists")
struct ActiveListFileTests {
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
      let file = try #require(ActiveListFile(location))
      #expect(file.digest() == bytes.digest)
      for offset in [0, 1, MessageLimits.part, bytes.count - 1] {
        let part = try #require(Part(of: file, at: offset))
        #expect(part.offset == offset)
        #expect(part.bytes == Part(of: bytes, at: offset)?.bytes)
      }
      #expect(Part(of: file, at: bytes.count) == nil)
      #expect(Part(of: file, at: -1) == nil)
    }
    #expect(ActiveListFile(URL(filePath: "/nonexistent/file")) == nil)
  }

  @Test("A file that is truncated after it was opened has no parts and no digest")
  func truncated() throws {
    try withFile(Data(repeating: 1, count: 100_000)) { location in
      let file = try #require(ActiveListFile(location))
      let writer = try FileHandle(forWritingTo: location)
      try writer.truncate(atOffset: 10)
      #expect(Part(of: file, at: 0) == nil)
      #expect(Part(of: file, at: 50_000) == nil)
      #expect(file.digest() == nil)
      #expect(try #require(ActiveListFile(location)).stamp != file.stamp)
    }
  }

  @Test("Another file in the place of one has another stamp")
  func replaced() throws {
    try withFile(Data(repeating: 1, count: 10)) { location in
      let file = try #require(ActiveListFile(location))
      #expect(try #require(ActiveListFile(location)).stamp == file.stamp)
      try Data(repeating: 2, count: 10).write(to: location, options: .atomic)
      #expect(try #require(ActiveListFile(location)).stamp != file.stamp)
    }
  }
}

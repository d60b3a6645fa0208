import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

/// What a user puts into the service's own folders, or keeps elsewhere with a link in its place.
@Suite("Files of the user's in the host's folders")
struct LinkedSettingsTests {
  private let identifier = "com.good.ext"

  /// Moves a file of the data folder away, and puts a link in its place.
  private func link(_ name: String, _ test: TestHost) throws -> URL {
    let file = test.data.appending(path: name)
    let kept = test.folder.url.appending(path: "kept-\(file.lastPathComponent)")
    try FileManager.default.moveItem(at: file, to: kept)
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: kept)
    return kept
  }

  private func isLink(_ name: String, _ test: TestHost) throws -> Bool {
    let path = test.data.appending(path: name).path
    return try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      == .typeSymbolicLink
  }

  @Test("Decisions and the owners of groups are read and written where they are linked to")
  func linked() async throws {
    let test = try await TestHost()
    try await test.add(identifier, TestHost.key("a"), groups: ["group.one"])
    try await test.host.turnOn(identifier)
    let state = try link("States/\(identifier).json", test)
    let owners = try link("GroupOwners.json", test)
    let before = try (Data(contentsOf: state), Data(contentsOf: owners))
    try await test.host.turnOff(identifier)
    #expect(try await !test.host.isOn(identifier))
    #expect(try Data(contentsOf: state) != before.0)
    try await test.add("com.good.other", TestHost.key("b"), groups: ["group.two"])
    #expect(try Data(contentsOf: owners) != before.1)
    #expect(try isLink("States/\(identifier).json", test) && isLink("GroupOwners.json", test))
  }

  @Test("An extension is not removed while its folder has something of the user's, which is named")
  func others() async throws {
    let test = try await TestHost()
    try await test.add(identifier, TestHost.key("a"))
    try await test.host.turnOn(identifier)
    let folder = test.data.appending(path: "Extensions/\(identifier)")
    let mine = folder.appending(path: "my-notes.txt")
    try Data("mine".utf8).write(to: mine)
    let message = await test.refusal { try await test.host.remove(identifier) }
    #expect(message.contains(mine.path) && message.contains("move it away"), "\(message)")
    #expect(try await test.host.isOn(identifier))
    #expect(FileManager.default.fileExists(atPath: mine.path))
    try FileManager.default.removeItem(at: mine)
    try await test.host.remove(identifier)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}

import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("What a user writes for an extension in its app's place")
struct GroupDataTests {
  private let group = "group.com.example.blocker"

  private func set(
    _ test: TestHost,
    _ entry: AppExtensionHost.GroupEntry,
    _ name: String,
    group: String? = nil
  ) async throws -> String {
    try await test.host.setGroupEntry(entry, named: name, in: group, of: "com.example.blocker")
  }

  @Test("Values come beside those of the extension, and null removes them")
  func values() async throws {
    let test = try await TestHost()
    let bundle = try await test.add("com.example.blocker", groups: [group])
    let folder = try await test.groupFolder(group, of: bundle)
    let file = folder.appending(path: "Library/Preferences/\(group).plist")
    func defaults() throws -> [String: Any] {
      let list = try unsafe PropertyListSerialization.propertyList(
        from: Data(contentsOf: file),
        format: nil
      )
      return try #require(list as? [String: Any])
    }
    let own = try PropertyListSerialization.data(
      fromPropertyList: ["kept": [1, 2]],
      format: .binary,
      options: 0
    )
    try own.write(to: file)
    let path = try await set(test, .value(.bool(true)), "isEnabled")
    #expect(path == file.path)
    _ = try await set(test, .value(.array([.string("a"), .integer(2)])), "hosts", group: group)
    #expect(try defaults()["kept"] as? [Int] == [1, 2])
    #expect(try defaults()["isEnabled"] as? Bool == true)
    #expect(try (defaults()["hosts"] as? [Any])?.count == 2)
    _ = try await set(test, .value(.null), "isEnabled")
    #expect(try defaults()["isEnabled"] == nil)
    #expect(
      try await test.host.summary(of: "com.example.blocker").groupFolders == [group: folder.path]
    )
  }

  @Test("Files go where they are meant, and nowhere else")
  func files() async throws {
    let test = try await TestHost()
    let bundle = try await test.add("com.example.blocker", groups: [group])
    let folder = try await test.groupFolder(group, of: bundle)
    _ = try await set(test, .file(Array("[]".utf8)), "lists/rules.json")
    let list = folder.appending(path: "lists/rules.json")
    #expect(try String(contentsOf: list, encoding: .utf8) == "[]")
    for name in ["", "/etc/x", "../x", "a/../../x", "a//b", "a/", ".", "a\0b"] {
      let message = await test.refusal { _ = try await set(test, .file([1]), name) }
      #expect(message.contains("lists/blockerList.json"), "\(name): \(message)")
    }
  }

  @Test("Links that an extension left in its group lead nowhere")
  func links() async throws {
    let test = try await TestHost()
    let bundle = try await test.add("com.example.blocker", groups: [group])
    let folder = try await test.groupFolder(group, of: bundle)
    let outside = test.data.deletingLastPathComponent().appending(
      path: "outside-\(UUID().uuidString)"
    )
    let manager = FileManager.default
    try manager.createDirectory(at: outside, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: outside) }
    try Data("mine".utf8).write(to: outside.appending(path: "file"))
    try manager.createSymbolicLink(
      at: folder.appending(path: "folder"),
      withDestinationURL: outside
    )
    try manager.createSymbolicLink(
      at: folder.appending(path: "file"),
      withDestinationURL: outside.appending(path: "file")
    )
    let preferences = folder.appending(path: "Library/Preferences")
    try manager.removeItem(at: preferences)
    try manager.createSymbolicLink(at: preferences, withDestinationURL: outside)
    _ = try await set(test, .file([1]), "folder/new")
    _ = try await set(test, .file([1]), "file")
    _ = try await set(test, .value(.integer(1)), "key")
    #expect(try manager.contentsOfDirectory(atPath: outside.path) == ["file"])
    #expect(try String(contentsOf: outside.appending(path: "file"), encoding: .utf8) == "mine")
  }

  @Test("The group is the extension's own, and chosen where there are several")
  func choice() async throws {
    let test = try await TestHost()
    try await test.add("com.example.blocker", groups: [])
    let none = await test.refusal { _ = try await set(test, .value(.null), "a") }
    #expect(none.contains("has no application group"))
    try await test.add("com.example.blocker", groups: [group, "group.other"])
    let several = await test.refusal { _ = try await set(test, .value(.null), "a") }
    #expect(several.contains("--group: \(group), group.other"), "\(several)")
    let foreign = await test.refusal {
      _ = try await set(test, .value(.null), "a", group: "group.com.bank")
    }
    #expect(foreign.contains("has no group group.com.bank"))
    _ = try await set(test, .value(.integer(1)), "a", group: "group.other")
  }
}

import Foundation
import Testing

@testable import BrowserSetup

@Suite("Setting up beside an administrator's policies")
struct PolicyTests {
  private let other = "etc/chromium/policies/managed/company.json"
  private let own = "etc/chromium/policies/managed/tickbird.json"
  private let text = """
    {"HomepageLocation": "https://company.example/",
     "ExtensionSettings": {"*": {"installation_mode": "blocked"}}}
    """

  private func object(_ machine: Machine) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(machine.text(other).utf8)) as? [String: Any]
    )
  }

  @Test("the entry goes into the file that has the key already, and out again byte for byte")
  func merging() throws {
    let machine = try Machine()
    try machine.write(other, text)
    let before = try machine.state()
    try machine.install()
    #expect(!machine.isThere(own))
    let id = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    let settings = try #require(try object(machine)["ExtensionSettings"] as? [String: Any])
    #expect(Set(settings.keys) == ["*", id])
    #expect(try object(machine)["HomepageLocation"] as? String == "https://company.example/")
    // Again, nothing changes.
    let after = try machine.state()
    try machine.install()
    #expect(try machine.state() == after)
    try machine.undo()
    #expect(try machine.text(other) == text)
    #expect(try machine.state() == before)
  }

  @Test("the copy of the administrator's file is for root's eyes alone, and all know of the setup")
  func copies() throws {
    let machine = try Machine()
    let record = machine.root.path + SystemSetup.recordFile.path
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: record)[.posixPermissions] as? Int
    }
    #expect(!SystemSetup.isDone(root: machine.system))
    try machine.install()
    #expect(try mode() == 0o644)
    #expect(SystemSetup.isDone(root: machine.system))
    try machine.undo()
    try machine.write(other, text)
    try machine.install()
    #expect(try mode() == 0o600)
    #expect(SystemSetup.isDone(root: machine.system))
    // As another user sees it, who cannot read it.
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: record)
    #expect(SystemSetup.isDone(root: machine.system))
  }

  @Test("what the administrator has changed since stays, without the entry")
  func changedSince() throws {
    let machine = try Machine()
    try machine.write(other, text)
    try machine.install()
    let changed = try machine.text(other).replacing("company.example", with: "new.example")
    try machine.write(other, changed)
    try machine.undo()
    let settings = try #require(try object(machine)["ExtensionSettings"] as? [String: Any])
    #expect(Set(settings.keys) == ["*"])
    #expect(try object(machine)["HomepageLocation"] as? String == "https://new.example/")
  }

  @Test("an entry that the administrator has changed is named and left")
  func changedEntry() throws {
    let machine = try Machine()
    try machine.write(other, text)
    try machine.install()
    let changed = try machine.text(other)
      .replacing("force_installed", with: "normal_installed")
    try machine.write(other, changed)
    #expect(try machine.undo().filter(\.isLeft).count == 1)
    #expect(try machine.text(other) == changed)
  }

  @Test("a file with comments is left, with the words to add")
  func comments() throws {
    let machine = try Machine()
    let text = "// ours\n{\"ExtensionSettings\": {}}"
    try machine.write(other, text)
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains("force_installed"))
    #expect(try machine.text(other) == text)
    #expect(!machine.isThere(own))
  }
}

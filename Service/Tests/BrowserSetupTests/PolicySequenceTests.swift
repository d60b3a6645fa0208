import CLibrary
import Foundation
import Testing

@testable import BrowserSetup

/// What an administrator does between a setup, a second one and undoing.
@Suite("One policy, whatever happens between two setups")
struct PolicySequenceTests {
  private static let folder = "etc/chromium/policies/managed"
  private let own = "\(folder)/tickbird.json"
  private let early = "\(folder)/a.json"
  private let late = "\(folder)/z.json"
  private let settings = #"{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}"#

  /// The files that have setup's entry.
  private func holders(_ machine: Machine) throws -> [String] {
    let id = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: machine.file(Self.folder).path))
    return (names ?? []).sorted().map { "\(Self.folder)/\($0)" }.filter { path in
      (try? Data(contentsOf: machine.file(path))).map {
        String(decoding: $0, as: UTF8.self).contains(id)
      } ?? false
    }
  }

  @Test("an administrator's file that comes later takes the entry over", arguments: [true, false])
  func addedLater(isEarly: Bool) throws {
    let file = isEarly ? early : late
    let machine = try Machine()
    try machine.install()
    #expect(try holders(machine) == [own])
    try machine.write(file, settings)
    let plan = try machine.install(isTrial: true)
    #expect(try holders(machine) == [own])
    let done = try machine.install()
    #expect(plan == done, "the trial says what is done")
    #expect(try holders(machine) == [file])
    #expect(!machine.isThere(own))
    // A third changes nothing.
    let after = try machine.state()
    try machine.install()
    #expect(try machine.state() == after)
    try machine.undo()
    #expect(try machine.text(file) == settings)
    #expect(!machine.isThere(own))
  }

  @Test("a file that is gone, or no longer says anything, gives the entry back to setup's own")
  func removedLater() throws {
    for text in [nil, #"{"HomepageLocation": "https://company.example/"}"#] {
      let machine = try Machine()
      try machine.write(early, settings)
      try machine.install()
      #expect(try holders(machine) == [early])
      try FileManager.default.removeItem(at: machine.file(early))
      if let text { try machine.write(early, text) }
      try machine.install()
      #expect(try holders(machine) == [own])
      #expect(try machine.record().entries.isEmpty)
      try machine.undo()
      #expect(!machine.isThere(own))
      #expect(text == nil ? !machine.isThere(early) : try machine.text(early) == text)
    }
  }

  @Test("of two files the last by name has the entry, as browsers read it, whatever it is called")
  func twoFiles() throws {
    for name in ["b.json", "b.json~", "b"] {
      let last = "\(Self.folder)/\(name)"
      let machine = try Machine()
      try machine.write(early, settings)
      try machine.install()
      #expect(try holders(machine) == [early])
      try machine.write(last, settings)
      try machine.install()
      #expect(try holders(machine) == [last])
      #expect(try machine.text(early) == settings)
      try machine.undo()
      #expect(try machine.text(last) == settings && machine.text(early) == settings)
    }
  }

  @Test("where the administrator's file cannot be changed, there is no entry at all")
  func unchangeable() throws {
    let machine = try Machine()
    try machine.install()
    try machine.write(early, "// ours\n" + settings)
    let done = try machine.install()
    #expect(done.filter(\.isLeft).count == 1)
    #expect("\(done)".contains("force_installed"))
    #expect(try holders(machine).isEmpty)
    // The administrator makes it JSON again, and setup completes.
    try machine.write(early, settings)
    #expect(try machine.install().filter(\.isLeft).isEmpty)
    #expect(try holders(machine) == [early])
    try machine.undo()
    #expect(try machine.text(early) == settings)
  }

  @Test("an own policy that somebody has changed is theirs, is named, and stays")
  func changedOwn() throws {
    let machine = try Machine()
    try machine.install()
    let changed = try machine.text(own) + " "
    try machine.write(own, changed)
    try machine.write(early, settings)
    #expect(try machine.install().filter(\.isLeft).count == 1)
    #expect(try machine.text(own) == changed)
    #expect(try machine.undo().filter(\.isLeft).count == 1)
    #expect(try machine.text(early) == settings)
  }

  @Test("a lost key gives a new id, and the old one's entry goes")
  func newKey() throws {
    let machine = try Machine()
    try machine.write(early, settings)
    try machine.install()
    let old = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    try FileManager.default.removeItem(at: machine.file("var/lib/tickbird/browser-extension.pem"))
    try machine.install()
    #expect(try holders(machine) == [early])
    #expect(!(try machine.text(early)).contains(old))
  }

  // MARK: What is no policy

  @Test(
    "what says nothing about extensions is passed over",
    arguments: [
      "", "{", "[]", "null", "\u{0}\u{1}", #"{"a": 1e999}"#, String(repeating: "[", count: 100_000),
    ]
  )
  func malformed(text: String) throws {
    let machine = try Machine()
    try machine.write(late, text)
    try machine.install()
    #expect(try holders(machine) == [own])
    try machine.undo()
    #expect(try machine.text(late) == text)
  }

  @Test(
    "what says it in a way that no program can change is left, with the reason",
    arguments: [
      (#"{"ExtensionSettings": []}"#, "no object"), (#"{"ExtensionSettings": {}"#, "no JSON"),
      ("{\"ExtensionSettings\": {}}\u{0}", "no JSON"),
    ]
  )
  func fixed(text: String, reason: String) throws {
    let machine = try Machine()
    try machine.write(early, text)
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains(reason), "\(left)")
    #expect(try holders(machine).isEmpty)
    #expect(try machine.text(early) == text)
  }

  @Test("a file of any length is neither read whole nor copied")
  func huge() throws {
    let machine = try Machine()
    try machine.write(early, settings)
    // A sparse file of a terabyte.
    try #require(unsafe truncate(machine.file(early).path, 1 << 40) == 0)
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains("larger"), "\(left)")
    #expect(try holders(machine).isEmpty)
    try FileManager.default.removeItem(at: machine.file(early))
    #expect(try machine.install().filter(\.isLeft).isEmpty)
    #expect(try holders(machine) == [own])
  }

  @Test("a pipe, a folder and a link to nothing hold nothing up")
  func others() throws {
    let machine = try Machine()
    try machine.write(early, "{}")
    try #require(unsafe mkfifo(machine.file("\(Self.folder)/pipe.json").path, 0o600) == 0)
    try machine.write("\(Self.folder)/folder.json/x", settings)
    try FileManager.default.createSymbolicLink(
      atPath: machine.file("\(Self.folder)/link.json").path,
      withDestinationPath: "/nowhere"
    )
    try machine.install()
    #expect(try holders(machine) == [own])
  }

  @Test("a linked file is read as the browser reads it, and not replaced by another")
  func linked() throws {
    let machine = try Machine()
    try machine.write("srv/company.json", settings)
    try machine.write(early, "{}")
    try FileManager.default.createSymbolicLink(
      atPath: machine.file(late).path,
      withDestinationPath: "/srv/company.json"
    )
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains("it is a link"))
    #expect(try holders(machine).isEmpty)
    #expect(try machine.text("srv/company.json") == settings)
  }

  @Test(
    "another user's file is not written to",
    .enabled(if: geteuid() == 0, "only root gives away")
  )
  func otherOwner() throws {
    let machine = try Machine()
    try machine.write(early, settings)
    try FileManager.default.setAttributes(
      [.ownerAccountID: 12_345],
      ofItemAtPath: machine.file(early).path
    )
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains("12345"), "\(left)")
    #expect(try holders(machine).isEmpty)
    #expect(try machine.text(early) == settings)
  }
}

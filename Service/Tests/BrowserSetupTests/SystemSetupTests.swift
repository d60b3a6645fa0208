import Foundation
import NativeMessaging
import Testing

@testable import BrowserSetup

extension Machine {
  var places: BrowserPlaces {
    let home = folder.appending(path: "home")
    return BrowserPlaces(home: home, configuration: home.appending(path: ".config"), programs: [])
  }
}

extension SetupChanges.Outcome {
  var isLeft: Bool { if case .left = self { true } else { false } }
  var isWritten: Bool { if case .written = self { true } else { false } }
}

private let policy = "etc/chromium/policies/managed/tickbird.json"
private let package = "var/lib/tickbird/tickbird.crx"

@Suite("Setting up for all users of a machine")
struct SystemSetupTests {
  @Test("undo leaves the machine as it was before, a second setup changes nothing")
  func roundTrip() throws {
    let machine = try Machine()
    let before = try machine.state()
    #expect(try machine.install(isTrial: true).allSatisfy(\.isWritten))
    #expect(try machine.state() == before)
    #expect(try machine.install().allSatisfy(\.isWritten))
    let after = try machine.state()
    #expect(machine.isThere(policy) && machine.isThere(package))
    #expect(
      try machine.install().allSatisfy { if case .unchanged = $0 { true } else { false } }
    )
    #expect(try machine.state() == after)
    #expect(SystemSetup.extensionIDs(root: machine.system).count == 1)
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("the policy names a package in a folder of root's, and the host knows its id")
  func identity() throws {
    let machine = try Machine()
    try machine.install()
    let id = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    #expect(try machine.text(policy).contains("file:///var/lib/tickbird/update.xml"))
    #expect(try machine.text(policy).contains(id))
    let host = try machine.text("etc/chromium/native-messaging-hosts/tickbird.host.json")
    #expect(host.contains("chrome-extension://\(id)/"))
    let key = try FileManager.default.attributesOfItem(
      atPath: machine.file("var/lib/tickbird/browser-extension.pem").path
    )
    #expect(key[.posixPermissions] as? Int == 0o600)
  }

  @Test("a newer version takes the older one's place, with the same id")
  func update() throws {
    let machine = try Machine()
    try machine.install()
    let id = SystemSetup.extensionIDs(root: machine.system)
    try machine.install(version: "1.1")
    #expect(try machine.text("var/lib/tickbird/update.xml").contains("1.1"))
    #expect(SystemSetup.extensionIDs(root: machine.system) == id)
    try machine.undo()
    #expect(!machine.isThere("var/lib/tickbird"))
  }

  @Test("what is renewed is what was set up, and not what has come since")
  func refresh() throws {
    let machine = try Machine()
    let all = FoundBrowser.all(machine.places, root: machine.system)
    #expect(all.map(\.browser) == [.chromium, .firefox])
    func setUp() throws -> [Browser] {
      try SystemSetup(changes: machine.changes(isTrial: true)) { _ in }.browsersSetUp(of: all)
        .map(\.browser)
    }
    #expect(try setUp().isEmpty)
    do {
      let changes = try machine.changes()
      try SystemSetup(changes: changes) { _ in }.install(
        all.filter { $0.browser == .firefox },
        from: machine.sources(),
        program: URL(filePath: "/usr/bin/tickbird-host")
      )
    }
    #expect(try setUp() == [.firefox])
    try machine.install()
    #expect(try setUp() == [.chromium, .firefox])
    try machine.undo()
    #expect(try setUp().isEmpty)
  }

  @Test("a file that was there, or was changed since, is named and left")
  func foreignFiles() throws {
    let machine = try Machine()
    try machine.write(policy, "{\"BookmarkBarEnabled\": true}")
    #expect(try machine.install().filter(\.isLeft).count == 1)
    #expect(try machine.text(policy) == "{\"BookmarkBarEnabled\": true}")
    try machine.write("var/lib/tickbird/update.xml", "mine now")
    let undone = try machine.undo()
    #expect(undone.filter(\.isLeft).count == 1)
    #expect(try machine.text("var/lib/tickbird/update.xml") == "mine now")
    #expect(try machine.text(policy) == "{\"BookmarkBarEnabled\": true}")
    #expect(!machine.isThere(package))
  }

  @Test("a signing key that was there before is used, and stays")
  func foreignKey() throws {
    let donor = try Machine()
    try donor.install()
    let key = "var/lib/tickbird/browser-extension.pem"
    let text = try donor.text(key)
    let machine = try Machine()
    try machine.write(key, text)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: machine.file(key).path
    )
    let before = try machine.state()
    try machine.install()
    #expect(
      SystemSetup.extensionIDs(root: machine.system) == SystemSetup.extensionIDs(root: donor.system)
    )
    try machine.undo()
    #expect(try machine.state() == before)
    // Setup's own that somebody has replaced since is theirs as well.
    let other = try Machine()
    try other.install()
    try other.write(key, text)
    #expect(try other.undo().contains { $0.isLeft })
    #expect(try other.text(key) == text)
  }

  @Test("a key that an interrupted setup has made is removed by undo")
  func interruptedKey() throws {
    let machine = try Machine()
    let before = try machine.state()
    try machine.install()
    let file = URL(filePath: machine.root.path + SystemSetup.recordFile.path)
    var record = try machine.record()
    for index in record.files.indices where record.files[index].path.hasSuffix(".pem") {
      record.files[index].digests = []
    }
    try record.write(file, permissions: 0o644)
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("a link in the place of a file is neither written through nor removed")
  func links() throws {
    let machine = try Machine()
    try machine.install()
    let victim = machine.folder.appending(path: "victim")
    try FileManager.default.copyItem(at: machine.file(package), to: victim)
    try FileManager.default.removeItem(at: machine.file(package))
    try FileManager.default.createSymbolicLink(
      at: machine.file(package),
      withDestinationURL: victim
    )
    #expect(try machine.install(version: "1.1").contains { $0.isLeft })
    let bytes = try Data(contentsOf: victim)
    #expect(try machine.undo().contains { $0.isLeft })
    #expect(try Data(contentsOf: victim) == bytes)
    #expect(machine.isThere(package))
  }

  @Test("a folder that others can write to is not used, and nothing is written")
  func openFolders() throws {
    let machine = try Machine()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777],
      ofItemAtPath: machine.file("var/lib").path
    )
    let before = try machine.state()
    #expect(throws: SetupError.self) { try machine.install() }
    #expect(try machine.state() == before)
    // Nor what comes to be on the way to a browser's folder.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: machine.file("var/lib").path
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777],
      ofItemAtPath: machine.file("etc").path
    )
    #expect(throws: SetupError.self) { try machine.install() }
    #expect(!machine.isThere(policy))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: machine.file("etc").path
    )
    // What the failed one has written is completed by another, or undone.
    try machine.install()
    #expect(machine.isThere(policy))
    try machine.undo()
    #expect(!machine.isThere("var/lib/tickbird") && !machine.isThere("etc/chromium"))
  }

  @Test("a record that is damaged stops everything")
  func damagedRecord() throws {
    let machine = try Machine()
    try machine.install()
    try machine.write("var/lib/tickbird/setup.json", "{")
    let before = try machine.state()
    #expect(throws: SetupError.self) { try machine.undo() }
    #expect(throws: SetupError.self) { try machine.install() }
    #expect(try machine.state() == before)
  }

  @Test("what an interruption leaves is completed by another setup, and removed by undo")
  func interruption() throws {
    for number in 0..<8 {
      for completes in [false, true] {
        let machine = try Machine()
        let before = try machine.state()
        try machine.install()
        let complete = Set(try machine.state().keys)
        let files = try machine.record().files
        #expect(files.count == 8)
        // Ended when this file was recorded and not there yet, with half of it beside its place.
        for later in files[number...] {
          try FileManager.default.removeItem(at: machine.file(later.path))
        }
        let folder = machine.file(files[number].path).deletingLastPathComponent()
        try Data("half".utf8).write(to: folder.appending(path: ".draft-1"))
        if completes {
          try machine.install()
          #expect(complete.isSubset(of: try machine.state().keys))
        }
        try machine.undo()
        #expect(try machine.state() == before, "\(number), \(completes)")
      }
    }
  }
}

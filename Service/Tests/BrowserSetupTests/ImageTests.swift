import Foundation
import NativeMessaging
import Testing

@testable import BrowserSetup

/// An image of a system whose links would lead out of it, if they were followed from outside.
@Suite("Setting up an image of a system")
struct ImageTests {
  private let machine: Machine
  /// A folder beside the image.
  private var outside: URL { machine.folder.appending(path: "outside") }

  init() throws {
    machine = try Machine()
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
  }

  private func link(_ path: String, to target: String) throws {
    let link = machine.file(path)
    try FileManager.default.createDirectory(
      at: link.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: target)
  }

  private func outsideNames() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: outside.path)
  }

  @Test("an absolute link leads to that path in the image, and undo comes the same way back")
  func absoluteLinks() throws {
    try FileManager.default.removeItem(at: machine.file("var/lib"))
    try link("var/lib", to: outside.path + "/lib")
    try link("etc/chromium", to: outside.path)
    try link("usr/lib/mozilla", to: "/usr/lib64/mozilla")
    let before = try machine.state()
    try machine.install()
    #expect(try outsideNames().isEmpty)
    // What the links name is made in the image.
    let inside = String(outside.path.dropFirst())
    #expect(machine.isThere("\(inside)/policies/managed/tickbird.json"))
    #expect(machine.isThere("\(inside)/lib/tickbird/tickbird.crx"))
    #expect(machine.isThere("usr/lib64/mozilla/native-messaging-hosts/tickbird.host.json"))
    #expect(SystemSetup.isDone(root: machine.system))
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("links upwards end at the image's root")
  func upwards() throws {
    try FileManager.default.createDirectory(
      at: outside.appending(path: "policies/managed"),
      withIntermediateDirectories: true
    )
    // From etc/, four folders up and more, which would be the machine's folder and above.
    try link("etc/chromium", to: "../../outside")
    try link("etc/opt", to: String(repeating: "../", count: 30) + String(outside.path.dropFirst()))
    try machine.install()
    #expect(try outsideNames().sorted() == ["policies", "policies/managed"])
    #expect(machine.isThere("outside/policies/managed/tickbird.json"))
    try machine.undo()
    #expect(!machine.isThere("outside"))
  }

  @Test("links that go round are refused, and named")
  func round() throws {
    try link("etc/chromium", to: "/etc/round")
    try link("etc/round", to: "chromium")
    let error = try #require(throws: SetupError.self) { try machine.install() }
    #expect(error.message.contains("etc/chromium") && error.message.contains("links"))
  }

  @Test(
    "a link in the place of a file of setup's own is not read through either",
    arguments: ["setup.json", "browser-extension.pem", "extension-ids"]
  )
  func ownFiles(name: String) throws {
    let donor = try Machine()
    try donor.install()
    let victim = outside.appending(path: name)
    try FileManager.default.copyItem(at: donor.file("var/lib/tickbird/\(name)"), to: victim)
    let bytes = try Data(contentsOf: victim)
    try link("var/lib/tickbird/\(name)", to: victim.path)
    if name == "extension-ids" {
      #expect(SystemSetup.extensionIDs(root: machine.system).isEmpty)
      #expect(try machine.install().contains { $0.isLeft })
    } else {
      #expect(throws: SetupError.self) { try machine.install(isTrial: true) }
      #expect(throws: SetupError.self) { try machine.install() }
    }
    _ = try? machine.undo()
    #expect(try Data(contentsOf: victim) == bytes)
    #expect(try outsideNames() == [name])
  }

  @Test("a record that comes with an image names files of the image alone")
  func plantedRecord() throws {
    let bytes = Data("of the machine that makes the image".utf8)
    let victim = outside.appending(path: "victim")
    try bytes.write(to: victim)
    let folder = outside.appending(path: "empty")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    var record = SetupRecord()
    let up = "/" + String(repeating: "../", count: 30) + String(victim.path.dropFirst())
    let digest = SetupChanges.digest(bytes)
    record.folders = [folder.path]
    record.files = [victim.path, up].map { .init(path: $0, digests: [digest]) }
    record.entries = [victim.path, up].map {
      .init(path: $0, keys: ["x"], values: [], before: Data("planted".utf8), digest: digest)
    }
    record.hosts = [.init(path: victim.path, browser: "chromium", extensions: [])]
    try machine.write("var/lib/tickbird/setup.json", "")
    try record.write(machine.file("var/lib/tickbird/setup.json"), permissions: 0o644)
    #expect(try machine.undo().isEmpty)
    #expect(try Data(contentsOf: victim) == bytes)
    #expect(FileManager.default.fileExists(atPath: folder.path))
    #expect(!machine.isThere("var/lib/tickbird"))
  }

  @Test("what was set up in an image is undone in the system that was started from it")
  func movedImage() throws {
    let before = try machine.state()
    try machine.install()
    let moved = machine.folder.appending(path: "moved")
    try FileManager.default.moveItem(at: machine.root, to: moved)
    let changes = try SetupChanges(
      recordFile: SystemSetup.recordFile,
      root: SystemRoot(moved.path),
      trust: Trust(),
      isForAll: true,
      isTrial: false
    )
    try SystemSetup(changes: changes) { _ in }.undo()
    try FileManager.default.moveItem(at: moved, to: machine.root)
    #expect(try machine.state() == before)
  }

  @Test("a browser is one of the image's, also where its program is an absolute link")
  func browsers() throws {
    try FileManager.default.removeItem(at: machine.file("usr/bin/chromium"))
    // Programs of the machine that makes the image do not count.
    try link("usr/bin/chromium", to: "/bin/sh")
    try link("usr/bin/google-chrome", to: "/etc/alternatives/google-chrome")
    try link("etc/alternatives/google-chrome", to: "/opt/google/chrome/google-chrome")
    try machine.write("opt/google/chrome/google-chrome", "#!/bin/sh\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: machine.file("opt/google/chrome/google-chrome").path
    )
    let found = FoundBrowser.all(machine.places, root: machine.system)
    #expect(found.map(\.browser) == [.chrome, .firefox])
  }

  @Test("an image's folder may itself be reached by a link, and has to be a folder")
  func rootItself() throws {
    let name = machine.folder.appending(path: "name").path
    try FileManager.default.createSymbolicLink(
      atPath: name,
      withDestinationPath: machine.root.path
    )
    #expect(try SystemRoot(name) == machine.system)
    #expect(try SystemRoot("/") == .running)
    #expect(throws: SetupError.self) { try SystemRoot(machine.file("usr/bin/chromium").path) }
    #expect(throws: SetupError.self) { try SystemRoot(machine.file("not-there").path) }
  }
}

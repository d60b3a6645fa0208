import BrowserPackages
import Foundation
import HostTestSupport
import NativeMessaging
import Testing

@testable import BrowserSetup

extension Machine {
  fileprivate func makeProgram(_ path: String = "usr/bin/tickbird-host", mode: Int = 0o755) throws {
    try write(path, "#!/bin/sh\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: file(path).path
    )
  }

  fileprivate func link(_ path: String, to target: String) throws {
    try write(path, "")
    try FileManager.default.removeItem(at: file(path))
    try FileManager.default.createSymbolicLink(
      atPath: file(path).path,
      withDestinationPath: target
    )
  }

  /// Puts the built extension where packages have it.
  fileprivate func makeExtensions(version: String = "1.0", below prefix: String = "usr") throws {
    for source in try sources(version: version) {
      let family = source.family == .chromium ? "chromium" : "firefox"
      let place = file("\(prefix)/share/tickbird/extension-\(family)")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try FileManager.default.copyItem(at: source.url, to: place)
    }
  }
}

@Suite("The program of an image")
struct ImageProgramTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func program(_ name: String? = nil) throws -> String {
    try SystemSetup.program(name, in: machine.system).path
  }

  private func failure(_ name: String? = nil) throws -> String {
    try #require(throws: SetupError.self) { try program(name) }.message
  }

  @Test("it is where packages put it, or where it is said to be, in the image")
  func places() throws {
    #expect(try failure().contains("--host"))
    try machine.makeProgram("usr/local/bin/tickbird-host")
    #expect(try program() == "/usr/local/bin/tickbird-host")
    try machine.makeProgram()
    #expect(try program() == "/usr/bin/tickbird-host")
    try machine.makeProgram("opt/tickbird/bin/tickbird-host")
    #expect(
      try program("/opt/tickbird/bin/tickbird-host") == "/opt/tickbird/bin/tickbird-host"
    )
  }

  @Test(
    "what is there for who makes the image alone, or is no program, is refused with a way out",
    arguments: ["/bin/sh", "bin/tickbird-host", "/usr/bin", "/usr/bin/text", "/usr/bin/link"]
  )
  func none(name: String) throws {
    try machine.makeProgram("usr/bin/text", mode: 0o644)
    try machine.link("usr/bin/link", to: "/bin/sh")
    #expect(try failure(name).contains("\(name) is no program in the image"))
  }

  @Test("links lead on in the image, and what is beside the program is found by either name")
  func links() throws {
    try machine.makeProgram("opt/tickbird/bin/tickbird-host")
    try machine.makeExtensions(below: "opt/tickbird")
    try machine.link("usr/bin/tickbird-host", to: "/opt/tickbird/bin/tickbird-host")
    #expect(try program() == "/usr/bin/tickbird-host")
    func place() throws -> String? {
      try SystemSetup.extensionFolder(
        near: URL(filePath: program()),
        family: .firefox,
        in: machine.system
      )?.path
    }
    #expect(try place() == machine.file("opt/tickbird/share/tickbird/extension-firefox").path)
    try machine.makeExtensions()
    #expect(try place() == machine.file("usr/share/tickbird/extension-firefox").path)
  }

  @Test(
    "one that others could change, or whose link they could, is refused with a way out",
    arguments: ["opt/tickbird", "opt/tickbird/tickbird-host", "usr/links"]
  )
  func weak(open: String) throws {
    try machine.makeProgram("opt/tickbird/tickbird-host")
    try machine.link("usr/links/tickbird-host", to: "/opt/tickbird/tickbird-host")
    try machine.link("usr/bin/tickbird-host", to: "../links/tickbird-host")
    #expect(try program() == "/usr/bin/tickbird-host")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777],
      ofItemAtPath: machine.file(open).path
    )
    let message = try failure()
    #expect(message.contains(machine.file(open).path) && message.contains("--host"), "\(message)")
  }

  @Test("nothing is written through a link that others could change")
  func weakLinks() throws {
    try machine.link("etc/links/chromium", to: "/srv/chromium")
    try machine.link("etc/chromium", to: "links/chromium")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777],
      ofItemAtPath: machine.file("etc/links").path
    )
    #expect(throws: SetupError.self) { try machine.install() }
    #expect(!machine.isThere("srv/chromium"))
  }
}

/// The command as who makes an image runs it.
@Suite("Setting up an image by the command", .enabled(if: geteuid() == 0, "only root does that"))
struct ImageCommandTests {
  private let machine: Machine
  private let admin = "etc/chromium/policies/managed/admin.json"

  init() throws {
    machine = try Machine()
    try machine.write(admin, "// ours\n{\"ExtensionSettings\": {}}")
  }

  private func setUp(_ words: String...) throws -> HostProgram.Outcome {
    try HostProgram(home: machine.folder.appending(path: "home"))
      .run(["setup", "--root", machine.root.path, "--no-open"] + words)
  }

  private static var isID: Regex<Substring> { /[a-p]{32}/ }

  @Test("without a program in it nothing is written, and a way out is said")
  func noProgram() throws {
    let before = try machine.state()
    for words in [[], ["--host", "/usr/bin/tickbird-host"], ["--host", "/bin/sh"]] {
      let outcome = try HostProgram(home: machine.folder.appending(path: "home"))
        .run(["setup", "--root", machine.root.path, "--yes"] + words)
      #expect(outcome.status == 2 && outcome.errors.contains("--host"), "\(outcome)")
    }
    #expect(try machine.state() == before)
  }

  @Test("its browsers get its own program and extension, whatever the maker has")
  func ownProgram() throws {
    try machine.makeProgram()
    let bare = try setUp("--yes")
    #expect(bare.status == 2 && bare.errors.contains("--extension"), "\(bare)")
    try machine.makeExtensions()
    try FileManager.default.removeItem(at: machine.file(admin))
    let outcome = try setUp("--yes")
    #expect(outcome.status == 0 && outcome.output.contains("Done"), "\(outcome)")
    let manifest = try machine.text("etc/chromium/native-messaging-hosts/tickbird.host.json")
    #expect(manifest.contains(#""/usr/bin/tickbird-host""#), "\(manifest)")
  }

  @Test("a trial names no id before there is one, and the same twice")
  func trial() throws {
    try machine.makeProgram()
    try machine.makeExtensions()
    let before = try machine.state()
    let plan = try setUp("--dry-run")
    #expect(try setUp("--dry-run").output == plan.output)
    #expect(try machine.state() == before)
    #expect(!plan.output.contains(Self.isID) && plan.output.contains("once it has made"))
    let done = try setUp("--yes")
    let id = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    let named = Set(done.output.matches(of: Self.isID).map { String($0.output) })
    #expect(named == [id], "\(done.output)")
    // From then on it is known.
    #expect(try setUp("--dry-run").output.contains(id))
    #expect(!plan.output.contains("above"))
  }

  @Test("what the advice says, once added, ends a setup and each upgrade well")
  func advice() throws {
    try machine.makeProgram()
    try machine.makeExtensions()
    let advised = try setUp("--yes")
    #expect(advised.status == 1)
    let entry = try #require(advised.output.firstMatch(of: /add to them: (\"[a-p]{32}.*)/)).1
    try machine.write(admin, "// ours\n{\"ExtensionSettings\": {\(entry)}}")
    try machine.makeExtensions(version: "1.1")
    let renewed = try setUp("--refresh", "--yes")
    #expect(renewed.status == 0 && !renewed.output.contains("add to them"), "\(renewed)")
    #expect(try machine.text("var/lib/tickbird/update.xml").contains("1.1"))
    let again = try setUp("--yes")
    #expect(again.status == 0 && !again.output.contains("add to them"), "\(again)")
    // What is deleted stays away, and that is no failure.
    let manifest = "etc/chromium/native-messaging-hosts/tickbird.host.json"
    try FileManager.default.removeItem(at: machine.file(manifest))
    let passed = try setUp("--refresh", "--yes")
    #expect(passed.status == 0 && passed.output.contains("pass over"), "\(passed)")
    #expect(!machine.isThere(manifest))
  }
}

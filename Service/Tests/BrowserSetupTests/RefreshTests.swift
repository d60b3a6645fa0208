import BrowserPackages
import Foundation
import NativeMessaging
import Testing

@testable import BrowserSetup

extension SetupChanges.Outcome {
  fileprivate var isPassedOver: Bool { if case .passedOver = self { true } else { false } }
}

private let folder = "etc/chromium/policies/managed"
private let admin = "\(folder)/admin.json"
private let own = "\(folder)/tickbird.json"
private let updates = "var/lib/tickbird/update.xml"
private let crx = "var/lib/tickbird/tickbird.crx"
private let xpi =
  "usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/tickbird@tickbird.example.xpi"
private let host = "etc/chromium/native-messaging-hosts/tickbird.host.json"

/// A policy that an administrator has written by hand, as setup says it.
@Suite("An entry that an administrator has added")
struct HandWrittenPolicyTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func entry(mode: String = "force_installed") throws -> String {
    let id = try #require(SystemSetup.extensionIDs(root: machine.system).first)
    return #""\#(id)": {"installation_mode": "\#(mode)", "#
      + #""update_url": "file:///var/lib/tickbird/update.xml"}"#
  }

  @Test("what setup says to add is recognised in a file with comments, and renewed from then on")
  func comments() throws {
    try machine.write(admin, "// ours\n{\"ExtensionSettings\": {}}")
    let advice = try machine.install().filter(\.isLeft)
    let words = try entry().replacing("\"", with: "\\\"")
    #expect(advice.count == 1 && "\(advice)".contains(words), "\(advice)")
    let text = "// ours\n{\"ExtensionSettings\": {\(try entry()), /* all */}}"
    try machine.write(admin, text)
    #expect(try machine.install().allSatisfy { !$0.isLeft && !$0.isWritten })
    let renewed = try machine.refresh()
    #expect(!renewed.contains(where: \.isLeft) && !renewed.contains(where: \.isPassedOver))
    #expect(try machine.text(updates).contains("1.1"))
    #expect(try machine.text(admin) == text)
    #expect(!machine.isThere(own))
    #expect(try machine.undo().filter { "\($0)".contains("by hand") }.count == 1)
    #expect(try machine.undo().isEmpty)
    #expect(try machine.text(admin) == text)
  }

  @Test(
    "in a file that could be changed it is the administrator's as well, in either mode",
    arguments: ["force_installed", "normal_installed"]
  )
  func plain(mode: String) throws {
    // With a key that was there before, an administrator knows the id.
    let donor = try Machine()
    try donor.install()
    for name in ["browser-extension.pem", "extension-ids"] {
      try machine.write("var/lib/tickbird/\(name)", donor.text("var/lib/tickbird/\(name)"))
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: machine.file("var/lib/tickbird/browser-extension.pem").path
    )
    let written = "{\"ExtensionSettings\": {\(try entry(mode: mode))}}"
    try machine.write(admin, written)
    #expect(try machine.install(program: nil).filter(\.isLeft).isEmpty)
    #expect(try machine.record().entries.isEmpty)
    let renewed = try machine.refresh(program: nil)
    #expect(!renewed.contains(where: \.isLeft) && !renewed.contains(where: \.isPassedOver))
    #expect(try machine.text(updates).contains("1.1"))
    // It stays theirs, and undoing says that the browser still has it.
    #expect(try machine.undo().filter { "\($0)".contains("by hand") }.count == 1)
    #expect(try machine.text(admin) == written)
  }

  @Test("it is recognised in a linked file, and in one of more than a mebibyte")
  func others() throws {
    try machine.write("srv/company.json", #"{"ExtensionSettings": {}}"#)
    try machine.write("\(folder)/x", "")
    try FileManager.default.createSymbolicLink(
      atPath: machine.file(admin).path,
      withDestinationPath: "/srv/company.json"
    )
    #expect(try machine.install().filter(\.isLeft).count == 1)
    try machine.write("srv/company.json", "{\"ExtensionSettings\": {\(try entry())}}")
    #expect(try machine.install().filter(\.isLeft).isEmpty)
    let long = String(repeating: " ", count: 2 << 20)
    try machine.write("srv/company.json", "{\(long)\"ExtensionSettings\": {\(try entry())}}")
    #expect(try machine.install().filter(\.isLeft).isEmpty)
    try FileManager.default.removeItem(at: machine.file(admin))
    try machine.write(admin, "{\(long)\"ExtensionSettings\": {}}")
    let left = try machine.install().filter(\.isLeft)
    #expect(left.count == 1 && "\(left)".contains("larger"), "\(left)")
  }

  @Test(
    "what would not install it is no entry, and the advice is given again",
    arguments: ["blocked", "allowed", "removed"]
  )
  func wrong(mode: String) throws {
    try machine.write(admin, "// ours\n{\"ExtensionSettings\": {}}")
    try machine.install()
    let text = "// ours\n{\"ExtensionSettings\": {\(try entry(mode: mode))}}"
    try machine.write(admin, text)
    #expect(try machine.install().filter(\.isLeft).count == 1)
    try machine.write(admin, "// {\"ExtensionSettings\": {\(try entry())}}\n{}")
    #expect(try machine.install().filter(\.isLeft).count == 1)
  }

  @Test("as long as it is not added, the package is renewed, and nothing else is set up or advised")
  func notYet() throws {
    try machine.write(admin, "// ours\n{\"ExtensionSettings\": {}}")
    try machine.install(program: nil)
    let renewed = try machine.refresh(program: nil)
    #expect(renewed.filter(\.isLeft).isEmpty)
    #expect(try machine.text(updates).contains("1.1"))
    #expect(!machine.isThere(host) && !machine.isThere(own))
  }

  @Test("comments that come after setup's entry leave it where it is")
  func commentedLater() throws {
    try machine.write(admin, #"{"ExtensionSettings": {}}"#)
    try machine.install()
    let text = "// ours\n" + (try machine.text(admin))
    try machine.write(admin, text)
    #expect(try machine.install().filter(\.isLeft).isEmpty)
    #expect(try machine.refresh().filter { $0.isLeft || $0.isPassedOver }.isEmpty)
    #expect(try machine.text(admin) == text)
  }
}

@Suite("Renewing what somebody has removed since")
struct RemovedSinceTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.install()
  }

  @Test("it stays away, which is said, and a full setup puts it back", arguments: [own, xpi, host])
  func files(path: String) throws {
    try FileManager.default.removeItem(at: machine.file(path))
    let plan = try machine.refresh(isTrial: true)
    let done = try machine.refresh()
    #expect(plan == done)
    #expect(done.filter(\.isPassedOver).count == 1 && !done.contains(where: \.isLeft), "\(done)")
    #expect(!machine.isThere(path))
    #expect(try machine.text(updates).contains("1.1"))
    try machine.install(version: "1.1")
    #expect(machine.isThere(path))
    #expect(try machine.refresh(version: "1.2").filter(\.isPassedOver).isEmpty)
  }

  @Test("without the package no update is announced, and without the key no other id comes")
  func package() throws {
    try FileManager.default.removeItem(at: machine.file(crx))
    #expect(try machine.refresh().filter(\.isPassedOver).count == 1)
    #expect(!machine.isThere(crx))
    #expect(try machine.text(updates).contains("1.0"))
    try machine.install()
    let ids = SystemSetup.extensionIDs(root: machine.system)
    let manifest = try machine.text(host)
    let key = "var/lib/tickbird/browser-extension.pem"
    try FileManager.default.removeItem(at: machine.file(key))
    #expect(try machine.refresh().filter(\.isPassedOver).count == 1)
    #expect(!machine.isThere(key))
    #expect(SystemSetup.extensionIDs(root: machine.system) == ids)
    #expect(try machine.text(host) == manifest)
  }

  @Test("an entry that was taken out of a file, or is gone with the file, stays away")
  func entries() throws {
    let settings = #"{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}"#
    for text in [settings, nil] {
      let machine = try Machine()
      try machine.write(admin, settings)
      try machine.install()
      try FileManager.default.removeItem(at: machine.file(admin))
      if let text { try machine.write(admin, text) }
      let done = try machine.refresh()
      #expect(done.filter(\.isPassedOver).count == 1 && !done.contains(where: \.isLeft), "\(done)")
      #expect(!machine.isThere(own))
      #expect(text == nil ? !machine.isThere(admin) : try machine.text(admin) == text)
      try machine.install()
      #expect(text == nil ? machine.isThere(own) : try machine.text(admin) != text)
    }
  }

  @Test("a policy that is there goes on to where it acts")
  func moved() throws {
    try machine.write(admin, #"{"ExtensionSettings": {}}"#)
    #expect(try machine.refresh().filter { $0.isPassedOver || $0.isLeft }.isEmpty)
    #expect(!machine.isThere(own))
    #expect(try machine.text(admin).contains("force_installed"))
  }

  @Test("a package for one kind of browsers takes nothing from the manifests of the other")
  func oneFamily() throws {
    let manifest = try machine.text(host)
    let changes = try machine.changes()
    try SystemSetup(changes: changes) { _ in }.install(
      FoundBrowser.all(machine.places, root: machine.system),
      from: machine.sources(version: "1.1").filter { $0.family == .firefox },
      program: URL(filePath: "/usr/bin/tickbird-host")
    )
    #expect(try machine.text(host) == manifest)
  }
}

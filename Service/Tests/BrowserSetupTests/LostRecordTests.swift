import Foundation
import HostTestSupport
import Testing

@testable import BrowserSetup

@Suite("A setup whose record was lost")
struct LostRecordTests {
  private let machine: Machine
  private let before: [String: String]
  private var record: URL { machine.file("var/lib/tickbird/setup.json") }
  private let policy = "etc/chromium/policies/managed/tickbird.json"

  init() throws {
    machine = try Machine()
    before = try machine.state()
    try machine.install()
    try FileManager.default.removeItem(at: record)
    try? FileManager.default.removeItem(at: record.appendingPathExtension("lock"))
  }

  private func files() throws -> [String: String] {
    try machine.state().filter { $0.value != "folder" }
  }

  @Test("another setup takes over what it would write the same, the key too, and undo removes it")
  func takenOver() throws {
    for isTrial in [true, false] {
      let outcomes = try machine.install(isTrial: isTrial)
      #expect(
        outcomes.allSatisfy { if case .takenOver = $0 { true } else { false } },
        "\(outcomes)"
      )
    }
    #expect(machine.isThere(policy))
    for outcome in try machine.undo() {
      if case .left = outcome { Issue.record("\(outcome)") }
    }
    #expect(try files() == before.filter { $0.value != "folder" })
  }

  @Test("undoing without a record removes nothing, and names each file that acts")
  func named() throws {
    let there = try files()
    var named: Set<String> = []
    for outcome in try machine.undo() {
      guard case .left(let place, let reason) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(reason.contains("no record"))
      named.insert(place)
    }
    let after = try files()
    #expect(after == there)
    let expected = after.keys.filter { before[$0] == nil }.map { machine.file($0).path }
    #expect(named == Set(expected))
  }

  @Test(
    "an administrator's key stays, is not named, and neither are files that only look like setup's"
  )
  func others() throws {
    let key = try Data(contentsOf: machine.file("var/lib/tickbird/browser-extension.pem"))
    // Back to a machine on which an administrator has put a key for setups to come.
    try machine.install()
    try machine.undo()
    try machine.write("var/lib/tickbird/browser-extension.pem", "")
    try key.write(to: machine.file("var/lib/tickbird/browser-extension.pem"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: machine.file("var/lib/tickbird/browser-extension.pem").path
    )
    try machine.write(policy, #"{"ExtensionSettings": {"x": {"installation_mode": "allowed"}}}"#)
    try machine.write("etc/chromium/native-messaging-hosts/tickbird.host.json", "{}")
    #expect(try machine.undo().isEmpty)
    try FileManager.default.removeItem(at: machine.file(policy))
    try FileManager.default.removeItem(
      at: machine.file("etc/chromium/native-messaging-hosts/tickbird.host.json")
    )
    try machine.install()
    try machine.undo()
    #expect(try Data(contentsOf: machine.file("var/lib/tickbird/browser-extension.pem")) == key)
  }

  @Test("the command ends with a failure, and does not say that nothing was written")
  func command() throws {
    guard geteuid() == 0 else { return }
    let home = machine.folder.appending(path: "home")
    for folder in ["var/lib/tickbird", "."] {
      if folder == "." { try FileManager.default.removeItem(at: machine.file("var/lib/tickbird")) }
      let outcome = try HostProgram(home: home)
        .run("setup", "--undo", "--yes", "--root", machine.root.path)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.output.contains(policy) && outcome.output.contains("no record"), "\(outcome)")
      #expect(machine.isThere(policy))
    }
  }
}

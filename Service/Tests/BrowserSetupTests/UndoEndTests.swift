import Foundation
import HostTestSupport
import Testing

@testable import BrowserSetup

/// Undoing that is ended at its end, when only folders and the record are left.
@Suite("Undoing that is interrupted at its end")
struct UndoEndTests {
  private let machine: Machine
  private let before: [String: String]
  private var record: URL { machine.file("var/lib/tickbird/setup.json") }

  /// A machine whose record names nothing but folders, all of which are there.
  init() throws {
    machine = try Machine()
    before = try machine.state()
    try machine.install()
    var left = try machine.record()
    for file in left.files { try FileManager.default.removeItem(at: machine.file(file.path)) }
    left.files = []
    try left.write(record, permissions: 0o644)
    #expect(machine.isThere("etc/chromium/policies/managed"))
  }

  @Test("the record goes after the folders that it names, so that another undo removes them")
  func recordLast() throws {
    let bytes = try Data(contentsOf: record)
    do {
      let changes = try machine.changes()
      // What cannot be removed, as if the process had ended here.
      try FileManager.default.removeItem(at: record)
      try machine.write("var/lib/tickbird/setup.json/held", "")
      #expect(throws: SetupError.self) { try changes.undo() }
    }
    #expect(!machine.isThere("etc/chromium") && !machine.isThere("usr/lib/mozilla"))
    try FileManager.default.removeItem(at: record)
    try bytes.write(to: record)
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("a record of folders alone, of which some are gone, is worked off")
  func someGone() throws {
    try FileManager.default.removeItem(at: machine.file("etc/chromium/policies"))
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("what is beside the record goes even where that is gone")
  func recordGone() throws {
    for folder in ["etc/chromium", "usr/lib", "usr/share"] {
      try FileManager.default.removeItem(at: machine.file(folder))
    }
    try FileManager.default.removeItem(at: record)
    #expect(SystemSetup.hasFolder(root: machine.system))
    try machine.undo()
    #expect(try machine.state() == before)
  }

  @Test("so does that of a user's own")
  func ownRecordGone() throws {
    let home = machine.folder.appending(path: "home")
    let data = home.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data().write(to: data.appending(path: "setup.json.lock"))
    let outcome = try HostProgram(home: home).run("setup", "--undo", "--only-me", "--yes")
    #expect(outcome.status == 0 && outcome.output.contains("Done"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: data.path))
  }
}

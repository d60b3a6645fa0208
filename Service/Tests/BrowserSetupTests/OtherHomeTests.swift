import Foundation
import HostTestSupport
import Testing

@testable import BrowserSetup

/// Root with the variables of another user, as `sudo` leaves them with some settings.
@Suite("Root in another user's home", .enabled(if: geteuid() == 0, "only root can be that"))
struct OtherHomeTests {
  private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "other-home-\(UUID().uuidString)")
  private var data: URL { folder.appending(path: "home/data") }
  private var host: HostProgram { HostProgram(home: folder.appending(path: "home")) }

  private func makeHome() throws {
    let files = FileManager.default
    try files.createDirectory(at: data, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: data.appending(path: "notes"))
  }

  private func giveAway() throws {
    for path in ["home", "home/data"] {
      try FileManager.default.setAttributes(
        [.ownerAccountID: 12_345],
        ofItemAtPath: folder.appending(path: path).path
      )
    }
  }

  @Test("a record that names a file of the system removes nothing")
  func lyingRecord() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeHome()
    let victim = folder.appending(path: "victim")
    let bytes = Data("of the system".utf8)
    try bytes.write(to: victim)
    var record = SetupRecord()
    record.files = [.init(path: victim.path, digests: [SetupChanges.digest(bytes)])]
    try record.write(data.appending(path: "setup.json"), permissions: 0o600)
    try giveAway()
    let outcome = try host.run("setup", "--undo", "--only-me", "--yes")
    #expect(outcome.status != 0 && outcome.errors.contains("is not used"), "\(outcome)")
    #expect(try Data(contentsOf: victim) == bytes)
  }

  @Test("the data of the other user is not removed")
  func otherData() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeHome()
    try giveAway()
    let outcome = try host.run("setup", "--undo", "--data", "--only-me", "--yes")
    #expect(outcome.status != 0 && outcome.errors.contains("12345"), "\(outcome)")
    #expect(FileManager.default.fileExists(atPath: data.appending(path: "notes").path))
  }
}

import Foundation
import HostTestSupport
import Testing

@testable import ExtensionGallery

@Suite("First starts in the host")
struct FirstStartTests {
  let folder: TemporaryFolder
  let command: HostProgram
  let key = SigningKey()

  init() throws {
    folder = try TemporaryFolder()
    command = HostProgram(home: folder("home"))
  }

  private func package(_ version: String, list: String) throws -> String {
    let sample = SampleBundle(version: version, list: list)
    return try sample.package(in: folder, key: key, to: "\(version).tickbird").path
  }

  /// The host's description of the extension.
  private func state() throws -> String {
    let outcome = try command.run("extensions", "state", "com.example.blocker")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  private let good = #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#
  private let bad = #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#

  @Test("A version whose list does not compile is taken back, and the previous list stays in use")
  func badUpdate() throws {
    #expect(try command.run("install", "--yes", package("1", list: good)).status == 0)
    #expect(try state().contains("state:      off"))
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 0)
    #expect(try command.run("install", "--yes", package("2", list: bad)).status == 1)
    let after = try state()
    #expect(after.contains("(1)") && !after.contains("(2)"))
    #expect(after.contains("list:       active"))
    #expect(try command.run("install", "--yes", package("3", list: good)).status == 0)
    #expect(try state().contains("(3)"))
  }

  @Test("What was installed while the extension was off is tried when it is turned on")
  func updateWhileOff() throws {
    #expect(try command.run("install", "--yes", package("1", list: good)).status == 0)
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 0)
    #expect(try command.run("extensions", "off", "com.example.blocker").status == 0)
    #expect(try command.run("install", "--yes", package("2", list: bad)).status == 0)
    #expect(try state().contains("(2)"))
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 1)
    let after = try state()
    #expect(after.contains("(1)") && after.contains("state:      on"))
    #expect(after.contains("list:       active"))
  }

  @Test("What takes a damaged one's place, and does not start, is off and keeps the data")
  func badOverDamaged() throws {
    #expect(try command.run("install", "--yes", package("1", list: good)).status == 0)
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 0)
    let kept = folder("home/data/Containers/com.example.blocker/Documents/kept")
    try FileManager.default.createDirectory(
      at: kept.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data("kept".utf8).write(to: kept)
    let own = folder("home/data/Extensions/com.example.blocker")
    for name in try FileManager.default.contentsOfDirectory(atPath: own.path)
    where name != "Versions.json" {
      try FileManager.default.removeItem(at: own.appending(path: name))
    }
    let listed = try command.run("extensions", "list")
    let words = "which is not there; install the extension again, or remove it"
    #expect(listed.errors.contains(words))
    // Also where it is the only one.
    for arguments in [[], ["com.example.blocker"]] {
      let updated = try command.run(["update"] + arguments)
      #expect(updated.status == 1 && updated.output.contains("com.example.blocker: failed"))
      #expect(updated.output.contains(words) && updated.errors.isEmpty, "\(updated)")
    }
    let bad = try command.run("install", "--yes", package("2", list: bad))
    #expect(bad.status == 1 && bad.errors.contains("it is off now"), "\(bad.errors)")
    #expect(try state().contains("state:      off"))
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
    #expect(try command.run("install", "--yes", package("3", list: good)).status == 0)
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 0)
    #expect(try state().contains("(3)"))
    #expect(try String(contentsOf: kept, encoding: .utf8) == "kept")
  }

  @Test("A key whose link leads to nothing is missing, and no other is made in its place")
  func keyElsewhere() throws {
    #expect(try command.run("package", "key", "new").status == 0)
    let place = folder("home/data/keys/signing.key")
    try FileManager.default.moveItem(at: place, to: folder("elsewhere.key"))
    try FileManager.default.createSymbolicLink(
      at: place,
      withDestinationURL: folder("elsewhere.key")
    )
    #expect(try command.run("package", "key", "show").status == 0)
    try FileManager.default.moveItem(at: folder("elsewhere.key"), to: folder("away.key"))
    let shown = try command.run("package", "key", "show")
    #expect(
      shown.status == 2 && shown.errors.contains("\(place.path) cannot be opened: it is a link")
    )
    #expect(shown.errors.contains("mount the disk") && !shown.errors.contains("key new"))
  }

  /// Turns the data folder into one of a version that recorded no signers.
  private func age() throws {
    func change(_ path: String, _ body: (inout [String: Any]) -> Void) throws {
      let file = folder("home/data/\(path)")
      var values =
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
      body(&values)
      try JSONSerialization.data(withJSONObject: values).write(to: file)
    }
    try change("Extensions/com.example.blocker/Versions.json") { values in
      values["signer"] = nil
      values["previousSigner"] = nil
    }
    try change("States/com.example.blocker.json") { $0["owner"] = nil }
    try change("gallery/State.json") { values in
      values["format"] = 1
      var trials = values["trials"] as? [String: [String: Any]] ?? [:]
      for name in trials.keys { trials[name]?["isInstalled"] = nil }
      values["trials"] = trials
    }
  }

  @Test(
    "A version that an older Tickbird installed and never started goes back to one of its developer"
  )
  func olderTrial() throws {
    #expect(try command.run("install", "--yes", package("1", list: good)).status == 0)
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 0)
    #expect(try command.run("extensions", "off", "com.example.blocker").status == 0)
    #expect(try command.run("install", "--yes", package("2", list: bad)).status == 0)
    let documents = folder("home/data/Containers/com.example.blocker/Documents")
    try FileManager.default.createDirectory(at: documents, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: documents.appending(path: "kept"))
    try age()
    #expect(try command.run("extensions", "on", "com.example.blocker").status == 1)
    let after = try state()
    #expect(after.contains("(1)") && after.contains("state:      on"), "\(after)")
    #expect(after.contains(try key.publicKey.fingerprint.description), "\(after)")
    #expect(
      try String(contentsOf: documents.appending(path: "kept"), encoding: .utf8) == "mine"
    )
    #expect(try command.run("install", "--yes", package("3", list: good)).status == 0)
  }
}

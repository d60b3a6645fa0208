import Foundation
import HostTestSupport
import TestSupport
import Testing

@testable import ExtensionGallery

@Suite("The command, killed")
struct KilledProcessTests {
  let folder: TemporaryFolder
  let command: HostProgram

  init() throws {
    folder = try TemporaryFolder()
    command = HostProgram(home: folder("home"))
  }

  @Test("Killed at any moment of an update, the command leaves a whole version, and goes on")
  func killed() throws {
    let files = folder("served")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    let key = SigningKey()
    func publish(_ version: Int) throws {
      let sample = SampleBundle(version: "\(version)", executable: "MyBlocker")
      _ = try sample.package(in: folder, key: key, to: "served/a.tickbird")
      try GalleryBuilder(folder: files).build(key: key, name: "G")
    }
    try publish(1)
    let server = try serve(files)
    let fingerprint = try key.publicKey.fingerprint.description
    #expect(
      try command.run("gallery", "add", server.url("").absoluteString, "--key", fingerprint)
        .status == 0
    )
    #expect(try command.run("install", "com.example.blocker", "--yes").status == 0)
    var random = RandomSource(seed: 17)
    for version in 2...16 {
      try publish(version)
      let process = try command.process(["update", "--yes"])
      try process.run()
      usleep(UInt32.random(in: 0..<150_000, using: &random))
      process.send(SIGKILL)
      process.waitUntilExit()
      let listed = try command.run("gallery", "list")
      #expect(listed.status == 0)
      // One of the two versions is installed, and intact.
      #expect(listed.output.contains("(installed: "), "version \(version): \(listed.output)")
    }
    #expect(try command.run("update", "--yes").status == 0)
    #expect(try command.run("gallery", "list").output.contains("(installed: 16)"))
    // The same for programs.
    try publish(17)
    func json(_ arguments: String...) throws -> [String: Any]? {
      let outcome = try command.run(arguments + ["--format", "json"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      return (try JSONSerialization.jsonObject(with: outcome.bytes) as? [[String: Any]])?.first
    }
    let gallery = try json("gallery", "list")
    #expect(gallery?["signer"] as? String == fingerprint && gallery?["fault"] == nil)
    let offer = (gallery?["offers"] as? [[String: String]])?.first
    #expect(offer?["version"] == "17" && offer?["installed"] == "16")
    let updated = try json("update", "--yes")
    #expect(updated?["outcome"] as? String == "updated" && updated?["from"] as? String == "16")
    #expect(updated?["version"] as? String == "17")
    let staging = folder("home/data/gallery/staging").path
    #expect(!FileManager.default.fileExists(atPath: staging))
  }
}

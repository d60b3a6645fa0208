import Foundation
import Testing

@testable import ExtensionGallery

@Suite("The command, killed")
struct KilledProcessTests {
  let folder: TemporaryFolder
  let command: URL

  init() throws {
    folder = try TemporaryFolder()
    // The test's own executable is in the folder where the package's others are built.
    let own = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
    var place = own.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: place.appending(path: "tickbird-host").path),
      place.path != "/"
    {
      place.deleteLastPathComponent()
    }
    command = place.appending(path: "tickbird-host")
  }

  private func start(_ arguments: [String]) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = command
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TICKBIRD_HOME": folder("home").path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  @discardableResult
  private func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let (process, output) = try start(arguments)
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test(
    "Killed at any moment of an update, the command leaves a whole version, and goes on",
    .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/env"))
  )
  func killed() throws {
    try #require(FileManager.default.isExecutableFile(atPath: command.path))
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
      try run(["gallery", "add", server.url("").absoluteString, "--key", fingerprint]).status == 0
    )
    #expect(try run(["install", "com.example.blocker", "--yes"]).status == 0)
    var random = SplitMix(state: 17)
    for version in 2...16 {
      try publish(version)
      let (process, _) = try start(["update", "--yes"])
      usleep(UInt32.random(in: 0..<150_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let listed = try run(["gallery", "list"])
      #expect(listed.status == 0)
      // What is installed is one version or the other, and can be read.
      #expect(listed.output.contains("(installed: "), "version \(version): \(listed.output)")
    }
    #expect(try run(["update", "--yes"]).status == 0)
    #expect(try run(["gallery", "list"]).output.contains("(installed: 16)"))
    let staging = folder("home/data/gallery/staging").path
    #expect(!FileManager.default.fileExists(atPath: staging))
  }
}

import Foundation
import Testing

/// The built `tickbird-host`, which lies beside the test bundle, for a home of its own.
struct HostCommand {
  private let home: URL
  private let program: URL

  init(home: URL) throws {
    self.home = home
    // The test's own executable is in the folder where the package's others are built.
    let own = try #require(Bundle.main.executableURL).resolvingSymlinksInPath()
    var place = own.deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: place.appending(path: "tickbird-host").path),
      place.path != "/"
    {
      place.deleteLastPathComponent()
    }
    program = place.appending(path: "tickbird-host")
  }

  var isThere: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  func start(_ arguments: [String]) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TICKBIRD_HOME": home.path]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  @discardableResult
  func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let (process, output) = try start(arguments)
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

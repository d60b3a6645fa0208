public import Foundation

/// Serves a folder on loopback, as a gallery's web server would, until it is stopped or forgotten.
public final class ServedFolder: Sendable {
  /// The folder, which is made.
  public let folder: URL
  /// The address of the folder, without a slash at its end.
  public let address: String
  private let process: TestProcess

  /// Begins to serve.
  public init(_ folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process = TestProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder.path, "0",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.contains("port ") || !text.contains("\n") {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw CocoaError(.fileReadUnknown) }
      text += String(decoding: more, as: UTF8.self)
    }
    address = "http://127.0.0.1:\(text.split(separator: "port ")[1].prefix { $0.isNumber })"
  }

  deinit { stop() }

  /// Ends the server.
  public func stop() {
    process.send(SIGKILL)
    process.waitUntilExit()
  }
}

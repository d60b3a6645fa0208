import Foundation
import Testing

/// Serves a folder on a port of this machine, until it is released.
final class LocalServer {
  let process = Process()
  let port: Int

  /// Whether Chromium is there to visit it, and Python to run it.
  static let canBeVisited = isThere("chromium") && isThere("python3")

  private static func isThere(_ name: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
  }

  init(_ folder: URL) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = ""
    while !text.contains("\n"), let piece = try output.fileHandleForReading.read(upToCount: 1),
      !piece.isEmpty
    {
      text += String(decoding: piece, as: UTF8.self)
    }
    // Serving HTTP on 127.0.0.1 port 40001 (http://127.0.0.1:40001/) ...
    let words = text.split(separator: " ")
    let place = try #require(words.firstIndex(of: "port"))
    port = try #require(Int(words[place + 1]))
  }

  deinit { kill(process.processIdentifier, SIGKILL) }
}

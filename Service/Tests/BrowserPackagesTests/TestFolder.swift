import Foundation
import HostTestSupport
import Testing

@testable import BrowserPackages

/// A program failed.
struct CommandFailure: Error {
  let words: String
}

/// A folder that is removed after the test; also the home of programs that run in it.
final class TestFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-packages-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ path: String) -> URL { url.appending(path: path) }

  /// A small extension of one of the families.
  func `extension`(_ family: ExtensionFolder.Family) throws -> URL {
    let folder = file("extension-\(family)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "icons"),
      withIntermediateDirectories: true
    )
    let manifest =
      switch family {
      case .chromium:
        """
        {"manifest_version": 3, "name": "Sample", "version": "1.2.3", "key": "b2xk",
         "background": {"service_worker": "background.js"}}
        """
      case .firefox:
        """
        {"manifest_version": 2, "name": "Sample", "version": "1.2.3",
         "browser_specific_settings": {"gecko": {"id": "tickbird@tickbird.example"}},
         "background": {"scripts": ["background.js"]}}
        """
      }
    let files = [
      "manifest.json": Data(manifest.utf8), "background.js": Data("// Nothing.\n".utf8),
      "icons/größe.png": Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }),
    ]
    for (path, data) in files { try data.write(to: folder.appending(path: path)) }
    return folder
  }

  /// Unpacks an archive with an independent program.
  func unzip(_ archive: String, to folder: String) throws {
    try run("python3", "-m", "zipfile", "-t", archive)
    try run("python3", "-m", "zipfile", "-e", archive, folder)
  }

  /// Runs a program of the system here.
  ///
  /// - Throws: ``CommandFailure`` if its status is not 0.
  @discardableResult
  func run(_ command: String...) throws -> String {
    try start(URL(filePath: "/usr/bin/env"), command)
  }

  /// Runs `tickbird-host` here.
  @discardableResult
  func host(_ arguments: String...) throws -> String {
    try start(try #require(Self.program, "tickbird-host is not built"), arguments)
  }

  private func start(_ program: URL, _ arguments: [String]) throws -> String {
    let process = TestProcess()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = url
    process.environment = [
      "HOME": url.path, "TICKBIRD_HOME": file("home").path, "PATH": "/usr/bin:/bin",
      "LANG": "C.UTF-8",
    ]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let words = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
      as: UTF8.self
    )
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandFailure(words: words) }
    return words
  }

  private static let program: URL? = {
    var folder = Bundle.main.executableURL?.deletingLastPathComponent()
    for _ in 0..<6 {
      guard let place = folder else { break }
      let file = place.appending(path: "tickbird-host")
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
      folder = place.deletingLastPathComponent()
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let built = package.appending(path: ".build/debug/tickbird-host")
    return FileManager.default.isExecutableFile(atPath: built.path) ? built : nil
  }()
}

import BrowserPackages
import Foundation
import HostTestSupport

@testable import BrowserSetup

/// A folder that stands for a machine: the system's files, programs and a home.
final class Machine {
  let folder: URL
  var root: URL { folder.appending(path: "root") }

  /// The machine as setup sees it.
  let system: SystemRoot

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "setup-\(UUID().uuidString)")
      .resolvingSymlinksInPath()
    try FileManager.default.createDirectory(
      at: folder.appending(path: "root"),
      withIntermediateDirectories: true
    )
    system = try SystemRoot(folder.appending(path: "root").path)
    for program in ["chromium", "firefox-esr"] {
      try write("usr/bin/\(program)", "#!/bin/sh\n")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: file("usr/bin/\(program)").path
      )
    }
    for name in ["var/lib", "etc"] {
      try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ path: String) -> URL { root.appending(path: path) }

  func write(_ path: String, _ text: String) throws {
    let file = file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: file(path)), as: UTF8.self)
  }

  func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: file(path).path) }

  /// Everything in the system, by paths, with its contents.
  func state() throws -> [String: String] {
    var state: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let data = try? Data(contentsOf: file(path))
      state[path] = data.map { SetupChanges.digest($0) } ?? "folder"
    }
    return state
  }

  /// What setup has recorded.
  func record() throws -> SetupRecord {
    try SetupRecord.read(URL(filePath: root.path + SystemSetup.recordFile.path))
  }

  /// A built extension.
  func sources(version: String = "1.0") throws -> [ExtensionFolder] {
    try ["chromium", "firefox"].map { family in
      let folder = folder.appending(path: "extension-\(family)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let more =
        family == "firefox"
        ? #""browser_specific_settings": {"gecko": {"id": "tickbird@tickbird.example"}}"#
        : #""background": {"service_worker": "background.js"}"#
      try Data(#"{"manifest_version": 3, "name": "T", "version": "\#(version)", \#(more)}"#.utf8)
        .write(to: folder.appending(path: "manifest.json"))
      return try ExtensionFolder(folder)
    }
  }

  func changes(isTrial: Bool = false) throws -> SetupChanges {
    try SetupChanges(
      recordFile: SystemSetup.recordFile,
      root: system,
      trust: Trust(),
      isForAll: true,
      isTrial: isTrial
    )
  }

  /// Installs in the machine's browsers, and returns what was done.
  @discardableResult
  func install(
    version: String = "1.0",
    isTrial: Bool = false,
    program: String? = "/usr/bin/tickbird-host"
  ) throws -> [SetupChanges.Outcome] {
    var outcomes: [SetupChanges.Outcome] = []
    let changes = try changes(isTrial: isTrial)
    try SystemSetup(changes: changes) { outcomes.append($0) }.install(
      FoundBrowser.all(places, root: system),
      from: sources(version: version),
      program: program.map { URL(filePath: $0) }
    )
    return outcomes
  }

  /// Renews what is set up, and returns what was done.
  @discardableResult
  func refresh(
    version: String = "1.1",
    isTrial: Bool = false,
    program: String? = "/usr/bin/tickbird-host"
  ) throws -> [SetupChanges.Outcome] {
    var outcomes: [SetupChanges.Outcome] = []
    let changes = try changes(isTrial: isTrial)
    let setup = SystemSetup(changes: changes, isRenewal: true) { outcomes.append($0) }
    try setup.install(
      setup.browsersSetUp(of: FoundBrowser.all(places, root: system)),
      from: sources(version: version),
      program: program.map { URL(filePath: $0) }
    )
    return outcomes
  }

  @discardableResult
  func undo() throws -> [SetupChanges.Outcome] {
    var outcomes: [SetupChanges.Outcome] = []
    try SystemSetup(changes: changes()) { outcomes.append($0) }.undo()
    return outcomes
  }
}

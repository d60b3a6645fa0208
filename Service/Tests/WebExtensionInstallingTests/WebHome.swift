import ExtensionHost
import ExtensionMessages
import Foundation
import HostTestSupport
import NativeMessaging
import Testing

/// A home with installed web extensions.
struct WebHome {
  let url: URL
  let program: HostProgram

  init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "tickbird-web-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    program = HostProgram(home: url)
  }

  func remove() { try? FileManager.default.removeItem(at: url) }

  /// Makes a home for a test, and removes it afterwards.
  static func use(_ body: (WebHome) throws -> Void) throws {
    let home = try WebHome()
    defer { home.remove() }
    try body(home)
  }

  private static func manifest(_ version: String) -> String {
    """
    {
      "manifest_version": 2,
      "name": "Web",
      "version": "\(version)",
      "permissions": ["nativeMessaging"],
      "key": "its own",
      "background": { "scripts": ["background.js"], "persistent": false },
      "browser_specific_settings": { "gecko": { "id": "tickbird@tickbird.example" } },
      "icons": { "48": "icon.svg" }
    }
    """
  }

  /// Makes the bundle of an extension whose handler ends without an answer.
  func bundle(
    _ identifier: String,
    version: String = "1.0",
    manifest: String? = nil,
    point: String = "com.apple.Safari.web-extension"
  ) throws -> URL {
    let bundle = url.appending(path: "Web.appex", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: bundle)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": version,
      "CFBundleShortVersionString": version, "CFBundleName": "Web", "CFBundleExecutable": "Web",
      "NSExtension": ["NSExtensionPointIdentifier": point],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    try FileManager.default.copyItem(
      at: URL(filePath: "/bin/true"),
      to: bundle.appending(path: "Web")
    )
    for (name, text) in [
      "manifest.json": manifest ?? Self.manifest(version), "background.js": "// nothing",
      "icon.svg": "<svg/>",
    ] {
      try Data(text.utf8).write(to: bundle.appending(path: name))
    }
    return bundle
  }

  /// Installs a web extension whose handler ends without an answer, and turns it on.
  func install(_ identifier: String, version: String = "1.0") throws {
    let bundle = try bundle(identifier, version: version)
    for arguments in [["install", bundle.path], ["on", identifier]] {
      let outcome = try program.run(["extensions"] + arguments)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try FileManager.default.removeItem(at: bundle)
  }

  /// Adds an extension to Chromium and Firefox, and returns what the command says.
  @discardableResult
  func add(_ identifier: String) throws -> String {
    let outcome = try program.run("browser", "add", identifier, "chromium", "firefox")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  func chromiumID(_ identifier: String) throws -> String {
    let registration = try json("data/browser/web/\(identifier)/Registration.json")
    return try #require(registration["chromiumID"] as? String)
  }

  /// How often an extension's process was started.
  func starts(_ identifier: String) throws -> Int {
    let log = try program.run("extensions", "log", identifier)
    return log.output.split(separator: "\n").count { $0.contains("without an answer") }
  }

  /// Dispatches a message to an extension's script as an app does, once the service runs.
  func dispatch(_ name: String, to identifier: String) async throws {
    let socket = url.appending(path: "run/host.sock").path
    let call = DispatchMessage(identifier: identifier, name: name, userInfo: nil)
    for _ in 0..<600 {
      guard let client = try? HostClient(socket: socket) else {
        try await Task.sleep(for: .milliseconds(50))
        continue
      }
      _ = try await client.call(call)
      return
    }
    Issue.record("no service runs")
  }

  // MARK: Files

  func data(_ path: String) throws -> Data { try Data(contentsOf: url.appending(path: path)) }

  func json(_ path: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data(path)) as? [String: Any])
  }

  func write(_ data: Data, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try data.write(to: file)
  }

  /// The paths of all files below a folder.
  func files(_ path: String) throws -> [String] {
    let folder = url.appending(path: path, directoryHint: .isDirectory)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      var isFolder: ObjCBool = false
      let file = folder.appending(path: $0).path
      return unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    .sorted()
  }
}

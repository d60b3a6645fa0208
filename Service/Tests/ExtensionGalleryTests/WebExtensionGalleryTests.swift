import ExtensionBundles
import Foundation
import HostTestSupport
import Synchronization
import Testing
import WebExtensions

@testable import ExtensionGallery

/// Both halves of a web extension through a gallery, by the commands that people use.
@Suite("Web extensions from a gallery")
struct WebExtensionGalleryTests {
  private static let identifier = "com.example.Notes"
  private static let host =
    ".config/chromium/NativeMessagingHosts/tickbird.web.com.example.notes.json"

  private let folder: TemporaryFolder
  private let command: HostProgram
  private let server: LoopbackServer

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    command = HostProgram(home: folder("home"))
    try FileManager.default.createDirectory(
      at: folder("site"),
      withIntermediateDirectories: true
    )
    // A browser that the user has.
    try FileManager.default.createDirectory(
      at: folder("home/.config/chromium"),
      withIntermediateDirectories: true
    )
    server = try LoopbackServer { path in
      let file = folder("site").appending(path: path)
      return (try? Data(contentsOf: file)).map { .data($0) } ?? .status(404)
    }
  }

  private func run(_ words: String..., status: Int32 = 0) throws -> HostProgram.Outcome {
    let outcome = try command.run(words)
    #expect(outcome.status == status, "\(words): \(outcome.errors)\(outcome.output)")
    return outcome
  }

  /// Puts a version into the gallery, as its maker does.
  private func publish(_ version: String, _ manifest: String = "") throws {
    let bundle = folder("made-\(version)/Notes.appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": Self.identifier, "CFBundleVersion": version, "CFBundleName": "Notes",
      "CFBundleShortVersionString": version, "CFBundleExecutable": "Notes",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"],
    ]
    try SampleBundle.propertyList(information).write(to: bundle.appending(path: "Info.plist"))
    let program = bundle.appending(path: "Notes")
    try FileManager.default.copyItem(at: URL(filePath: "/bin/true"), to: program)
    let text = """
      {"manifest_version": 3, "name": "Notes", "version": "\(version)",
       "background": {"service_worker": "worker.js"}, "permissions": ["nativeMessaging"]\(manifest)}
      """
    try Data(text.utf8).write(to: bundle.appending(path: "manifest.json"))
    try Data("// \(version)".utf8).write(to: bundle.appending(path: "worker.js"))
    _ = try run("package", bundle.path, "-o", folder("site").path)
    _ = try run("gallery", "build", folder("site").path, "--name", "Example")
  }

  private func manifest(_ family: String = "chromium") throws -> [String: Any] {
    let file = folder("home/data/browser/web/\(Self.identifier)/\(family)/manifest.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(object as? [String: Any])
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder("home/\(path)").path)
  }

  private func setUp() throws {
    let key = try run("package", "key", "new").output
    let fingerprint = try #require(key.firstMatch(of: #/[0-9a-f]{4,}[0-9a-f:\- ]*/#)).output
    try publish("1")
    _ = try run(
      "gallery",
      "add",
      "http://127.0.0.1:\(server.port)",
      "--key",
      String(fingerprint).trimmingCharacters(in: .whitespaces)
    )
  }

  @Test("it is installed, updated, put back and removed as one thing, under the same ids")
  func life() throws {
    try setUp()
    let installed = try run("install", "--yes", "--to-browsers", Self.identifier)
    #expect(installed.output.contains("in browsers, nativeMessaging"))
    #expect(installed.output.contains("host     Chromium: wrote"))
    #expect(try manifest()["version"] as? String == "1")
    let key = try manifest()["key"] as? String
    let host = try Data(contentsOf: folder("home/\(Self.host)"))
    #expect(try !run("browser").output.contains("restart"))

    // A browser that runs meanwhile has loaded the first version.
    let lock = folder("home/.config/chromium/SingletonLock").path
    try FileManager.default.createSymbolicLink(
      atPath: lock,
      withDestinationPath: "host-\(ProcessInfo.processInfo.processIdentifier)"
    )
    try publish("2")
    let updated = try run("update", "--yes").output
    #expect(updated.contains("updated from 1 to 2"))
    #expect(updated.contains("restart Chromium"), "\(updated)")
    #expect(try manifest()["version"] as? String == "2")
    #expect(try manifest("firefox")["version"] as? String == "2")
    #expect(try manifest()["key"] as? String == key)
    #expect(try Data(contentsOf: folder("home/\(Self.host)")) == host)
    #expect(try run("browser").output.contains("restart Chromium: it was started before"))
    // Started again, it has the new one; a lock that a crash left says nothing.
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createSymbolicLink(
      atPath: lock,
      withDestinationPath: "host-\(ProcessInfo.processInfo.processIdentifier)"
    )
    #expect(try !run("browser").output.contains("restart"))

    _ = try run("extensions", "go-back", Self.identifier)
    #expect(try manifest()["version"] as? String == "1")
    #expect(try manifest()["key"] as? String == key)
    _ = try run("extensions", "remove", Self.identifier)
    #expect(!isThere(Self.host) && !isThere("data/browser/web/\(Self.identifier)"))
    #expect(try !run("browser").output.contains(Self.identifier))
  }

  @Test("a version that may do more in browsers waits for the user's word")
  func requests() throws {
    try setUp()
    let offered = try run("install", "--yes", Self.identifier)
    #expect(offered.errors.contains("tickbird browser add \(Self.identifier)"))
    _ = try run("browser", "add", Self.identifier, "chromium")
    let hosts = #", "host_permissions": ["https://bank.example/*"]"#
    try publish("2", hosts)
    let waiting = try run("update").output
    #expect(waiting.contains("to read and change the pages https://bank.example/*"), "\(waiting)")
    #expect(try manifest()["version"] as? String == "1")
    let agreed = try run("update", "--yes").output
    #expect(agreed.contains("new         in browsers, to read and change the pages"), "\(agreed)")
    #expect(try manifest()["version"] as? String == "2")
    // The same again is nothing new, and neither is less.
    try publish("3", hosts)
    #expect(try run("update").output.contains("updated from 2 to 3"))
    try publish("4")
    #expect(try run("update").output.contains("updated from 3 to 4"))
    for more in [
      #", "content_scripts": [{"matches": ["<all_urls>"], "js": ["worker.js"]}]"#,
      #", "chrome_url_overrides": {"newtab": "worker.js"}"#,
      #", "externally_connectable": {"matches": ["https://evil.example/*"]}"#,
      #", "permissions": ["nativeMessaging", "tabs"]"#,
    ].enumerated() {
      try publish("\(5 + more.offset)", more.element)
      #expect(try run("update").output.contains("asks for"), "\(more.element)")
    }
    #expect(try manifest()["version"] as? String == "4")
  }

  @Test("the pages of a Safari app extension are requests as well")
  func websites() throws {
    func requests(_ access: [String: Any]) throws -> BundleRequests {
      var sample = SampleBundle(executable: "Handler")
      sample.extra["NSExtension"] = [
        "NSExtensionPointIdentifier": "com.apple.Safari.extension", "SFSafariWebsiteAccess": access,
      ]
      return try BundleRequests(bundle: sample.write(into: folder("app-\(UUID().uuidString)")))
    }
    let some = try requests(["Level": "Some", "Allowed Domains": ["a.example"]])
    #expect(some.sentences.first == "in browsers, to read and change the pages *://a.example/*")
    let all = try requests(["Level": "All"])
    #expect(all.beyond(some).first?.contains("all pages") == true)
    #expect(some.beyond(all).isEmpty)
    #expect(try requests(["Level": "None"]).web?.hosts == [])
    // The folders of before those have a property list of their own.
    var sample = SampleBundle()
    sample.extra["NSExtension"] = [
      "NSExtensionPointIdentifier": "com.apple.Safari.web-extension"
    ]
    let bundle = try sample.write(into: folder("older"))
    let older = bundle.appending(path: SafariExtensionFolder.folderName)
    try FileManager.default.createDirectory(at: older, withIntermediateDirectories: true)
    try SampleBundle.propertyList(["Permissions": ["Website Access": ["Level": "All"]]])
      .write(to: older.appending(path: "Info.plist"))
    #expect(try BundleRequests(bundle: bundle).sentences.first?.contains("all pages") == true)
  }

  @Test("a Safari app extension is added to browsers as well, and what has no half says so")
  func appExtension() throws {
    _ = try run("package", "key", "new")
    var sample = SampleBundle(identifier: "com.example.app")
    let without = try sample.write(into: folder("list"))
    sample.identifier = Self.identifier
    sample.executable = "Handler"
    sample.extra["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.Safari.extension"]
    let bundle = try sample.write(into: folder("app"))
    for bundle in [bundle, without] {
      _ = try run("package", bundle.path, "-o", folder("packages").path)
    }
    func install(_ identifier: String) throws -> HostProgram.Outcome {
      let package = folder("packages/\(identifier)-1.tickbird").path
      return try run("install", "--yes", "--to-browsers", package)
    }
    #expect(try install(Self.identifier).output.contains("Chromium, and browsers based on it"))
    #expect(try manifest()["version"] != nil)
    #expect(try install("com.example.app").errors.contains("has no half for browsers"))
  }

  @Test("what cannot say what it asks for is no package")
  func broken() throws {
    let bundle = folder("broken/Notes.appex")
    try setUp()
    try FileManager.default.createDirectory(
      at: bundle.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(at: folder("made-1/Notes.appex"), to: bundle)
    try Data("{".utf8).write(to: bundle.appending(path: "manifest.json"))
    let refused = try run("package", bundle.path, "-o", folder("site").path, status: 1)
    #expect(refused.errors.contains("manifest.json:1"), "\(refused.errors)")
  }
}

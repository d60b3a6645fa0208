import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

@Suite("The manifests by which browsers find the host")
struct HostInstallationTests {
  /// A made-up home, with a program in it.
  private final class Home {
    let url: URL
    let program: URL
    let places: BrowserPlaces
    let ids = [BrowserIdentity.chromiumID, BrowserIdentity.geckoID]

    init(profiles: [String] = []) throws {
      url = FileManager.default.temporaryDirectory
        .appending(path: "tickbird-browser-test-\(UUID().uuidString)", directoryHint: .isDirectory)
      program = url.appending(path: "bin/tickbird-host")
      places = BrowserPlaces(environment: ["HOME": url.path, "PATH": url.path + "/bin"])
      for path in ["bin"] + profiles {
        try FileManager.default.createDirectory(
          at: url.appending(path: path),
          withIntermediateDirectories: true
        )
      }
      try Data("#!/bin/sh\n".utf8).write(to: program)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    var installation: HostInstallation { HostInstallation(places: places, program: program) }

    func write(_ text: String, _ browser: Browser) throws -> URL {
      let file = places.manifest(browser, host: BrowserIdentity.hostName)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(text.utf8).write(to: file)
      return file
    }

    func object(_ browser: Browser) throws -> [String: Any] {
      let file = places.manifest(browser, host: BrowserIdentity.hostName)
      return try #require(
        JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
      )
    }
  }

  @Test("Ids of extensions are told from what is none")
  func identifiers() {
    let good = [
      "a@b", "name@example.org", "@b", "a_b.c-D9@x", "{e4a8a97b-f2ed-450b-b12d-ee082ba24781}",
    ]
    for id in good { #expect(BrowserFamily.firefox.isExtensionID(id), "\(id)") }
    let bad = [
      "", "@", "a@", "a", "a@b@c", "a b@c", "a@b/", "a@{b}", "{}", "{@}", "ä@b",
      "{e4a8a97b-f2ed-450b-b12d-ee082ba2478@}", "{e4a8a97bf2ed450bb12dee082ba24781}",
      "{gggggggg-f2ed-450b-b12d-ee082ba24781}", String(repeating: "a", count: 80) + "@b",
    ]
    for id in bad { #expect(!BrowserFamily.firefox.isExtensionID(id), "\(id)") }
  }

  @Test(
    "Each browser's manifest is where it looks, with the keys that it takes",
    arguments: [
      (Browser.chromium, ".config/chromium/NativeMessagingHosts"),
      (.chrome, ".config/google-chrome/NativeMessagingHosts"),
      (.brave, ".config/BraveSoftware/Brave-Browser/NativeMessagingHosts"),
      (.edge, ".config/microsoft-edge/NativeMessagingHosts"),
      (.firefox, ".mozilla/native-messaging-hosts"),
    ]
  )
  func places(browser: Browser, folder: String) throws {
    let home = try Home()
    let file = home.url.appending(path: folder).appending(path: "tickbird.host.json")
    #expect(try home.installation.install(browser, extensions: home.ids) == .written(file))
    let object = try home.object(browser)
    #expect(object["path"] as? String == home.program.path)
    #expect(object["type"] as? String == "stdio")
    #expect(object["name"] as? String == "tickbird.host")
    if browser == .firefox {
      #expect(object["allowed_extensions"] as? [String] == [BrowserIdentity.geckoID])
    } else {
      #expect(
        object["allowed_origins"] as? [String]
          == ["chrome-extension://\(BrowserIdentity.chromiumID)/"]
      )
    }
    #expect(object.count == 5)
    #expect(try home.installation.install(browser, extensions: home.ids) == .unchanged(file))
    #expect(home.installation.status(browser, extensions: home.ids).isReady)
    #expect(try home.installation.uninstall(browser, extensions: home.ids) == .removed(file))
    #expect(try home.installation.uninstall(browser, extensions: home.ids) == .absent(file))
  }

  @Test("A browser is there if its program or its profile is; XDG_CONFIG_HOME is followed")
  func presence() throws {
    let home = try Home(profiles: [".mozilla/firefox", ".config/BraveSoftware/Brave-Browser"])
    #expect(Browser.allCases.filter { home.places.has($0) } == [.brave, .firefox])
    try Data().write(to: home.url.appending(path: "bin/chromium"))
    #expect(home.places.has(.chromium))
    let other = BrowserPlaces(
      environment: ["HOME": home.url.path, "XDG_CONFIG_HOME": home.url.path + "/conf"]
    )
    #expect(
      other.manifest(.edge, host: "x").path
        == home.url.path + "/conf/microsoft-edge/NativeMessagingHosts/x.json"
    )
    #expect(!other.has(.brave))
  }

  @Test("Extensions of others stay in a manifest of ours, at installing and uninstalling")
  func merge() throws {
    let home = try Home()
    let other = String(repeating: "b", count: 32)
    #expect(
      try home.installation.install(.chromium, extensions: [other, "x@y"])
        == .written(home.places.manifest(.chromium, host: BrowserIdentity.hostName))
    )
    _ = try home.installation.install(.chromium, extensions: home.ids)
    let origins = [
      "chrome-extension://\(other)/", "chrome-extension://\(BrowserIdentity.chromiumID)/",
    ]
    #expect(try home.object(.chromium)["allowed_origins"] as? [String] == origins)
    let kept = try home.installation.uninstall(.chromium, extensions: home.ids)
    let file = home.places.manifest(.chromium, host: BrowserIdentity.hostName)
    #expect(kept == .kept(file, callers: [origins[0]]))
    #expect(try home.object(.chromium)["allowed_origins"] as? [String] == [origins[0]])
    #expect(try home.installation.uninstall(.chromium, extensions: nil) == .removed(file))
  }

  @Test("A program that was moved is put right")
  func moved() throws {
    let home = try Home()
    let old = HostInstallation(
      places: home.places,
      program: URL(filePath: "/old/place/tickbird-host")
    )
    _ = try old.install(.firefox, extensions: home.ids)
    let status = home.installation.status(.firefox, extensions: home.ids)
    #expect(!status.isReady)
    #expect(status.problems.first?.contains("/old/place/tickbird-host is not there") == true)
    _ = try home.installation.install(.firefox, extensions: home.ids)
    #expect(home.installation.status(.firefox, extensions: home.ids).isReady)
  }

  @Test(
    "A file of somebody else's is left, or moved aside if that is asked for",
    arguments: [
      "", "no JSON", "[]", #"{"name":"tickbird.host"}"#,
      #"{"name":"tickbird.host","description":"d","path":"/usr/bin/other","type":"stdio","#
        + #""allowed_origins":["chrome-extension://x/"]}"#,
      // Called like ours.
      #"{"name":"tickbird.host","description":"d","path":"/opt/fork/tickbird-host","type":"stdio","#
        + #""allowed_origins":["chrome-extension://x/"]}"#,
    ]
  )
  func foreign(text: String) throws {
    let home = try Home()
    let file = try home.write(text, .chrome)
    guard case .refused(file, _) = try home.installation.install(.chrome, extensions: home.ids)
    else {
      Issue.record("not refused")
      return
    }
    guard case .refused = try home.installation.uninstall(.chrome, extensions: nil) else {
      Issue.record("not refused")
      return
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    for number in 1...2 {
      _ = try home.write(text, .chrome)
      let outcome = try home.installation.install(
        .chrome,
        extensions: home.ids,
        replacing: true
      )
      let backup = file.appendingPathExtension("backup-\(number)")
      #expect(outcome == .replaced(file, backup: backup))
      #expect(try String(contentsOf: backup, encoding: .utf8) == text)
    }
    #expect(home.installation.status(.chrome, extensions: home.ids).isReady)
  }

  @Test("A pipe, a folder or a very long file in the manifest's place is refused, and stays")
  func notFiles() throws {
    let home = try Home()
    let file = home.places.manifest(.chromium, host: BrowserIdentity.hostName)
    let folder = file.deletingLastPathComponent()
    let manager = FileManager.default
    let steps: [() throws -> Void] = [
      { #expect(unsafe mkfifo(file.path, 0o600) == 0) },
      { try manager.createDirectory(at: file, withIntermediateDirectories: true) },
      { try Data(repeating: 0x20, count: HostManifest.limit + 1).write(to: file) },
    ]
    for step in steps {
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      try step()
      for outcome in [
        try home.installation.install(.chromium, extensions: home.ids),
        try home.installation.uninstall(.chromium, extensions: nil),
      ] {
        guard case .refused = outcome else {
          Issue.record("\(outcome)")
          continue
        }
      }
      #expect(manager.fileExists(atPath: file.path))
      try manager.removeItem(at: folder)
    }
  }

  @Test(
    "What keeps a browser from starting the host is said",
    arguments: [
      (Browser.chromium, #""allowed_origins":["chrome-extension://ID"]"#, "may not start"),
      (
        .chromium, #""allowed_origins":["chrome-extension://ID/","chrome-extension://*/"]"#,
        "“chrome"
      ),
      (.chromium, #""allowed_extensions":[]"#, "no list “allowed_origins”"),
      (.firefox, #""allowed_extensions":["GECKO"],"allowed_origins":[]"#, "Firefox refuses"),
      (.firefox, #""allowed_extensions":["other@x"]"#, "may not start"),
    ]
  )
  func problems(browser: Browser, callers: String, words: String) throws {
    let home = try Home()
    let list = callers.replacing("ID", with: BrowserIdentity.chromiumID)
      .replacing("GECKO", with: BrowserIdentity.geckoID)
    _ = try home.write(
      """
      {"name":"tickbird.host","description":"d","path":"\(home.program.path)","type":"stdio",\(list)}
      """,
      browser
    )
    let status = home.installation.status(browser, extensions: home.ids)
    #expect(status.problems.contains { $0.contains(words) }, "\(status.problems)")
    #expect(!status.isReady)
  }

  @Test("The ids and the key belong together, and the names are ones that browsers take")
  func identity() throws {
    #expect(BrowserFamily.chromium.isExtensionID(BrowserIdentity.chromiumID))
    #expect(BrowserFamily.firefox.isExtensionID(BrowserIdentity.geckoID))
    let key = try #require(Data(base64Encoded: BrowserIdentity.chromiumKey))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try key.write(to: file)
    let process = TestProcess()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    process.arguments = [file.path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(),
      as: UTF8.self
    )
    let letters = text.utf8.prefix(32).map { byte in
      String(UnicodeScalar(0x61 + (byte < 0x61 ? byte - 0x30 : byte - 0x61 + 10)))
    }
    #expect(letters.joined() == BrowserIdentity.chromiumID)
    for name in [BrowserIdentity.hostName, BrowserIdentity.sampleHostName] {
      #expect(name.wholeMatch(of: /[a-z0-9_]+(\.[a-z0-9_]+)*/) != nil)
    }
  }
}

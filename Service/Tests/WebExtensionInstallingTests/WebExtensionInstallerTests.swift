import ExtensionHost
import ExtensionMessages
import Foundation
import HostTestSupport
import NativeMessaging
import Testing

@testable import WebExtensionInstalling

/// Web extensions in browsers, by the commands that people use and as browsers start the program.
@Suite("Web extensions in browsers")
struct WebExtensionInstallerTests {
  private static let web = "com.example.Web-Notes"
  private static let host = "tickbird.web.com.example.web_notes"

  @Test("adding makes folders, packages and hosts' manifests for the extension's own ids alone")
  func adding() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      let output = try home.add(Self.web)
      let id = try home.chromiumID(Self.web)
      #expect(output.contains(id))
      let status = try home.program.run("browser", "status").output
      let line = "\(Self.web), added to Chromium, Firefox, asks its own handler as \(id)"
      #expect(status.contains(line))
      #expect(output.contains("lacks    manifest.json:9: Chromium shows no svg as an icon"))
      let chromium = try home.json("data/browser/web/\(Self.web)/chromium/manifest.json")
      #expect(chromium["manifest_version"] as? Int == 3)
      let firefox = try home.json("data/browser/web/\(Self.web)/firefox/manifest.json")
      let settings = firefox["browser_specific_settings"] as? [String: [String: Any]]
      #expect(settings?["gecko"]?["id"] as? String == "\(id)@web.tickbird.example")
      let host = try home.json(".config/chromium/NativeMessagingHosts/\(Self.host).json")
      #expect(host["allowed_origins"] as? [String] == ["chrome-extension://\(id)/"])
      #expect(host["name"] as? String == Self.host)
      let other = try home.json(".mozilla/native-messaging-hosts/\(Self.host).json")
      #expect(other["allowed_extensions"] as? [String] == ["\(id)@web.tickbird.example"])
      let files = try home.files("data/browser/web/\(Self.web)")
      #expect(
        files.filter { $0.hasPrefix("packages/") }
          == [
            "packages/\(id)@web.tickbird.example.xpi", "packages/policies.json",
            "packages/\(Self.host).crx", "packages/\(Self.host).json",
            "packages/\(Self.host).xml",
          ].sorted()
      )
      // The handler stays here.
      #expect(!files.contains { $0.hasSuffix("/Web") || $0.hasSuffix("Info.plist") })
    }
  }

  @Test("a new version keeps the ids, and is made ready by itself")
  func updating() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let id = try home.chromiumID(Self.web)
      try home.install(Self.web, version: "2.0")
      let manifest = try home.json("data/browser/web/\(Self.web)/chromium/manifest.json")
      #expect(manifest["version"] as? String == "2.0")
      #expect(try home.chromiumID(Self.web) == id)
      #expect(try home.program.run("extensions", "go-back", Self.web).status == 0)
      let back = try home.json("data/browser/web/\(Self.web)/firefox/manifest.json")
      #expect(back["version"] as? String == "1.0")
      // A version that browsers cannot have is refused, so that both halves stay of one version.
      let refused = try home.program.run(
        "extensions",
        "install",
        home.bundle(Self.web, version: "3.0", manifest: "{").path
      )
      #expect(refused.status != 0)
      #expect(refused.errors.contains("manifest.json:1"), "\(refused.errors)")
      #expect(refused.errors.contains("tickbird browser remove \(Self.web)"))
      let kept = try home.json("data/browser/web/\(Self.web)/chromium/manifest.json")
      #expect(kept["version"] as? String == "1.0")
      #expect(!(try home.program.run("extensions", "list").output.contains("3.0")))
    }
  }

  @Test("one command undoes it, and so does removing the extension")
  func removing() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      let before = try home.files("")
      for command in [["browser", "remove"], ["extensions", "remove"]] {
        try home.add(Self.web)
        let added = try home.files("").contains { $0.hasSuffix("\(Self.host).json") }
        #expect(added)
        let outcome = try home.program.run(command + [Self.web], input: Data())
        #expect(outcome.status == 0, "\(outcome.errors)")
        let left = try home.files("").filter { file in
          !before.contains(file) && !file.hasSuffix(".lock") && !file.contains("/Logs/")
        }
        #expect(left == [])
      }
      #expect(try home.program.run("browser", "remove", Self.web).status == 1)
      #expect(try home.program.run("browser", "add", Self.web).status == 1)
    }
  }

  @Test("a Safari app extension, which has no manifest, is added and taken away")
  func appExtension() throws {
    try WebHome.use { home in
      let identifier = "com.example.app-extension"
      let bundle = home.url.appending(path: "App.appex", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
      let information: [String: Any] = [
        "CFBundleIdentifier": identifier, "CFBundleVersion": "1", "CFBundleName": "App",
        "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "App",
        "NSExtension": [
          "NSExtensionPointIdentifier": "com.apple.Safari.extension",
          "SFSafariContentScript": [["Script": "script.js"]],
          "SFSafariWebsiteAccess": ["Level": "Some", "Allowed Domains": ["a.example"]],
        ],
      ]
      try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
        .write(to: bundle.appending(path: "Info.plist"))
      try FileManager.default.copyItem(
        at: URL(filePath: "/bin/true"),
        to: bundle.appending(path: "App")
      )
      try Data("// nothing".utf8).write(to: bundle.appending(path: "script.js"))
      let installed = try home.program.run("extensions", "install", bundle.path)
      #expect(installed.status == 0, "\(installed.errors)")
      try home.add(identifier)
      for family in ["chromium", "firefox"] {
        let manifest = try home.json("data/browser/web/\(identifier)/\(family)/manifest.json")
        #expect("\(manifest)".contains("a.example"))
      }
      #expect(try home.program.run("browser", "remove", identifier).status == 0)
    }
  }

  @Test("a browser reaches the extension's own handler, and nothing else")
  func strangers() throws {
    try WebHome.use { home in
      let other = "com.example.other"
      for identifier in [Self.web, other] {
        try home.install(identifier)
        try home.add(identifier)
      }
      #expect(try home.program.run("notes", "add", "https://a.example/", "secret").status == 0)
      let id = try home.chromiumID(Self.web)
      for caller in [
        ["chrome-extension://\(id)/"],
        ["/x/native-messaging-hosts/\(Self.host).json", "\(id)@web.tickbird.example"],
      ] {
        let port = try HostPort(home.program, arguments: caller)
        // The handler ends without an answer; whose it was, the logs say.
        let asked = try port.ask([
          "type": "sendMessage", "identifier": other, "message": 1, "owner": ["signer": "x"],
          "question": 5,
        ])
        #expect(asked["code"] as? String == "reported", "\(asked)")
        #expect(asked["question"] as? Int == 5)
        for refused in [
          ["request": "check", "url": "https://a.example/"], ["request": "hello"],
          ["type": "links"], ["type": "lists"], ["request": "list", "type": "sendMessage"],
          ["type": "setContentBlocker", "identifier": Self.web, "rules": "[]"],
        ] {
          #expect(try port.ask(refused)["code"] as? String == "refused", "\(refused)")
        }
        #expect(try port.close() == 0)
      }
      #expect(try home.starts(Self.web) == 2)
      #expect(try home.starts(other) == 0)
      // Another host's name in Firefox, an id of the other family, an id that nobody has.
      for caller in [
        ["/x/tickbird.host.json", "\(id)@web.tickbird.example"],
        ["/x/tickbird.web.com.example.other.json", "\(id)@web.tickbird.example"],
        ["chrome-extension://\(String(id.reversed()))/"],
      ] {
        let port = try HostPort(home.program, arguments: caller)
        let answer = try port.ask(["type": "sendMessage", "message": 1])
        #expect(answer["code"] as? String == "refused", "\(caller)")
        #expect(try port.close() == 0)
      }
    }
  }

  @Test("an extension that is off, removed or another developer's is a coded error")
  func absent() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      try home.add(Self.web)
      let caller = ["chrome-extension://\(try home.chromiumID(Self.web))/"]
      let port = try HostPort(home.program, arguments: caller)
      func ask() throws -> [String: Any] { try port.ask(["type": "sendMessage", "message": 1]) }
      #expect(try home.program.run("extensions", "off", Self.web).status == 0)
      let off = try ask()
      #expect(off["code"] as? String == "reported")
      #expect((off["reported"] as? [String: Any])?["number"] as? Int == 1)
      // A registration that a removal left, whose identifier anybody's extension may have by now.
      let file = "data/browser/web/\(Self.web)/Registration.json"
      let kept = try home.data(file)
      #expect(try home.program.run("extensions", "remove", Self.web).status == 0)
      #expect(try ask()["code"] as? String == "refused")
      try home.install(Self.web)
      try home.write(kept, to: file)
      #expect(try ask()["code"] as? String == "refused")
      #expect(try home.starts(Self.web) == 0)
      // Added anew it has other ids, so that it gets nothing of what browsers keep for the first.
      try home.add(Self.web)
      #expect("chrome-extension://\(try home.chromiumID(Self.web))/" != caller[0])
      #expect(try ask()["code"] as? String == "refused")
      #expect(try port.close() == 0)
    }
  }

  @Test("what an app dispatches arrives at the port, whenever the service runs")
  func dispatching() async throws {
    let home = try WebHome()
    defer { home.remove() }
    try home.install(Self.web)
    try home.add(Self.web)
    let caller = ["chrome-extension://\(try home.chromiumID(Self.web))/"]
    let port = try HostPort(home.program, arguments: caller)
    let service = try home.program.process(["run"])
    try service.run()
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    try await home.dispatch("first", to: Self.web)
    let first = try port.ask(["type": "nextMessage", "question": 1])
    #expect(first["type"] as? String == "nextMessage")
    #expect((first["message"] as? [String: Any])?["name"] as? String == "first")
    // A port that waits and closes takes no message with it.
    let other = try HostPort(home.program, arguments: caller)
    #expect(try other.ask(["type": "links"])["code"] as? String == "refused")
    try other.send(["type": "nextMessage"])
    #expect(try other.close() == 0)
    try await home.dispatch("second", to: Self.web)
    let second = try port.ask(["type": "nextMessage"])
    #expect((second["message"] as? [String: Any])?["name"] as? String == "second")
    #expect(try port.close() == 0)
  }

  @Test("another program's manifest stays, and extensions have names of their own")
  func names() throws {
    try WebHome.use { home in
      try home.install(Self.web)
      let place = ".config/chromium/NativeMessagingHosts/\(Self.host).json"
      try home.write(Data("{}".utf8), to: place)
      let outcome = try home.program.run("browser", "add", Self.web, "chromium")
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains(place))
      #expect(try home.data(place) == Data("{}".utf8))
      // Nothing of the extension is left by what was refused.
      #expect(try home.files("data/browser").filter { $0.hasPrefix("web/") } == [])
      #expect(try home.program.run("browser", "remove", Self.web).status == 1)
      #expect(try home.data(place) == Data("{}".utf8))
      let names = ["com.example.a-b", "com.example.a.b", "com.example.ab", "A.b"].map {
        WebExtensionRegistration.hostName(of: $0)
      }
      #expect(Set(names).count == 4)
      for name in names {
        let isPlain = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
          !$0.isEmpty && $0.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_".contains($0) }
        }
        #expect(isPlain, "\(name)")
      }
    }
  }

  @Test(
    "an identifier that is a path leads nowhere",
    arguments: ["../x", ".", "..", "a/b", "", "é"]
  )
  func paths(_ identifier: String) throws {
    try WebHome.use { home in
      let registrations = WebExtensionRegistrations(data: home.url.appending(path: "data"))
      #expect(registrations.folder(identifier) == nil)
      let outcome = try home.program.run("browser", "remove", "--", identifier)
      #expect(outcome.status == 1)
    }
  }
}

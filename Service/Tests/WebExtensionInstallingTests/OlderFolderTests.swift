import ExtensionBundles
import Foundation
import HostTestSupport
import Testing

@Suite("Older folders of Safari's in browsers")
struct OlderFolderTests {
  private static let identifier = "com.example.older"

  /// Imports and installs a folder, and turns it on.
  private func install(_ home: WebHome, version: String = "1.0", list: String?) throws {
    var information: [String: Any] = [
      "CFBundleIdentifier": Self.identifier, "CFBundleDisplayName": "Older",
      "CFBundleShortVersionString": version, "CFBundleVersion": version,
      "Chrome": ["Global Page": "global.html"],
    ]
    if list != nil { information["Content"] = ["Content Blocker": "rules.json"] }
    let folder = home.url.appending(path: "Older.safariextension")
    try? FileManager.default.removeItem(at: folder)
    func write(_ name: String, _ text: String) throws {
      try home.write(Data(text.utf8), to: "Older.safariextension/\(name)")
    }
    try write("global.html", "<script src=global.js></script>")
    try write("global.js", "safari.extension.setContentBlocker(null)")
    if let list { try write("rules.json", list) }
    try home.write(
      PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0),
      to: "Older.safariextension/Info.plist"
    )
    let bundle = home.url.appending(path: "Older.appex")
    try SafariExtensionFolder(at: folder).write(to: bundle, replacing: true)
    let outcome = try home.program.run("extensions", "install", "--on", bundle.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func list(_ home: WebHome) throws -> String {
    let state = try home.program.run("extensions", "state", Self.identifier).output
    return state.split(separator: "\n").first { $0.hasPrefix("list:") }.map(String.init) ?? ""
  }

  private static func rule(_ filter: String) -> String {
    #"[{"trigger":{"url-filter":"\#(filter)"},"action":{"type":"block"}}]"#
  }

  @Test("A folder is added, updated and removed as one thing")
  func life() throws {
    try WebHome.use { home in
      try install(home, list: Self.rule("ads"))
      #expect(try list(home).contains("active"))
      let added = try home.add(Self.identifier)
      #expect(added.contains("Older 1.0, com.example.older"))
      let id = try home.chromiumID(Self.identifier)
      let place = "data/browser/web/\(Self.identifier)"
      #expect(try home.files("\(place)/chromium").contains("tickbird-worker.js"))
      #expect(try home.json("\(place)/firefox/manifest.json")["version"] as? String == "1.0")
      try install(home, version: "1.1", list: Self.rule("more"))
      #expect(try home.json("\(place)/firefox/manifest.json")["version"] as? String == "1.1")
      #expect(try home.chromiumID(Self.identifier) == id)
      #expect(try home.program.run("extensions", "remove", Self.identifier).status == 0)
      let left = home.url.appending(path: place).path
      #expect(!FileManager.default.fileExists(atPath: left))
    }
  }

  @Test("Its script sets its own list, whatever it names, and asks nothing else")
  func scriptedList() throws {
    try WebHome.use { home in
      try install(home, list: nil)
      try home.install("com.example.other")
      try home.add(Self.identifier)
      #expect(try list(home).hasSuffix("none"))
      let id = try home.chromiumID(Self.identifier)
      let port = try HostPort(home.program, arguments: ["chrome-extension://\(id)/"])
      let set = try port.ask([
        "type": "setContentBlocker", "identifier": "com.example.other", "rules": Self.rule("ads"),
        "owner": ["signer": "x"],
      ])
      #expect(set["type"] as? String == "setContentBlocker", "\(set)")
      #expect(try list(home).contains("set by its script"))
      let other = try home.program.run("extensions", "state", "com.example.other").output
      #expect(!other.contains("set by its script"))
      let fault = try port.ask(["type": "setContentBlocker", "rules": "["])
      #expect(fault["type"] as? String == "error" && fault["code"] as? String == "reported")
      #expect(try list(home).contains("set by its script"))
      for question in [["type": "lists"], ["request": "list"], ["type": "links"]] {
        #expect(try port.ask(question)["code"] as? String == "refused")
      }
      // There is no handler, which is said and not waited for.
      #expect(try port.ask(["type": "sendMessage", "message": 1])["type"] as? String == "error")
      let cleared = try port.ask(["type": "setContentBlocker", "rules": NSNull()])
      #expect(cleared["type"] as? String == "setContentBlocker")
      #expect(try list(home).hasSuffix("none"))
      #expect(try home.program.run("extensions", "off", Self.identifier).status == 0)
      let off = try port.ask(["type": "setContentBlocker", "rules": Self.rule("ads")])
      #expect(off["type"] as? String == "error", "\(off)")
      #expect(try port.close() == 0)
    }
  }
}

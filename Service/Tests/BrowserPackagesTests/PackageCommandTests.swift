import Foundation
import NativeMessaging
import Testing

@testable import BrowserPackages

@Suite("“browser package”, in processes of its own")
struct PackageCommandTests {
  @Test("a package's id is known to the host's manifests from then on")
  func identity() throws {
    let folder = try TestFolder()
    let source = try folder.extension(.chromium)
    try folder.host("browser", "install", "chromium", "brave")
    let words = try folder.host(
      "browser",
      "package",
      "chromium",
      "--extension",
      source.path,
      "--output",
      "out",
      "--place",
      "/opt/packages"
    )
    let key = folder.file("home/data/keys/browser-extension.pem")
    let id = try PackingKey(contentsOf: key).chromiumID
    #expect(words.contains(id) && words.contains("(new; keep a copy"))
    func callers(_ browser: String) throws -> [String] {
      let file = folder.file(".config/\(browser)/NativeMessagingHosts/tickbird.host.json")
      let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      return (object as? [String: Any])?["allowed_origins"] as? [String] ?? []
    }
    let own = "chrome-extension://\(BrowserIdentity.chromiumID)/"
    #expect(try callers("chromium") == [own, "chrome-extension://\(id)/"])
    // Brave was not named, so it learns of the package only at the next installation.
    #expect(try callers("BraveSoftware/Brave-Browser") == [own])
    try folder.host("browser", "install", "brave")
    #expect(
      try callers("BraveSoftware/Brave-Browser") == [own, "chrome-extension://\(id)/"]
    )
    // Uninstalling removes it.
    try folder.host("browser", "uninstall")
    #expect(throws: (any Error).self) { try callers("chromium") }

    let first = try Data(contentsOf: folder.file("out/tickbird.crx"))
    let again = try folder.host(
      "browser",
      "package",
      "chromium",
      "--extension",
      source.path,
      "--output",
      "out"
    )
    #expect(!again.contains("(new") && again.contains("run: tickbird browser install chromium"))
    #expect(try Data(contentsOf: folder.file("out/tickbird.crx")) == first)
  }

  @Test("files name the places that the printed commands put them into")
  func files() throws {
    let folder = try TestFolder()
    let output = try folder.host(
      "browser",
      "package",
      "chrome",
      "edge",
      "firefox",
      "--extension",
      folder.extension(.chromium).path,
      "--extension",
      folder.extension(.firefox).path,
      "--output",
      "o'ut",
      "--place",
      "/opt/packages"
    )
    let id = try PackingKey(contentsOf: folder.file("home/data/keys/browser-extension.pem"))
      .chromiumID
    let updates = try XMLDocumentText(folder.file("o'ut/update.xml"))
    #expect(updates.attribute("appid") == id)
    #expect(updates.attribute("codebase") == "file:///opt/packages/tickbird.crx")
    #expect(updates.text.contains(" version=\"1.2.3\"/>"))
    let policy = try String(contentsOf: folder.file("o'ut/tickbird.json"), encoding: .utf8)
    #expect(policy.contains("\"update_url\" : \"file:///opt/packages/update.xml\""))
    // What a policy does to the browser is said before the commands that install it.
    for (words, policy) in [
      ("the browser says that it is managed", "tickbird.json'"),
      ("Firefox says that it is managed", "policies.json'"),
    ] {
      let said = try #require(output.range(of: words), "\(words)")
      let command = try #require(output.range(of: policy), "\(policy)")
      #expect(said.upperBound < command.lowerBound)
    }
    // The printed commands work: they are run in a private root.
    let root = folder.file("root").path
    let commands = output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("install -D") }
    #expect(commands.count == 7)
    for command in commands {
      let target = try #require(command.split(separator: " '").last)
      let moved = command.replacing(" '\(target)", with: " '\(root)\(target)")
      try folder.run("sh", "-ec", moved)
    }
    for path in [
      "/opt/packages/tickbird.crx", "/opt/packages/update.xml",
      "/etc/opt/chrome/policies/managed/tickbird.json",
      "/etc/opt/edge/policies/managed/tickbird.json", "/etc/firefox/policies/policies.json",
      "/opt/packages/tickbird@tickbird.example.xpi",
      "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/"
        + "tickbird@tickbird.example.xpi",
    ] {
      #expect(FileManager.default.fileExists(atPath: root + path), "\(path)")
    }
  }

  @Test("without a built extension it says how to come by one; a strange place is refused")
  func complaints() throws {
    let folder = try TestFolder()
    #expect(throws: CommandFailure.self) { try folder.host("browser", "package", "firefox") }
    do {
      try folder.host("browser", "package", "firefox")
    } catch let failure as CommandFailure {
      #expect(failure.words.contains("--extension names another"))
    }
    #expect(throws: CommandFailure.self) {
      try folder.host("browser", "package", "firefox", "--place", "/opt/a b;c")
    }
  }
}

/// Attributes out of a short XML text.
private struct XMLDocumentText {
  let text: String

  init(_ file: URL) throws { text = try String(contentsOf: file, encoding: .utf8) }

  func attribute(_ name: String) -> String? {
    guard let start = text.range(of: "\(name)=\"") else { return nil }
    return text[start.upperBound...].split(separator: "\"", maxSplits: 1).first.map(String.init)
  }
}

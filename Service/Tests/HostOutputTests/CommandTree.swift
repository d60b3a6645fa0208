import Foundation
import HostTestSupport

/// The subcommands of the built program, from its own help.
enum CommandTree {
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      var defaultSubcommand: String?
      var arguments: [Argument]?
    }
    struct Argument: Decodable {
      var kind: String
      var shouldDisplay: Bool
      var names: [Name]?
    }
    struct Name: Decodable {
      var kind: String
      var name: String
    }
    var command: Command
  }

  private static func root(_ program: HostProgram) async throws -> Dump.Command {
    let outcome = try await program.run("--experimental-dump-help")
    return try JSONDecoder().decode(Dump.self, from: outcome.bytes).command
  }

  /// An option that is shown, of a command by the words that lead to it.
  struct Option {
    var command: [String]
    /// With their dashes.
    var names: [String]
  }

  /// The options of all commands.
  static func options(_ program: HostProgram) async throws -> [Option] {
    var found: [Option] = []
    func add(_ command: Dump.Command, _ path: [String]) {
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        let names = (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        if argument.kind != "positional" { found.append(Option(command: path, names: names)) }
      }
      for other in command.subcommands ?? [] { add(other, path + [other.commandName]) }
    }
    add(try await root(program), [])
    return found
  }

  /// All subcommands without further subcommands, each with the words that lead to it.
  static func commands(_ program: HostProgram) async throws -> [String] {
    let root = try await root(program)
    var found: [String] = []
    func add(_ command: Dump.Command, _ path: [String]) {
      let subcommands = command.subcommands ?? []
      if subcommands.isEmpty || command.defaultSubcommand != nil {
        found.append(path.joined(separator: " "))
      }
      for other in subcommands { add(other, path + [other.commandName]) }
    }
    add(root, [])
    return found
  }
}

/// Names a folder that is not there yet.
private func newFolder() -> URL {
  FileManager.default.temporaryDirectory
    .appending(path: "tickbird-home-\(UUID().uuidString)", directoryHint: .isDirectory)
}

/// A home in which nothing was done yet.
struct EmptyHome {
  private let folder = newFolder()

  var program: HostProgram { HostProgram(home: folder) }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

/// A home in which every subcommand has something to print.
struct PreparedHome {
  /// Contains the home and files beside it.
  let folder: URL

  var program: HostProgram { HostProgram(home: folder.appending(path: "home")) }

  /// Creates a home whose texts are a stranger's.
  ///
  /// - Parameter text: Used in every name, title and text.
  /// - Throws: File system errors.
  init(text: String = "Name") async throws {
    folder = newFolder()
    let bundle = file("Blocker.appex")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let list = Data(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8)
    try list.write(to: bundle.appending(path: "blockerList.json"))
    try list.write(to: file("list.json"))
    let information: [String: Any] = [
      "CFBundleIdentifier": "com.example.blocker", "CFBundleDisplayName": text,
      "CFBundleShortVersionString": "1\(text)", "CFBundleVersion": "1",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.content-blocker"],
    ]
    // Binary, since XML cannot contain control characters.
    try PropertyListSerialization.data(
      fromPropertyList: information,
      format: .binary,
      options: 0
    )
    .write(to: bundle.appending(path: "Info.plist"))
    let escaped = text.unicodeScalars.map { scalar in
      scalar.value < 0x20 || "&<\"".unicodeScalars.contains(scalar) ? "" : String(scalar)
    }
    .joined()
    try Data(
      """
      <opml version="2.0"><body>
      <outline type="rss" text="\(escaped)" xmlUrl="http://127.0.0.1:1/feed"/>
      </body></opml>
      """.utf8
    )
    .write(to: file("feeds.opml"))
    let feed: [String: Any] = [
      "version": "https://jsonfeed.org/version/1.1", "title": text,
      "items": [
        [
          "id": "1", "url": "https://example.org/1", "title": text, "content_text": text,
          "authors": [["name": text]],
        ]
      ],
    ]
    try JSONSerialization.data(withJSONObject: feed).write(to: file("feed.json"))
    let archive: [String: Any] = [
      "format": "tickbird-notes", "version": 1, "notes": [],
    ]
    try JSONSerialization.data(withJSONObject: archive).write(to: file("notes.json"))
    try Data("[Adblock Plus 2.0]\n! Title: \(text)\n||ads.example^\n##+js(a)\n".utf8)
      .write(to: file("ads.txt"))
    for arguments in [
      ["lists", "add", file("ads.txt").path],
      ["extensions", "install", bundle.path], ["links", "import", file("feeds.opml").path],
      ["links", "rules", "add", file("list.json").path],
      ["notes", "add", "example.org", text.isEmpty ? "x" : text],
      ["package", "key", "new", file("key").path], ["package", "key", "new", file("other").path],
      // Leaves a key to show, but no folder that copies of this home would share.
      ["notes", "sync", "on", file("shared").path], ["notes", "sync", "off"],
    ] {
      _ = try await program.run(arguments)
    }
    let signed = file("signed")
    try FileManager.default.createDirectory(at: signed, withIntermediateDirectories: true)
    let key = try await program.run("package", "key", "show", "--public", file("key").path).output
    _ = try await program.run(
      ["gallery", "root", "sign", signed.path, "--root", file("other").path, "--name", "Name"]
        + ["--signer", key.trimmingCharacters(in: .whitespacesAndNewlines)]
    )
  }

  /// A file beside the home.
  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Returns a copy of everything, for a command that changes something.
  func copy() throws -> PreparedHome {
    let target = newFolder()
    try FileManager.default.copyItem(at: folder, to: target)
    return PreparedHome(folder: target)
  }

  private init(folder: URL) { self.folder = folder }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// The beginning of the only note's id.
  func note() async throws -> String {
    let outcome = try await program.run("notes", "list", "--format", "json")
    let notes = try JSONSerialization.jsonObject(with: outcome.bytes) as? [[String: Any]]
    return notes?.first?["id"] as? String ?? ""
  }

  /// Returns arguments with which a subcommand does something; nil for servers and unknown
  /// commands.
  func arguments(of command: String, note: String) -> [String]? {
    let words = command.split(separator: " ").map(String.init)
    let rest: [String]? =
      switch command {
      case "extensions list", "links", "links list", "links refresh", "links feeds",
        "links feeds list", "links export", "links rules", "links rules list", "notes",
        "notes list", "notes export", "notes sync", "notes sync off", "notes sync now",
        "notes sync status",
        "gallery list", "update", "browser", "browser status", "browser package", "help", "lists",
        "lists update", "lists catalogue":
        []
      case "lists show", "lists on", "lists off", "lists remove": ["ads"]
      case "lists add": [file("list.json").path]
      case "lists prepare": [folder.path]
      case "extensions install": [file("Blocker.appex").path]
      case "extensions remove", "extensions on", "extensions off", "extensions reload",
        "extensions state", "extensions log", "extensions links", "extensions go-back",
        "extensions clear":
        ["com.example.blocker"]
      case "extensions ask", "extensions set-list": ["com.example.blocker", "[]"]
      case "extensions grant", "extensions revoke": ["network", "com.example.blocker"]
      case "extensions group show": ["com.example.blocker"]
      case "extensions group set": ["com.example.blocker", "key", "1"]
      case "extensions group remove": ["com.example.blocker", "key"]
      case "extensions forget-group": ["group.com.example.none"]
      case "links search", "notes search": ["example"]
      case "links show", "links remove": ["1"]
      case "links add": ["http://127.0.0.1:1/"]
      case "links feeds set": ["1", "--title", "Other"]
      case "links read", "links unread": ["--all"]
      case "links import": [file("feeds.opml").path]
      case "links rules add": [file("list.json").path, "--name", "more"]
      case "links rules on", "links rules off", "links rules remove": ["list"]
      case "notes show", "notes delete", "notes snooze": [note]
      case "notes focus", "lists own": []
      case "notes add": ["example.net", "text"]
      case "notes edit": [note, "--text", "changed"]
      case "notes import": [file("notes.json").path]
      case "notes sync on": [file("shared").path]
      case "notes key show", "notes key new": []
      case "package", "package make": [file("Blocker.appex").path, "--key", file("key").path]
      case "package show", "package verify": [file("none.tickbird").path]
      case "package key new": [file("new").path]
      case "package key show": [file("key").path]
      case "package key rotate":
        [file("key").path, file("other").path, "--output", file("rotation").path]
      case "gallery build": [folder.path, "--key", file("key").path]
      case "gallery add": [file("none").path, "--yes"]
      case "gallery remove", "gallery forget": ["none"]
      case "gallery root new": [file("new").path]
      case "gallery root sign": [file("signed").path, "--root", file("other").path]
      case "gallery root rotate":
        [file("key").path, file("other").path, "--output", file("rotation").path]
      case "gallery root show": [file("signed").path]
      case "install": [file("none.tickbird").path, "--yes"]
      case "browser install", "browser uninstall": ["chromium"]
      case "browser disallow": ["other@example.org"]
      case "setup": ["--dry-run", "--only-me", "--no-open"]
      case "browser add", "browser remove": ["com.example.blocker"]
      default: nil
      }
    return rest.map { words + $0 }
  }
}

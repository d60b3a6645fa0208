import Foundation
import HostTestSupport
import Testing

/// What the commands of extensions, packages and galleries print for programs.
@Suite struct JSONOutputTests {
  /// Runs a command with `--format json`, and returns the only thing that it prints.
  private func json(
    _ home: PreparedHome,
    _ arguments: String...,
    status: Int32 = 0
  ) async throws -> Any {
    let outcome = try await home.program.run(arguments + ["--format", "json"])
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    return try JSONSerialization.jsonObject(with: outcome.bytes)
  }

  @Test("each command that shows or changes an extension prints it as it is then")
  func extensions() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let id = "com.example.blocker"
    func state(_ arguments: String...) async throws -> [String: Any] {
      let outcome = try await home.program.run(
        ["extensions"] + arguments + ["--format", "json"]
      )
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
      let found = try JSONSerialization.jsonObject(with: outcome.bytes) as? [String: Any]
      #expect(found?["identifier"] as? String == id, "\(arguments)")
      return found ?? [:]
    }
    let bundle = home.file("Blocker.appex").path
    #expect(try await state("install", bundle)["isOn"] as? Bool == false)
    #expect(try await state("install", bundle, "--on")["isOn"] as? Bool == true)
    #expect(try await state("off", id)["isOn"] as? Bool == false)
    #expect(try await state("on", id)["hasListInForce"] as? Bool == true)
    #expect(try await state("reload", id)["lastError"] == nil)
    #expect(try await state("grant", "network", id)["isNetworkGranted"] as? Bool == true)
    #expect(try await state("revoke", "network", id)["isNetworkGranted"] as? Bool == false)
    #expect(try await state("clear", id)["isOn"] as? Bool == true)
    #expect(try await state("go-back", id)["previousVersion"] == nil)
    #expect(try await state("state", id)["isOn"] as? Bool == true)
    let log = try await json(home, "extensions", "log", id) as? [[String: String]]
    let granted = try #require(log?.first { $0["text"] == "the user granted the network" })
    #expect(granted["speaker"] == "host" && granted["time"]?.hasSuffix("Z") == true)
    // What is done to one that cannot be read is done, and told.
    let record = home.file("home/data/Extensions/\(id)/Versions.json")
    let sound = try Data(contentsOf: record)
    try Data("{".utf8).write(to: record)
    #expect(try await state("off", id)["isUnreadable"] as? Bool == true)
    try sound.write(to: record)
    #expect(try await state("state", id)["isOn"] as? Bool == false)
    #expect(try await state("remove", id).count == 1)
    let none = try await json(home, "extensions", "list") as? [Any]
    #expect(none?.isEmpty == true)
    let both = try await home.program.run(
      ["extensions", "install", bundle, "--to-browsers", "--format", "json"]
    )
    #expect(both.status == 2 && both.errors.contains("--to-browsers"), "\(both.errors)")
  }

  @Test("keys, packages, galleries and updates are described, and nothing else is printed")
  func packages() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let key = home.file("signing.key").path
    let made = try await json(home, "package", "key", "new", key) as? [String: String]
    #expect(made?["file"] == key && made?["publicKey"]?.count == 64)
    let shown = try await json(home, "package", "key", "show", key) as? [String: String]
    #expect(shown == made)
    let site = home.file("site").path
    let bundle = home.file("Blocker.appex").path
    func run(_ arguments: String...) async throws {
      let outcome = try await home.program.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    try await run("package", bundle, "--key", key, "-o", site + "/")
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: site).first { $0.hasSuffix(".tickbird") }
    )
    let package = try await json(home, "package", "show", site + "/" + file) as? [String: Any]
    #expect(package?["identifier"] as? String == "com.example.blocker")
    #expect(package?["signer"] as? String == made?["fingerprint"])
    let files = package?["files"] as? [[String: Any]]
    #expect(files?.contains { $0["path"] as? String == "blockerList.json" } == true)
    #expect(package?["presentation"] == nil && (package?["size"] as? Int ?? 0) > 0)
    let empty = try await json(home, "gallery", "list") as? [Any]
    #expect(empty?.isEmpty == true)
    // The one that is installed came from no gallery.
    let updates = try await json(home, "update") as? [[String: Any]]
    #expect(updates?.first?["outcome"] as? String == "no-source", "\(String(describing: updates))")
    #expect(updates?.first?["message"] is String)
    let failed = try await json(home, "update", "com.example.none", status: 1) as? [[String: Any]]
    #expect(failed?.first?["outcome"] as? String == "failed")
  }

  @Test("a list that is removed is printed with what is left of it")
  func removedList() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    let folder = home.folder.appending(path: "home/data/Subscriptions/Lists/ads")
    let mine = folder.appending(path: "essay.txt")
    try Data("mine".utf8).write(to: mine)
    let removed = try await json(home, "lists", "remove", "ads") as? [String: Any]
    #expect(removed?["id"] as? String == "ads" && removed?["left"] as? [String] == [mine.path])
  }

  /// Beside those that print JSON anyway, or only the path of what they have written.
  @Test("all commands of extensions take the format")
  func options() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let commands = try await CommandTree.commands(home.program)
      .filter { $0.hasPrefix("extensions ") }.map { $0.split(separator: " ").map(String.init) }
    let withFormat = try await CommandTree.options(home.program)
      .filter { $0.names.contains("--format") }.map(\.command)
    #expect(commands.count > 15)
    for command in commands where !["ask", "links"].contains(command.last) {
      #expect(withFormat.contains(command), "\(command)")
    }
  }
}

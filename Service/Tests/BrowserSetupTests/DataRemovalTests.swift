import DurableFiles
import Foundation
import HostTestSupport
import ServiceFolders
import Testing

@Suite("Removing a user's data with --undo --data")
struct DataRemovalTests {
  private let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "data-removal-\(UUID().uuidString)")
  private var home: URL { folder.appending(path: "home") }
  private var data: URL { home.appending(path: "data") }
  private var host: HostProgram { HostProgram(home: home) }

  private func makeData() throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    for words in [
      ["notes", "add", "secret.example", "private"], ["extensions", "list"], ["links", "list"],
      ["lists", "show"],
    ] {
      _ = try host.run(words)
    }
  }

  private func names(_ folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func remove() throws -> HostProgram.Outcome {
    try host.run("setup", "--undo", "--data", "--only-me", "--yes")
  }

  @Test("all that the commands make is known, and goes")
  func all() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    #expect(names(data).contains("notes.sqlite") && names(data).contains("States"))
    #expect(names(data).filter { !ServiceFolders.isOwn($0) } == [])
    let outcome = try remove()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(names(home).filter { !$0.hasPrefix(".") } == [])
  }

  @Test("where the data folder is a link, what it leads to goes as well")
  func link() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = folder.appending(path: "disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: data, withDestinationURL: disk)
    try makeData()
    #expect(names(disk).contains("notes.sqlite"))
    let trial = try host.run("setup", "--undo", "--data", "--only-me", "--dry-run")
    #expect(trial.output.contains(disk.path), "\(trial)")
    let outcome = try remove()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: disk.path))
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: data.path)) == nil)
  }

  @Test("what the service does not know stays, with what a link inside leads to, and is named")
  func strangers() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    let elsewhere = folder.appending(path: "elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try Data("photo".utf8).write(to: elsewhere.appending(path: "photo"))
    try FileManager.default.removeItem(at: data.appending(path: "Logs"))
    try FileManager.default.createSymbolicLink(
      at: data.appending(path: "Logs"),
      withDestinationURL: elsewhere
    )
    for name in ["taxes.ods", "notes.sqlite.backup"] {
      try Data("mine".utf8).write(to: data.appending(path: name))
    }
    let outcome = try remove()
    #expect(outcome.status == 1, "\(outcome)")
    #expect(names(data) == ["Logs", "notes.sqlite.backup", "taxes.ods"])
    for words in ["taxes.ods", "notes.sqlite.backup", elsewhere.path] {
      #expect(outcome.output.contains(words), "\(outcome)")
    }
    #expect(names(elsewhere) == ["photo"])
  }

  @Test("what somebody has put into the folders inside stays and is named, and all else goes")
  func strangersInside() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    let list = home.appending(path: "ads.txt")
    try Data("||ads.example^\n".utf8).write(to: list)
    let rules = home.appending(path: "rules.json")
    try Data(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8).write(to: rules)
    for words in [
      ["lists", "add", list.path], ["lists", "own", list.path], ["package", "key", "new"],
      ["links", "rules", "add", rules.path], ["extensions", "install", "--on", rules.path],
    ] {
      let outcome = try host.run(words)
      #expect(outcome.status == 0, "\(outcome)")
    }
    for file in [list, rules] { try FileManager.default.removeItem(at: file) }
    let folders = [
      "Subscriptions", "Subscriptions/Lists", "Subscriptions/Lists/ads", "Subscriptions/Own",
      "Extensions", "States", "Containers", "Groups", "Logs", "Lists", "keys", "link-rules",
    ]
    let mine = folders.map { data.path + "/" + $0 + "/mine.txt" }
    for path in mine { try Data("mine".utf8).write(to: URL(filePath: path)) }
    // As of a process that was killed while it prepared a list.
    let half = data.appending(path: "Subscriptions/Lists/ads/1a2b", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: half, withIntermediateDirectories: false)
    for name in ["body", "fetched", "answer.json"] {
      try Data("x".utf8).write(to: half.appending(path: name))
    }
    let trial = try host.run("setup", "--undo", "--data", "--only-me", "--dry-run")
    let outcome = try remove()
    #expect(outcome.status == 1, "\(outcome)")
    for path in mine {
      #expect(trial.output.contains("leave \(path): "), "\(trial)")
      #expect(outcome.output.contains("left \(path): "), "\(outcome)")
    }
    let left = try FileManager.default.subpathsOfDirectory(atPath: data.path)
      .map { data.path + "/" + $0 }
      .filter { (try? FileStatus(of: $0).kind) != .folder }
    #expect(left.sorted() == mine.sorted())
    for path in mine { try FileManager.default.removeItem(atPath: path) }
    #expect(try remove().status == 0)
    #expect(names(home).filter { !$0.hasPrefix(".") } == [])
  }

  @Test("while a service has the data, nothing is changed, and it is named")
  func running() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    let lock = try FileLock(data.appending(path: "host.lock"), holder: "a service")
    let before = names(data)
    let outcome = try remove()
    #expect(outcome.status == 1 && outcome.errors.contains("a service (process"), "\(outcome)")
    #expect(outcome.errors.contains("end the service"), "\(outcome)")
    #expect(names(data) == before)
    withExtendedLifetime(lock) {}
  }

  @Test("a lock that cannot be had is a file at fault, and nothing is changed")
  func unusableLock() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    let lock = data.appending(path: "host.lock")
    try? FileManager.default.removeItem(at: lock)
    try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: false)
    let before = names(data)
    let outcome = try remove()
    #expect(outcome.status == 2 && outcome.errors.contains(lock.path), "\(outcome)")
    #expect(names(data) == before)
  }

  @Test("while a browser has the data, nothing is changed; when it has ended, all is")
  func browsing() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeData()
    let port = try HostPort(host)
    #expect(try port.ask(["type": "lists", "question": 1])["type"] as? String == "lists")
    let before = names(data)
    let outcome = try remove()
    #expect(outcome.status == 1 && outcome.errors.contains("a browser"), "\(outcome)")
    #expect(names(data) == before)
    #expect(try port.close() == 0)
    #expect(try remove().status == 0)
    #expect(!FileManager.default.fileExists(atPath: data.path))
  }
}

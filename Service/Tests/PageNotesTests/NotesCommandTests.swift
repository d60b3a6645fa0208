import Foundation
import Testing

@testable import PageNotes

@Suite("The command, in processes of its own")
struct NotesCommandTests {
  static let executable: URL? = {
    var folder = Bundle.main.executableURL?.deletingLastPathComponent()
    for _ in 0..<6 {
      guard let place = folder else { return nil }
      let file = place.appending(path: "tickbird-host")
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
      folder = place.deletingLastPathComponent()
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let built = package.appending(path: ".build/debug/tickbird-host")
    return FileManager.default.isExecutableFile(atPath: built.path) ? built : nil
  }()

  private struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  private func start(_ home: URL, _ arguments: [String], _ files: [URL]) throws -> Process {
    let process = Process()
    process.executableURL = try #require(Self.executable as URL?, "tickbird-host is not built")
    process.arguments = ["notes"] + arguments
    process.environment = ["TICKBIRD_HOME": home.path, "PATH": "/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    return process
  }

  private func run(_ folder: TestFolder, _ arguments: String...) throws -> Result {
    let files = [folder.file(UUID().uuidString), folder.file(UUID().uuidString)]
    let process = try start(folder.file("home"), arguments, files)
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try String(contentsOf: files[0], encoding: .utf8),
      errors: try String(contentsOf: files[1], encoding: .utf8)
    )
  }

  @Test("Processes that write at once wait for each other, and lose nothing")
  func atOnce() throws {
    let folder = try TestFolder()
    let processes = try (0..<6).map { number in
      try start(
        folder.file("home"),
        ["add", "example.com/\(number)", "text"],
        [folder.file("o\(number)"), folder.file("e\(number)")]
      )
    }
    // This process writes too.
    let store = try NoteStore(file: folder.file("home/data/notes.sqlite"))
    for number in 0..<20 {
      try store.add(NoteDraft(target: NoteTarget(.site, address: "a.b"), text: "\(number)"))
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try store.count() == 26)
  }

  @Test("A first run says what to do; notes are added, found, changed, exported and deleted")
  func walk() throws {
    let folder = try TestFolder()
    #expect(try run(folder).output.contains("tickbird notes add"))
    #expect(try run(folder, "--json").output == "[\n\n]\n")
    let added = try run(folder, "add", "example.com", "Is it urgent?", "--snooze", "5", "--json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(added.output.utf8)) as? [[String: Any]]
    )
    let id = try #require(object.first?["id"] as? String)
    #expect(object.first?["snoozeMinutes"] as? Int == 5)
    #expect(object.first?["kind"] as? String == "site")
    #expect(try run(folder, "list").output.contains("example.com and below  Is it urgent?"))
    #expect(try run(folder, "search", "URGENT").output.contains(String(id.prefix(8))))
    #expect(try run(folder, "search", "nothing").output.contains("No note has"))
    let edited = try run(folder, "edit", String(id.prefix(6)), "--text", "No.", "--emoji", "🐢")
    #expect(edited.output.hasPrefix("Changed"))
    #expect(try run(folder, "show", id).output.contains("No.\n"))
    #expect(try run(folder, "snooze", id).output.contains("[snoozed]"))
    for name in ["n.json", "n.md"] {
      let file = folder.file(name).path
      #expect(try run(folder, "export", file).output.contains("Wrote 1 note"))
      #expect(try run(folder, "import", file).output.contains("1 there already"))
    }
    #expect(try run(folder, "delete", id).output.hasPrefix("Deleted"))
    #expect(try run(folder, "import", folder.file("n.md").path).output.hasPrefix("1 added"))
  }

  @Test("Synchronisation is turned on, done by every change, reported and turned off")
  func sync() throws {
    let folder = try TestFolder()
    let shared = folder.file("shared").path
    #expect(try run(folder, "sync").output.contains("is off"))
    #expect(try run(folder, "sync", "now").status != 0)
    #expect(try run(folder, "sync", "on", shared).status == 0)
    _ = try run(folder, "add", "example.com", "text")
    let names = try FileManager.default.contentsOfDirectory(atPath: shared)
    #expect(names.count == 1)
    #expect(try run(folder, "sync", "status", "--json").output.contains("\"unpublished\" : 0"))
    try FileManager.default.removeItem(atPath: shared)
    let without = try run(folder, "list")
    #expect(without.output.contains("text"))
    #expect(without.errors.contains("warning: not synchronised"))
    #expect(try run(folder, "sync", "off").output.contains("is off"))
  }

  @Test(
    "Wrong use is named",
    arguments: [
      (["add", "about:blank", "x"], "http and https"), (["add", "example.com", ""], "empty"),
      (["show", "zz"], "no note “zz”"), (["edit", "zz"], "Say what is to change"),
      (["edit", "zz", "--page", "--emoji", "x"], "needs --address"),
      (["import", "/not/there.json"], "not/there.json"), (["add", "example.com"], "Missing"),
    ]
  )
  func wrongUse(arguments: [String], words: String) throws {
    let folder = try TestFolder()
    let files = [folder.file("o"), folder.file("e")]
    let process = try start(folder.file("home"), arguments, files)
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
    let errors = try String(contentsOf: files[1], encoding: .utf8)
    #expect(errors.contains(words), "\(errors)")
  }
}

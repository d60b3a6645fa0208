import Foundation
import HostTestSupport
import Testing

@testable import PageNotes

@Suite("The command, in processes of its own")
struct NotesCommandTests {
  private func program(_ folder: TestFolder) -> HostProgram {
    HostProgram(home: folder.file("home"))
  }

  private func run(_ folder: TestFolder, _ arguments: String...) throws -> HostProgram.Outcome {
    try program(folder).run(["notes"] + arguments)
  }

  @Test("Processes that write at once wait for each other, and lose nothing")
  func atOnce() throws {
    let folder = try TestFolder()
    let processes = try (0..<6).map { number in
      let process = try program(folder)
        .process(["notes", "add", "example.com/\(number)", "text"])
      try process.run()
      return process
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
    let outcome = try program(folder).run(["notes"] + arguments)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }
}

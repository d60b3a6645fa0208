import Foundation
import GRDB
import HostTestSupport
import TestSupport
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

  @Test(
    "Names that are not UTF-8 are refused with the way out, and nothing is made of them",
    arguments: [
      #"exec "$1" notes export "$(printf 'out\377.json')""#,
      #"exec "$1" notes sync on "$(printf "$PWD/sync\376")""#,
      #"exec "$1" notes list "--search=$(printf '\303')""#,
      #"cd "$(printf 'in\377')" && exec "$1" notes sync on folder"#,
      #"cd "$(printf 'in\377')" && exec "$1" notes import notes.json"#,
      #"cd "$(printf 'in\377')" && exec "$1" lists add list.txt"#,
    ]
  )
  func otherNames(_ script: String) throws {
    let folder = try TestFolder()
    let work = folder.file("work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    let begin = """
      cd "\(work.path)" && mkdir "$(printf 'in\\377')" || exit 9
      echo '||a.example^' > "$(printf 'in\\377')/list.txt"

      """
    let built = try #require(try program(folder).process([]).executableURL).path
    let shell = HostProgram(home: folder.file("home"), file: URL(filePath: "/bin/sh"))
    let outcome = try shell.run(["-c", begin + script, "sh", built])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("not in UTF-8") && outcome.errors.contains("link"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: work.path).count == 1)
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

  @Test("The first device shows the line that the second one needs, and the key can be replaced")
  func key() throws {
    let folder = try TestFolder()
    let shared = folder.file("shared").path
    let (one, two) = (
      HostProgram(home: folder.file("one")), HostProgram(home: folder.file("two"))
    )
    func key(in output: String) throws -> String {
      let line = try #require(output.split(separator: "\n").first { $0.contains("--key tbk1-") })
      return try #require(line.split(separator: " ").last.map(String.init))
    }
    _ = try one.run(["notes", "add", "example.com", "from one"])
    let first = try one.run(["notes", "sync", "on", shared])
    let secret = try key(in: first.output)
    #expect(try key(in: one.run(["notes", "key", "show"]).output) == secret)
    #expect(try !one.run(["notes", "sync", "on", shared]).output.contains("tbk1-"))
    #expect(try !one.run(["notes", "sync", "status", "--json"]).output.contains("tbk1-"))

    let without = try two.run(["notes", "sync", "on", shared])
    #expect(without.status != 0 && without.errors.contains("notes key show"))
    let wrong = try two.run(["notes", "sync", "on", shared, "--key", SyncKey().text])
    #expect(wrong.status != 0 && wrong.errors.contains("Nothing was changed"))
    let typed = secret.dropLast() + (secret.last == "0" ? "2" : "0")
    let typing = try two.run(["notes", "sync", "on", shared, "--key", String(typed)])
    #expect(typing.status != 0 && typing.errors.contains("typing error"))
    #expect(!typing.errors.contains(typed))
    // Typed, not given as an argument.
    let second = try two.run(
      ["notes", "sync", "on", shared, "--key"],
      input: Data("\(secret)\n".utf8)
    )
    #expect(second.status == 0, "\(second.errors)")
    #expect(!second.output.contains(secret))
    #expect(try two.run(["notes", "list"]).output.contains("from one"))

    let renewed = try one.run(["notes", "key", "new"])
    let other = try key(in: renewed.output)
    #expect(other != secret)
    let behind = try two.run(["notes", "sync", "now"])
    #expect(behind.status == 0 && behind.errors.contains("another key"))
    #expect(try two.run(["notes", "sync", "on", shared, "--key", other]).status == 0)
    _ = try two.run(["notes", "add", "two.example", "from two"])
    #expect(try one.run(["notes", "list"]).output.contains("from two"))
    #expect(try two.run(["notes", "key", "show"]).output.contains(other))
    #expect(try program(folder).run(["notes", "key", "show"]).errors.contains("no key yet"))
  }

  @Test("Processes that are killed at any moment lose nothing that was confirmed, on two devices")
  func kills() throws {
    let folder = try TestFolder()
    let shared = folder.file("shared").path
    let programs = ["one", "two"].map { HostProgram(home: folder.file($0)) }
    #expect(try programs[0].run(["notes", "sync", "on", shared]).status == 0)
    let store = try NoteStore(file: folder.file("one/data/notes.sqlite"))
    let key = try NoteSynchronizer(store).key().text
    #expect(try programs[1].run(["notes", "sync", "on", shared, "--key", key]).status == 0)
    var random = RandomSource(seed: 12)
    var confirmed: Set<String> = []
    for round in 0..<24 {
      let program = random.pick(programs)
      let text = "text \(round)"
      let arguments = random.pick([
        ["notes", "add", "r\(round).example", text], ["notes", "sync", "now"],
        ["notes", "add", "r\(round).example", text],
      ])
      let process = try program.process(arguments)
      try process.run()
      if random.chance(80) {
        Thread.sleep(forTimeInterval: Double(random.number(below: 150)) / 1000)
        process.send(SIGKILL)
      }
      process.waitUntilExit()
      if process.terminationReason == .exit, process.terminationStatus == 0, arguments[1] == "add" {
        confirmed.insert(text)
      }
    }
    for _ in 0..<2 {
      for program in programs {
        let outcome = try program.run(["notes", "sync", "now"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      }
    }
    let stores = try ["one", "two"].map {
      try NoteStore(file: folder.file("\($0)/data/notes.sqlite"))
    }
    let texts = try stores.map { Set(try $0.notes().map(\.text)) }
    #expect(texts[0] == texts[1])
    #expect(confirmed.isSubset(of: texts[0]))
    for store in stores {
      #expect(try store.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    }
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

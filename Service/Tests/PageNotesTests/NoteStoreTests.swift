import Foundation
import GRDB
import Testing

@testable import PageNotes

@Suite("The store of notes")
struct NoteStoreTests {
  private func draft(_ kind: NoteTarget.Kind, _ address: String, _ text: String) throws -> NoteDraft
  {
    try NoteDraft(target: NoteTarget(kind, address: address), text: text)
  }

  @Test("The most exact note counts for a page, and of equals the newest")
  func exactness() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    let page = try PageAddress("https://a.b.example.com/x/y/z?q")
    let targets: [(NoteTarget.Kind, String)] = [
      (.site, "example.com"), (.site, "b.example.com"), (.site, "a.b.example.com"),
      (.host, "a.b.example.com"), (.path, "a.b.example.com"), (.path, "a.b.example.com/x"),
      (.path, "a.b.example.com/x/y"), (.path, "a.b.example.com/x/y/z"),
      (.page, "a.b.example.com/x/y/z?q"),
    ]
    #expect(try store.note(for: page) == nil)
    for (kind, address) in targets {
      for number in 1...2 {
        test.pass(seconds: 1)
        let text = "\(kind) \(address) \(number)"
        try store.add(draft(kind, address, text))
        #expect(try store.note(for: page)?.text == text)
      }
    }
    #expect(try store.notes(on: page).count == 2 * targets.count)
    // Adding in the other order changes nothing.
    let other = try folder.store("o", test)
    for (kind, address) in targets.reversed() { try other.add(draft(kind, address, address)) }
    #expect(try other.note(for: page)?.target.kind == .page)
    #expect(try other.notes(on: page).map(\.target.address) == targets.reversed().map(\.1))
  }

  @Test("Paths deeper than the bound are found by their page, host and upper paths")
  func deepPath() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let deep = "https://example.com" + String(repeating: "/a", count: 3000)
    let page = try PageAddress(deep)
    try store.add(draft(.path, "example.com/a/a", "upper"))
    #expect(try store.note(for: page)?.text == "upper")
    try store.add(draft(.page, deep, "page"))
    #expect(try store.note(for: page)?.text == "page")
    #expect(throws: NoteError.self) { try NoteTarget(.path, of: page) }
  }

  @Test("A note is changed, settled, snoozed for all its pages, counted and deleted")
  func life() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    let page = try PageAddress("https://example.com/any")
    let note = try store.add(draft(.site, "example.com", "one\r\ntwo"))
    #expect(note.text == "one\ntwo")
    #expect(note.emoji == "📝")
    #expect(note.snoozeMinutes == 15)
    test.pass(seconds: 60)
    let changed = try store.change(
      id: note.id,
      NoteChange(target: NoteTarget(.host, address: "example.com"), emoji: "🐢", snoozeMinutes: 2)
    )
    #expect(changed.emoji == "🐢")
    #expect(changed.text == note.text)
    #expect(changed.changed > note.changed)
    #expect(changed.created == note.created)

    let snoozed = try store.snooze(id: note.id)
    #expect(snoozed.isSnoozed(at: test.surroundings.now()))
    #expect(try store.note(for: page)?.snoozedUntil == snoozed.snoozedUntil)
    test.pass(seconds: 119)
    #expect(try store.note(id: note.id).isSnoozed(at: test.surroundings.now()))
    test.pass(seconds: 1)
    #expect(try !store.note(id: note.id).isSnoozed(at: test.surroundings.now()))
    _ = try store.snooze(id: note.id, minutes: 60)
    #expect(try store.snooze(id: note.id, minutes: 0).snoozedUntil == nil)
    #expect(throws: NoteError.self) { try store.snooze(id: note.id, minutes: -1) }

    for event in [NoteEvent.shown, .shown, .shown, .left, .left, .viewed] {
      try store.count(event, id: note.id)
    }
    #expect(try store.note(id: note.id).counts == NoteCounts(shown: 3, left: 2, viewed: 1))

    try store.delete(id: note.id)
    #expect(try store.note(for: page) == nil)
    for body in [
      { try store.delete(id: note.id) }, { try store.note(id: note.id) },
      { try store.snooze(id: note.id) }, { try store.settle(note.id) },
    ] as [() throws -> Note] {
      #expect { _ = try body() } throws: { ($0 as? NoteError)?.code == .unknownNote }
    }
  }

  @Test(
    "A note covers one site, and not all whose names end alike",
    arguments: ["com", "co.uk", "github.io", "https://COM./a"]
  )
  func oneSite(_ address: String) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    #expect { try store.add(draft(.site, address, "x")) } throws: {
      ($0 as? NoteError)?.code == .address
    }
    let host = try store.add(draft(.host, address, "x"))
    let target = try NoteTarget(.site, address: address)
    #expect(throws: NoteError.self) { try store.change(id: host.id, NoteChange(target: target)) }
    #expect(try store.note(id: host.id).target.kind == .host)
    // Hosts of an own network have one label.
    for one in ["www.co.uk", "intranet", "127.0.0.1", "mine.github.io"] {
      try store.add(draft(.site, one, "x"))
    }
  }

  @Test("A change to what is there already changes nothing")
  func sameChange() throws {
    let folder = try TestFolder()
    let test = TestSurroundings()
    let store = try folder.store("n", test)
    let note = try store.add(draft(.site, "example.com", "text"))
    test.pass(seconds: 5)
    let same = try store.change(id: note.id, NoteChange(text: "text", snoozeMinutes: 15))
    #expect(same == note)
    // A different composition is a different text.
    let accent = try store.change(id: note.id, NoteChange(text: "é"))
    #expect(try store.change(id: accent.id, NoteChange(text: "e\u{301}")).text.bytes.count == 3)
  }

  @Test("Notes are searched by all words, in text, address and emoji, without case and accents")
  func search() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    try store.add(draft(.site, "example.com", "Écris à Mia"))
    try store.add(draft(.site, "news.example", "Is it urgent?"))
    #expect(try store.notes(matching: "ecris MIA").count == 1)
    #expect(try store.notes(matching: "example").count == 2)
    #expect(try store.notes(matching: "📝 urgent").count == 1)
    #expect(try store.notes(matching: "urgent mia").isEmpty)
    #expect(try store.notes(matching: "%").isEmpty)
  }

  @Test("A note is named by the first letters of its id if they say which")
  func prefix() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let notes = try (0..<40).map { try store.add(draft(.site, "example.com", "\($0)")) }
    for note in notes { #expect(try store.note(idPrefix: note.id.uppercased()).id == note.id) }
    for word in ["", "zz", "%", "a' OR 1"] {
      #expect(throws: NoteError.self) { try store.note(idPrefix: word) }
    }
    let first = Dictionary(grouping: notes) { $0.id.prefix(1) }
    for (letter, group) in first where group.count > 1 {
      #expect { _ = try store.note(idPrefix: String(letter)) } throws: {
        ($0 as? NoteError)?.message.hasPrefix("Several") ?? false
      }
    }
  }

  @Test(
    "Texts out of bounds are refused, with the number",
    arguments: [
      (String(repeating: "a", count: NoteText.textLimit + 1), "65537 bytes"),
      ("", "empty"), (" \n\u{0}\t ", "empty"),
    ]
  )
  func bounds(text: String, word: String) {
    #expect { _ = try NoteText.checked(text) } throws: { "\($0)".contains(word) }
  }

  @Test("Two connections write and read at once, and nothing is lost")
  func twoConnections() async throws {
    let folder = try TestFolder()
    let first = try NoteStore(file: folder.file("n"))
    let note = try first.add(draft(.site, "example.com", "shared"))
    let file = folder.file("n")
    let drafts = try (0..<10).map { try draft(.page, "example.com/\($0)", "x") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          let store = try NoteStore(file: file)
          for number in 0..<100 {
            try store.count(.shown, id: note.id)
            if number % 10 == 0 { try store.add(drafts[number / 10]) }
            _ = try store.note(for: PageAddress("https://example.com/"))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try first.note(id: note.id).counts.shown == 200)
    #expect(try first.count() == 21)
  }

  @Test("Many connections may make the database at once")
  func creation() async throws {
    let folder = try TestFolder()
    let file = folder.file("sub/n")
    let devices = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try NoteStore(file: file)
          return try NoteSynchronizer(store).status().device
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(devices.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("sub/n").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("A file that is not a database is refused with a way out, and left as it is")
  func rubbish() throws {
    let folder = try TestFolder()
    let rubbish = Data(String(repeating: "not a database ", count: 1000).utf8)
    try rubbish.write(to: folder.file("n"))
    #expect { _ = try folder.store("n") } throws: {
      ($0 as? NoteError)?.code == .database && "\($0)".contains("Move it away")
    }
    #expect(try Data(contentsOf: folder.file("n")) == rubbish)
  }

  @Test("A database of a newer version is refused, and left as it is")
  func newer() throws {
    let folder = try TestFolder()
    let store = try folder.store("n")
    try store.add(draft(.site, "example.com", "x"))
    try store.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('notes 99')")
    }
    #expect { _ = try folder.store("n") } throws: { "\($0)".contains("newer version") }
    #expect(try store.count() == 1)
  }

  @Test("Looking a page up uses the index and reads no other row")
  func plan() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let plan = try store.read { database in
      try Row.fetchAll(
        database,
        sql: """
          EXPLAIN QUERY PLAN SELECT \(Note.columns) FROM json_each('[]') AS k
          CROSS JOIN note AS n ON n.key = k.value
          ORDER BY k.id, n.created DESC, n.id DESC LIMIT 1
          """
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains { $0.contains("USING INDEX noteByKey (key=?)") }, "\(plan)")
    #expect(!plan.contains { $0.hasPrefix("SCAN n") }, "\(plan)")
  }

  @Test("Notes of a target and notes to be written are looked up, and no others are read")
  func lookUps() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    for (question, index) in [
      (NoteStore.attached, "SEARCH n USING INDEX noteByKey (key=?)"),
      (
        NoteRow.selection(where: NoteRow.isUnpublished),
        "SEARCH note USING INDEX noteUnpublished (id>?)"
      ),
    ] {
      let plan = try store.read { database in
        // The parameters' values do not matter.
        let count = question.count { $0 == "?" }
        return try Row.fetchAll(
          database,
          sql: "EXPLAIN QUERY PLAN \(question)",
          arguments: StatementArguments(Array(repeating: 1, count: count))
        ).map { try $0.decode(String.self, forColumn: "detail") }
      }
      #expect(plan.contains(index), "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    }
    let target = try NoteTarget(.site, address: "example.com")
    try store.add(draft(.site, "example.com", "a"))
    try store.add(draft(.host, "example.com", "b"))
    try store.add(draft(.site, "b.example.com", "c"))
    #expect(try store.notes(attachedTo: target).map(\.text) == ["a"])
  }

  @Test("A database of before the index of unpublished notes has it, and publishes them")
  func unpublished() throws {
    let folder = try TestFolder()
    let queue = try DatabaseQueue(path: folder.file("n").path)
    try NoteSchema.migrator.migrate(queue, upTo: "notes keys")
    try queue.write {
      try $0.execute(
        sql: """
          INSERT INTO note (id, state, revision, publishedRevision, newLeft)
          VALUES ('a', '{}', 3, 2, 0), ('b', '{}', 3, 3, 0), ('c', '{}', 3, 3, 1),
            ('d', '{}', 3, -1, 0)
          """
      )
    }
    try queue.close()
    let store = try folder.store("n")
    let found = try store.read {
      try NoteRow.fetch($0, where: NoteRow.isUnpublished, after: "", limit: 9).rows.map(\.id)
    }
    #expect(found == ["a", "c", "d"])
    try store.write { try $0.execute(sql: "UPDATE note SET publishedRevision = 3, newLeft = 0") }
    let check = try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    #expect(check == ["ok"])
    #expect(
      try store.read {
        try NoteRow.fetch($0, where: NoteRow.isUnpublished, after: "", limit: 9).last
      } == nil
    )
  }
}

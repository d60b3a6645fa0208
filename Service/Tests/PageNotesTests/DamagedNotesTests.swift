import GRDB
import Testing

@testable import PageNotes

/// Values in the database that no version of the program writes.
struct DamagedNotesTests {
  /// Makes two notes and puts a wrong value into a column of one of them, or of the device.
  private func store(
    _ table: String,
    _ column: String,
    _ value: String,
    in folder: TestFolder
  ) throws -> (NoteStore, [String]) {
    let store = try folder.store()
    let texts = ["first", "second"]
    let ids = try texts.map {
      try store.add(NoteDraft(target: NoteTarget(.site, address: "\($0).example"), text: $0)).id
    }
    let condition = table == "note" ? "WHERE id = '\(ids[0])'" : ""
    try store.write {
      // SQLite checks no types; a damaged page has null where there can be none.
      try $0.execute(sql: "PRAGMA ignore_check_constraints = 1")
      try $0.execute(sql: "UPDATE \(table) SET \(column) = \(value) \(condition)")
    }
    return (store, ids)
  }

  private static let columns = [
    "text", "otherTexts", "emoji", "snoozeMinutes", "plan", "created", "changed", "snoozedUntil",
    "shown",
    "left", "viewed", "newShown", "newLeft", "newViewed", "state", "revision", "publishedRevision",
  ]
  private static let values = [
    "'x'", "x'ff00'", "9223372036854775807", "-9223372036854775808", "1e300",
  ]

  @Test(
    "hide no note, and neither of the notes keeps the other from being changed",
    arguments: columns,
    values
  )
  func ofNote(column: String, value: String) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let (store, ids) = try store("note", column, value, in: folder)
    #expect(try Set(store.notes().map(\.id)) == Set(ids))
    _ = try store.countingNotes()
    for address in ["http://first.example/", "http://second.example/"] {
      _ = try store.note(for: PageAddress(address))
    }
    // The damaged one is deleted, or said to be damaged.
    do { _ = try store.delete(id: ids[0]) } catch {
      #expect((error as? NoteError)?.code == .damagedNote)
    }
    _ = try store.delete(id: ids[1])
    #expect(try store.notes().count <= 1)
  }

  @Test(
    "of the device are an error that names the database",
    arguments: ["clock", "sequence", "written"],
    values
  )
  func ofDevice(column: String, value: String) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let (store, _) = try store("device", column, value, in: folder)
    do {
      _ = try store.add(NoteDraft(target: NoteTarget(.site, address: "c.example"), text: "c"))
    } catch {
      #expect((error as? NoteError)?.code == .database)
    }
    #expect(try store.notes().count >= 2)
  }

  @Test(
    "of synchronisation are an error that names the database",
    arguments: [
      "INSERT INTO syncKey (id, standing, wasOpen) VALUES (x'ff00', 'in-force', 0)",
      "INSERT INTO syncKey (id, standing, wasOpen) VALUES ('k', x'ff00', 0)",
      "INSERT INTO syncKey (id, standing, wasOpen) VALUES ('k', 'in-force', x'ff00')",
      "INSERT INTO syncFile VALUES ('f', x'ff00', 0, '', NULL, 0, '', NULL)",
      "INSERT INTO syncFile VALUES ('f', '', x'ff00', '', NULL, 0, '', NULL)",
      "INSERT INTO syncFile VALUES ('f', '', 0, '', NULL, 'x', x'ff00', x'ff00')",
    ]
  )
  func ofSynchronisation(sql: String) throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let (store, ids) = try store("note", "shown", "0", in: folder)
    try store.write { try $0.execute(sql: sql) }
    if sql.contains("syncKey") {
      #expect { try NoteSynchronizer(store).status() } throws: {
        ($0 as? NoteError)?.code == .database
      }
    } else {
      #expect {
        try store.read { try FileRow.fetchAll($0) }
      } throws: {
        ($0 as? NoteError)?.code == .database
      }
    }
    #expect(try store.notes().count == ids.count)
  }
}

internal import Foundation
internal import GRDB

extension NoteStore {
  /// Returns the note that applies to each target, sorted by the targets' keys.
  public func countingNotes() throws -> [Note] {
    try read { database in
      var notes: [Note] = []
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT \(Note.columns) FROM note AS n WHERE n.key IS NOT NULL
            ORDER BY n.key, n.created DESC, n.id DESC
            """
        )
      )
      while let row = try rows.next() {
        guard let note = Note(row), note.target != notes.last?.target else { continue }
        notes.append(note)
      }
      return notes
    }
  }

  /// Returns a value that differs whenever any process may have changed the database.
  func changeMark() throws -> [Int] {
    try read { database in
      // `data_version` counts commits of other connections, `total_changes` those of this one, and `user_version` all,
      // so that a database that was put back differs, too.
      [
        try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0, database.totalChangesCount,
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
      ]
    }
  }
}

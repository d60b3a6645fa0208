internal import Foundation
internal import GRDB

extension NoteStore {
  /// For each target the note that counts for it, in the order of the targets' keys.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  /// - Complexity: Reads all notes.
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

  /// Changes when the database may have changed, by whichever process.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  /// - Complexity: Reads no table.
  func changeMark() throws -> [Int] {
    try read { database in
      // The first counts what other connections commit, the second what this one changes.
      [
        try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0, database.totalChangesCount,
      ]
    }
  }
}

internal import Foundation
internal import GRDB

/// What an import did.
public struct ImportReport: Equatable, Sendable {
  /// How many notes are new, among them those that had been deleted.
  public var added = 0
  /// How many took the place of older ones.
  public var changed = 0
  /// How many were there already, equal or newer.
  public var unchanged = 0
}

extension NoteStore {
  /// All notes, for a file; those that were made first come first.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func archive() throws -> NoteArchive {
    try NoteArchive(notes().sorted { ($0.created, $0.id) < ($1.created, $1.id) })
  }

  /// Takes in all notes of a file, in one transaction.
  ///
  /// A note whose id is known is changed only if the file's is the later one; its counts stay. A note
  /// that was deleted comes back. A note without an id is new, unless a note with the same target and
  /// text is there.
  ///
  /// - Throws: ``NoteError`` with code `database`; nothing was imported then.
  public func importNotes(_ archive: NoteArchive) throws -> ImportReport {
    try write { database in
      var report = ImportReport()
      for note in archive.notes { try take(note, database, &report) }
      return report
    }
  }

  private func take(
    _ archived: ArchivedNote,
    _ database: Database,
    _ report: inout ImportReport
  ) throws {
    if archived.id == nil, try hasEqual(archived.draft, database) {
      report.unchanged += 1
      return
    }
    let now = surroundings.milliseconds
    let created = archived.created.map { milliseconds(of: $0) } ?? now
    let changed = archived.changed.map { milliseconds(of: $0) } ?? created
    let id = archived.id ?? surroundings.uuid()
    var row = try NoteRow.fetch(database, id: id) ?? NoteRow(id: id)
    let isThere = row.state.isComplete
    if isThere, (row.state.changed.value ?? 0) >= changed {
      report.unchanged += 1
      return
    }
    if !isThere {
      // Other texts get earlier stamps, the first of them the latest.
      for text in archived.otherTexts.reversed() {
        try beginEdit(database).addText(text, to: &row.state)
      }
      // A note that comes back has its counts already.
      if row.state.counts.isEmpty, row.newCounts == NoteCounts() { row.newCounts = archived.counts }
    }
    let edit = try beginEdit(database)
    let draft = archived.draft
    edit.write(draft, to: &row.state, created: created, changed: changed)
    if !isThere {
      edit.addText(draft.text, to: &row.state)
    } else if row.state.texts.value.map({ Array($0.utf8) }) != Array(draft.text.utf8) {
      edit.writeText(draft.text, to: &row.state)
    }
    try row.save(database, isHere: true)
    if isThere { report.changed += 1 } else { report.added += 1 }
  }

  private func hasEqual(_ draft: NoteDraft, _ database: Database) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM note WHERE key = ? AND text = ?)"
      ),
      arguments: [draft.target.key, draft.text]
    ) ?? false
  }
}

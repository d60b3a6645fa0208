internal import Foundation
internal import GRDB

/// The result of an import.
public struct ImportReport: Equatable, Sendable {
  /// The notes added, including those that had been deleted.
  public var added = 0
  /// The notes that replaced older ones.
  public var changed = 0
  /// The notes skipped, because the store's are equal or newer.
  public var unchanged = 0
}

extension NoteStore {
  /// Returns all notes as an archive, oldest first.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func archive() throws -> NoteArchive {
    try NoteArchive(notes().sorted { ($0.created, $0.id) < ($1.created, $1.id) })
  }

  /// Imports all notes of a file in one transaction.
  ///
  /// A note with a known id replaces the store's only if it was changed later; the store's counts
  /// stay. A deleted note is restored. A note without an id is added unless one with the same
  /// target and text exists.
  ///
  /// - Throws: ``NoteError`` with code `database`; then nothing was imported.
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
      // The shown text needs the latest stamp, so the others get earlier ones, in their order.
      for text in archived.otherTexts.reversed() {
        try beginEdit(database).addText(text, to: &row.state)
      }
      // A restored note still has its counts.
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

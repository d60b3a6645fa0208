internal import Foundation
internal import GRDB

extension NoteStore {
  /// Returns the note that applies to a page: the most specific one, snoozed or not.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  /// - Complexity: One query, with an index look-up for each target that contains the page.
  public func note(for page: PageAddress) throws -> Note? {
    try read { try Self.note(for: page, $0) }
  }

  static func note(for page: PageAddress, _ database: Database) throws -> Note? {
    try rows(for: page, database, limit: 1).first
  }

  /// Returns all notes whose target contains a page, most specific first.
  public func notes(on page: PageAddress) throws -> [Note] {
    try read { try Self.rows(for: page, $0, limit: -1) }
  }

  private static func rows(
    for page: PageAddress,
    _ database: Database,
    limit: Int
  ) throws -> [Note] {
    let keys = String(
      decoding: try JSONEncoder().encode(NoteTarget.keys(for: page)),
      as: UTF8.self
    )
    return try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT \(Note.columns) FROM json_each(?) AS k CROSS JOIN note AS n ON n.key = k.value
          ORDER BY k.id, n.created DESC, n.id DESC LIMIT ?
          """
      ),
      arguments: [keys, limit]
    ).compactMap { Note($0) }
  }

  /// Returns the notes that are attached to a target itself, most recently changed first.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  /// - Complexity: One query, with an index look-up.
  public func notes(attachedTo target: NoteTarget) throws -> [Note] {
    try read { database in
      try Row.fetchAll(
        database.cachedStatement(sql: Self.attached),
        arguments: [target.key]
      ).compactMap { Note($0) }
    }
  }

  /// The question of ``notes(attachedTo:)``.
  static let attached = """
    SELECT \(Note.columns) FROM note AS n WHERE n.key = ? ORDER BY n.changed DESC, n.id
    """

  /// Returns a note by its id.
  public func note(id: String) throws -> Note {
    try read { try Self.note(id: id, $0) }
  }

  static func note(id: String, _ database: Database) throws -> Note {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT \(Note.columns) FROM note AS n WHERE n.id = ? AND n.key IS NOT NULL"
      ),
      arguments: [id.lowercased()]
    )
    guard let note = row.flatMap({ Note($0) }) else { throw unknown(id) }
    return note
  }

  static func unknown(_ id: String) -> NoteError {
    NoteError(.unknownNote, "There is no note “\(id)”. “tickbird notes list” shows all of them")
  }

  /// Returns the note whose id begins with what a person typed.
  ///
  /// - Throws: ``NoteError`` with code `unknown-note`, also if there are several matches; or
  ///   `database`.
  public func note(idPrefix: String) throws -> Note {
    let prefix = idPrefix.lowercased()
    let found = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(Note.columns) FROM note AS n
          WHERE substr(n.id, 1, length(:prefix)) = :prefix AND n.key IS NOT NULL
          ORDER BY n.id LIMIT 3
          """,
        arguments: ["prefix": prefix]
      ).compactMap { Note($0) }
    }
    guard let note = found.first, !prefix.isEmpty else { throw Self.unknown(idPrefix) }
    guard found.count == 1 || note.id == prefix else {
      throw NoteError(
        .unknownNote,
        "Several notes begin with “\(idPrefix)”: \(found[0].id), \(found[1].id) … Type more of it"
      )
    }
    return note
  }

  /// Returns the notes that match a search, most recently changed first.
  ///
  /// - Parameter search: Words that all have to occur in a note's text, emoji or address, ignoring
  ///   case and accents. An empty search matches all notes.
  /// - Returns: The matching notes.
  /// - Throws: ``NoteError`` with code `database`.
  /// - Complexity: Reads all notes.
  public func notes(matching search: String = "") throws -> [Note] {
    let words = search.split(whereSeparator: { $0.isWhitespace }).map { Self.folded(String($0)) }
    let all = try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT \(Note.columns) FROM note AS n WHERE n.key IS NOT NULL
          ORDER BY n.changed DESC, n.id
          """
      ).compactMap { Note($0) }
    }
    guard !words.isEmpty else { return all }
    return all.filter { note in
      let parts = [note.text, note.emoji, note.target.address] + note.otherTexts
      let text = Self.folded(parts.joined(separator: "\n"))
      return words.allSatisfy { text.contains($0) }
    }
  }

  /// Counts the notes.
  public func count() throws -> Int {
    try read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM note WHERE key IS NOT NULL") ?? 0
    }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}

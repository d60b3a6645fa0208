internal import Foundation
internal import GRDB
internal import UserDatabase

/// A row of the table `note`, for changing.
struct NoteRow {
  let id: String
  var state: NoteState
  /// Counts of this device that no change file has yet.
  var newCounts = NoteCounts()
  var revision = 0
  private var isNew = true

  init(id: String) {
    self.id = id
    state = NoteState()
  }

  static func fetch(_ database: Database, id: String) throws -> NoteRow? {
    guard
      let row = try Row.fetchOne(
        database,
        sql: "SELECT state, newShown, newLeft, newViewed, revision FROM note WHERE id = ?",
        arguments: [id]
      )
    else { return nil }
    return try NoteRow(id: id, row)
  }

  /// Fetches rows in the order of their ids.
  ///
  /// - Returns: The valid rows, the reasons against each other one, and the last id of all; nil if
  ///   there is none.
  static func fetch(
    _ database: Database,
    where condition: String,
    after id: String,
    limit: Int
  ) throws -> (rows: [NoteRow], damaged: [NoteError], last: String?) {
    let found = try Row.fetchAll(
      database,
      sql: selection(where: condition),
      arguments: [id, limit]
    )
    var (rows, damaged): ([NoteRow], [NoteError]) = ([], [])
    for row in found {
      do throws(NoteError) { rows.append(try NoteRow(id: row.value("id", or: ""), row)) } catch {
        damaged.append(error)
      }
    }
    return (rows, damaged, found.last?.value("id", or: ""))
  }

  /// The question of ``fetch(_:where:after:limit:)``.
  static func selection(where condition: String) -> String {
    """
    SELECT id, state, newShown, newLeft, newViewed, revision FROM note
    WHERE id > ? AND \(condition) ORDER BY id LIMIT ?
    """
  }

  private struct DamagedCount: Error {}

  private init(id: String, _ row: Row) throws(NoteError) {
    self.id = id
    do {
      let text = try row.decode(String.self, forColumn: "state")
      state = try JSONDecoder().decode(NoteState.self, from: Data(text.utf8))
      newCounts = NoteCounts(
        shown: try row.decode(forColumn: "newShown"),
        left: try row.decode(forColumn: "newLeft"),
        viewed: try row.decode(forColumn: "newViewed")
      ).bounded()
      revision = try row.decode(forColumn: "revision")
      guard (0...DeviceRow.mostCounted).contains(revision) else { throw DamagedCount() }
    } catch {
      throw NoteError(
        .damagedNote,
        """
        What the database says of the note \(id) is damaged, so that it is neither changed nor \
        synchronised. “tickbird notes list” shows the text; add it again if you need it, or bring \
        the database back from a copy
        """
      )
    }
    isNew = false
  }

  /// Writes the row, with the columns derived from the state.
  ///
  /// `isHere` says whether the change was made on this device and has to be published.
  mutating func save(_ database: Database, isHere: Bool) throws {
    let texts = state.texts.ordered
    let key = state.isComplete ? state.target.value : nil
    let counts = state.counts.values.reduce(newCounts, +).bounded()
    let others = texts.count > 1 ? try Self.json(Array(texts.dropFirst())) : nil
    let created = state.created.value ?? 0
    let changed = state.changed.value ?? created
    revision += 1
    let arguments: StatementArguments = [
      "id": id, "key": key, "text": texts.first ?? "", "otherTexts": others,
      "emoji": state.emoji.value ?? "",
      "snoozeMinutes": state.snoozeMinutes.value ?? NoteText.defaultSnoozeMinutes,
      "plan": try state.plan.value.flatMap { $0 == .always ? nil : try Self.json($0) },
      "created": created, "changed": changed,
      "shown": counts.shown, "left": counts.left, "viewed": counts.viewed,
      "newShown": newCounts.shown, "newLeft": newCounts.left, "newViewed": newCounts.viewed,
      "state": try Self.json(state), "revision": revision,
      "published": isHere ? -1 : revision, "isHere": isHere,
    ]
    try database.cachedStatement(
      sql: """
        INSERT INTO note (id, key, text, otherTexts, emoji, snoozeMinutes, plan, created, changed,
          shown, left, viewed, newShown, newLeft, newViewed, state, revision, publishedRevision)
        VALUES (:id, :key, :text, :otherTexts, :emoji, :snoozeMinutes, :plan, :created, :changed,
          :shown, :left, :viewed, :newShown, :newLeft, :newViewed, :state, :revision, :published)
        ON CONFLICT (id) DO UPDATE SET key = :key, text = :text, otherTexts = :otherTexts,
          emoji = :emoji, snoozeMinutes = :snoozeMinutes, plan = :plan, created = :created, changed = :changed,
          shown = :shown, left = :left, viewed = :viewed, newShown = :newShown,
          newLeft = :newLeft, newViewed = :newViewed, state = :state, revision = :revision,
          publishedRevision = CASE WHEN NOT :isHere AND publishedRevision = revision
            THEN :revision ELSE publishedRevision END
        """
    ).execute(arguments: arguments)
    isNew = false
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

extension Note {
  /// The columns that a note is read from.
  static let columns = """
    n.id, n.key, n.text, n.otherTexts, n.emoji, n.snoozeMinutes, n.plan, n.created, n.changed,
    n.snoozedUntil, n.shown, n.left, n.viewed
    """

  /// - Returns: `nil` if the row's key is invalid, which happens only in a damaged database.
  init?(_ row: Row) {
    guard let target = NoteTarget(key: row.value("key", or: "")) else { return nil }
    let others = row.value("otherTexts", or: String?.none).flatMap {
      try? JSONDecoder().decode([String].self, from: Data($0.utf8))
    }
    // What a damaged database has for a plan must not hide the note.
    let plan = row.value("plan", or: String?.none).flatMap {
      try? JSONDecoder().decode(NotePlan.self, from: Data($0.utf8))
    }
    self.init(
      id: row.value("id", or: ""),
      target: target,
      text: row.value("text", or: ""),
      otherTexts: others ?? [],
      emoji: row.value("emoji", or: ""),
      snoozeMinutes: row.count("snoozeMinutes", in: NoteText.snoozeMinutes),
      plan: plan ?? .always,
      created: row.date("created", perSecond: 1000) ?? Date(timeIntervalSince1970: 0),
      changed: row.date("changed", perSecond: 1000) ?? Date(timeIntervalSince1970: 0),
      snoozedUntil: row.date("snoozedUntil", perSecond: 1000),
      counts: NoteCounts(
        shown: row.value("shown", or: 0),
        left: row.value("left", or: 0),
        viewed: row.value("viewed", or: 0)
      ).bounded()
    )
  }
}

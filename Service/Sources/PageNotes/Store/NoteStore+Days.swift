public import Foundation
internal import GRDB
internal import UserDatabase

/// Whether a note is shown now, and what is needed to say why.
public struct NoteStanding: Hashable, Sendable {
  /// Whether the note's pages are shown: it is snoozed, its time has not come, or something is free.
  public var isFree: Bool
  /// What happened today.
  public var today: NoteDay
  /// What happened on the last days, oldest first; today is the last.
  public var days: [NoteDay]
  /// How long "View Website" waits, in seconds.
  public var wait: Int
  /// The end of the focus session, during which no note lets its pages be seen.
  public var focusEnd: Date?
}

extension NoteStore {
  /// The longest focus session, in minutes.
  public static let longestFocus = 1440
  /// Of how many days ``NoteStanding/days`` has what happened.
  static let chartDays = 14

  // MARK: Days

  /// Records what happened with a note, on the day that it is.
  func record(_ event: NoteDay, id: String, _ database: Database) throws {
    let day = NoteDay.number(of: surroundings.now())
    try database.cachedStatement(
      sql: """
        INSERT INTO noteDay (note, day, visits, seconds, shown, left, viewed)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (day, note) DO UPDATE SET visits = visits + excluded.visits,
          seconds = seconds + excluded.seconds, shown = shown + excluded.shown,
          left = left + excluded.left, viewed = viewed + excluded.viewed
        """
    ).execute(arguments: [
      id, day, event.visits, event.seconds, event.shown, event.left, event.viewed,
    ])
    // By the primary key, so this costs nothing where there is nothing to forget.
    try database.cachedStatement(sql: "DELETE FROM noteDay WHERE day < ?")
      .execute(arguments: [day - NoteDay.kept])
  }

  /// Records that a note's pages were visited or in front while they were free.
  ///
  /// A visit lasts as long as "View Website" does: the note is snoozed meanwhile, so that the last free
  /// visit does not end when it begins, and going from page to page is one visit.
  ///
  /// - Returns: What happened today.
  /// - Throws: ``NoteError`` with code `unknown-note` or `database`.
  @discardableResult
  public func use(id: String, visits: Int, seconds: Int) throws -> NoteDay {
    try write { database in
      let note = try Self.note(id: id, database)
      try record(NoteDay(visits: visits, seconds: seconds), id: note.id, database)
      if visits > 0 { _ = try rest(id: note.id, minutes: nil, database) }
      return try days(of: note.id, count: 1, database)[0]
    }
  }

  /// Returns what happened today with every note with which something did.
  func today(_ database: Database) throws -> [String: NoteDay] {
    let day = NoteDay.number(of: surroundings.now())
    var days: [String: NoteDay] = [:]
    let rows = try Row.fetchCursor(
      database.cachedStatement(sql: "SELECT * FROM noteDay WHERE day = ?"),
      arguments: [day]
    )
    while let row = try rows.next() { days[row.value("note", or: "")] = NoteDay(row) }
    return days
  }

  /// Returns what happened on the last days, oldest first.
  private func days(of id: String, count: Int, _ database: Database) throws -> [NoteDay] {
    let today = NoteDay.number(of: surroundings.now())
    var days = [NoteDay](repeating: NoteDay(), count: count)
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT * FROM noteDay WHERE day > ? AND day <= ? AND note = ?"
      ),
      arguments: [today - count, today, id]
    )
    while let row = try rows.next() {
      let place = row.value("day", or: today) - (today - count + 1)
      if days.indices.contains(place) { days[place] = NoteDay(row) }
    }
    return days
  }

  // MARK: Standing

  /// Returns whether a note is shown now, and why.
  public func standing(of note: Note) throws -> NoteStanding {
    try read { try standing(of: note, $0) }
  }

  func standing(of note: Note, _ database: Database) throws -> NoteStanding {
    let days = try days(of: note.id, count: Self.chartDays, database)
    let today = days[days.count - 1]
    let now = surroundings.now()
    let focusEnd = try focusEnd(database)
    let isFree =
      focusEnd == nil
      && (note.isSnoozed(at: now) || !note.plan.covers(now) || !note.plan.isUsedUp(today))
    return NoteStanding(
      isFree: isFree,
      today: today,
      days: days,
      wait: note.plan.wait(after: today.viewed),
      focusEnd: focusEnd
    )
  }

  // MARK: Focus

  /// The end of the focus session; nil if there is none.
  public func focusEnd() throws -> Date? { try read { try focusEnd($0) } }

  func focusEnd(_ database: Database) throws -> Date? {
    let end = try Int64.fetchOne(database, sql: "SELECT focusUntil FROM device")
    let now = surroundings.milliseconds
    // One that a clock far ahead began is over.
    let longest = now + Int64(Self.longestFocus) * 60_000
    return end.flatMap { now < $0 && $0 <= longest ? Date(milliseconds: $0) : nil }
  }

  /// Begins a focus session: all notes are shown, and none can be passed, until it ends.
  ///
  /// - Parameter minutes: Its length; 0 ends the one that there is.
  /// - Throws: ``NoteError`` with code `value` or `database`.
  public func focus(minutes: Int) throws {
    guard (0...Self.longestFocus).contains(minutes) else {
      throw NoteError(
        .value,
        "A focus session has 1 to \(Self.longestFocus) minutes, and 0 ends it; \(minutes) is neither"
      )
    }
    let end = minutes == 0 ? nil : surroundings.milliseconds + Int64(minutes) * 60_000
    try write { try $0.execute(sql: "UPDATE device SET focusUntil = ?", arguments: [end]) }
  }
}

extension NoteDay {
  init(_ row: Row) {
    self.init(
      visits: row.count("visits", in: 0...NoteCounts.limit),
      seconds: row.count("seconds", in: 0...NoteCounts.limit),
      shown: row.count("shown", in: 0...NoteCounts.limit),
      left: row.count("left", in: 0...NoteCounts.limit),
      viewed: row.count("viewed", in: 0...NoteCounts.limit)
    )
  }
}

internal import Foundation
internal import GRDB

extension NoteStore {
  /// Adds a note; others with the same target stay, but the new one is shown.
  ///
  /// - Throws: ``NoteError``, with code `address` for a site that is the end of many, such as `com`.
  @discardableResult
  public func add(_ draft: NoteDraft) throws -> Note {
    try draft.target.checkIsOneSite()
    return try write { try insert(draft, $0) }
  }

  func insert(_ draft: NoteDraft, _ database: Database) throws -> Note {
    var row = NoteRow(id: surroundings.uuid())
    let edit = try beginEdit(database)
    let now = surroundings.milliseconds
    edit.write(draft, to: &row.state, created: now, changed: now)
    edit.writeText(draft.text, to: &row.state)
    try row.save(database, isHere: true)
    return try Self.note(id: row.id, database)
  }

  /// Changes a note; values that are equal already are not written.
  ///
  /// A new text replaces the shown text and no other.
  @discardableResult
  public func change(id: String, _ change: NoteChange) throws -> Note {
    try write { try apply(change, to: id, $0) }
  }

  func apply(_ change: NoteChange, to id: String, _ database: Database) throws -> Note {
    let note = try Self.note(id: id, database)
    return try edit(id: note.id, database) { state, edit in
      var isChanged = false
      if let target = change.target, target != note.target {
        try target.checkIsOneSite()
        edit.write(target.key, to: \.target, of: &state)
        isChanged = true
      }
      // Compares bytes: Swift's equality ignores differences in composition.
      if let text = change.text, !text.utf8.elementsEqual(note.text.utf8) {
        edit.writeText(text, to: &state)
        isChanged = true
      }
      if let emoji = change.emoji, !emoji.utf8.elementsEqual(note.emoji.utf8) {
        edit.write(emoji, to: \.emoji, of: &state)
        isChanged = true
      }
      if let minutes = change.snoozeMinutes, minutes != note.snoozeMinutes {
        edit.write(minutes, to: \.snoozeMinutes, of: &state)
        isChanged = true
      }
      if let plan = change.plan, plan != note.plan {
        edit.write(plan, to: \.plan, of: &state)
        isChanged = true
      }
      return isChanged
    }
  }

  /// Confirms a note's text, and removes those that other devices wrote concurrently.
  @discardableResult
  public func settle(_ id: String) throws -> Note {
    try write { database in
      let note = try Self.note(id: id, database)
      return try edit(id: note.id, database) { state, _ in
        state.settle()
        return !note.otherTexts.isEmpty
      }
    }
  }

  /// Deletes a note.
  ///
  /// - Returns: The note before the deletion.
  @discardableResult
  public func delete(id: String) throws -> Note {
    try takeAway { try remove(id: id, $0) }
  }

  @discardableResult
  func remove(id: String, _ database: Database) throws -> Note {
    let note = try Self.note(id: id, database)
    guard var row = try NoteRow.fetch(database, id: note.id) else { throw Self.unknown(id) }
    row.state.delete()
    try row.save(database, isHere: true)
    try database.execute(sql: "DELETE FROM noteDay WHERE note = ?", arguments: [note.id])
    return note
  }

  /// Snoozes a note for some time: on this device, in all tabs and browsers.
  ///
  /// - Parameters:
  ///   - id: The note's id.
  ///   - minutes: The duration; `nil` means the note's own snooze time, 0 ends the snoozing.
  /// - Returns: The changed note.
  /// - Throws: ``NoteError`` with code `unknown-note`, `value` or `database`.
  @discardableResult
  public func snooze(id: String, minutes: Int? = nil) throws -> Note {
    try write { try rest(id: id, minutes: minutes, $0) }
  }

  func rest(id: String, minutes: Int?, _ database: Database) throws -> Note {
    let note = try Self.note(id: id, database)
    let length = minutes ?? note.snoozeMinutes
    if length != 0 { _ = try NoteText.checkedSnooze(length) }
    let end = length == 0 ? nil : surroundings.milliseconds + Int64(length) * 60_000
    try database.execute(
      sql: "UPDATE note SET snoozedUntil = ? WHERE id = ?",
      arguments: [end, note.id]
    )
    return try Self.note(id: note.id, database)
  }

  /// Counts an event that a browser reported.
  public func count(_ event: NoteEvent, id: String) throws {
    try write { try count(event, id: id, $0) }
  }

  func count(_ event: NoteEvent, id: String, _ database: Database) throws {
    let (all, new) =
      switch event {
      case .shown: ("shown", "newShown")
      case .left: ("left", "newLeft")
      case .viewed: ("viewed", "newViewed")
      }
    try database.cachedStatement(
      sql: """
        UPDATE note SET \(all) = \(all) + 1, \(new) = \(new) + 1 WHERE id = ? AND key IS NOT NULL
        """
    ).execute(arguments: [id.lowercased()])
    guard database.changesCount == 1 else { throw Self.unknown(id) }
    try record(
      NoteDay(
        shown: event == .shown ? 1 : 0,
        left: event == .left ? 1 : 0,
        viewed: event == .viewed ? 1 : 0
      ),
      id: id.lowercased(),
      database
    )
  }

  /// Changes a note's replicated state, with a stamp of now.
  ///
  /// `body` returns whether it changed anything.
  private func edit(
    id: String,
    _ database: Database,
    _ body: (inout NoteState, Edit) throws -> Bool
  ) throws -> Note {
    guard var row = try NoteRow.fetch(database, id: id) else { throw Self.unknown(id) }
    let edit = try beginEdit(database)
    if try body(&row.state, edit) {
      edit.write(surroundings.milliseconds, to: \.changed, of: &row.state)
      try row.save(database, isHere: true)
    }
    return try Self.note(id: id, database)
  }

  /// Begins an edit at the current time.
  func beginEdit(_ database: Database) throws -> Edit {
    var device = try DeviceRow.fetch(database)
    device.clock = Stamp.next(after: device.clock, at: surroundings.milliseconds)
    try device.saveClock(database)
    return Edit(
      stamp: Stamp(clock: device.clock, device: device.id),
      random: surroundings.random
    )
  }
}

/// One edit of a note: all its values share one stamp, and each version has a name of its own.
struct Edit {
  let stamp: Stamp
  let random: () -> UInt64

  private func name() -> String { DeviceID.make(random()) }

  /// Writes a value that replaces all known ones.
  func write<Value>(
    _ value: Value,
    to field: WritableKeyPath<NoteState, Versions<Value>>,
    of state: inout NoteState
  ) { state.write(value, to: field, name: name(), stamp: stamp) }

  /// Writes everything except the text.
  func write(_ draft: NoteDraft, to state: inout NoteState, created: Int64, changed: Int64) {
    write(draft.target.key, to: \.target, of: &state)
    write(draft.emoji, to: \.emoji, of: &state)
    write(draft.snoozeMinutes, to: \.snoozeMinutes, of: &state)
    if draft.plan != state.plan.value ?? .always { write(draft.plan, to: \.plan, of: &state) }
    write(created, to: \.created, of: &state)
    write(changed, to: \.changed, of: &state)
  }

  /// Writes a text that replaces the shown one.
  func writeText(_ text: String, to state: inout NoteState) {
    state.writeText(text, name: name(), stamp: stamp)
  }

  /// Adds a text beside the existing ones.
  func addText(_ text: String, to state: inout NoteState) {
    state.texts[name()] = Version(stamp: stamp, value: text)
  }
}

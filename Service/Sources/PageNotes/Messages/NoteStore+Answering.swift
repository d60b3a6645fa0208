public import Foundation
internal import GRDB

extension NoteStore {
  /// Answers a browser's request.
  ///
  /// - Parameter json: A JSON object; see ``NoteRequest``.
  /// - Returns: A JSON object; see ``NoteAnswer``. Errors are answers too.
  public func answer(json: Data) -> Data { reply(to: json).json() }

  /// Answers a browser's request.
  ///
  /// - Parameter json: A JSON object; see ``NoteRequest``.
  /// - Returns: The answer. Errors are answers too.
  public func reply(to json: Data) -> NoteAnswer {
    do {
      return try answer(NoteRequest(json: json))
    } catch let error as NoteError {
      return .error(error)
    } catch {
      return .error(NoteError(.database, "\(error)"))
    }
  }

  /// Executes a request in one transaction.
  public func answer(_ request: NoteRequest) throws -> NoteAnswer {
    switch request {
    case .check(let page): return try check(page)
    case .add(let draft): try add(draft)
    case .update(let subject, let change):
      try write { _ = try apply(change, to: try Self.id(subject, $0), $0) }
    case .delete(let subject):
      try takeAway { _ = try remove(id: try Self.id(subject, $0), $0) }
    case .snooze(let subject, let minutes):
      try write { database in
        let id = try Self.id(subject, database)
        if minutes != 0, let end = try focusEnd(database) {
          throw NoteError(
            .focus,
            """
            A focus session lasts \(Self.minutes(until: end, from: surroundings.now())); its pages \
            can be seen when it is over
            """
          )
        }
        let note = try rest(id: id, minutes: minutes, database)
        // 0 ends the snoozing, which is not a view.
        if minutes != 0 { try count(.viewed, id: note.id, database) }
      }
    case .leave(let subject):
      try write { try count(.left, id: try Self.id(subject, $0), $0) }
      return .done
    case .page(let page):
      return .page(
        notes: Self.fitting(try notes(on: page)[...], isFirstTwice: true),
        choices: NoteTarget.Kind.allCases.compactMap { try? NoteTarget($0, of: page) },
        now: surroundings.now()
      )
    case .list(let search, let offset, let limit):
      let all = try notes(matching: search)
      let part = Self.fitting(all.dropFirst(offset).prefix(limit))
      let end = min(offset, all.count) + part.count
      return .notes(
        part,
        total: all.count,
        next: end < all.count ? end : nil,
        now: surroundings.now()
      )
    case .counts(let subject):
      let note = try read { try Self.note(id: try Self.id(subject, $0), $0) }
      return .counts(id: note.id, note.counts)
    case .use(let id, let visits, let seconds):
      return .used(try use(id: id, visits: visits, seconds: seconds))
    case .focus(let minutes): try focus(minutes: minutes)
    case .settle(let id): try settle(id)
    case .index(let offset):
      let all = try countingNotes()
      let part = Self.fitting(all.dropFirst(offset))
      let end = min(offset, all.count) + part.count
      return try read { database in
        .index(
          part,
          today: try today(database),
          focusEnd: try focusEnd(database),
          next: end < all.count ? end : nil,
          now: surroundings.now()
        )
      }
    }
    return .reload
  }

  /// Finds the note for a page; only one that is to be shown costs a write.
  private func check(_ page: PageAddress) throws -> NoteAnswer {
    guard let note = try note(for: page) else { return .ignore }
    var standing = try standing(of: note)
    guard !standing.isFree else { return .message(note, standing) }
    do {
      try count(.shown, id: note.id)
    } catch let error as NoteError where error.code == .unknownNote {
      // Another process deleted the note meanwhile.
      return .ignore
    } catch {
      // A note whose count cannot be written, on a full disk for example, is shown nevertheless.
      return .message(note, standing)
    }
    var shown = note
    shown.counts.shown += 1
    standing.today.shown += 1
    standing.days[standing.days.count - 1] = standing.today
    return .message(shown, standing)
  }

  private static func minutes(until end: Date, from now: Date) -> String {
    let minutes = Int((end.timeIntervalSince(now) / 60).rounded(.up))
    return minutes == 1 ? "one more minute" : "\(minutes) more minutes"
  }

  private static func id(_ subject: NoteRequest.Subject, _ database: Database) throws -> String {
    switch subject {
    case .id(let id): return id
    case .page(let page):
      guard let note = try note(for: page, database) else {
        throw NoteError(.unknownNote, "There is no note for \(page.authority + page.path)")
      }
      return note.id
    }
  }

  /// Returns as many of the first notes as fit into an answer, at least one; the answer may contain
  /// the first note twice.
  private static func fitting(
    _ notes: ArraySlice<Note>,
    isFirstTwice: Bool = false
  ) -> [Note] {
    var room = NoteAnswer.notesLimit
    var result: [Note] = []
    for note in notes {
      let size = note.sizeInAnswers
      room -= result.isEmpty && isFirstTwice ? 2 * size : size
      if !result.isEmpty, room < 0 { break }
      result.append(note)
    }
    return result
  }
}

internal import CodedErrors
public import Foundation

/// An answer to a browser's request about notes: one JSON object, with its kind under `type`.
///
/// `Documentation/NativeMessaging.md` lists the keys of each. All texts are plain; the browser
/// inserts them as text nodes.
public enum NoteAnswer: Equatable, Sendable {
  /// A note for the checked page, and whether its pages are free.
  case message(Note, NoteStanding)
  /// There is no note for the checked page.
  case ignore
  /// Something changed; the page has to be reloaded.
  case reload
  /// Something was counted.
  case done
  /// The use of free pages was counted; what happened today.
  case used(NoteDay)
  /// The contents of the pop-up.
  case page(notes: [Note], choices: [NoteTarget], now: Date)
  /// A part of a list.
  case notes([Note], total: Int, next: Int?, now: Date)
  /// The counts of a note.
  case counts(id: String, NoteCounts)
  /// For each target the note that applies, with what happened today, and the end of a focus session.
  case index([Note], today: [String: NoteDay], focusEnd: Date?, next: Int?, now: Date)
  /// The request failed.
  case error(NoteError)

  /// How many bytes the notes of an answer may take: 1 MiB, less the rest of the answer.
  static let notesLimit = 800 * 1024

  /// Encodes the answer as JSON in UTF-8, less than 1 MiB.
  public func json() -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings, numbers and null cannot fail.
    return (try? encoder.encode(self)) ?? Data(#"{"type":"error"}"#.utf8)
  }
}

extension Note {
  /// Encodes notes as a JSON array, each with the keys of ``NoteAnswer``.
  public static func json(_ notes: [Note], now: Date) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(notes.map { NoteObject($0, isSnoozed: $0.isSnoozed(at: now)) })
  }
}

extension Note {
  /// The note with as many of its other texts as fit into an answer.
  ///
  /// Texts that many devices wrote concurrently can exceed a browser's limit.
  fileprivate var fittingAnswers: Note {
    // A page's answer contains its first note twice.
    var room = NoteAnswer.notesLimit / 2 - sizeWithoutOtherTexts
    var note = self
    note.otherTexts = otherTexts.prefix { text in
      room -= Self.size(ofOtherText: text)
      return room >= 0
    }
    return note
  }

  /// The most bytes that the note takes in an answer.
  var sizeInAnswers: Int {
    let note = fittingAnswers
    return note.otherTexts.reduce(note.sizeWithoutOtherTexts) { $0 + Self.size(ofOtherText: $1) }
  }

  /// The text is sent twice: by itself, and in the text to show.
  private var sizeWithoutOtherTexts: Int {
    // Fields of known length; those of a plan's times; those of the days.
    2 * Self.size(text) + Self.size(emoji) + Self.size(target.address) + 700
      + 80 * plan.times.count + 100 * NoteStore.chartDays
  }

  /// It is sent twice, too; in the text to show after some words.
  private static func size(ofOtherText text: String) -> Int { 2 * size(text) + 60 }

  /// The most bytes that a text takes in JSON.
  private static func size(_ text: String) -> Int {
    text.utf8.reduce(0) { size, byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): size + 2
      case ..<0x20, 0x7F: size + 6
      default: size + 1
      }
    }
  }
}

extension NoteAnswer: Encodable {
  /// The values of `type`.
  public enum Kind: String, CaseIterable, Sendable {
    case message, ignore, reload, done, page, notes, counts, index, error
  }

  /// The answer's `type`.
  public var kind: Kind {
    switch self {
    case .message: .message
    case .ignore: .ignore
    case .reload: .reload
    case .done, .used: .done
    case .page: .page
    case .notes: .notes
    case .counts: .counts
    case .index: .index
    case .error: .error
    }
  }

  private enum Key: String, CodingKey {
    case type, version, note, notes, choices, total, next, id, counts, today, focusUntil, code,
      message
  }

  /// Encodes the object; answers to the extension's own requests have a version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(kind.rawValue, forKey: .type)
    switch self {
    case .done, .used, .page, .notes, .counts, .index:
      try container.encode(NoteRequest.version, forKey: .version)
    case .message, .ignore, .reload, .error: break
    }
    switch self {
    case .message(let note, let standing):
      try NoteObject(note, isSnoozed: standing.isFree, standing: standing).encode(to: encoder)
    case .used(let today):
      try container.encode(DayObject(today), forKey: .today)
    case .ignore, .reload, .done: break
    case .page(let notes, let choices, let now):
      let objects = notes.map { NoteObject($0, isSnoozed: $0.isSnoozed(at: now)) }
      try container.encode(objects.first, forKey: .note)
      try container.encode(objects, forKey: .notes)
      try container.encode(
        choices.map { ["kind": $0.kind.rawValue, "address": $0.address] },
        forKey: .choices
      )
    case .notes(let notes, let total, let next, let now):
      try container.encode(
        notes.map { NoteObject($0, isSnoozed: $0.isSnoozed(at: now)) },
        forKey: .notes
      )
      try container.encode(total, forKey: .total)
      try container.encode(next, forKey: .next)
    case .counts(let id, let counts):
      try container.encode(id, forKey: .id)
      try container.encode(counts, forKey: .counts)
    case .index(let notes, let today, let focusEnd, let next, let now):
      try container.encode(notes.map { IndexObject($0, today[$0.id], now: now) }, forKey: .notes)
      try container.encodeIfPresent(focusEnd.map { milliseconds(of: $0) }, forKey: .focusUntil)
      try container.encode(next, forKey: .next)
    case .error(let error):
      try container.encode(error.code.rawValue, forKey: .code)
      try container.encode(error.sentence, forKey: .message)
    }
  }
}

/// The keys of a day in answers.
private struct DayObject: Encodable {
  let visits: Int
  let seconds: Int
  let shown: Int
  let left: Int
  let viewed: Int

  init(_ day: NoteDay) {
    visits = day.visits
    seconds = day.seconds
    shown = day.shown
    left = day.left
    viewed = day.viewed
  }
}

/// The keys of a note in answers.
private struct NoteObject: Encodable {
  let id: String
  let displayText: String
  let text: String
  let otherTexts: [String]
  let emoji: String
  let isSnoozed: Bool
  let snoozedUntil: Int64?
  let snoozeMinutes: Int
  let kind: NoteTarget.Kind
  let address: String
  let created: Int64
  let changed: Int64
  let counts: NoteCounts
  let plan: NotePlan?
  let wait: Int?
  let days: [DayObject]?
  let focusUntil: Int64?

  init(_ note: Note, isSnoozed: Bool, standing: NoteStanding? = nil) {
    let note = note.fittingAnswers
    id = note.id
    displayText = note.displayText
    text = note.text
    otherTexts = note.otherTexts
    emoji = note.emoji
    self.isSnoozed = isSnoozed
    snoozedUntil = isSnoozed ? note.snoozedUntil.map { milliseconds(of: $0) } : nil
    snoozeMinutes = note.snoozeMinutes
    kind = note.target.kind
    address = note.target.address
    created = milliseconds(of: note.created)
    changed = milliseconds(of: note.changed)
    counts = note.counts
    plan = note.plan == .always ? nil : note.plan
    // Where the page is shown, nobody sees the rest.
    let shown = standing.flatMap { $0.isFree ? nil : $0 }
    wait = shown?.wait
    days = shown?.days.map { DayObject($0) }
    focusUntil = shown?.focusEnd.map { milliseconds(of: $0) }
  }
}

/// The keys of a note in an index.
private struct IndexObject: Encodable {
  let id: String
  let kind: NoteTarget.Kind
  let address: String
  let displayText: String
  let emoji: String
  let snoozeMinutes: Int
  let snoozedUntil: Int64?
  let plan: NotePlan?
  let today: DayObject?

  init(_ note: Note, _ today: NoteDay?, now: Date) {
    let note = note.fittingAnswers
    id = note.id
    kind = note.target.kind
    address = note.target.address
    displayText = note.displayText
    emoji = note.emoji
    snoozeMinutes = note.snoozeMinutes
    snoozedUntil = note.isSnoozed(at: now) ? note.snoozedUntil.map { milliseconds(of: $0) } : nil
    plan = note.plan == .always ? nil : note.plan
    // Only a plan asks what happened today.
    self.today = plan == nil ? nil : today.map { DayObject($0) }
  }
}

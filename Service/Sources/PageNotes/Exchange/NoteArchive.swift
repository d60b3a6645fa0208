public import Foundation
internal import UserDatabase

/// A note as an exported file has it.
public struct ArchivedNote: Equatable, Sendable {
  /// Its id; a note without one is new.
  public var id: String?
  /// Its contents, validated.
  public var draft: NoteDraft
  /// Texts that other devices wrote concurrently.
  public var otherTexts: [String]
  /// When it was created; nil if the file does not say, which means the time of the import.
  public var created: Date?
  /// When it was last changed; nil if the file does not say, which means ``created``.
  public var changed: Date?
  /// How often it was shown, left and viewed.
  public var counts: NoteCounts

  /// Creates an archived note from one of the store.
  public init(_ note: Note) throws(NoteError) {
    id = note.id
    draft = try NoteDraft(
      target: note.target,
      text: note.text,
      emoji: note.emoji,
      snoozeMinutes: note.snoozeMinutes,
      plan: note.plan
    )
    otherTexts = note.otherTexts
    created = note.created
    changed = note.changed
    counts = note.counts
  }

  init(id: String?, draft: NoteDraft) {
    self.id = id
    self.draft = draft
    otherTexts = []
    counts = NoteCounts()
  }
}

/// A file of notes for export and import: JSON or Markdown.
public struct NoteArchive: Equatable, Sendable {
  /// The notes, in the file's order.
  public var notes: [ArchivedNote]

  /// The largest file accepted, in bytes.
  public static let sizeLimit = 64 << 20
  /// The most notes accepted in one file.
  public static let countLimit = 100_000

  /// Creates an archive of notes from the store.
  ///
  /// - Throws: ``NoteError`` with code `value` if one of them is invalid.
  public init(_ notes: [Note]) throws(NoteError) {
    var archived: [ArchivedNote] = []
    for note in notes { archived.append(try ArchivedNote(note)) }
    self.notes = archived
  }

  init(archived: [ArchivedNote]) { notes = archived }

  /// Parses and validates a file: JSON if it begins with `{`, otherwise Markdown.
  ///
  /// - Throws: ``NoteError`` with code `archive` and the position of the first fault.
  public init(data: Data) throws(NoteError) {
    guard data.count <= Self.sizeLimit else {
      throw NoteError(.archive, "The file has \(data.count) bytes, at most \(Self.sizeLimit)")
    }
    let isJSON = data.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } == UInt8(ascii: "{")
    try self.init(data: data, isJSON: isJSON)
  }

  private init(data: Data, isJSON: Bool) throws(NoteError) {
    if isJSON {
      self = try JSONNotes.read(data)
    } else {
      guard let text = String(bytes: data, encoding: .utf8) else {
        throw NoteError(.archive, "The file is neither JSON nor Markdown in UTF-8")
      }
      self = try MarkdownNotes.read(text)
    }
    var seen: Set<String> = []
    for (index, note) in notes.enumerated() {
      guard let id = note.id, !seen.insert(id).inserted else { continue }
      throw NoteError(.archive, "notes[\(index)].id: “\(id)” is the id of an earlier note too")
    }
  }

  /// Returns the file as JSON, which ``init(data:)`` reads back unchanged.
  public func json() throws -> Data { try JSONNotes.write(self) }

  /// Returns the file as Markdown, which ``init(data:)`` reads back unchanged.
  ///
  /// Texts are escaped, so that none of them becomes markup.
  public func markdown() -> String { MarkdownNotes.write(self) }
}

/// Checks the ids of imported notes.
enum NoteID {
  /// Returns the id in lower case; `nil` unless it consists of letters, digits and hyphens.
  static func checked(_ text: String) -> String? {
    let id = text.lowercased()
    let isOne =
      (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
    return isOne ? id : nil
  }
}

/// Formats times as ISO 8601 in UTC with milliseconds.
enum NoteTime {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  static func text(_ date: Date) -> String {
    // The style truncates; the added quarter of a millisecond keeps rounding errors from losing
    // one.
    Date(timeIntervalSince1970: (Double(milliseconds(of: date)) + 0.25) / 1000).formatted(style)
  }

  /// Parses a time; nil for what is none, and for one that the database does not keep.
  static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40,
      let date = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)),
      date.isKept
    else { return nil }
    return Date(milliseconds: milliseconds(of: date))
  }
}

public import Foundation

/// A note as a file has it.
public struct ArchivedNote: Equatable, Sendable {
  /// Its id; without one it is a new note.
  public var id: String?
  /// What it is made of, checked.
  public var draft: NoteDraft
  /// Texts that other devices wrote at the same time.
  public var otherTexts: [String]
  /// When it was made; the time of the import if the file does not say.
  public var created: Date?
  /// When it was last changed; as ``created`` if the file does not say.
  public var changed: Date?
  /// How often it was shown, left and viewed.
  public var counts: NoteCounts

  /// Takes a note out of the store.
  public init(_ note: Note) throws(NoteError) {
    id = note.id
    draft = try NoteDraft(
      target: note.target,
      text: note.text,
      emoji: note.emoji,
      snoozeMinutes: note.snoozeMinutes
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

/// A file of notes that a person exports and imports: JSON or Markdown.
public struct NoteArchive: Equatable, Sendable {
  /// The notes, in the file's order.
  public var notes: [ArchivedNote]

  /// The largest file that is read, in bytes.
  public static let sizeLimit = 64 << 20
  /// The most notes that a file may have.
  public static let countLimit = 100_000

  /// Takes notes out of the store.
  ///
  /// - Throws: ``NoteError`` with code `value` if one of them is not as notes may be.
  public init(_ notes: [Note]) throws(NoteError) {
    var archived: [ArchivedNote] = []
    for note in notes { archived.append(try ArchivedNote(note)) }
    self.notes = archived
  }

  init(archived: [ArchivedNote]) { notes = archived }

  /// Reads a file, JSON if it begins with `{` and Markdown otherwise, and checks all of it.
  ///
  /// - Throws: ``NoteError`` with code `archive` and the place of the first fault.
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

  /// The file as JSON, which ``init(data:)`` reads back as it was.
  public func json() throws -> Data { try JSONNotes.write(self) }

  /// The file as Markdown, which ``init(data:)`` reads back as it was.
  ///
  /// Texts are escaped: none of them becomes markup.
  public func markdown() -> String { MarkdownNotes.write(self) }
}

/// The ids of notes that come from outside.
enum NoteID {
  /// The id in lower case; `nil` unless it is made of letters, digits and hyphens.
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

/// Times as people read them: ISO 8601 in UTC with milliseconds.
enum NoteTime {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  static func text(_ date: Date) -> String {
    // Half a millisecond more, since the style cuts.
    Date(timeIntervalSince1970: (Double(milliseconds(of: date)) + 0.25) / 1000).formatted(style)
  }

  static func date(_ text: String) -> Date? {
    guard text.utf8.count <= 40,
      let date = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
    else { return nil }
    return Date(milliseconds: milliseconds(of: date))
  }
}

internal import Foundation

/// Exported notes as JSON.
///
///     { "format": "tickbird-notes", "version": 1, "notes": [
///       { "id": "…", "kind": "site", "address": "example.com", "text": "…", "emoji": "📝",
///         "snoozeMinutes": 15, "plan": { "limit": { "visits": 3 } }, "created": "2026-11-21T12:00:00.000Z", "changed": "…",
///         "counts": { "shown": 0, "left": 0, "viewed": 0 }, "otherTexts": ["…"] } ] }
///
/// A note requires only `kind`, `address` and `text`. Unknown keys are ignored.
enum JSONNotes {
  static let format = "tickbird-notes"
  static let version = 1

  static func write(_ archive: NoteArchive) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(File(format: format, version: version, notes: archive.notes))
  }

  static func read(_ data: Data) throws(NoteError) -> NoteArchive {
    do {
      let file = try JSONDecoder().decode(File.self, from: data)
      return NoteArchive(archived: file.notes)
    } catch let error as NoteError {
      throw error
    } catch let error as DecodingError {
      throw NoteError(.archive, explanation(error))
    } catch {
      throw NoteError(.archive, "The file cannot be read: \(error)")
    }
  }

  private struct File: Codable {
    let format: String
    let version: Int
    let notes: [ArchivedNote]

    init(format: String, version: Int, notes: [ArchivedNote]) {
      self.format = format
      self.version = version
      self.notes = notes
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      format = try container.decode(String.self, forKey: .format)
      guard format == JSONNotes.format else {
        throw NoteError(.archive, "format: “\(format)” is not “\(JSONNotes.format)”")
      }
      version = try container.decode(Int.self, forKey: .version)
      guard version == JSONNotes.version else {
        throw NoteError(
          .archive,
          "version: \(version) is not known, only \(JSONNotes.version). A newer Tickbird reads it"
        )
      }
      var list = try container.nestedUnkeyedContainer(forKey: .notes)
      var notes: [ArchivedNote] = []
      while !list.isAtEnd {
        guard notes.count < NoteArchive.countLimit else {
          throw NoteError(.archive, "notes: more than \(NoteArchive.countLimit). Split the file")
        }
        notes.append(try list.decode(ArchivedNote.self))
      }
      self.notes = notes
    }
  }

  private static func explanation(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])): is missing"
    case .typeMismatch(let type, let context):
      return "\(place(context.codingPath)): is not \(word(type))"
    case .valueNotFound(let type, let context):
      return "\(place(context.codingPath)): is null, not \(word(type))"
    case .dataCorrupted(let context):
      guard context.codingPath.isEmpty else {
        return "\(place(context.codingPath)): \(context.debugDescription)"
      }
      let cause = context.underlyingError.map {
        ($0 as NSError).userInfo[NSDebugDescriptionErrorKey]
      }
      return "The file is not JSON: \(cause.flatMap { $0 as? String } ?? context.debugDescription)"
    @unknown default: return "The file cannot be read: \(error)"
    }
  }

  private static func word(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Int.Type: "a whole number"
    case is [Any].Type: "an array"
    default: "an object"
    }
  }

  /// Formats a coding path as `notes[3].text`.
  static func place(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension ArchivedNote: Codable {
  private enum Key: String, CodingKey {
    case id, kind, address, text, otherTexts, emoji, snoozeMinutes, plan, created, changed, counts
  }

  /// Decodes and checks a note.
  ///
  /// - Throws: `DecodingError` or ``NoteError``, with the position of the fault.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func checked<Value>(_ key: Key, _ body: () throws(NoteError) -> Value) throws -> Value {
      do throws(NoteError) {
        return try body()
      } catch {
        throw NoteError(
          .archive,
          "\(JSONNotes.place(decoder.codingPath + [key])): \(error.message)"
        )
      }
    }
    func time(_ key: Key) throws -> Date? {
      guard let text = try container.decodeIfPresent(String.self, forKey: key) else { return nil }
      return try checked(key) { () throws(NoteError) in
        guard let date = NoteTime.date(text) else {
          throw NoteError(.archive, "“\(text)” is not a time as 2026-11-21T12:00:00.000Z is")
        }
        return date
      }
    }
    let id = try container.decodeIfPresent(String.self, forKey: .id)
    let kindText = try container.decode(String.self, forKey: .kind)
    let kind = try checked(.kind) { () throws(NoteError) in
      guard let kind = NoteTarget.Kind(rawValue: kindText) else {
        throw NoteError(.archive, "“\(kindText)” is none of site, host, path, page")
      }
      return kind
    }
    let address = try container.decode(String.self, forKey: .address)
    let target = try checked(.address) { () throws(NoteError) in
      try NoteTarget(imported: kind, address: address)
    }
    let text = try container.decode(String.self, forKey: .text)
    let emoji =
      try container.decodeIfPresent(String.self, forKey: .emoji) ?? NoteText.defaultEmoji
    let minutes =
      try container.decodeIfPresent(Int.self, forKey: .snoozeMinutes)
      ?? NoteText.defaultSnoozeMinutes
    _ = try checked(.text) { () throws(NoteError) in try NoteText.checked(text) }
    _ = try checked(.emoji) { () throws(NoteError) in try NoteText.checkedEmoji(emoji) }
    let plan: NotePlan
    do {
      plan = try container.decodeIfPresent(NotePlan.self, forKey: .plan) ?? .always
    } catch let error as NoteError {
      plan = try checked(.plan) { () throws(NoteError) in throw error }
    }
    let draft = try checked(.snoozeMinutes) { () throws(NoteError) in
      try NoteDraft(target: target, text: text, emoji: emoji, snoozeMinutes: minutes, plan: plan)
    }
    self.init(
      id: try id.map { id in
        try checked(.id) { () throws(NoteError) in
          guard let checked = NoteID.checked(id) else {
            throw NoteError(.archive, "“\(id)” is not made of letters, digits and hyphens")
          }
          return checked
        }
      },
      draft: draft
    )
    let others = try container.decodeIfPresent([String].self, forKey: .otherTexts) ?? []
    otherTexts = try others.prefix(16).map { text in
      try checked(.otherTexts) { () throws(NoteError) in try NoteText.checked(text) }
    }
    created = try time(.created)
    changed = try time(.changed)
    counts =
      (try container.decodeIfPresent(NoteCounts.self, forKey: .counts))?.bounded()
      ?? NoteCounts()
  }

  /// Encodes the note.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(id, forKey: .id)
    try container.encode(draft.target.kind, forKey: .kind)
    try container.encode(draft.target.address, forKey: .address)
    try container.encode(draft.text, forKey: .text)
    if !otherTexts.isEmpty { try container.encode(otherTexts, forKey: .otherTexts) }
    try container.encode(draft.emoji, forKey: .emoji)
    try container.encode(draft.snoozeMinutes, forKey: .snoozeMinutes)
    if draft.plan != .always { try container.encode(draft.plan, forKey: .plan) }
    try container.encodeIfPresent(created.map { NoteTime.text($0) }, forKey: .created)
    try container.encodeIfPresent(changed.map { NoteTime.text($0) }, forKey: .changed)
    try container.encode(counts, forKey: .counts)
  }
}

public import Foundation

/// A browser's request about notes: one JSON object.
///
/// Requests of Browser Note's content script are unchanged; the others are the extension's own,
/// with a `version` (1, also the default). Unknown keys are ignored.
/// `Documentation/NativeMessaging.md` lists all requests with their keys.
public enum NoteRequest: Equatable, Sendable {
  /// The note that a request is about.
  public enum Subject: Equatable, Sendable {
    /// The note with an id.
    case id(String)
    /// The note that applies to a page.
    case page(PageAddress)
  }

  /// Asks whether a note is to be shown instead of a page.
  case check(PageAddress)
  /// Adds a note.
  case add(NoteDraft)
  /// Changes a note.
  case update(Subject, NoteChange)
  /// Deletes a note.
  case delete(Subject)
  /// "View Website"; `nil` means the note's own snooze time.
  case snooze(Subject, minutes: Int?)
  /// "Leave".
  case leave(Subject)
  /// Asks for what the pop-up shows for a page.
  case page(PageAddress)
  /// Lists notes, from an offset on.
  case list(search: String, offset: Int, limit: Int)
  /// Asks for the counts of a note.
  case counts(Subject)
  /// Pages of a note with a limit were visited or in front while they were free.
  case use(id: String, visits: Int, seconds: Int)
  /// Begins a focus session of so many minutes; 0 ends it.
  case focus(minutes: Int)
  /// Confirms the text that is shown, and drops those of other devices.
  case settle(String)
  /// Asks for what a browser needs in order to recognise the pages that have a note, from an offset
  /// on.
  case index(offset: Int)

  /// The version of the extension's requests.
  public static let version = 1
  /// The longest request accepted, in bytes.
  public static let limit = 1 << 20
  /// The most notes in one answer.
  public static let listLimit = 200

  /// The values of `request`.
  public enum Word: String, CaseIterable, Sendable {
    case add, check, counts, delete, focus, index, leave, list, page, settle, snooze, update, use
  }

  /// Decodes a request.
  ///
  /// - Throws: ``NoteError`` with code `request`, `version`, `address` or `value`.
  public init(json: Data) throws(NoteError) {
    guard json.count <= Self.limit else {
      throw NoteError(.request, "The request has \(json.count) bytes, at most \(Self.limit)")
    }
    let object = try LooseObject(json: json)
    let word = try object.required("request", String.self)
    let version = try object.value("version", Int.self) ?? Self.version
    guard version == Self.version else {
      throw NoteError(
        .version,
        """
        Version \(version) of the requests is not known here, only \(Self.version). Bring the \
        extension and Tickbird to the same version
        """
      )
    }
    switch Word(rawValue: word) {
    case .check: self = .check(try Self.address(object))
    case .add: self = .add(try Self.draft(object))
    case .update: self = .update(try Self.subject(object), try Self.change(object))
    case .delete: self = .delete(try Self.subject(object))
    case .snooze:
      self = .snooze(try Self.subject(object), minutes: try object.value("snoozeMinutes", Int.self))
    case .leave: self = .leave(try Self.subject(object))
    case .page: self = .page(try Self.address(object))
    case .list:
      self = .list(
        search: try object.value("search", String.self) ?? "",
        offset: max(0, try object.value("offset", Int.self) ?? 0),
        limit: min(max(1, try object.value("limit", Int.self) ?? 50), Self.listLimit)
      )
    case .counts: self = .counts(try Self.subject(object))
    case .settle: self = .settle(try object.required("id", String.self))
    case .use:
      // A browser reports what happened since the last minute.
      self = .use(
        id: try object.required("id", String.self),
        visits: min(max(0, try object.value("visits", Int.self) ?? 0), 60),
        seconds: min(max(0, try object.value("seconds", Int.self) ?? 0), 600)
      )
    case .focus: self = .focus(minutes: try object.required("minutes", Int.self))
    case .index: self = .index(offset: max(0, try object.value("offset", Int.self) ?? 0))
    case nil:
      throw NoteError(
        .request,
        "“\(word)” is no request; known are \(Word.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
  }

  private static func address(_ object: LooseObject) throws(NoteError) -> PageAddress {
    try PageAddress(try object.required("url", String.self))
  }

  private static func subject(_ object: LooseObject) throws(NoteError) -> Subject {
    if let id = try object.value("id", String.self) { return .id(id) }
    guard try object.value("url", String.self) != nil else {
      throw NoteError(
        .request,
        "The request says neither by “id” nor by “url” which note it means"
      )
    }
    return .page(try address(object))
  }

  private static func kind(_ object: LooseObject) throws(NoteError) -> NoteTarget.Kind? {
    guard let word = try object.value("kind", String.self) else { return nil }
    guard let kind = NoteTarget.Kind(rawValue: word) else {
      let known = NoteTarget.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw NoteError(.request, "“kind” is “\(word)”; known are \(known)")
    }
    return kind
  }

  private static func draft(_ object: LooseObject) throws(NoteError) -> NoteDraft {
    try NoteDraft(
      target: NoteTarget(try kind(object) ?? .site, of: try address(object)),
      text: try object.required("text", String.self),
      emoji: try object.value("emoji", String.self) ?? NoteText.defaultEmoji,
      snoozeMinutes: try object.value("snoozeMinutes", Int.self) ?? NoteText.defaultSnoozeMinutes,
      plan: try object.value("plan", NotePlan.self) ?? .always
    )
  }

  private static func change(_ object: LooseObject) throws(NoteError) -> NoteChange {
    var target: NoteTarget?
    if let kind = try kind(object) { target = try NoteTarget(kind, of: try address(object)) }
    return try NoteChange(
      target: target,
      text: try object.value("text", String.self),
      emoji: try object.value("emoji", String.self),
      snoozeMinutes: try object.value("snoozeMinutes", Int.self),
      plan: try object.value("plan", NotePlan.self)
    )
  }
}

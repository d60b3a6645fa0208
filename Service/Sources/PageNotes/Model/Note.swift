public import Foundation

/// A note on a page, a path or a site.
public struct Note: Equatable, Identifiable, Sendable {
  /// What distinguishes notes, on all devices: a UUID in lower case.
  public let id: String
  /// What the note is attached to.
  public var target: NoteTarget
  /// What it says: lines that end with U+000A, never markup.
  public var text: String
  /// Texts that other devices wrote at the same time, the newest first.
  ///
  /// They stay until somebody settles which text is right; see ``NoteStore/settle(_:)``.
  public var otherTexts: [String]
  /// An emoji, or nothing.
  public var emoji: String
  /// For how many minutes "View Website" lets the pages come.
  public var snoozeMinutes: Int
  /// When it was made.
  public var created: Date
  /// When its target, text, emoji or length of snoozing was last changed.
  public var changed: Date
  /// Until when pages come in spite of the note; on this device, in all tabs and browsers.
  public var snoozedUntil: Date?
  /// How often it was shown, left and viewed, on all devices.
  public var counts: NoteCounts

  /// Whether pages come at a time, in spite of the note.
  public func isSnoozed(at time: Date) -> Bool {
    snoozedUntil.map { time < $0 } ?? false
  }

  /// The text as it is shown: with the other texts, if there are any.
  public var displayText: String {
    ([text] + otherTexts.map { "Also written, on another device:\n\($0)" })
      .joined(separator: "\n\n")
  }
}

/// How often a note was shown, and what then happened.
public struct NoteCounts: Hashable, Codable, Sendable {
  /// How often it was shown in place of a page.
  public var shown: Int
  /// How often "Leave" was chosen.
  public var left: Int
  /// How often "View Website" was chosen.
  public var viewed: Int

  /// Takes three counts.
  public init(shown: Int = 0, left: Int = 0, viewed: Int = 0) {
    self.shown = shown
    self.left = left
    self.viewed = viewed
  }

  /// The greatest count that is kept; what is beyond is cut.
  static let limit = 1 << 40

  static func + (one: NoteCounts, other: NoteCounts) -> NoteCounts {
    NoteCounts(
      shown: one.shown + other.shown,
      left: one.left + other.left,
      viewed: one.viewed + other.viewed
    )
  }

  func bounded() -> NoteCounts {
    func bounded(_ count: Int) -> Int { min(max(count, 0), Self.limit) }
    return NoteCounts(shown: bounded(shown), left: bounded(left), viewed: bounded(viewed))
  }

  /// The greater of each count.
  func maximum(_ other: NoteCounts) -> NoteCounts {
    NoteCounts(
      shown: max(shown, other.shown),
      left: max(left, other.left),
      viewed: max(viewed, other.viewed)
    )
  }
}

/// What a new note is made of.
public struct NoteDraft: Equatable, Sendable {
  /// What it is attached to.
  public var target: NoteTarget
  /// What it says.
  public var text: String
  /// An emoji, or nothing.
  public var emoji: String
  /// For how many minutes "View Website" lets the pages come.
  public var snoozeMinutes: Int

  /// Checks what a note is made of.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public init(
    target: NoteTarget,
    text: String,
    emoji: String = NoteText.defaultEmoji,
    snoozeMinutes: Int = NoteText.defaultSnoozeMinutes
  ) throws(NoteError) {
    self.target = target
    self.text = try NoteText.checked(text)
    self.emoji = try NoteText.checkedEmoji(emoji)
    self.snoozeMinutes = try NoteText.checkedSnooze(snoozeMinutes)
  }
}

/// What is to become different in a note; `nil` leaves things as they are.
public struct NoteChange: Equatable, Sendable {
  /// The new target.
  public var target: NoteTarget?
  /// The new text.
  public var text: String?
  /// The new emoji.
  public var emoji: String?
  /// The new length of snoozing, in minutes.
  public var snoozeMinutes: Int?

  /// Checks what is to become different.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public init(
    target: NoteTarget? = nil,
    text: String? = nil,
    emoji: String? = nil,
    snoozeMinutes: Int? = nil
  ) throws(NoteError) {
    self.target = target
    if let text { self.text = try NoteText.checked(text) }
    if let emoji { self.emoji = try NoteText.checkedEmoji(emoji) }
    if let snoozeMinutes { self.snoozeMinutes = try NoteText.checkedSnooze(snoozeMinutes) }
  }
}

/// What happens to a note in a browser.
public enum NoteEvent: String, CaseIterable, Sendable {
  /// It was shown in place of a page.
  case shown
  /// "Leave" was chosen.
  case left
  /// "View Website" was chosen.
  case viewed
}

public import Foundation

/// A note on a page, a path or a site.
public struct Note: Equatable, Identifiable, Sendable {
  /// The id, the same on all devices: a UUID in lower case.
  public let id: String
  /// What the note is attached to.
  public var target: NoteTarget
  /// The text: lines ending with U+000A, never markup.
  public var text: String
  /// Texts that other devices wrote concurrently, newest first.
  ///
  /// They stay until the user confirms one text; see ``NoteStore/settle(_:)``.
  public var otherTexts: [String]
  /// An emoji, or an empty string.
  public var emoji: String
  /// The snooze time: for how many minutes "View Website" shows the pages.
  public var snoozeMinutes: Int
  /// When it is shown, and what is free before.
  public var plan: NotePlan
  /// When it was created.
  public var created: Date
  /// When its target, text, emoji or snooze time was last changed.
  public var changed: Date
  /// Until when the note is snoozed: on this device, in all tabs and browsers.
  public var snoozedUntil: Date?
  /// How often it was shown, left and viewed, on all devices.
  public var counts: NoteCounts

  /// Returns whether the note is snoozed at a time, so that its pages are shown.
  public func isSnoozed(at time: Date) -> Bool {
    // One that a clock far ahead began is over.
    let longest = time.addingTimeInterval(Double(NoteText.snoozeMinutes.upperBound + 60) * 60)
    return snoozedUntil.map { time < $0 && $0 <= longest } ?? false
  }

  /// The text to show, including the other texts.
  public var displayText: String {
    ([text] + otherTexts.map { "Also written, on another device:\n\($0)" })
      .joined(separator: "\n\n")
  }
}

/// How often a note was shown, and what the user chose.
public struct NoteCounts: Hashable, Codable, Sendable {
  /// How often it was shown instead of a page.
  public var shown: Int
  /// How often "Leave" was chosen.
  public var left: Int
  /// How often "View Website" was chosen.
  public var viewed: Int

  /// Creates counts; zero by default.
  public init(shown: Int = 0, left: Int = 0, viewed: Int = 0) {
    self.shown = shown
    self.left = left
    self.viewed = viewed
  }

  /// The cap on each count.
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

  /// Returns the maximum of each count.
  func maximum(_ other: NoteCounts) -> NoteCounts {
    NoteCounts(
      shown: max(shown, other.shown),
      left: max(left, other.left),
      viewed: max(viewed, other.viewed)
    )
  }
}

/// The contents of a new note.
public struct NoteDraft: Equatable, Sendable {
  /// What it is attached to.
  public var target: NoteTarget
  /// The text.
  public var text: String
  /// An emoji, or an empty string.
  public var emoji: String
  /// The snooze time in minutes.
  public var snoozeMinutes: Int
  /// When it is shown, and what is free before.
  public var plan: NotePlan

  /// Validates the contents of a new note.
  public init(
    target: NoteTarget,
    text: String,
    emoji: String = NoteText.defaultEmoji,
    snoozeMinutes: Int = NoteText.defaultSnoozeMinutes,
    plan: NotePlan = .always
  ) throws(NoteError) {
    self.target = target
    self.plan = plan
    self.text = try NoteText.checked(text)
    self.emoji = try NoteText.checkedEmoji(emoji)
    self.snoozeMinutes = try NoteText.checkedSnooze(snoozeMinutes)
  }
}

/// A change to a note; `nil` leaves a field unchanged.
public struct NoteChange: Equatable, Sendable {
  /// The new target.
  public var target: NoteTarget?
  /// The new text.
  public var text: String?
  /// The new emoji.
  public var emoji: String?
  /// The new snooze time in minutes.
  public var snoozeMinutes: Int?
  /// The new plan.
  public var plan: NotePlan?

  /// Validates a change.
  public init(
    target: NoteTarget? = nil,
    text: String? = nil,
    emoji: String? = nil,
    snoozeMinutes: Int? = nil,
    plan: NotePlan? = nil
  ) throws(NoteError) {
    self.target = target
    self.plan = plan
    if let text { self.text = try NoteText.checked(text) }
    if let emoji { self.emoji = try NoteText.checkedEmoji(emoji) }
    if let snoozeMinutes { self.snoozeMinutes = try NoteText.checkedSnooze(snoozeMinutes) }
  }
}

/// An event that a browser reports about a note.
public enum NoteEvent: String, CaseIterable, Sendable {
  /// It was shown instead of a page.
  case shown
  /// "Leave" was chosen.
  case left
  /// "View Website" was chosen.
  case viewed
}

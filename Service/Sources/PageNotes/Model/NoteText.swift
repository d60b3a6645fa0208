/// The bounds of what a person writes into a note, and its one form.
///
/// A note's text is text: nothing in it is markup. Lines end with U+000A; tabs stay; other control
/// characters, which no one can see or type, are left out.
public enum NoteText {
  /// The longest text, in bytes of UTF-8.
  ///
  /// Escaped as JSON at its worst, two bytes for one, and given twice in an answer, it leaves room
  /// below the 1 MiB that a browser takes.
  public static let textLimit = 64 * 1024
  /// The longest emoji, in bytes of UTF-8: enough for families and flags.
  public static let emojiLimit = 64
  /// The emoji of notes that are added without one.
  public static let defaultEmoji = "📝"
  /// How long "View Website" lets a page come, where the note says nothing else.
  public static let defaultSnoozeMinutes = 15
  /// What a note may say instead, in minutes: up to a year.
  public static let snoozeMinutes = 1...525_600

  /// The text in its one form.
  ///
  /// - Complexity: O(*n*) for a text of *n* bytes.
  public static func normalized(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var followsReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": result.append("\n")
      case "\n": if !followsReturn { result.append("\n") }
      case "\t": result.append("\t")
      case _ where scalar.properties.generalCategory == .control: break
      default: result.append(scalar)
      }
      followsReturn = scalar == "\r"
    }
    return String(result)
  }

  /// The text in its one form, if it is within the bounds and says something.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public static func checked(_ text: String) throws(NoteError) -> String {
    let text = normalized(text)
    guard text.utf8.count <= textLimit else {
      throw NoteError(
        .value,
        "The text has \(text.utf8.count) bytes; a note holds at most \(textLimit). Shorten it"
      )
    }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw NoteError(.value, "The text is empty; write what the note is to say")
    }
    return text
  }

  /// An emoji, or any short text in its place, on one line.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public static func checkedEmoji(_ emoji: String) throws(NoteError) -> String {
    let line = normalized(emoji).split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
    guard line.utf8.count <= emojiLimit else {
      throw NoteError(
        .value,
        "The emoji has \(line.utf8.count) bytes, at most \(emojiLimit) are taken. Use one emoji"
      )
    }
    return line
  }

  /// A length of snoozing in minutes.
  ///
  /// - Throws: ``NoteError`` with code `value`.
  public static func checkedSnooze(_ minutes: Int) throws(NoteError) -> Int {
    guard snoozeMinutes.contains(minutes) else {
      throw NoteError(
        .value,
        """
        A note cannot be snoozed for \(minutes) minutes; from \(snoozeMinutes.lowerBound) to \
        \(snoozeMinutes.upperBound) are possible.
        """
      )
    }
    return minutes
  }
}

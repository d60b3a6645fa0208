/// Validates and normalizes what a person writes into a note.
///
/// The text is never markup. Lines end with U+000A; tabs stay; other control characters, which can
/// be neither seen nor typed, are removed.
public enum NoteText {
  /// The longest text, in bytes of UTF-8.
  ///
  /// An answer contains it twice, and JSON may escape one byte as two; even then it stays below the
  /// 1 MiB that a browser accepts.
  public static let textLimit = 64 * 1024
  /// The longest emoji, in bytes of UTF-8: enough for families and flags.
  public static let emojiLimit = 64
  /// The emoji of notes added without one.
  public static let defaultEmoji = "📝"
  /// The default snooze time in minutes.
  public static let defaultSnoozeMinutes = 15
  /// The allowed snooze times in minutes: up to a year.
  public static let snoozeMinutes = 1...525_600

  /// Returns the normalized text.
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

  /// Returns the normalized text if its length is allowed and it is not blank.
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

  /// Returns a normalized emoji, or any other short text on one line.
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

  /// Returns a snooze time if it is allowed.
  public static func checkedSnooze(_ minutes: Int) throws(NoteError) -> Int {
    guard snoozeMinutes.contains(minutes) else {
      throw NoteError(
        .value,
        """
        A note cannot be snoozed for \(minutes) minutes; from \(snoozeMinutes.lowerBound) to \
        \(snoozeMinutes.upperBound) are possible
        """
      )
    }
    return minutes
  }
}

/// What a user or developer should know about a translation.
public struct TranslationNote: Hashable, Sendable {
  /// The consequence of a note.
  public enum Severity: String, Sendable {
    /// Something that the extension has in Safari is missing in the browser.
    case missing
    /// Something is different, and works.
    case changed
  }

  /// The consequence.
  public let severity: Severity
  /// The kind, stable for programs, such as `manifest-key`.
  public let code: String
  /// The file.
  public let file: String
  /// The line, counted from 1; `nil` for the whole file.
  public let line: Int?
  /// What is missing or different, and where possible what to do.
  public let message: String

  /// The note as one line.
  public var text: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}

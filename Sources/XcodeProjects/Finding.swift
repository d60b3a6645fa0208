/// Something about an import that the user should know.
public struct Finding: Hashable, Sendable {
  /// The severity of a finding.
  public enum Severity: String, Sendable {
    /// Something of the target is missing from the result, or will not compile.
    case notTaken = "not-taken"
    /// Nothing is missing, but there was a decision to make.
    case note
  }

  /// The severity.
  public let severity: Severity
  /// The kind, stable for programs, such as `objective-c`.
  public let code: String
  /// The file, file and line, target or setting that this is about.
  public let subject: String
  /// Why it was not imported, or what was decided.
  public let reason: String
  /// What to do about it.
  public let advice: String?

  /// The finding as one line.
  public var line: String {
    "\(subject): \(reason)" + (advice.map { "; \($0)" } ?? "")
  }

  static func notTaken(
    _ code: String,
    _ subject: String,
    _ reason: String,
    _ advice: String? = nil
  ) -> Finding {
    Finding(severity: .notTaken, code: code, subject: subject, reason: reason, advice: advice)
  }

  static func note(
    _ code: String,
    _ subject: String,
    _ reason: String,
    _ advice: String? = nil
  ) -> Finding {
    Finding(severity: .note, code: code, subject: subject, reason: reason, advice: advice)
  }
}

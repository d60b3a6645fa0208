/// Why an extension cannot be packed, and what to do about it.
public struct PackingError: Error, Equatable, CustomStringConvertible {
  /// What kind of thing is wrong.
  public enum Code: String, Sendable {
    /// The folder is no built extension.
    case folder
    /// The key cannot be had or used.
    case key
    /// The file system says no.
    case file
  }

  /// What kind of thing is wrong.
  public let code: Code
  /// A sentence for a person.
  public let message: String

  /// Takes both.
  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}

public import CodedErrors

/// Why bytes did not become a compiled list.
public struct IngestionError: CodedError, Hashable, Codable {
  /// What kind of failure it is; the set may grow.
  public struct Code: ErrorCode, Codable {
    /// The code's word.
    public let rawValue: String

    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is nothing in it.
    public static let empty = Code(rawValue: "empty")
    /// A web page, a compiled list or other data.
    public static let notAList = Code(rawValue: "not-a-list")
    /// Compressed data that is damaged or cut off.
    public static let damaged = Code(rawValue: "damaged")
    /// More bytes or rules than a list may have.
    public static let tooLarge = Code(rawValue: "too-large")
    /// A rule list that WebKit refuses.
    public static let refused = Code(rawValue: "refused")
    /// A list of which no line became a rule.
    public static let noRules = Code(rawValue: "no-rules")
    /// Patterns that would cost too much.
    public static let exceedsLimits = Code(rawValue: "exceeds-limits")
  }

  /// The kind of failure.
  public var code: Code
  /// What is wrong with the list, and what to do, without a full stop.
  ///
  /// The list itself is “it”: who asked knows its name.
  public var message: String
  /// Where in the list's text, as its line and column with a colon between them; `nil` for all of it.
  public var position: String?

  /// Creates an error.
  public init(_ code: Code, _ message: String, at position: String? = nil) {
    self.code = code
    self.message = message
    self.position = position
  }

  /// Returns the message after the list's name and the position, as compilers write it.
  public func message(of name: String) -> String {
    position.map { "\(name):\($0): \(message)" } ?? "\(name): \(message)"
  }
}

/// Limits on lists, for lists whose authors one does not know.
public struct IngestionLimits: Hashable, Sendable {
  /// The most bytes of the list, decompressed.
  public var bytes = 64 << 20
  /// The most bytes of its rules as JSON.
  public var ruleBytes = 256 << 20
  /// The most rules; WebKit takes 150,000, which is no limit of the compiled file.
  public var rules = 2_000_000

  /// Creates the documented limits.
  public init() {}
}

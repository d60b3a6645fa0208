/// Something worth knowing about a rule list: a fault, a likely mistake, or a fact.
///
/// > Source: the rule language, sections 4, 10 and 12.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: UInt8, Comparable, Hashable, Sendable {
    /// A fact that an author may want to know; nothing is wrong.
    case note
    /// WebKit accepts it silently, but it probably does not do what its author meant.
    case warning
    /// WebKit refuses the list because of it.
    case error

    /// Compares severities; a note is the lowest.
    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// Its severity.
  public var severity: Severity
  /// Its kind, stable over releases.
  public var code: DiagnosticCode
  /// The error by which WebKit would refuse the list; `nil` for warnings and notes.
  public var webKitError: WebKitError?
  /// Why a pattern was refused, as one of WebKit's status names such as `Disjunction`.
  public var reason: String?
  /// The problem, in one sentence without a full stop.
  public var message: String
  /// What to do about it, in one sentence without a full stop.
  public var hint: String?
  /// A change of the text that removes it, if one is known.
  public var correction: Correction?
  /// The place in the text.
  public var location: SourceLocation
  /// The index of another rule that it is about, such as the one that is repeated.
  public var relatedRule: Int?
  /// Whether this is the error that WebKit itself would report; true for at most one diagnostic.
  public var isWebKitError: Bool

  /// Creates a diagnostic; severity and WebKit's error follow from the code unless given.
  public init(
    _ code: DiagnosticCode,
    severity: Severity? = nil,
    reason: String? = nil,
    message: String,
    hint: String? = nil,
    correction: Correction? = nil,
    location: SourceLocation,
    relatedRule: Int? = nil,
    isWebKitError: Bool = false
  ) {
    self.severity = severity ?? code.severity
    self.code = code
    self.webKitError = code.webKitError
    self.reason = reason
    self.message = message
    self.hint = hint
    self.correction = correction
    self.location = location
    self.relatedRule = relatedRule
    self.isWebKitError = isWebKitError
  }
}

/// A place in the text of a rule list.
public struct SourceLocation: Hashable, Sendable {
  /// The index of the element of the top-level array; `nil` for a place outside of the elements.
  public var ruleIndex: Int?
  /// The value's path in the JSON tree, such as `[3].trigger.if-domain[2]`; empty for the list.
  public var jsonPath: String
  /// The bytes of the text, half open, from 0; empty when something is missing there.
  public var byteRange: Range<Int>
  /// The line of the first byte, from 1; LF, CR LF and CR each end a line.
  public var line: Int
  /// The column of the first byte, from 1, in UTF-8 bytes, as compilers count.
  public var column: Int

  /// Creates a location from its parts.
  public init(
    ruleIndex: Int? = nil,
    jsonPath: String = "",
    byteRange: Range<Int> = 0..<0,
    line: Int = 1,
    column: Int = 1
  ) {
    self.ruleIndex = ruleIndex
    self.jsonPath = jsonPath
    self.byteRange = byteRange
    self.line = line
    self.column = column
  }
}

/// The result of reading a pattern, by the engine's own names.
///
/// > Source: the rule language, section 5.2. WebKit: `URLFilterParser::ParseStatus`.
public enum URLFilterStatus: String, Hashable, Sendable, CaseIterable {
  /// The pattern is accepted.
  case ok = "Ok"
  /// The pattern is accepted and applies to every URL.
  case matchesEverything = "MatchesEverything"
  /// The pattern contains or names a character above 127.
  case nonASCII = "NonASCII"
  /// `\d`, `\w`, `\s` or an inverse stands outside a set.
  case unsupportedCharacterClass = "UnsupportedCharacterClass"
  /// `\k<name>` refers to an earlier group.
  case backReference = "BackReference"
  /// The engine knows the name but no longer produces it.
  case forwardReference = "ForwardReference"
  /// `^` is elsewhere than at the very start.
  case misplacedStartOfLine = "MisplacedStartOfLine"
  /// `\b` or `\B` stands outside a set.
  case wordBoundary = "WordBoundary"
  /// `\d`, `\w`, `\s` or an inverse stands inside a set.
  case atomCharacter = "AtomCharacter"
  /// A look-ahead, a look-behind or a group with modifiers.
  case group = "Group"
  /// `|` stands outside a set.
  case disjunction = "Disjunction"
  /// `$` is elsewhere than at the very end.
  case misplacedEndOfLine = "MisplacedEndOfLine"
  /// The pattern is empty.
  case emptyPattern = "EmptyPattern"
  /// The pattern is not a regular expression, or is too long.
  case yarrError = "YarrError"
  /// A repetition other than `?`, `*`, `+` and their equivalents.
  case invalidQuantifier = "InvalidQuantifier"
  /// Groups are nested more deeply than ``URLFilterParser/maximumGroupDepth``.
  ///
  /// > Deviation: the engine has no such limit and overflows its stack instead. The later stages
  /// > of this package bound their recursion by it.
  case tooDeep = "TooDeep"

  /// Whether a rule with such a pattern is kept.
  public var isAccepted: Bool { self == .ok || self == .matchesEverything }
}

/// Why a pattern is refused, and where.
public struct URLFilterFault: Error, Hashable, Sendable {
  /// The engine's name for the refusal; never ``URLFilterStatus/ok`` nor
  /// ``URLFilterStatus/matchesEverything``.
  public var status: URLFilterStatus
  /// The offending construct: byte offsets within the pattern's UTF-8 text, half open.
  ///
  /// Empty only for the empty pattern and if something is missing at the end.
  public var range: Range<Int>
  /// One sentence that says what is wrong, without a full stop.
  public var message: String
  /// What to write instead, when there is something.
  public var hint: String?

  /// Creates a fault from its parts.
  public init(
    status: URLFilterStatus,
    range: Range<Int>,
    message: String,
    hint: String? = nil
  ) {
    self.status = status
    self.range = range
    self.message = message
    self.hint = hint
  }
}

extension ParsedURLFilter {
  /// The engine's name for the outcome: ``URLFilterStatus/ok`` or
  /// ``URLFilterStatus/matchesEverything``.
  public var status: URLFilterStatus { matchesEverything ? .matchesEverything : .ok }
}

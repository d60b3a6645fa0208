/// How a list is read.
public struct ReadingOptions: Sendable {
  /// The engine that will use the list; what it does not know yet becomes a warning.
  ///
  /// Without a target nothing is said about age. Acceptance is always that of the newest engine.
  public var target: EngineRelease?
  /// Whether to look for what the list needs of an engine.
  public var findsRequirements: Bool
  /// Whether to look for what a valid rule does not do and its author may think that it does; it
  /// takes up to a third of the time.
  public var findsTraps: Bool
  /// Whether hiding rules take part; if not, all of them are skipped, as WebKit can be told to.
  public var allowsSelectors: Bool
  /// How many diagnostics of each code are kept, at least 1; the others are counted.
  public var diagnosticsPerCode: Int
  /// Gives the scheme of a valid absolute URL, and `nil` for anything else.
  ///
  /// The built-in function judges scheme, host and port by the URL standard, but does not know
  /// internationalised host names. Pass a complete parser if there is one.
  public var schemeOfURL: @Sendable (String) -> String?
  /// Says which rule makes a list of valid rules too costly to compile, and why; `nil` for a list
  /// that compiles.
  ///
  /// It is given the list's text and what its patterns may cost. Without it reading judges the text
  /// alone, as WebKit does.
  public var limitFault: (@Sendable (Span<UInt8>, MatchingCost) -> LimitFault?)?

  /// Creates options; everything has a default.
  public init(
    target: EngineRelease? = nil,
    findsRequirements: Bool = false,
    findsTraps: Bool = true,
    allowsSelectors: Bool = true,
    diagnosticsPerCode: Int = 100,
    schemeOfURL: @escaping @Sendable (String) -> String? = { URLSyntax.scheme(of: $0) }
  ) {
    self.target = target
    self.findsRequirements = findsRequirements
    self.findsTraps = findsTraps
    self.allowsSelectors = allowsSelectors
    self.diagnosticsPerCode = diagnosticsPerCode
    self.schemeOfURL = schemeOfURL
  }
}

/// Why a list that WebKit accepts cannot be compiled.
public struct LimitFault: Error, Hashable, Sendable {
  /// The rule that is one too many; `nil` when it is the list's size.
  public var rule: Int?
  /// What exceeds which limit, and what to do, in one sentence without a full stop.
  public var message: String

  /// Creates a fault from its parts.
  public init(rule: Int?, message: String) {
    self.rule = rule
    self.message = message
  }
}

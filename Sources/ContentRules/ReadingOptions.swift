/// Options for reading a list.
public struct ReadingOptions: Sendable {
  /// The engine that will use the list; features that it lacks become warnings.
  ///
  /// Without a target nothing is reported about age. Acceptance is always that of the newest
  /// engine.
  public var target: EngineRelease?
  /// Whether to determine what the list needs of an engine.
  public var findsRequirements: Bool
  /// Whether to look for traps: things that a valid rule does not do although its author may think
  /// so.
  ///
  /// Takes up to a third of the time.
  public var findsTraps: Bool
  /// Whether hiding rules are included; if not, all of them are skipped, as WebKit can be told to.
  public var allowsSelectors: Bool
  /// The most diagnostics to keep of each code, at least 1; the others are counted.
  public var diagnosticsPerCode: Int
  /// The most rules that the list may have; WebKit's limit, but for those who cut longer lists.
  package var ruleLimit = RuleListReader.ruleLimit
  /// Whether what repeats the text of an earlier rule, or of its condition, is read anew; tests compare both.
  package var rereadsRepetitions = false
  /// Returns the scheme of a valid absolute URL, and `nil` for anything else.
  ///
  /// The default checks scheme, host and port by the URL standard, but does not know
  /// internationalised host names. Pass a complete parser if you have one.
  public var schemeOfURL: @Sendable (String) -> String?
  /// Returns the rule that makes a valid list too costly to compile, and why; `nil` if the list
  /// compiles.
  ///
  /// Called with the list's text and its ``MatchingCost``. Without it, reading checks the text
  /// alone, as WebKit does.
  public var limitFault: (@Sendable (Span<UInt8>, MatchingCost) -> LimitFault?)?

  /// Creates options, all with defaults.
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

/// The reason why a list that WebKit accepts cannot be compiled.
public struct LimitFault: Error, Hashable, Sendable {
  /// The rule that exceeds the limit; `nil` if the list's size does.
  public var rule: Int?
  /// What exceeds which limit, and what to do, in one sentence without a full stop.
  public var message: String

  /// Creates a fault from its parts.
  public init(rule: Int?, message: String) {
    self.rule = rule
    self.message = message
  }
}

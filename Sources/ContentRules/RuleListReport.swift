/// The result of reading a list: its rules, and all diagnostics about its text.
public struct RuleListReport: Sendable {
  /// The rules; `nil` when WebKit refuses the list.
  public var ruleList: RuleList?
  /// The number of elements of the top-level array, skipped and faulty ones included.
  public var ruleCount: Int
  /// The indexes of elements that WebKit skips without an error, ascending.
  public var skippedRules: [Int]
  /// The diagnostics in the order of the text, followed by the numbers of those omitted.
  public var diagnostics: [Diagnostic]
  /// The error that WebKit would report; `nil` when it accepts the list.
  public var webKitError: Diagnostic?
  /// What the list needs of an engine, newest first; determined only if requested.
  public var requirements: [Requirement]

  /// Why the list cannot be compiled although WebKit accepts it.
  public var limitError: Diagnostic?
  /// An upper bound on what the list's patterns cost a matcher.
  public var matchingCost = MatchingCost()

  /// Whether WebKit accepts the list and it can be compiled.
  public var isAccepted: Bool { webKitError == nil && limitError == nil }

  /// Creates a report from its parts.
  public init(
    ruleList: RuleList?,
    ruleCount: Int,
    skippedRules: [Int] = [],
    diagnostics: [Diagnostic] = [],
    webKitError: Diagnostic? = nil,
    requirements: [Requirement] = []
  ) {
    self.ruleList = ruleList
    self.ruleCount = ruleCount
    self.skippedRules = skippedRules
    self.diagnostics = diagnostics
    self.webKitError = webKitError
    self.requirements = requirements
  }
}

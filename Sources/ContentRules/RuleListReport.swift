/// What reading a list came to: its rules, and everything worth saying about its text.
public struct RuleListReport: Sendable {
  /// The rules; `nil` when WebKit refuses the list.
  public var ruleList: RuleList?
  /// How many elements the top-level array has, skipped and faulty ones included.
  public var ruleCount: Int
  /// The elements that WebKit leaves out without an error, ascending.
  public var skippedRules: [Int]
  /// Everything that was found, in the order of the text, closed by what was left out for number.
  public var diagnostics: [Diagnostic]
  /// The error that WebKit would report; `nil` when it accepts the list.
  public var webKitError: Diagnostic?
  /// What the list needs of an engine, the newest first; looked for only when asked to.
  public var requirements: [Requirement]

  /// Why the list cannot be compiled although WebKit accepts it.
  public var limitError: Diagnostic?
  /// What the list's patterns may cost a matcher at most.
  public var matchingCost = MatchingCost()

  /// Whether WebKit accepts the list, and it can be compiled.
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

package import RuleMatching

/// Rules with the same form of pattern and the same kind of action, and what they cost together.
package struct CostGroup: Sendable {
  /// The form of their patterns.
  package var form: PatternForm
  /// What they do.
  package var action: ActionKind
  /// The number of rules.
  package var ruleCount = 0
  /// The number of the first rule in its list.
  package var firstRule: Int
  /// The bytes of their JSON.
  package var bytes = 0
  /// The bytes of a compiled list of these rules alone, without its source.
  package var compiledBytes = 0
  /// The rules that a cheaper spelling is proved to be equal to, and the first one's.
  package var cheaper: (ruleCount: Int, spelling: String)?
  /// What was measured on this machine, if it was asked for.
  package var measured: Measured?

  /// Times on one machine.
  package struct Measured: Sendable {
    /// The seconds that compiling these rules alone takes.
    package var compileSeconds: Double
    /// The seconds that deciding a load by these rules alone takes, on average.
    package var matchSeconds: Double
  }

  /// How long WebKit compiles the group, in rules of the form that is the cheapest; `nil` where that
  /// was not measured.
  package var webKitRules: Int? {
    form.webKitFactor.map { Int(($0 * Double(ruleCount)).rounded()) }
  }
}

import ContentRules
import RuleCompiler

/// Compiles rules.
///
/// - Parameters:
///   - rules: Rules that were read and accepted.
///   - source: The text that the compiled list keeps.
///   - ruleCount: Elements of the JSON array; as many as there are rules unless given.
///   - limits: What compiling may cost.
func compile(
  _ rules: [Rule],
  source: [UInt8],
  ruleCount: Int? = nil,
  limits: CompilerLimits = CompilerLimits()
) throws(CompileError) -> [UInt8] {
  var compilation = RuleListCompilation(limits: limits)
  for rule in rules { try compilation.add(rule) }
  return try compilation.finish(source: source, ruleCount: ruleCount ?? rules.count)
}

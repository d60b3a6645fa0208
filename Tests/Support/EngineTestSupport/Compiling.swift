package import ContentRules
package import RuleCompiler

/// Compiles rules.
///
/// - Parameters:
///   - rules: Rules that were read and accepted.
///   - source: The text that the compiled list keeps.
///   - ruleCount: Elements of the JSON array; one for every index unless given.
///   - limits: What compiling may cost.
package func compile(
  _ rules: [Rule],
  source: [UInt8] = Array("[]".utf8),
  ruleCount: Int? = nil,
  limits: CompilerLimits = CompilerLimits()
) throws(CompileError) -> [UInt8] {
  var compilation = RuleListCompilation(limits: limits)
  for rule in rules { try compilation.add(rule) }
  return try compilation.finish(
    source: source,
    ruleCount: ruleCount ?? (rules.map(\.index).max() ?? -1) + 1
  )
}

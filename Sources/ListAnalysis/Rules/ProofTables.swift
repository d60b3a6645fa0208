internal import ContentRules
internal import RuleCompiler
internal import RuleProofs

/// What is known of the patterns and conditions of one or more lists, for all analyses of their rules.
struct ProofTables {
  /// The loads that rules match.
  let sets: LoadSets
  /// URLs of the patterns.
  let samples: PatternSamples

  /// Takes tables that know the rules of the lists that are analysed.
  init(sets: LoadSets, samples: PatternSamples) {
    self.sets = sets
    self.samples = samples
  }

  /// Collects the patterns of rules.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` if the patterns exceed the compiler's limits.
  /// - Complexity: That of compiling the rules.
  init(_ rules: [Rule]) throws(CompileError) {
    sets = LoadSets()
    for rule in rules { _ = sets.loads(of: rule.trigger) }
    samples = try PatternSamples(sets.patterns)
  }
}

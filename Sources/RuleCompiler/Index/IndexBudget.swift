/// What the indexes of a list share: the stamp counter, and the budget of steps for deciding a
/// load.
///
/// Hostile patterns are refused here, at compile time, so that the matcher needs no limit of its
/// own.
struct IndexBudget {
  /// The number of stamps assigned so far; each is one word of every scratch.
  var stampCount = 0
  /// Returns a program's cost, given its offset and, if it is bounded, the most characters that it
  /// reads.
  let costOfProgram: (UInt32, Int?) -> ProgramCost
  /// Returns the plain text that every URL matched by a program contains, given the program's
  /// offset.
  let leadOfProgram: (UInt32) -> ProgramLead
  /// Steps per character of any URL, and of a URL that contains the literals of all filters.
  private var always: Int64 = 0
  private(set) var found: Int64 = 0
  let limits: CompilerLimits

  init(limits: CompilerLimits, writer: ProgramWriter) {
    self.limits = limits
    costOfProgram = { writer.cost(of: $0, span: $1) }
    leadOfProgram = { writer.lead(of: $0) }
  }

  /// Charges a filter that runs on every URL.
  mutating func spendAlways(_ steps: Int64, rule: Int) throws(CompileError) {
    always += steps
    guard always > limits.instructionsPerLoad else { return }
    throw CompileError(
      code: .tooManyUnindexedPatterns,
      rule: rule,
      message: "with a pattern of rule \(rule), those without four plain characters in a row "
        + "take \(always) steps for each character of a URL, and the limit is "
        + "\(limits.instructionsPerLoad); give the pattern a longer plain text, or split the list"
    )
  }

  /// Charges a filter that runs only on URLs that contain its literal or host.
  mutating func spendFound(_ steps: Int64, rule: Int) throws(CompileError) {
    found += steps
    guard found > limits.instructionsPerLongURL else { return }
    throw CompileError(
      code: .tooManyRepetitions,
      rule: rule,
      message: "with a pattern of rule \(rule), those with a repetition take \(found) steps for "
        + "each character of a URL that all of them may match, and the limit is "
        + "\(limits.instructionsPerLongURL); write them without .* or split the list"
    )
  }

  /// Charges what filters take that run only on URLs that contain their literals or hosts; charges nothing
  /// and returns false if it is too much.
  mutating func spendFound(_ steps: Int64) -> Bool {
    guard found + steps <= limits.instructionsPerLongURL else { return false }
    found += steps
    return true
  }

  /// Checks the sum over all filters that one occurrence of a gram leads to.
  func checkText(_ steps: Int64, rule: Int) throws(CompileError) {
    try checkPlace(steps, limits.instructionsPerText, rule, "have the same four characters in them")
  }

  /// Checks the sum over all filters that one host leads to.
  func checkHost(_ steps: Int64, rule: Int) throws(CompileError) {
    try checkPlace(steps, limits.instructionsPerHost, rule, "begin with the same host")
  }

  private func checkPlace(
    _ steps: Int64,
    _ limit: Int,
    _ rule: Int,
    _ common: String
  ) throws(CompileError) {
    guard steps > limit else { return }
    throw CompileError(
      code: .tooManyPatternsAlike,
      rule: rule,
      message: "with a pattern of rule \(rule), those that \(common) take \(steps) steps wherever "
        + "it occurs in a URL, and the limit is \(limit); merge them or split the list"
    )
  }
}

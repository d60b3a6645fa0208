/// What the indexes of a list share: stamps, and what deciding by the list may take.
struct IndexBudget {
  /// Stamps given out so far.
  var stampCount = 0
  /// What running a program takes, given its offset and the most characters that it reads, if
  /// those are bounded.
  let costOfProgram: (UInt32, Int?) -> ProgramCost
  /// What is known of the URLs that a program matches, given its offset.
  let leadOfProgram: (UInt32) -> ProgramLead
  /// Steps for each character of every URL, and of a URL that all texts of the list occur in.
  private var always = 0
  private var found = 0
  let limits: CompilerLimits

  init(limits: CompilerLimits, writer: ProgramWriter) {
    self.limits = limits
    costOfProgram = { writer.cost(of: $0, span: $1) }
    leadOfProgram = { writer.lead(of: $0) }
  }

  /// Counts a filter that runs on every URL.
  mutating func spendAlways(_ steps: Int, rule: Int) throws(CompileError) {
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

  /// Counts a filter that runs on URLs which its text or host occurs in.
  mutating func spendFound(_ steps: Int, rule: Int) throws(CompileError) {
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

  /// Checks the steps of all filters that one text leads to.
  func checkText(_ steps: Int, rule: Int) throws(CompileError) {
    try checkPlace(steps, limits.instructionsPerText, rule, "have the same four characters in them")
  }

  /// Checks the steps of all filters that one host leads to.
  func checkHost(_ steps: Int, rule: Int) throws(CompileError) {
    try checkPlace(steps, limits.instructionsPerHost, rule, "begin with the same host")
  }

  private func checkPlace(
    _ steps: Int,
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

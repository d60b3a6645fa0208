/// What the check of records comes upon that is dealt with later.
struct RecordFindings: ~Copyable {
  /// The programs of the filters, each to be checked once.
  var programs: ProgramValidator
  /// Where the postings begin, with their count, of the filters that have at least
  /// ``CrowdedFilters/leastPostings`` and do not always run.
  ///
  /// A crafted file may lead to the same postings twice; together they take no longer than its records.
  var crowds: [Int] = []

  init(programs: consuming ProgramValidator) { self.programs = programs }
}

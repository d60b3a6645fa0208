/// What the check of records comes upon that is dealt with later.
struct RecordFindings: ~Copyable {
  /// The programs of the filters, each to be checked once.
  var programs: ProgramValidator
  /// Where the postings begin, with their count, of filters that have ``CrowdedFilters/leastPostings``.
  ///
  /// Valid records do not overlap, but filters behind the same postings may be met twice.
  var crowds: [Int] = []

  init(programs: consuming ProgramValidator) { self.programs = programs }
}

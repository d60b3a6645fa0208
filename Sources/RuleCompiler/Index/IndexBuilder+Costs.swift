internal import RuleMatching

/// What deciding by an index may take; lists beyond the budget are refused.
extension IndexBuilder {
  func cost(of filter: Filter, _ budget: IndexBudget) -> ProgramCost {
    budget.costOfProgram(filter.program, filter.span)
  }

  /// What a filter takes that a text leads to: at each place of the text, and once for the URL.
  func costWhenFound(_ filter: Filter, _ budget: IndexBudget) -> ProgramCost {
    let cost = cost(of: filter, budget)
    return filter.extent == .whole ? ProgramCost(atPlace: 0, perCharacter: cost.anywhere) : cost
  }

  /// Counts what the filters under a key take.
  func spend(on key: Key, _ budget: inout IndexBudget) throws(CompileError) {
    var steps = 0
    var number = key.firstFilter
    while number >= 0 {
      let filter = Int(number)
      number = nextInKey[filter]
      let cost = cost(of: filters[filter], budget)
      steps += 1 + cost.atPlace + cost.perCharacter
      try budget.checkHost(steps, rule: rule(of: filter))
      try budget.spendFound(cost.perCharacter, rule: rule(of: filter))
    }
  }

  /// Checks what one place of a URL can lead to: all entries of a bucket, since others than those
  /// of its gram have to be looked at.
  ///
  /// A pattern that has a bucket to itself is not like others, however long it is.
  func checkCrowds(
    _ plan: GramPlan,
    _ table: GramTable,
    _ budget: IndexBudget
  ) throws(CompileError) {
    let buckets = table.firsts.count - 1
    var steps = [Int](repeating: 0, count: buckets)
    var firstFilters = [Int](repeating: -1, count: buckets)
    for entry in plan.entries {
      let number = literalFilters[entry.filter]
      let bucket = FilterIndex.firstSlot(FilterIndex.hash(gram: entry.gram), slots: buckets)
      let cost = costWhenFound(filters[number], budget)
      steps[bucket] += 1 + cost.atPlace + cost.perCharacter
      if firstFilters[bucket] < 0 { firstFilters[bucket] = entry.filter }
      if firstFilters[bucket] != entry.filter {
        try budget.checkText(steps[bucket], rule: rule(of: number))
      }
    }
  }

  func keyTable(
    _ entries: [RecordTable.Entry],
    _ budget: IndexBudget
  ) throws(CompileError) -> RecordTable {
    let longest = budget.limits.collidingHosts
    do throws(RecordTable.Collision) {
      return try RecordTable(entries, longestSearch: longest)
    } catch {
      let rule = rule(of: Int(keys[error.entry].firstFilter))
      throw CompileError(
        code: .collidingHosts,
        rule: rule,
        message:
          "the host of rule \(rule) collides with \(longest) others in the index, as does not "
          + "happen by chance; leave such rules out"
      )
    }
  }

  /// The first rule that uses a filter.
  func rule(of number: Int) -> Int {
    let filter = filters[filters[number].primary ?? number]
    return filter.firstPosting < 0 ? 0 : Int(postings[Int(filter.firstPosting)].rule)
  }
}

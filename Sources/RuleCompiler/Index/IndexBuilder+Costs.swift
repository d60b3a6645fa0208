internal import RuleMatching

/// Charges the index's filters to the budget; a list that exceeds it is refused.
extension IndexBuilder {
  /// Returns the cost of a filter reached through a literal: per occurrence, plus once per URL.
  func costWhenFound(_ literal: Literal, _ budget: IndexBudget) -> ProgramCost {
    let cost = budget.costOfProgram(filters[literal.filter].program, literal.span)
    // A `whole` filter runs once per URL however often its literal occurs, so nothing is per
    // occurrence.
    return literal.extent == .whole ? ProgramCost(atPlace: 0, perCharacter: cost.anywhere) : cost
  }

  /// Charges the filters of one key.
  func spend(on key: Key, _ budget: inout IndexBudget) throws(CompileError) {
    var steps: Int64 = 0
    var number = key.firstFilter
    while number >= 0 {
      let filter = Int(number)
      number = nextInKey[filter]
      let cost = budget.costOfProgram(filters[filter].program, nil)
      // The 1 is for the filter's head and postings, which are read even if no program runs.
      steps += 1 + cost.atPlace + cost.perCharacter
      try budget.checkHost(steps, rule: rule(of: filter))
      try budget.spendFound(cost.perCharacter, rule: rule(of: filter))
    }
  }

  /// Checks the cost of each gram bucket against the budget: one place of a URL can lead to all
  /// entries of a bucket, since those of other grams in it are looked at as well.
  ///
  /// A filter alone in its bucket is exempt, however costly: the limit is on how patterns add up.
  func checkCrowds(
    _ plan: GramPlan,
    _ table: GramTable,
    _ budget: IndexBudget
  ) throws(CompileError) {
    let buckets = table.firsts.count - 1
    let costs = literals.map { costWhenFound($0, budget) }
    var steps = [Int64](repeating: 0, count: buckets)
    var firstFilters = [Int](repeating: -1, count: buckets)
    for entry in plan.entries {
      let bucket = FilterIndex.firstSlot(FilterIndex.hash(gram: entry.gram), slots: buckets)
      let cost = costs[entry.filter]
      steps[bucket] += 1 + cost.atPlace + cost.perCharacter
      if firstFilters[bucket] < 0 { firstFilters[bucket] = entry.filter }
      // A filter has an entry per gram, and two of its grams may share a bucket.
      if firstFilters[bucket] != entry.filter {
        let number = literals[entry.filter].filter
        try budget.checkText(steps[bucket], rule: rule(of: number))
      }
    }
  }

  /// Places the keys that have these hashes in the slots of their table.
  func keyTable(
    _ hashes: [UInt64],
    _ budget: IndexBudget
  ) throws(CompileError) -> KeyTable {
    let longest = budget.limits.collidingHosts
    do throws(KeyTable.Collision) {
      return try KeyTable(hashes, longestSearch: longest)
    } catch {
      let rule = rule(of: Int(keys[error.key].firstFilter))
      throw CompileError(
        code: .collidingHosts,
        rule: rule,
        message:
          "the host of rule \(rule) collides with \(longest) others in the index, as does not "
          + "happen by chance; leave such rules out"
      )
    }
  }

  /// Returns the first rule that uses a filter, for messages.
  func rule(of number: Int) -> Int {
    let filter = filters[primary(of: number)]
    return filter.firstPosting < 0 ? 0 : Int(postings[Int(filter.firstPosting)].rule)
  }
}

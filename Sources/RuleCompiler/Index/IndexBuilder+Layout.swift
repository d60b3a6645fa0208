internal import RuleMatching

/// The bytes of an index.
extension IndexBuilder {
  /// Lays out the index section's bytes.
  ///
  /// - Parameter budget: What all indexes of the list share.
  /// - Returns: The section.
  /// - Throws: ``CompileError`` when the filters that always run exceed the budget, or the records
  ///   what tables can reach.
  func section(_ budget: inout IndexBudget) throws(CompileError) -> [UInt8] {
    let plan = GramPlan(runs: literalFilters.map { filters[$0].runs })
    var records: [UInt8] = []
    var keyEntries: [RecordTable.Entry] = []
    keyEntries.reserveCapacity(keys.count)
    var keyFilter = BitFilter(
      bits: BitFilter.bits(for: keys.count, largest: BitFilter.largestBitsOfKeys)
    )
    for (number, key) in keys.enumerated() {
      records.align(to: FilterIndex.keyAlignment)
      let text = keyTexts.range(number)
      let kind = FilterIndex.KeyKind(rawValue: keyTexts.bytes[text.lowerBound] >> 6) ?? .word
      let hash = FilterIndex.hash(kind, key: keyTexts.bytes.span.extracting(text.dropFirst()))
      keyFilter.insert(hash)
      keyEntries.append(RecordTable.Entry(hash: hash, record: records.count))
      records.append(contentsOf: keyTexts.bytes[text])
      try spend(on: key, &budget)
      appendFilters(of: key, budget, to: &records)
    }
    let keyTable = try keyTable(keyEntries, budget)
    records.align(to: FilterIndex.filterAlignment)
    let filterRecords = records.count
    var always: [UInt32] = []
    for filter in alwaysRun {
      records.align(to: FilterIndex.filterAlignment)
      always.append(UInt32(truncatingIfNeeded: records.count - filterRecords))
      try budget.spendAlways(cost(of: filters[filter], budget).anywhere, rule: rule(of: filter))
      appendFilterRecord(filters[filter], window: nil, &budget, to: &records)
    }
    var filterOffsets: [Int] = []
    var stamps: [Int: Int] = [:]
    for (number, window) in zip(literalFilters, plan.windows) {
      records.align(to: FilterIndex.filterAlignment)
      filterOffsets.append(records.count - filterRecords)
      var filter = filters[number]
      if window == nil {
        always.append(UInt32(truncatingIfNeeded: records.count - filterRecords))
        filter.program = filter.searchProgram ?? filter.program
        filter.extent = .whole
        filter.span = nil
        try budget.spendAlways(cost(of: filter, budget).anywhere, rule: rule(of: number))
      } else {
        try budget.spendFound(costWhenFound(filter, budget).perCharacter, rule: rule(of: number))
      }
      if let primary = filter.primary {
        filter.firstPosting = filters[primary].firstPosting
        filter.lastPosting = filters[primary].lastPosting
      } else {
        stamps[number] = budget.stampCount
      }
      appendFilterRecord(
        filter,
        window: window,
        sharedStamp: filter.isAlternative ? nil : filter.primary.flatMap { stamps[$0] },
        &budget,
        to: &records
      )
    }
    guard records.count < FilterIndex.maximumRecords,
      records.count - filterRecords < FilterIndex.maximumFilterRecords
    else {
      throw CompileError(
        code: .listTooLarge,
        rule: nil,
        message: "the list's filters need \(records.count) bytes, "
          + "\(records.count - filterRecords) of them for those without a host, and an index holds "
          + "\(FilterIndex.maximumRecords) and \(FilterIndex.maximumFilterRecords); split the list"
      )
    }
    let gramTable = GramTable(plan, filterOffsets: filterOffsets)
    try checkCrowds(plan, gramTable, budget)
    let alwaysOffset = UInt32(truncatingIfNeeded: records.count)
    records.appendVarint(UInt32(always.count))
    for offset in always { records.appendVarint(offset) }

    var section: [UInt8] = []
    section.appendLittleEndian(anchors)
    section.appendLittleEndian(keyKinds)
    section.appendLittleEndian(UInt32(keyFilter.bits))
    section.appendLittleEndian(UInt32(keyTable.slots.count))
    section.appendLittleEndian(UInt32(plan.stride))
    section.appendLittleEndian(UInt32(plan.filterBits))
    section.appendLittleEndian(UInt32(gramTable.firsts.count - 1))
    section.appendLittleEndian(UInt32(gramTable.entries.count))
    section.appendLittleEndian(UInt32(filterRecords))
    section.appendLittleEndian(alwaysOffset)
    section.appendLittleEndian(UInt32(postingsHaveRules ? 1 : 0))
    section.appendLittleEndian(UInt32(0))
    for word in keyFilter.words { section.appendLittleEndian(word) }
    for word in plan.filter().words { section.appendLittleEndian(word) }
    for slot in keyTable.slots { section.appendLittleEndian(slot) }
    for first in gramTable.firsts { section.appendLittleEndian(first) }
    for entry in gramTable.entries { section.appendLittleEndian(entry.bits) }
    return section + records
  }

  private func appendFilters(of key: Key, _ budget: IndexBudget, to records: inout [UInt8]) {
    // Most keys have one filter.
    if nextInKey[Int(key.firstFilter)] < 0 {
      appendFilter(Int(key.firstFilter), isLast: true, to: &records)
      return
    }
    var numbers: [Int] = []
    // Postings of the last filter are never skipped.
    var numbersOfSeveral: [Int] = []
    var number = key.firstFilter
    while number >= 0 {
      if hasSeveralPostings(filters[Int(number)]) {
        numbersOfSeveral.append(Int(number))
      } else {
        numbers.append(Int(number))
      }
      number = nextInKey[Int(number)]
    }
    numbers += numbersOfSeveral
    if let directory = KeyDirectoryPlan(numbers.map { budget.leadOfProgram(filters[$0].program) }) {
      var offsets: [Int] = []
      var bytes: [UInt8] = []
      append(directory.loose.map { numbers[$0] }, to: &bytes)
      for listed in directory.texts.map({ $0.filter }) + directory.grams.map({ $0.filter }) {
        offsets.append(bytes.count)
        append([numbers[listed]], to: &bytes)
      }
      if directory.append(filtersAt: offsets, to: &records) {
        records += bytes
        return
      }
    }
    append(numbers, to: &records)
  }

  /// Appends filters behind a key, of which the last one is marked.
  private func append(_ numbers: [Int], to records: inout [UInt8]) {
    for number in numbers {
      appendFilter(number, isLast: number == numbers.last, to: &records)
    }
  }

  private func appendFilter(_ number: Int, isLast: Bool, to records: inout [UInt8]) {
    let filter = filters[number]
    // Accepting at once needs no program.
    let hasTail = filter.program != 0
    let head = KeyFilterHead(
      anchor: filter.anchor ?? .anySchemeSlashes,
      isCaseSensitive: filter.isCaseSensitive,
      hasTail: hasTail,
      hasSeveralPostings: hasSeveralPostings(filter),
      isLast: isLast
    )
    records.append(head.byte)
    if hasTail { records.appendVarint(filter.program) }
    appendPostings(filter, to: &records)
  }

  private func appendFilterRecord(
    _ filter: Filter,
    window: GramPlan.Window?,
    sharedStamp: Int? = nil,
    _ budget: inout IndexBudget,
    to records: inout [UInt8]
  ) {
    let runsOnce = filter.extent != .fixed
    let head = FilterRecordHead(
      gapAnchor: filter.gapAnchor,
      runsFromStart: filter.extent == .whole,
      runsOnce: runsOnce,
      isCaseSensitive: filter.isCaseSensitive,
      hasLead: window != nil,
      hasSeveralPostings: hasSeveralPostings(filter),
      isAlternative: filter.isAlternative
    )
    records.append(head.byte)
    if let window {
      records.appendVarint(UInt32(window.run.place + window.start + 1))
    }
    if runsOnce {
      records.appendVarint(UInt32(sharedStamp ?? budget.stampCount))
      if sharedStamp == nil { budget.stampCount += 1 }
    }
    records.appendVarint(filter.program)
    appendPostings(filter, to: &records)
  }

  private func hasSeveralPostings(_ filter: Filter) -> Bool {
    filter.firstPosting != filter.lastPosting || filter.firstPosting < 0
  }

  private func appendPostings(_ filter: Filter, to records: inout [UInt8]) {
    if hasSeveralPostings(filter) {
      var count: UInt32 = 0
      var posting = filter.firstPosting
      while posting >= 0 {
        count += 1
        posting = postings[Int(posting)].next
      }
      records.appendVarint(count)
    }
    var posting = filter.firstPosting
    var rule: UInt32 = 0
    while posting >= 0 {
      let link = postings[Int(posting)]
      records.appendVarint(link.number)
      if postingsHaveRules {
        records.appendVarint(link.rule &- rule)
        rule = link.rule
      }
      posting = link.next
    }
  }
}

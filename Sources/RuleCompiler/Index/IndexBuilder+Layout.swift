internal import RuleMatching

/// Lays out an index; ``RuleMatching/FilterIndex`` draws the bytes.
extension IndexBuilder {
  /// The records of the keys, with the tables that lead to them.
  struct KeyRecords {
    var records: [UInt8] = []
    /// The key table as the format has it.
    fileprivate var slots: [UInt32]
    fileprivate var filter: BitFilter
    /// See ``FilterIndex/slashless``.
    fileprivate var slashless: UInt32
    /// The sizes of the numbers in the records.
    fileprivate var numbers: KeyNumbers
    /// What they take of the budget.
    fileprivate var steps: Int64
  }

  /// Lays out the records of the keys, which need nothing that is known of other filters.
  ///
  /// - Throws: ``CompileError`` when they exceed the budget.
  func keyRecords(_ budget: inout IndexBudget) throws(CompileError) -> KeyRecords {
    let before = budget.found
    var hashes: [UInt64] = []
    hashes.reserveCapacity(keys.count)
    var filter = BitFilter(
      bits: BitFilter.bits(for: keys.count, largest: BitFilter.largestBitsOfKeys)
    )
    var slashless = FilterIndex.slashless
    for (number, key) in keys.enumerated() {
      let text = keyTexts.range(number)
      let kind = FilterIndex.KeyKind(rawValue: keyTexts.bytes[text.lowerBound] >> 6) ?? .word
      let hash = FilterIndex.hash(kind, key: keyTexts.bytes.span.extracting(text.dropFirst()))
      filter.insert(hash)
      if kind != .word {
        for (offset, place) in text.dropFirst().enumerated()
        where keyTexts.bytes[place] == UInt8(ascii: "/") {
          slashless &= ~(1 << UInt32(offset))
        }
      }
      hashes.append(hash)
      try spend(on: key, &budget)
    }
    var slots = try keyTable(hashes, budget).numbers
    let numbers = keyNumbers()
    var records: [UInt8] = []
    // Beside its text a key has a filter or two, of nine bytes or so.
    records.reserveCapacity(keyTexts.bytes.count + 12 * keys.count)
    // In the order of their slots, so that the validator knows where each record must begin.
    for slot in slots.indices where slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      records.align(to: FilterIndex.keyAlignment)
      // + 1, since a slot of 0 is empty.
      let place = UInt32(truncatingIfNeeded: records.count / FilterIndex.keyAlignment + 1)
      slots[slot] = FilterIndex.keyFingerprint(hashes[number]) | place
      // The key's text is stored behind its head byte, so both are copied in one piece.
      records.append(keyTexts.bytes.span.extracting(keyTexts.range(number)))
      appendFilters(of: keys[number], budget, numbers, to: &records)
    }
    return KeyRecords(
      records: records,
      slots: slots,
      filter: filter,
      slashless: slashless,
      numbers: numbers,
      steps: budget.found - before
    )
  }

  /// The sizes that the numbers of this index need.
  private func keyNumbers() -> KeyNumbers {
    KeyNumbers(
      largestProgram: filters.reduce(0) { max($0, $1.program) },
      posting: postings.reduce(0) { max($0, $1.number) },
      rule: postingsHaveRules ? postings.reduce(0) { max($0, $1.rule) } : nil
    )
  }

  /// Plans the grams that lead to the filters that are indexed by a literal.
  static func gramPlan(_ literals: [Literal]) -> GramPlan {
    GramPlan(runs: literals.map { $0.runs })
  }

  /// Lays out the index section's bytes.
  ///
  /// - Parameters:
  ///   - budget: The budget shared by all indexes of the list.
  ///   - known: The records of the keys, made with a budget of their own; without them, or if they are too
  ///     much for the list's, they are made here.
  ///   - plan: The plan for the literals, if it is known.
  /// - Returns: The section's bytes, in parts that follow one another.
  /// - Throws: ``CompileError`` when the filters exceed the budget, or when the records outgrow the tables'
  ///   offsets.
  func section(
    _ budget: inout IndexBudget,
    keys known: consuming KeyRecords?,
    plan: GramPlan? = nil
  ) throws(CompileError) -> [[UInt8]] {
    let fits = if let known { budget.spendFound(known.steps) } else { false }
    // Taken, so that it is not copied when it is aligned.
    let taken = fits ? known.take() : nil
    var keys = if let taken { taken } else { try keyRecords(&budget) }
    let plan = plan ?? Self.gramPlan(literals)
    keys.records.align(to: FilterIndex.filterAlignment)
    // The records of filters follow. Gram entries hold a quarter of an offset from where these begin, which is why they
    // are aligned to four.
    var records: [UInt8] = []
    records.reserveCapacity(32 * literals.count)
    var always: [UInt32] = []
    for filter in alwaysRun {
      records.align(to: FilterIndex.filterAlignment)
      always.append(UInt32(truncatingIfNeeded: records.count))
      let cost = budget.costOfProgram(filters[filter].program, nil)
      try budget.spendAlways(cost.anywhere, rule: rule(of: filter))
      appendFilterRecord(
        filters[filter],
        chain(of: filter),
        Literal(filter: filter),
        nil,
        &budget,
        to: &records
      )
    }
    var filterOffsets: [Int] = []
    var stamps: [Int: Int] = [:]
    for (literal, window) in zip(literals, plan.windows) {
      records.align(to: FilterIndex.filterAlignment)
      filterOffsets.append(records.count)
      let number = literal.filter
      var filter = filters[number]
      var literal = literal
      // No window means that no gram is certain to be met: the filter searches every URL from its
      // start.
      if window == nil {
        always.append(UInt32(truncatingIfNeeded: records.count))
        filter.program = literal.searchProgram ?? filter.program
        literal.extent = .whole
        let cost = budget.costOfProgram(filter.program, nil)
        try budget.spendAlways(cost.anywhere, rule: rule(of: number))
      } else {
        let cost = costWhenFound(literal, budget)
        try budget.spendFound(cost.perCharacter, rule: rule(of: number))
      }
      let primary = primary(of: number)
      // The stamp that `appendFilterRecord` gives out next, if the filter takes one.
      if primary == number { stamps[number] = budget.stampCount }
      appendFilterRecord(
        filter,
        chain(of: number),
        literal,
        window,
        // Filters tried each by itself must not share a stamp: the first one would stop the others.
        sharedStamp: literal.isAlternative || primary == number ? nil : stamps[primary],
        &budget,
        to: &records
      )
    }
    let size = keys.records.count + records.count
    guard size < FilterIndex.maximumRecords, records.count < FilterIndex.maximumFilterRecords else {
      throw CompileError(
        code: .listTooLarge,
        rule: nil,
        message: "the list's filters need \(size) bytes, "
          + "\(records.count) of them for those without a host, and an index holds "
          + "\(FilterIndex.maximumRecords) and \(FilterIndex.maximumFilterRecords); split the list"
      )
    }
    let gramTable = GramTable(plan, filterOffsets: filterOffsets)
    // Buckets are known only now, and the limit is per bucket.
    try checkCrowds(plan, gramTable, budget)
    let alwaysOffset = UInt32(truncatingIfNeeded: size)
    records.appendVarint(UInt32(always.count))
    for offset in always { records.appendVarint(offset) }

    let filterWords = plan.filter().words
    var section: [UInt8] = []
    section.reserveCapacity(
      64 + 4 * (keys.filter.words.count + filterWords.count + keys.slots.count)
        + GramEntry.size * gramTable.entries.count + GramBucket.size * gramTable.firsts.count
    )
    // The fields in the order of the drawing at `FilterIndex`.
    section.appendLittleEndian(anchors)
    section.appendLittleEndian(keyKinds)
    section.appendLittleEndian(UInt32(keys.filter.bits))
    section.appendLittleEndian(UInt32(keys.slots.count))
    section.appendLittleEndian(UInt32(plan.stride))
    section.appendLittleEndian(UInt32(plan.filterBits))
    section.appendLittleEndian(UInt32(gramTable.firsts.count - 1))
    section.appendLittleEndian(UInt32(gramTable.entries.count))
    section.appendLittleEndian(UInt32(keys.records.count))
    section.appendLittleEndian(alwaysOffset)
    section.appendLittleEndian(keys.numbers.field | (postingsHaveRules ? 1 : 0))
    section.appendLittleEndian(keys.slashless)
    section.appendLittleEndian(contentsOf: keys.filter.words)
    section.appendLittleEndian(contentsOf: filterWords)
    section.appendLittleEndian(contentsOf: keys.slots)
    section.appendLittleEndian(contentsOf: gramTable.buckets)
    section.appendLittleEndian(contentsOf: gramTable.entries.map { $0.bits })
    return [section, keys.records, records]
  }

  private func appendFilters(
    of key: Key,
    _ budget: IndexBudget,
    _ sizes: KeyNumbers,
    to records: inout [UInt8]
  ) {
    // Most keys have one filter: they skip the arrays below.
    if nextInKey[Int(key.firstFilter)] < 0 {
      appendFilter(Int(key.firstFilter), isLast: true, sizes, to: &records)
      return
    }
    var numbers: [Int] = []
    // Skipping a filter with several postings means decoding all of them. The last filter of a
    // record is never skipped, so these go last.
    var numbersOfSeveral: [Int] = []
    var number = key.firstFilter
    while number >= 0 {
      if chain(of: Int(number)).isLong {
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
      append(directory.loose.map { numbers[$0] }, sizes, to: &bytes)
      for listed in directory.texts.map({ $0.filter }) + directory.grams.map({ $0.filter }) {
        offsets.append(bytes.count)
        // Marked as last, each by itself: the directory jumps straight to a filter and stops behind
        // it.
        append([numbers[listed]], sizes, to: &bytes)
      }
      directory.append(filtersAt: offsets, to: &records)
      records += bytes
      return
    }
    append(numbers, sizes, to: &records)
  }

  /// Appends the filters of a key and marks the last one.
  private func append(_ numbers: [Int], _ sizes: KeyNumbers, to records: inout [UInt8]) {
    for number in numbers {
      appendFilter(number, isLast: number == numbers.last, sizes, to: &records)
    }
  }

  private func appendFilter(
    _ number: Int,
    isLast: Bool,
    _ sizes: KeyNumbers,
    to records: inout [UInt8]
  ) {
    let filter = filters[number]
    let program = filter.program
    let chain = chain(of: number)
    // Program 0 accepts at once, so it need not be named or run.
    let head = KeyFilterHead(
      anchor: filter.anchor ?? .anySchemeSlashes,
      isCaseSensitive: filter.isCaseSensitive,
      hasTail: program != 0,
      hasSeveralPostings: chain.isLong,
      isLast: isLast
    )
    records.append(head.byte)
    if program != 0 { sizes.append(program: program, to: &records) }
    if chain.isLong {
      appendPostings(chain, to: &records)
    } else {
      let posting = postings[Int(chain.first)]
      sizes.append(posting: posting.number, rule: posting.rule, to: &records)
    }
  }

  private func appendFilterRecord(
    _ filter: Filter,
    _ chain: Chain,
    _ literal: Literal,
    _ window: GramPlan.Window?,
    sharedStamp: Int? = nil,
    _ budget: inout IndexBudget,
    to records: inout [UInt8]
  ) {
    // A `fixed` program is bounded and runs at every occurrence. The others search to the URL's
    // end: once is enough, for `firstPiece` once its first piece has matched.
    let runsOnce = literal.extent != .fixed
    let head = FilterRecordHead(
      gapAnchor: literal.gapAnchor,
      runsFromStart: literal.extent == .whole,
      runsOnce: runsOnce,
      isCaseSensitive: filter.isCaseSensitive,
      hasLead: window != nil,
      hasSeveralPostings: chain.isLong
    )
    records.append(head.byte)
    if let window {
      // The window may begin one byte before the program, at −1; the + 1 keeps the number unsigned.
      records.appendVarint(UInt32(window.run.place + window.start + 1))
    }
    if runsOnce {
      records.appendVarint(UInt32(sharedStamp ?? budget.stampCount))
      if sharedStamp == nil { budget.stampCount += 1 }
    }
    records.appendVarint(filter.program)
    appendPostings(chain, to: &records)
  }

  /// The chain of a filter's postings, which alternatives share with their primary.
  private func chain(of number: Int) -> Chain { Chain(filters[primary(of: number)]) }

  /// The chain of a filter's postings.
  private struct Chain {
    var first: Int32
    var last: Int32

    init(_ filter: Filter) { (first, last) = (filter.firstPosting, filter.lastPosting) }

    /// Whether it is stored with its length.
    ///
    /// A filter without postings is, with a length of 0: the short form has exactly one.
    var isLong: Bool { first != last || first < 0 }
  }

  private func appendPostings(_ chain: Chain, to records: inout [UInt8]) {
    if chain.isLong {
      var count: UInt32 = 0
      var posting = chain.first
      while posting >= 0 {
        count += 1
        posting = postings[Int(posting)].next
      }
      records.appendVarint(count)
    }
    var posting = chain.first
    var rule: UInt32 = 0
    while posting >= 0 {
      let link = postings[Int(posting)]
      records.appendVarint(link.number)
      if postingsHaveRules {
        // Rules mostly ascend, so differences take fewer bytes; wrapping keeps any order valid.
        records.appendVarint(link.rule &- rule)
        rule = link.rule
      }
      posting = link.next
    }
  }
}

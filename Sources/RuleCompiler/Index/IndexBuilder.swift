internal import ContentRules
internal import RuleMatching

/// Collects the filters over one kind of URL and lays out their index; see
/// ``RuleMatching/FilterIndex``.
struct IndexBuilder {
  /// A distinct pattern.
  private struct Filter {
    var isCaseSensitive: Bool
    /// The tail's program, or the whole one.
    var program: UInt32
    var anchor: HostAnchor?
    var extent = LiteralFilter.Extent.whole
    var gapAnchor = GapAnchor.none
    var runs: [LiteralRun] = []
    /// The program that searches the whole URL, for filters whose literals may be too short.
    var searchProgram: UInt32?
    /// The filter whose postings this one shares, and its stamp: the first of the texts that a
    /// pattern stands for.
    var primary: Int?
    /// The chain of postings.
    var firstPosting = -1
    var lastPosting = -1
  }

  /// One link in a filter's chain of postings.
  private struct ChainedPosting {
    var number: UInt32
    var rule: UInt32
    var next = -1
  }

  /// Filters under one key, in order.
  private struct Key {
    var kind: FilterIndex.KeyKind
    var text: [UInt8]
    var filters: [Int]
  }

  private struct KeyName: Hashable {
    var kind: FilterIndex.KeyKind
    var text: [UInt8]
  }

  private let postingsHaveRules: Bool
  private var filters: [Filter] = []
  private var postings: [ChainedPosting] = []
  private var keys: [Key] = []
  private var keyNumbers: [KeyName: Int] = [:]
  /// Filters with literals, and those without a usable one.
  private var literalFilters: [Int] = []
  private var alwaysRun: [Int] = []
  private var anchors: UInt32 = 0
  private var keyKinds: UInt32 = 0

  init(postingsHaveRules: Bool) {
    self.postingsHaveRules = postingsHaveRules
  }

  /// Adds a pattern that is not in the index yet.
  ///
  /// - Returns: The filter's number, for ``addPosting(_:rule:to:)``.
  mutating func addFilter(
    _ parsed: ParsedURLFilter,
    isCaseSensitive: Bool,
    lowering: FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    let number = filters.count
    guard !parsed.matchesEverything else {
      let program = try writer.write([], isCaseSensitive: false)
      filters.append(Filter(isCaseSensitive: false, program: program))
      alwaysRun.append(number)
      return number
    }
    switch lowering.lower(parsed.terms, isCaseSensitive: isCaseSensitive) {
    case .key(let anchor, let kind, let text, let tail):
      let program = try writer.write(tail, isCaseSensitive: isCaseSensitive)
      filters.append(Filter(isCaseSensitive: isCaseSensitive, program: program, anchor: anchor))
      anchors |= 1 << UInt32(anchor.rawValue)
      if isCaseSensitive { anchors |= FilterIndex.caseSensitiveKeys }
      keyKinds |= 1 << UInt32(kind.rawValue)
      let name = KeyName(kind: kind, text: text)
      if let key = keyNumbers[name] {
        keys[key].filters.append(number)
      } else {
        keyNumbers[name] = keys.count
        keys.append(Key(kind: kind, text: text, filters: [number]))
      }
    case .literal(let literal):
      try addLiteral(literal, isCaseSensitive, &writer)
    case .alternatives(let texts):
      for (place, text) in texts.enumerated() {
        try addLiteral(text, isCaseSensitive, primary: place > 0 ? number : nil, &writer)
      }
    }
    return number
  }

  private mutating func addLiteral(
    _ literal: LiteralFilter,
    _ isCaseSensitive: Bool,
    primary: Int? = nil,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) {
    // What may have to run on every URL must search for its place.
    let needsSearch =
      literal.extent != .whole
      && !literal.runs.contains { $0.longestRow >= GramPlan.alwaysFound }
    let search =
      needsSearch
      ? try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      ) : nil
    var filter = Filter(isCaseSensitive: isCaseSensitive, program: search ?? 0)
    filter.gapAnchor = literal.gapAnchor
    filter.runs = literal.runs
    filter.primary = primary
    if !literal.runs.isEmpty || search == nil {
      filter.program = try writer.write(literal.terms, isCaseSensitive: isCaseSensitive)
      filter.extent = literal.extent
      filter.searchProgram = search
    }
    literalFilters.append(filters.count)
    filters.append(filter)
  }

  /// Files a rule with its class, or a condition, under a filter.
  mutating func addPosting(_ number: UInt32, rule: UInt32, to filter: Int) {
    let last = filters[filter].lastPosting
    // A pattern that a condition lists twice is one posting.
    if last >= 0, !postingsHaveRules, postings[last].number == number { return }
    postings.append(ChainedPosting(number: number, rule: rule))
    if last >= 0 {
      postings[last].next = postings.count - 1
    } else {
      filters[filter].firstPosting = postings.count - 1
    }
    filters[filter].lastPosting = postings.count - 1
  }

  // MARK: Layout

  /// Lays out the index section's bytes.
  ///
  /// - Parameter budget: What all indexes of the list share.
  /// - Returns: The section.
  /// - Throws: ``CompileError`` when the filters that always run exceed the budget, or the records
  ///   what tables can reach.
  func section(_ budget: inout IndexBudget) throws(CompileError) -> [UInt8] {
    let plan = GramPlan(runs: literalFilters.map { filters[$0].runs })
    var records: [UInt8] = []
    var keyTable = RecordTable(count: keys.count)
    var keyFilter = BitFilter(bits: BitFilter.bits(for: keys.count, largest: 24))
    for key in keys {
      records.align(to: FilterIndex.recordAlignment)
      let hash = FilterIndex.hash(key.kind, key: key.text.span)
      keyFilter.insert(hash)
      keyTable.insert(hash, record: records.count)
      appendKeyRecord(key, to: &records)
    }
    records.align(to: FilterIndex.recordAlignment)
    let filterRecords = records.count
    var always: [UInt32] = []
    for filter in alwaysRun {
      records.align(to: FilterIndex.recordAlignment)
      always.append(UInt32(truncatingIfNeeded: records.count - filterRecords))
      try budget.spend(filters[filter].program, rule: rule(of: filters[filter]))
      appendFilterRecord(filters[filter], window: nil, &budget, to: &records)
    }
    var filterOffsets: [Int] = []
    var stamps: [Int: Int] = [:]
    for (number, window) in zip(literalFilters, plan.windows) {
      records.align(to: FilterIndex.recordAlignment)
      filterOffsets.append(records.count - filterRecords)
      var filter = filters[number]
      if window == nil {
        always.append(UInt32(truncatingIfNeeded: records.count - filterRecords))
        filter.program = filter.searchProgram ?? filter.program
        filter.extent = .whole
        try budget.spend(filter.program, rule: rule(of: filter))
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
        sharedStamp: filter.primary.flatMap { stamps[$0] },
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
    for entry in gramTable.entries { section.appendLittleEndian(entry) }
    return section + records
  }

  private func appendKeyRecord(_ key: Key, to records: inout [UInt8]) {
    records.append(key.kind.rawValue << 6 | UInt8(key.text.count))
    records += key.text
    for (place, number) in key.filters.enumerated() {
      let filter = filters[number]
      var head = filter.anchor?.rawValue ?? 0
      // Accepting at once needs no program.
      let hasTail = filter.program != 0
      if filter.isCaseSensitive { head |= FilterIndex.Head.isCaseSensitive }
      if hasTail { head |= FilterIndex.Head.hasTail }
      if hasSeveralPostings(filter) { head |= FilterIndex.Head.hasSeveralPostings }
      if place == key.filters.count - 1 { head |= FilterIndex.Head.isLast }
      records.append(head)
      if hasTail { records.appendVarint(filter.program) }
      appendPostings(filter, to: &records)
    }
  }

  private func appendFilterRecord(
    _ filter: Filter,
    window: GramPlan.Window?,
    sharedStamp: Int? = nil,
    _ budget: inout IndexBudget,
    to records: inout [UInt8]
  ) {
    var head: UInt8 = 0
    let runsOnce = filter.extent != .fixed
    head |= filter.gapAnchor.rawValue << FilterIndex.Head.gapAnchorShift
    if runsOnce { head |= FilterIndex.Head.runsOnce }
    if filter.extent == .whole { head |= FilterIndex.Head.runsFromStart }
    if filter.isCaseSensitive { head |= FilterIndex.Head.isCaseSensitive }
    if hasSeveralPostings(filter) { head |= FilterIndex.Head.hasSeveralPostings }
    if window != nil { head |= FilterIndex.Head.hasCheck }
    records.append(head)
    if let window {
      let check = window.check
      records.append(UInt8(check.bytes.count - 1))
      records.append(UInt8(bitPattern: check.place))
      records += check.bytes
      records.appendVarint(UInt32(window.run.place + window.start + 1))
    }
    if runsOnce {
      records.appendVarint(UInt32(sharedStamp ?? budget.stampCount))
      if sharedStamp == nil { budget.stampCount += 1 }
    }
    records.appendVarint(filter.program)
    appendPostings(filter, to: &records)
  }

  /// The first rule that uses a filter.
  private func rule(of filter: Filter) -> Int {
    filter.firstPosting < 0 ? 0 : Int(postings[filter.firstPosting].rule)
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
        posting = postings[posting].next
      }
      records.appendVarint(count)
    }
    var posting = filter.firstPosting
    var rule: UInt32 = 0
    while posting >= 0 {
      records.appendVarint(postings[posting].number)
      if postingsHaveRules {
        records.appendVarint(postings[posting].rule &- rule)
        rule = postings[posting].rule
      }
      posting = postings[posting].next
    }
  }
}

/// What the indexes of a list share: stamps, and the budget of filters that run on every URL.
struct IndexBudget {
  /// Stamps given out so far.
  var stampCount = 0
  private var cost = 0
  private let limit: Int
  private let costOfProgram: (UInt32) -> Int

  init(limit: Int, costOfProgram: @escaping (UInt32) -> Int) {
    self.limit = limit
    self.costOfProgram = costOfProgram
  }

  /// Counts a filter that runs on every URL.
  mutating func spend(_ program: UInt32, rule: Int) throws(CompileError) {
    cost += costOfProgram(program)
    guard cost <= limit else {
      throw CompileError(
        code: .tooManyUnindexedPatterns,
        rule: rule,
        message: "with a pattern of rule \(rule), those without four plain characters in a row "
          + "take \(cost) steps for each character of a URL, and the limit is \(limit); "
          + "give the pattern a longer plain text, or split the list"
      )
    }
  }
}

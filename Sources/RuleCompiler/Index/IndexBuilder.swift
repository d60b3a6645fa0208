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
    /// The most characters that the program reads, where it is tried at each place of a literal.
    var span: Int?
    /// The program that searches the whole URL, for filters whose literals may be too short.
    var searchProgram: UInt32?
    /// The filter whose postings this one shares, and its stamp: the first of the texts that a
    /// pattern stands for.
    var primary: Int?
    /// The chain of postings.
    var firstPosting: Int32 = -1
    var lastPosting: Int32 = -1
  }

  /// One link in a filter's chain of postings.
  private struct ChainedPosting {
    var number: UInt32
    var rule: UInt32
    var next: Int32 = -1
  }

  /// Filters under one key; the chain goes on in ``nextInKey``.
  private struct Key {
    var firstFilter: Int32
    var lastFilter: Int32
  }

  /// The most steps for which a filter is tried at each place of a literal.
  private static let longestAttempt = 128

  private let postingsHaveRules: Bool
  private var filters: [Filter] = []
  private var postings: [ChainedPosting] = []
  private var keys: [Key] = []
  /// The keys' texts, each with the byte in front that says its kind and length.
  private var keyTexts = ByteStringTable()
  /// For each filter under a key the next one, in order; −1 at the end.
  private var nextInKey: [Int32] = []
  /// Filters with literals, and those without a usable one.
  private var literalFilters: [Int] = []
  private var alwaysRun: [Int] = []
  private var anchors: UInt32 = 0
  private var keyKinds: UInt32 = 0

  init(postingsHaveRules: Bool) {
    self.postingsHaveRules = postingsHaveRules
  }

  /// What became of a pattern.
  enum Added {
    /// It is in the index; the number is for ``addPosting(_:rule:to:)``.
    case filter(Int)
    /// It matches everything and was not added.
    case universal
    /// The parser does not accept it.
    case refused
  }

  /// Adds a pattern that is not in the index yet; `addsUniversal` says whether to add one that
  /// matches everything as well.
  mutating func addFilter(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    addsUniversal: Bool,
    lowering: inout FilterLowering,
    writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Added {
    if let match = lowering.shapes.match(pattern, isCaseSensitive: isCaseSensitive),
      let program = writer.write(
        lowering.shapes.text[match.keyLength...],
        &lowering.shapes.tails[match.tail],
        isCaseSensitive: isCaseSensitive
      )
    {
      let key = lowering.shapes.text[..<match.keyLength]
      return .filter(
        add(match.anchor, match.kind, key, program, isCaseSensitive: isCaseSensitive)
      )
    }
    switch URLFilterParser.parse(
      pattern,
      isCaseSensitive: isCaseSensitive,
      into: &lowering.terms
    ) {
    case .failure: return .refused
    case .success(true):
      guard addsUniversal else { return .universal }
      let program = try writer.write([], isCaseSensitive: false)
      alwaysRun.append(filters.count)
      return .filter(append(Filter(isCaseSensitive: false, program: program)))
    case .success(false):
      let lowered = lowering.lower(lowering.terms, isCaseSensitive: isCaseSensitive)
      return .filter(try add(lowered, isCaseSensitive: isCaseSensitive, &writer))
    }
  }

  private mutating func append(_ filter: Filter) -> Int {
    filters.append(filter)
    nextInKey.append(-1)
    return filters.count - 1
  }

  /// Files a filter under a key.
  private mutating func add(
    _ anchor: HostAnchor,
    _ kind: FilterIndex.KeyKind,
    _ text: ArraySlice<UInt8>,
    _ program: UInt32,
    isCaseSensitive: Bool
  ) -> Int {
    anchors |= 1 << UInt32(anchor.rawValue)
    if isCaseSensitive { anchors |= FilterIndex.caseSensitiveKeys }
    keyKinds |= 1 << UInt32(kind.rawValue)
    let number = append(
      Filter(isCaseSensitive: isCaseSensitive, program: program, anchor: anchor)
    )
    let link = Int32(truncatingIfNeeded: number)
    keyTexts.draft.removeAll(keepingCapacity: true)
    keyTexts.draft.append(kind.rawValue << 6 | UInt8(truncatingIfNeeded: text.count))
    keyTexts.draft.append(contentsOf: text)
    let (key, isNew) = keyTexts.numberOfDraft()
    if isNew {
      keys.append(Key(firstFilter: link, lastFilter: link))
    } else {
      nextInKey[Int(keys[key].lastFilter)] = link
      keys[key].lastFilter = link
    }
    return number
  }

  private mutating func add(
    _ lowered: LoweredFilter,
    isCaseSensitive: Bool,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    switch lowered {
    case .key(let anchor, let kind, let text, let tail):
      let program = try writer.write(tail, isCaseSensitive: isCaseSensitive)
      return add(anchor, kind, text[...], program, isCaseSensitive: isCaseSensitive)
    case .literal(let literal):
      return try addLiteral(literal, isCaseSensitive, &writer)
    case .alternatives(let texts):
      let primary = filters.count
      for (place, text) in texts.enumerated() {
        _ = try addLiteral(text, isCaseSensitive, primary: place > 0 ? primary : nil, &writer)
      }
      return primary
    }
  }

  private mutating func addLiteral(
    _ literal: LiteralFilter,
    _ isCaseSensitive: Bool,
    primary: Int? = nil,
    _ writer: inout ProgramWriter
  ) throws(ProgramWriter.TooManyInstructions) -> Int {
    // What nearly every URL contains is no use: a page leaves little of what runs on every URL.
    let runs = literal.runs.filter { !GramFrequency.ofURLs.isNearlyEverywhere($0) }
    // What may have to run on every URL must search for its place.
    let needsSearch = literal.extent != .whole && !runs.contains(where: GramPlan.isAlwaysFound)
    let search =
      needsSearch
      ? try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      ) : nil
    var filter = Filter(isCaseSensitive: isCaseSensitive, program: search ?? 0)
    filter.gapAnchor = literal.gapAnchor
    filter.runs = runs
    filter.primary = primary
    if !runs.isEmpty || search == nil {
      filter.program = try writer.write(literal.terms, isCaseSensitive: isCaseSensitive)
      filter.extent = literal.extent
      filter.searchProgram = search
      if literal.extent == .fixed { filter.span = literal.terms.count }
    }
    if filter.span != nil,
      writer.cost(of: filter.program, span: filter.span).atPlace > Self.longestAttempt
    {
      // Searched for once instead of being tried wherever the literal is met.
      filter.program = try writer.write(
        [Term(.characters(.any), .zeroOrMore)] + literal.terms,
        isCaseSensitive: isCaseSensitive
      )
      filter.extent = .whole
      filter.span = nil
    }
    literalFilters.append(filters.count)
    return append(filter)
  }

  /// Files a rule with its class, or a condition, under a filter.
  mutating func addPosting(_ number: UInt32, rule: UInt32, to filter: Int) {
    let last = Int(filters[filter].lastPosting)
    // A pattern that a condition lists twice is one posting.
    if last >= 0, !postingsHaveRules, postings[last].number == number { return }
    let link = Int32(truncatingIfNeeded: postings.count)
    postings.append(ChainedPosting(number: number, rule: rule))
    if last >= 0 {
      postings[last].next = link
    } else {
      filters[filter].firstPosting = link
    }
    filters[filter].lastPosting = link
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
      appendFilters(of: key, to: &records)
    }
    let keyTable = try keyTable(keyEntries)
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
    for entry in gramTable.entries { section.appendLittleEndian(entry) }
    return section + records
  }

  private func appendFilters(of key: Key, to records: inout [UInt8]) {
    var number = key.firstFilter
    while number >= 0 {
      let filter = filters[Int(number)]
      number = nextInKey[Int(number)]
      var head = filter.anchor?.rawValue ?? 0
      // Accepting at once needs no program.
      let hasTail = filter.program != 0
      if filter.isCaseSensitive { head |= FilterIndex.Head.isCaseSensitive }
      if hasTail { head |= FilterIndex.Head.hasTail }
      if hasSeveralPostings(filter) { head |= FilterIndex.Head.hasSeveralPostings }
      if number < 0 { head |= FilterIndex.Head.isLast }
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

  // MARK: Costs

  private func cost(of filter: Filter, _ budget: IndexBudget) -> ProgramCost {
    budget.costOfProgram(filter.program, filter.span)
  }

  /// What a filter takes that a text leads to: at each place of the text, and once for the URL.
  private func costWhenFound(_ filter: Filter, _ budget: IndexBudget) -> ProgramCost {
    let cost = cost(of: filter, budget)
    return filter.extent == .whole ? ProgramCost(atPlace: 0, perCharacter: cost.anywhere) : cost
  }

  /// Counts what the filters under a key take.
  private func spend(on key: Key, _ budget: inout IndexBudget) throws(CompileError) {
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
  private func checkCrowds(
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

  private func keyTable(_ entries: [RecordTable.Entry]) throws(CompileError) -> RecordTable {
    do throws(RecordTable.Collision) {
      return try RecordTable(entries)
    } catch {
      let rule = rule(of: Int(keys[error.entry].firstFilter))
      throw CompileError(
        code: .collidingHosts,
        rule: rule,
        message:
          "the host of rule \(rule) collides with \(RecordTable.longestSearch) others in the "
          + "index, as does not happen by chance; leave such rules out"
      )
    }
  }

  /// The first rule that uses a filter.
  private func rule(of number: Int) -> Int {
    let filter = filters[filters[number].primary ?? number]
    return filter.firstPosting < 0 ? 0 : Int(postings[Int(filter.firstPosting)].rule)
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

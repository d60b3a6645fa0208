extension Disassembler {
  mutating func writeIndex(_ section: Section) {
    let listing = IndexListing(list, section)
    let view = listing.view
    let subject =
      switch section {
      case .topURLIndex: "top URL"
      case .frameURLIndex: "frame URL"
      default: "load's URL"
      }
    line("index over the \(subject), filters: \(listing.filters.count)")
    for anchor in HostAnchor.allCases where view.anchors & anchor.bit != 0 {
      line("anchor      \(anchor.pattern)", indent: 2)
    }
    let keys = listing.keyCounts
    line(
      "key table   \(load(listing.usedKeySlots, view.keySlots)): \(keys[0]) words, "
        + "\(keys[1]) prefixes of 8, \(keys[2]) prefixes of 4",
      indent: 2
    )
    if view.gramStride != 0 {
      let size = view.keyTable - view.gramFilter
      var set = 0
      for offset in view.gramFilter..<view.keyTable { set += image.u8(offset).nonzeroBitCount }
      line(
        "gram scan   every \(view.gramStride) bytes; filter of \(8 * size) bits, "
          + "\(percent(set, 8 * size)) set",
        indent: 2
      )
      line(
        "gram table  \(view.gramEntryCount) grams in \(view.gramBuckets) buckets",
        indent: 2
      )
    }
    line("always run  \(listing.alwaysCount)", indent: 2)
    for filter in listing.filters { writeFilter(filter, listing, isWhole: false) }
  }

  private func load(_ used: Int, _ slots: Int) -> String {
    "\(used) of \(slots) slots used" + (slots > 0 ? " (\(percent(used, slots)))" : "")
  }

  private func percent(_ part: Int, _ whole: Int) -> String {
    "\((100 * part + whole / 2) / max(1, whole))%"
  }

  /// Writes how a filter is indexed, its program and its postings.
  private mutating func writeFilter(
    _ filter: IndexListing.Filter,
    _ listing: IndexListing,
    isWhole: Bool
  ) {
    var words: [String] = []
    switch filter.way {
    case .key(let kind, let text, let anchor):
      let name =
        switch kind {
        case .word: "word"
        case .prefix8, .prefix4: "prefix"
        }
      let pattern = anchor.map { "\($0.pattern)" } ?? "nothing"
      words.append("\(name) \(ListedCharacters.quoted(text)) behind \(pattern)")
    case .grams(let count, let check, let distance):
      // If the program runs from the URL's start, the literal's place means nothing.
      let place = filter.runsFromStart ? "" : " at \(distance)"
      words.append("\(count) grams near \(ListedCharacters.quoted(check))\(place)")
    case .always:
      words.append("always")
    }
    if filter.isCaseSensitive { words.append("case-sensitive") }
    if filter.gapAnchor != .none { words.append("behind \(filter.gapAnchor.pattern)") }
    if filter.runsFromStart { words.append("from the start") }
    if let stamp = filter.stamp { words.append("once, stamp \(stamp)") }
    line("@\(padded("\(filter.record)", 6))\(words.joined(separator: "; "))", indent: 2)
    if let program = filter.program {
      if isWhole {
        writeProgram(program, indent: 9)
      } else {
        line("program \(program): \(summary(of: program))", indent: 9)
      }
    }
    writePostings(filter.postings, haveRules: listing.view.postingsHaveRules)
  }

  private mutating func writePostings(_ postings: [Posting], haveRules: Bool) {
    for start in stride(from: 0, to: postings.count, by: 8) {
      let part = postings[start..<min(start + 8, postings.count)]
      let texts = part.map { haveRules ? "\($0.rule) (class \($0.number))" : "\($0.number)" }
      let name = haveRules ? "rule" : "condition"
      line("\(name)\(part.count > 1 ? "s" : "") \(texts.joined(separator: ", "))", indent: 9)
    }
  }

  // MARK: One rule

  /// Writes everything that leads to a rule, and its action.
  mutating func writeRule(_ rule: UInt32) {
    guard rule < list.info.ruleCount else {
      line("rule \(rule): the list has \(list.info.ruleCount) rules, counted from 0")
      return
    }
    line("rule \(rule)")
    var classes: Set<UInt32> = []
    let listing = IndexListing(list, .urlIndex)
    for filter in listing.filters {
      var filter = filter
      filter.postings.removeAll { $0.rule != rule }
      guard !filter.postings.isEmpty else { continue }
      writeFilter(filter, listing, isWhole: true)
      for posting in filter.postings { classes.insert(posting.number) }
    }
    let table = list.universal
    for entry in 0..<table.count where table.entry(entry).rule == rule {
      classes.insert(table.entry(entry).entryClass)
    }
    writeUniversal(onlyRule: rule)
    guard !classes.isEmpty else {
      line("no entry: it was skipped, hides in the global sheet, or can never match", indent: 2)
      return
    }
    line("entry classes")
    for number in classes.sorted() { writeEntryClass(number) }
    line("slots")
    for slot in Set(classes.map { list.classes[$0].slot }).sorted() { writeSlot(slot) }
    let conditions = Set(classes.map { list.classes[$0].condition }.filter { $0 != 0 })
    for condition in Set(conditions.map { reference($0).condition }).sorted() {
      writeCondition(condition)
    }
  }

  private mutating func writeCondition(_ condition: UInt32) {
    line("condition \(condition)")
    for (section, name) in [(Section.topURLIndex, "top URL"), (.frameURLIndex, "frame URL")] {
      let listing = IndexListing(list, section)
      for filter in listing.filters
      where filter.postings.contains(where: { $0.number == condition }) {
        var filter = filter
        filter.postings = [Posting(number: condition, rule: 0)]
        line("\(name):", indent: 2)
        writeFilter(filter, listing, isWhole: true)
      }
    }
  }
}

internal import ContentRules
package import RuleMatching

/// Laying out the file that a compilation makes.
extension RuleListCompilation {
  /// Lays out the file; do not use the compilation after that.
  ///
  /// - Parameters:
  ///   - source: The JSON text, stored in the file so that rules can be explained and recompiled.
  ///   - ruleCount: The number of elements of the JSON array, skipped ones included.
  /// - Returns: The compiled file.
  /// - Throws: ``CompileError`` when the list or the pattern of a condition exceeds a limit.
  public mutating func finish(
    source: [UInt8],
    ruleCount: Int
  ) throws(CompileError) -> [UInt8] {
    try finish(source: source, ruleCount: ruleCount, reserve: { $0.reserveCapacity($1) })
  }

  /// Like ``finish(source:ruleCount:)``; can build the rules' and the conditions' sections concurrently, and reserve
  /// the file's bytes by a function of the caller's.
  package mutating func finish(
    source: [UInt8],
    ruleCount: Int,
    callBoth: CallBoth = callInTurn,
    reserve: ReserveBytes
  ) throws(CompileError) -> [UInt8] {
    // Frees the patterns' names before the file is laid out.
    patterns = []
    let skippedCount = ruleCount - entries.count
    // Moved out of the compilation, so that nothing is copied when it changes.
    // The plan of the literals takes long, and needs nothing of either: it goes where less is to be done.
    let lentLiterals = Lent(urlIndex.literals)
    let plansWithRules = entries.count < 2 * conditions.entryCount
    let lentRules = Lent(RuleFiling(actions, entries, urlIndex, writer, limits))
    let lentConditions = Lent(ConditionFiling(conditions, lowering, writer, limits))
    let lentPlan = Lent(GramPlan(runs: []))
    let lentChecksum = Lent(0 as UInt32)
    (actions, entries) = (ActionSlots(), [])
    (urlIndex, conditions) = (IndexBuilder(postingsHaveRules: true), ConditionTable())
    let plan = { @Sendable in
      lentPlan.use { $0 = IndexBuilder.gramPlan(lentLiterals.takeBack()) }
    }
    callBoth(
      {
        lentRules.use { $0.file() }
        if plansWithRules { plan() }
      },
      {
        lentConditions.use { $0.file() }
        if !plansWithRules { plan() }
        lentChecksum.use { $0 = FileLayout.checksum(ofSource: source) }
      }
    )
    var (ofRules, ofConditions) = (lentRules.takeBack(), lentConditions.takeBack())
    if let fault = ofConditions.fault { throw tooLarge(fault.excess, rule: fault.rule) }
    writer = ofConditions.writer
    var sections: [Section: [[UInt8]]] = [:]
    var budget = IndexBudget(limits: limits, writer: writer)
    sections[.urlIndex] = try ofRules.urlIndex.section(
      &budget,
      keys: ofRules.keys.take(),
      plan: lentPlan.takeBack()
    )
    ofRules.urlIndex = IndexBuilder(postingsHaveRules: true)
    let topURLKeys = ofConditions.topURLKeys.take()
    let table = ofConditions.table
    sections[.topURLIndex] = try table.topURLIndex.section(&budget, keys: topURLKeys)
    sections[.frameURLIndex] = try table.frameURLIndex.section(&budget, keys: nil)
    sections[.programs] = [writer.programs]
    sections[.characterSets] = [bytes(of: writer.sets)]
    sections[.texts] = [ofRules.actions.texts]
    sections[.slots] = [bytes(of: ofRules.actions.slots)]
    sections[.entryClasses] = [ofRules.classes.section()]
    sections[.universal] = [ofRules.universal.section(conditionCount: table.count)]
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(ruleCount))
    bytes.appendLittleEndian(UInt32(skippedCount))
    bytes.appendLittleEndian(UInt32(table.count))
    bytes.appendLittleEndian(UInt32(budget.stampCount))
    bytes.appendLittleEndian(UInt32(writer.threadCount))
    bytes.appendLittleEndian(ofRules.actions.globalSheet ?? Slot.noText)
    bytes.appendLittleEndian(UInt32(ofRules.universal.count))
    bytes.appendLittleEndian(lentChecksum.takeBack())
    sections[.info] = [bytes]
    return try FileWriter.file(sections, source, reserve: reserve)
  }

  private func bytes(of sets: [CharacterSet]) -> [UInt8] {
    var bytes: [UInt8] = []
    for set in sets {
      bytes.appendLittleEndian(set.low)
      bytes.appendLittleEndian(set.high)
    }
    return bytes
  }

  private func bytes(of slots: [Slot]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(slots.count * Slot.size)
    for slot in slots {
      bytes.appendLittleEndian(UInt32(slot.kind.rawValue))
      bytes.appendLittleEndian(slot.text)
      bytes.appendLittleEndian(slot.firstRule)
    }
    return bytes
  }
}

/// The rules' share of a file: their entries under their slots, and the records of the URL index's keys.
private struct RuleFiling {
  var actions: ActionSlots
  var entries: [RuleListCompilation.Entry]
  var urlIndex: IndexBuilder
  let writer: ProgramWriter
  let limits: CompilerLimits
  var classes = EntryClassTable()
  var universal = UniversalEntries()
  /// `nil` if they exceed a limit by themselves.
  var keys: IndexBuilder.KeyRecords?

  init(
    _ actions: ActionSlots,
    _ entries: [RuleListCompilation.Entry],
    _ urlIndex: IndexBuilder,
    _ writer: ProgramWriter,
    _ limits: CompilerLimits
  ) {
    self.actions = actions
    self.entries = entries
    self.urlIndex = urlIndex
    self.writer = writer
    self.limits = limits
  }

  mutating func file() {
    actions.finish()
    for place in entries.indices where entries[place].condition != RuleListCompilation.Entry.never {
      if let slot = actions.slotOfRule[place] { file(entries[place], slot) }
      if actions.reportSlots.isEmpty { continue }
      if let slot = actions.reportSlots[place] { file(entries[place], slot) }
    }
    entries = []
    var budget = IndexBudget(limits: limits, writer: writer)
    keys = try? urlIndex.keyRecords(&budget)
  }

  /// Adds a rule's entry under a slot to the index or the universal table.
  private mutating func file(_ entry: RuleListCompilation.Entry, _ slot: UInt32) {
    let entryClass = classes.number(
      of: EntryClass(
        slot: slot,
        flags: entry.flags,
        kind: actions.slots[Int(slot)].kind,
        condition: entry.condition
      )
    )
    if entry.filter == RuleListCompilation.Entry.universal {
      universal.append(
        entryClass,
        rule: entry.rule,
        condition: entry.condition,
        hides: actions.slots[Int(slot)].kind == .cssDisplayNone && entry.flags == 0
      )
    } else {
      urlIndex.addPosting(entryClass, rule: entry.rule, to: Int(entry.filter))
    }
  }
}

/// The conditions' share of a file.
private struct ConditionFiling {
  var table: ConditionTable
  var lowering: FilterLowering
  var writer: ProgramWriter
  let limits: CompilerLimits
  /// `nil` if they exceed a limit by themselves.
  var topURLKeys: IndexBuilder.KeyRecords?
  var fault: ConditionTable.TooManyInstructions?

  init(
    _ table: ConditionTable,
    _ lowering: FilterLowering,
    _ writer: ProgramWriter,
    _ limits: CompilerLimits
  ) {
    self.table = table
    self.lowering = lowering
    self.writer = writer
    self.limits = limits
  }

  mutating func file() {
    do throws(ConditionTable.TooManyInstructions) {
      try table.fileEntries(lowering: &lowering, writer: &writer)
    } catch {
      fault = error
      return
    }
    var budget = IndexBudget(limits: limits, writer: writer)
    topURLKeys = try? table.topURLIndex.keyRecords(&budget)
  }
}

public import ContentRules
internal import ResourceLoads
internal import RuleMatching

/// Compiles rule lists to the bytes that ``RuleMatching/CompiledRuleList`` reads.
///
///     let report = RuleListReader.read(json)
///     let file = try RuleListCompiler().compile(report.ruleList, source: json, …)
///
/// Compiling goes through the rules once: each gets its action slot, its condition a number, its
/// pattern a place in the index and, where a look-up does not decide it whole, a program. The same
/// list gives the same bytes on every run and machine.
public struct RuleListCompiler: Sendable {
  /// What compiling may cost.
  public var limits: CompilerLimits

  /// Creates a compiler with the given limits.
  public init(limits: CompilerLimits = CompilerLimits()) {
    self.limits = limits
  }

  /// Compiles a list.
  ///
  /// - Parameters:
  ///   - list: Rules that were read and accepted.
  ///   - source: The JSON text, kept in the file so that it can be explained and recompiled.
  ///   - ruleCount: Elements of the JSON array, skipped ones included.
  /// - Returns: The compiled file.
  /// - Throws: ``CompileError`` when a pattern or the list exceeds a limit.
  /// - Complexity: O(*n*) for *n* bytes of JSON, plus at most ``CompilerLimits/statesPerList``
  ///   states of tables.
  public func compile(
    _ list: RuleList,
    source: [UInt8],
    ruleCount: Int
  ) throws(CompileError) -> [UInt8] {
    var compilation = Compilation(limits: limits)
    return try compilation.compile(list, source: source, ruleCount: ruleCount)
  }
}

/// The tables of one compilation.
private struct Compilation {
  private struct PatternName: Hashable {
    var text: String
    var isCaseSensitive: Bool
  }

  /// What became of a distinct url filter.
  private enum Pattern {
    case universal
    case filter(Int)
  }

  private let limits: CompilerLimits
  private let lowering = FilterLowering()
  private var writer: ProgramWriter
  private var urlIndex = IndexBuilder(postingsHaveRules: true)
  private var conditions = ConditionTable()
  private var classes = EntryClassTable()
  private var universal = UniversalEntries()
  private var patterns: [PatternName: Pattern] = [:]
  private var terms: [Term] = []

  init(limits: CompilerLimits) {
    self.limits = limits
    writer = ProgramWriter(limits: limits)
  }

  mutating func compile(
    _ list: RuleList,
    source: [UInt8],
    ruleCount: Int
  ) throws(CompileError) -> [UInt8] {
    var patternOfRule: [Pattern] = []
    patternOfRule.reserveCapacity(list.rules.count)
    for rule in list.rules {
      patternOfRule.append(try pattern(of: rule))
    }
    let actions = ActionSlots(list.rules) { place in
      if case .universal = patternOfRule[place] { true } else { false }
    }
    for (place, rule) in list.rules.enumerated() {
      let reference = try conditionReference(of: rule)
      // A condition with a request method is never seen to match; see the rule language, 6.4.
      guard let reference else { continue }
      for slot in [actions.slotOfRule[place], actions.reportSlots[place]] {
        guard let slot else { continue }
        let entryClass = classes.number(
          of: EntryClass(
            slot: slot,
            flags: rule.trigger.flags.packed,
            kind: actions.slots[Int(slot)].kind,
            condition: reference
          )
        )
        switch patternOfRule[place] {
        case .universal:
          universal.append(entryClass, rule: UInt32(rule.index), condition: reference)
        case .filter(let filter):
          urlIndex.addPosting(entryClass, rule: UInt32(rule.index), to: filter)
        }
      }
    }
    return try file(list, actions, source: source, ruleCount: ruleCount)
  }

  private mutating func pattern(of rule: Rule) throws(CompileError) -> Pattern {
    let urlFilter = rule.trigger.urlFilter
    let name = PatternName(text: urlFilter.text, isCaseSensitive: urlFilter.isCaseSensitive)
    if let pattern = patterns[name] { return pattern }
    var pattern = Pattern.universal
    // The reader has accepted the pattern; one that it would refuse matches nothing.
    if case .success(let parsed) = URLFilterParser.parse(
      urlFilter.text,
      isCaseSensitive: urlFilter.isCaseSensitive
    ) {
      if !parsed.matchesEverything {
        do throws(ProgramWriter.TooManyInstructions) {
          pattern = .filter(
            try urlIndex.addFilter(
              parsed,
              isCaseSensitive: urlFilter.isCaseSensitive,
              lowering: lowering,
              writer: &writer
            )
          )
        } catch {
          throw tooLarge(error, rule)
        }
      }
    } else {
      preconditionFailure("rule \(rule.index) was not checked: its url-filter is refused")
    }
    patterns[name] = pattern
    return pattern
  }

  /// The reference of a rule's condition, 0 for none; `nil` when it is never seen to hold.
  private mutating func conditionReference(of rule: Rule) throws(CompileError) -> UInt32? {
    guard let condition = rule.trigger.condition else { return 0 }
    guard rule.trigger.flags.requestMethod == nil else {
      return condition.isNegated ? 0 : nil
    }
    do throws(ProgramWriter.TooManyInstructions) {
      let number = try conditions.number(
        of: condition,
        rule: UInt32(rule.index),
        lowering: lowering,
        writer: &writer
      )
      return EntryClass.conditionReference(number: number, isNegated: condition.isNegated)
    } catch {
      throw tooLarge(error, rule)
    }
  }

  private func tooLarge(_ error: ProgramWriter.TooManyInstructions, _ rule: Rule) -> CompileError {
    CompileError(
      code: .patternTooLarge,
      rule: rule.index,
      message: "a pattern of rule \(rule.index) needs \(error.count) instructions, and the limit "
        + "is \(limits.instructionsPerFilter); shorten it or split it into several rules"
    )
  }

  // MARK: Layout

  private mutating func file(
    _ list: RuleList,
    _ actions: ActionSlots,
    source: [UInt8],
    ruleCount: Int
  ) throws(CompileError) -> [UInt8] {
    var sections: [Section: [UInt8]] = [:]
    let writer = self.writer
    var budget = IndexBudget(limit: limits.instructionsPerLoad) { writer.cost(of: $0) }
    sections[.urlIndex] = try urlIndex.section(&budget)
    sections[.topURLIndex] = try conditions.topURLIndex.section(&budget)
    sections[.frameURLIndex] = try conditions.frameURLIndex.section(&budget)
    sections[.programs] = writer.programs
    sections[.texts] = actions.texts
    sections[.source] = source
    sections[.universal] = universal.section(conditionCount: conditions.count)
    var bytes: [UInt8] = []
    for set in writer.sets {
      bytes.appendLittleEndian(set.low)
      bytes.appendLittleEndian(set.high)
    }
    sections[.characterSets] = bytes
    bytes = []
    for slot in actions.slots {
      bytes += [slot.kind.rawValue, 0, 0, 0]
      bytes.appendLittleEndian(slot.text)
      bytes.appendLittleEndian(slot.firstRule)
    }
    sections[.slots] = bytes
    sections[.entryClasses] = classes.section()
    bytes = []
    bytes.appendLittleEndian(UInt32(ruleCount))
    bytes.appendLittleEndian(UInt32(ruleCount - list.rules.count))
    bytes.appendLittleEndian(UInt32(conditions.count))
    bytes.appendLittleEndian(UInt32(budget.stampCount))
    bytes.appendLittleEndian(UInt32(writer.threadCount))
    bytes.appendLittleEndian(actions.globalSheet ?? Slot.noText)
    bytes.appendLittleEndian(UInt32(universal.count))
    bytes.appendLittleEndian(FileLayout.checksum(ofSource: source))
    sections[.info] = bytes
    return try FileWriter.file(sections)
  }
}

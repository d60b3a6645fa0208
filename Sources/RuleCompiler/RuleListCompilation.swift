public import ContentRules
internal import ResourceLoads
internal import RuleMatching

/// Compiles one list, rule by rule so that the rules need not be kept, to the bytes that
/// ``RuleMatching/CompiledRuleList`` reads.
///
///     var compilation = RuleListCompilation()
///     for rule in rules { try compilation.add(rule) }
///     let file = try compilation.finish(source: json, ruleCount: rules.count)
///
/// Each rule gets its action slot, its condition a number, its pattern a place in the index and, where
/// a look-up does not decide it whole, a program. The same rules give the same bytes on every run and
/// machine.
///
/// - Complexity: O(*n*) for *n* bytes of rules, plus at most ``CompilerLimits/statesPerList`` states of
///   tables.
public struct RuleListCompilation {
  /// What is kept of a rule until all slots are known.
  struct Entry {
    /// The filter's number, or ``Entry/universal``.
    var filter: Int32
    var flags: UInt32
    /// The condition's reference, or ``Entry/never`` for a rule that never applies.
    var condition: UInt32
    var rule: UInt32

    static let universal: Int32 = -1
    static let never = UInt32.max
  }

  /// Distinct url filters, and the number of each in the index.
  struct PatternTable {
    var names = ByteStringTable()
    var filters: [Int32] = []
  }

  let limits: CompilerLimits
  var lowering = FilterLowering()
  var writer: ProgramWriter
  var urlIndex = IndexBuilder(postingsHaveRules: true)
  var conditions = ConditionTable()
  /// The url filters that are not case-sensitive, and those that are.
  var patterns = [PatternTable(), PatternTable()]
  var actions = ActionSlots()
  var entries: [Entry] = []
  /// The rules' actions, in a compilation that is to be joined to another: slots depend on all rules
  /// before.
  var waiting: WaitingActions?

  /// Begins a compilation without rules.
  public init(limits: CompilerLimits = CompilerLimits()) {
    self.limits = limits
    writer = ProgramWriter(limits: limits)
  }

  /// Begins the compilation of rules that follow others, numbered from 0, which is to be joined to the
  /// compilation of those by ``append(_:)``.
  package init(joiningWithin limits: CompilerLimits) {
    self.init(limits: limits)
    waiting = WaitingActions()
  }

  /// Makes room for what rules of so many bytes of text need as a rule, so that it is not copied again and
  /// again while it grows.
  package mutating func reserve(forBytes count: Int) {
    // Rules of real lists have 117 to 250 bytes, of which the pattern takes a third or so. A text may also be
    // long for other reasons, and no list has more rules than WebKit takes.
    let rules = min(count / 112, RuleListReader.ruleLimit)
    entries.reserveCapacity(rules)
    patterns[0].names.reserve(rules, byteCount: rules * 45)
    patterns[0].filters.reserveCapacity(rules)
    urlIndex.reserve(rules)
  }

  /// Adds the next rule, which was read and accepted.
  ///
  /// - Throws: ``CompileError`` when its pattern exceeds a limit; do not use the compilation after
  ///   that.
  public mutating func add(_ rule: Rule) throws(CompileError) {
    let entry = Entry(
      filter: try filter(of: rule),
      flags: rule.trigger.flags.packed,
      condition: conditionReference(of: rule),
      rule: UInt32(rule.index)
    )
    if waiting == nil {
      actions.add(rule, matchesEverything: entry.filter == Entry.universal)
    } else {
      waiting?.add(rule)
    }
    entries.append(entry)
  }

  private mutating func filter(of rule: Rule) throws(CompileError) -> Int32 {
    let urlFilter = rule.trigger.urlFilter
    let text = urlFilter.text.utf8Span.span
    let table = urlFilter.isCaseSensitive ? 1 : 0
    let (name, isNew) = patterns[table].names.number(of: text)
    guard isNew else { return patterns[table].filters[name] }
    let added: IndexBuilder.Added
    do throws(ProgramWriter.TooManyInstructions) {
      added = try urlIndex.addFilter(
        text,
        isCaseSensitive: urlFilter.isCaseSensitive,
        addsUniversal: false,
        lowering: &lowering,
        writer: &writer
      )
    } catch {
      throw tooLarge(error, rule: rule.index)
    }
    let filter =
      switch added {
      case .filter(let number): Int32(truncatingIfNeeded: number)
      case .universal: Entry.universal
      case .refused:
        preconditionFailure("rule \(rule.index) was not checked: its url-filter is refused")
      }
    patterns[table].filters.append(filter)
    return filter
  }

  /// Returns the reference of a rule's condition, 0 for none.
  private mutating func conditionReference(of rule: Rule) -> UInt32 {
    guard let condition = rule.trigger.condition else { return 0 }
    // WebKit never sees such a condition match; see the rule language, 6.4.
    guard rule.trigger.flags.requestMethod == nil else {
      return condition.isNegated ? 0 : Entry.never
    }
    let number = conditions.number(of: condition, rule: rule.index)
    return EntryClass.conditionReference(number: number, isNegated: condition.isNegated)
  }

  func tooLarge(_ excess: ProgramWriter.TooManyInstructions, rule: Int) -> CompileError {
    let (unit, limit) =
      excess.areThreads
      ? ("steps for one character of a URL", limits.threadsPerFilter)
      : ("instructions", limits.instructionsPerFilter)
    return CompileError(
      code: .patternTooLarge,
      rule: rule,
      message: "a pattern of rule \(rule) needs \(excess.count) \(unit), and the limit "
        + "is \(limit); shorten it or split it into several rules"
    )
  }
}

internal import ContentRules

/// Collects rules and the account of every line.
struct ListBuilder {
  let target: EngineRelease?
  /// What keeps rules about loads from a page's own load.
  let barrier: PageBarrier
  /// Whether a rule about loads also matches pages, and is not to block them.
  var matchesPages = false
  /// Whether a rule about loads also matches windows that scripts open.
  var matchesWindows = false
  /// Whether ``writeBarrier()`` found a barrier for pages necessary.
  private(set) var shieldsPages = false
  /// Patterns of hosts whose pages are to be blocked with what is loaded from them.
  var blockedPages: [(pattern: [UInt8], line: Int32)] = []
  var sections = RulePart.allCases.map { _ in RuleSection() }
  var outcomes: [ConversionOutcome]
  var reasons: [Int: [ConversionReason]] = [:]
  /// How many bytes of rules may still be written: far more than WebKit takes, and few enough that
  /// a list which was made to exhaust memory does not.
  private var budget = 512 << 20
  /// What exceptions lift for whole pages.
  var pageExceptions = PageExceptions()
  /// The lines of rules that were left out, as they would lift nothing.
  private var idle: [Int32] = []
  /// The lines of exceptions that leave filters without a rule.
  var lifting: Set<Int> = []

  init(lineCount: Int, target: EngineRelease?) {
    self.target = target
    barrier = PageBarrier(target: target)
    outcomes = Array(repeating: .comment, count: lineCount)
  }

  /// Reserves room for rules.
  ///
  /// - Throws: ``ConversionReason`` if all rules together would be too large.
  mutating func reserve(_ bytes: Int) throws(ConversionReason) {
    guard bytes <= budget else { throw ConversionReason(.tooManyBytes) }
    budget -= bytes
  }

  /// Writes the rules that keep others from a page's own load, if there are such others.
  ///
  /// Those are rules that must not block it, and exceptions, which in front of
  /// ``PageBarrier/following`` would lift what the page hides. Rules about hosts whose pages are to be
  /// blocked need none, but where they are lifted.
  mutating func writeBarrier() {
    let hasExceptions = (RulePart.loads + [.pageExceptions, .importantPageExceptions]).contains {
      $0.hasOnlyExceptions && sections[$0.rawValue].count > 0
    }
    let isForPages =
      switch barrier {
      case .following: matchesPages || hasExceptions
      case .previous: matchesPages || !blockedPages.isEmpty && hasExceptions
      case .none: false
      }
    if isForPages || matchesWindows {
      for rule in barrier.rules(target: target, windowsAlone: !isForPages) {
        addInPlace(rule, to: .barrier, lines: [])
      }
    }
    shieldsPages = isForPages
    if isForPages { writeBlockedPages() }
    for part in RulePart.allCases where liftsNoPage(part) { leaveOut(part) }
  }

  /// Writes what blocks pages of hosts.
  ///
  /// With a barrier the rules that block what is loaded from them do not. The address of a page is
  /// its top URL, so that one rule is enough for many.
  private mutating func writeBlockedPages() {
    let fields = TypeFields.fields(.document, isComplement: false, target: target)
    let rule = PagesRule(part: .hostPageBlocking, action: .block, types: fields.variants)
    rule.write(blockedPages, "if-top-url", to: &self)
  }

  /// Blocks what is loaded from a host, and its pages.
  mutating func blockWithPages(_ pattern: [UInt8], line: Int) {
    add(RuleText.rule(pattern: pattern, action: .block), to: .genericBlocking, line: line)
    if barrier != .none { blockPages(pattern, line: line) }
  }

  /// Blocks the pages of a host.
  mutating func blockPages(_ pattern: [UInt8], line: Int) {
    blockedPages.append((pattern, Int32(line)))
  }

  /// Adds a rule of one line.
  mutating func add(_ rule: [UInt8], to part: RulePart, line: Int) {
    sections[part.rawValue].add(rule, line: line)
  }

  /// Adds a rule that must stand where it is, whatever was there before.
  mutating func addInPlace(_ rule: [UInt8], to part: RulePart, lines: some Sequence<Int32>) {
    sections[part.rawValue].add(rule, lines: lines)
  }

  /// Accounts for a line that became rules, or needs none.
  mutating func account(_ line: Int, _ reasons: [ConversionReason]) {
    outcomes[line] = reasons.isEmpty ? .converted : .approximated
    if !reasons.isEmpty { self.reasons[line] = reasons }
  }

  /// Adds a reason to the account of a line that became rules.
  mutating func approximate(_ line: Int, _ reason: ConversionReason) {
    guard !(reasons[line] ?? []).contains(reason) else { return }
    outcomes[line] = .approximated
    reasons[line, default: []].append(reason)
  }

  /// Accounts for a line with an outcome and a reason for it.
  mutating func account(_ line: Int, _ outcome: ConversionOutcome, _ reason: ConversionReason) {
    outcomes[line] = outcome
    reasons[line] = [reason]
  }

  /// Leaves out exceptions with nothing to lift.
  private mutating func leaveOut(_ part: RulePart) {
    for link in sections[part.rawValue].links { idle.append(link.line) }
    sections[part.rawValue] = RuleSection()
  }

  /// Whether a part has exceptions for pages that nothing blocks.
  private func liftsNoPage(_ part: RulePart) -> Bool {
    part.liftedPageBlocking?.allSatisfy { sections[$0.rawValue].count == 0 } ?? false
  }

  // MARK: The list

  /// Puts the parts together.
  ///
  /// - Parameter differences: What holds for all rules.
  /// - Returns: The list with its accounts.
  /// - Complexity: O(*n*) for the bytes of the rules, and O(*m* log *m*) for their lines.
  mutating func finish(differences: [ConversionDifference]) -> FilterConversion {
    var json: [UInt8] = []
    json.reserveCapacity(sections.reduce(16) { $0 + $1.json.count })
    var counts = [Int32](repeating: 0, count: outcomes.count + 1)
    var firstRule = [Int32](repeating: 0, count: sections.count)
    var total: Int32 = 0
    let order = barrier.order
    for part in order {
      let index = part.rawValue
      if total == 0, part.hasOnlyExceptions, part.liftedPageBlocking == nil { leaveOut(part) }
      json.append(contentsOf: sections[index].json)
      firstRule[index] = total
      total += Int32(sections[index].count)
      for link in sections[index].links { counts[Int(link.line) + 1] += 1 }
      sections[index].discardText()
    }
    if json.isEmpty { json = [UInt8(ascii: " ")] }
    json[0] = UInt8(ascii: "[")
    json.append(contentsOf: "\n]\n".utf8)
    for line in idle.map(Int.init) where counts[line + 1] == 0 && reasons[line] == nil {
      reasons[line] = [ConversionReason(lifting.contains(line) ? .leavesNoRule : .cancelsNothing)]
    }
    for index in 1..<counts.count { counts[index] += counts[index - 1] }
    // Sections are in order, and links in the order of the rules: each line's rules ascend.
    var rules = [Int32](repeating: 0, count: Int(counts[counts.count - 1]))
    var next = counts
    for part in order {
      for link in sections[part.rawValue].links {
        rules[Int(next[Int(link.line)])] = firstRule[part.rawValue] + link.rule
        next[Int(link.line)] += 1
      }
    }
    return FilterConversion(
      json: json,
      ruleCount: Int(total),
      outcomes: outcomes,
      reasons: reasons,
      ruleLimit: target?.ruleLimit ?? RuleListReader.ruleLimit,
      differences: differences,
      firstRules: counts,
      lineRules: rules
    )
  }
}

/// Exceptions that lift something for all of a page, gathered to be written as few rules.
struct PageExceptions {
  /// The pages of the exceptions for one part of the list.
  struct Pages {
    var domains: [(name: [UInt8], line: Int32)] = []
    var patterns: [(pattern: [UInt8], line: Int32)] = []
    /// Exceptions for every page.
    var everywhere: [Int32] = []
  }

  /// The exceptions by their part.
  var pages: [RulePart: Pages] = [:]

  /// Writes the rules.
  func write(to list: inout ListBuilder) {
    for part in RulePart.allCases {
      guard let pages = pages[part] else { continue }
      let fields: TypeFields? =
        part == .unblockedPages || part == .pageExceptions
        ? .fields(.pages, isComplement: false, target: list.target) : nil
      let rule = PagesRule(
        part: part,
        action: list.barrier.action(ofExceptionsIn: part),
        types: fields?.variants ?? [[]]
      )
      if !pages.everywhere.isEmpty { rule.add(condition: [], pages.everywhere, to: &list) }
      rule.write(
        pages.domains.map { ([UInt8(ascii: "*")] + $0.name, $0.line) },
        "if-domain",
        to: &list
      )
      rule.write(pages.patterns, "if-top-url", to: &list)
    }
  }
}

/// A rule for all URLs on many pages, written as often as its conditions fill.
struct PagesRule {
  let part: RulePart
  let action: RuleText.Action
  /// The types of loads, one entry for each rule that it takes to name them.
  let types: [[UInt8]]

  /// The most entries of one condition.
  private static let entriesPerRule = 500

  /// Writes the rules for pages that entries of a condition name, each for its line.
  func write(
    _ entries: [([UInt8], Int32)],
    _ key: StaticString,
    to list: inout ListBuilder
  ) {
    var start = 0
    while start < entries.count {
      let chunk = entries[start..<min(start + Self.entriesPerRule, entries.count)]
      start += chunk.count
      var condition: [UInt8] = []
      var seen: Set<[UInt8]> = []
      RuleText.appendList(
        key,
        chunk.map(\.0).filter { seen.insert($0).inserted },
        to: &condition
      )
      var lines: [Int32] = []
      var seenLines: Set<Int32> = []
      for entry in chunk where seenLines.insert(entry.1).inserted { lines.append(entry.1) }
      add(condition: condition, lines, to: &list)
    }
  }

  /// Writes the rule with one condition; empty for every page.
  func add(condition: [UInt8], _ lines: [Int32], to list: inout ListBuilder) {
    for flags in types {
      list.addInPlace(
        RuleText.rule(
          pattern: AddressFilter.everything,
          flags: flags,
          condition: condition,
          action: action
        ),
        to: part,
        lines: lines
      )
    }
  }
}

internal import RuleMatching

/// The counters of one worker for one list.
struct ListCounters {
  /// The counts of one rule, small because there are many.
  private struct RuleCounter {
    var matched = 0
    var cutByPrevious = 0
    var cutByFollowing = 0
    var withoutEffect = 0
    var onlyBlocker = 0
    var touch = ChunkTouch()
  }

  /// The position of a load, and its site.
  struct Place {
    /// Its row in the chunk, and the chunk's number.
    var row: Int32
    var chunk: Int32
    /// The number of the page's site.
    var site: Int
    var firstParty: FirstPartyKind
  }

  /// The first and the last request of a rule.
  private struct Examples {
    var first: Example?
    var last: Example?
  }

  var outcomes = Outcomes()
  private let hasGlobalSheet: Bool
  private var attachedSheets = 0
  private var rules: [RuleCounter]
  private var examples: [Examples]
  /// Effects that few rules have: rescuing loads from being blocked, or blocking first-party ones.
  private var effects: [Int: RuleEffects] = [:]
  /// How often each rule was applied on each site.
  private var sitePairs = PairCounter()
  /// The only rule that blocks the present load, and the ignore rules without which it would be
  /// blocked.
  private var onlyBlocker: Int?
  private var rescuers: [Int] = []
  /// The rules that the present chunk met.
  private var touched: [Int32] = []
  private var sum = Tally()
  private var sumTouch = ChunkTouch()
  private var sumExamples = Examples()

  init(_ list: CompiledRuleList) {
    let ruleCount = Int(list.info.ruleCount)
    hasGlobalSheet = list.hasGlobalSheet
    rules = Array(repeating: RuleCounter(), count: ruleCount)
    examples = Array(repeating: Examples(), count: ruleCount)
  }

  /// Counts a load, also in the tally over all lists; returns what the list did to it.
  @inline(__always)
  mutating func count(
    _ decision: ListDecision,
    _ entries: [MatchedEntry],
    _ group: HidingGroup,
    _ place: Place,
    _ total: inout Tally
  ) -> Flags {
    var tally = Tally()
    var flags = Flags()
    onlyBlocker = nil
    if !rescuers.isEmpty { rescuers.removeAll(keepingCapacity: true) }
    for entry in entries where entry.kind != .reportIdentifier {
      count(entry, decision, place, &tally, &flags)
    }
    if flags.isRescued, flags.blockerCount == 0 {
      findRescuers(entries)
      flags.isRescued = !rescuers.isEmpty
    }
    flags.isBlocked = decision.isBlocked
    flags.isWithoutCookies = decision.blocksCookies
    flags.isUpgraded = decision.makesHTTPS
    flags.isHiding = decision.has(.cssDisplayNone)
    if !group.entries.isEmpty {
      let cut = group.count(decision)
      group.touch.note(place.row, place.chunk)
      tally.matched += group.entries.count
      tally.cutByPrevious += cut.byPrevious
      tally.cutByFollowing += cut.byFollowing
      flags.isHiding =
        flags.isHiding || cut.byPrevious + cut.byFollowing < group.entries.count
    }
    outcomes.add(flags, place.firstParty)
    if hasGlobalSheet, decision.attachesGlobalSheet { attachedSheets &+= 1 }
    if tally.matched > 0 {
      sum += tally
      total += tally
      sumTouch.note(place.row, place.chunk)
    }
    return flags
  }

  @inline(__always)
  private mutating func count(
    _ entry: MatchedEntry,
    _ decision: ListDecision,
    _ place: Place,
    _ tally: inout Tally,
    _ flags: inout Flags
  ) {
    let rule = Int(entry.rule)
    guard rule < rules.count else { return }
    // A rule that is found several times counts once.
    if rules[rule].touch.chunk == place.chunk {
      if rules[rule].touch.last == place.row { return }
    } else {
      touched.append(Int32(truncatingIfNeeded: rule))
    }
    rules[rule].touch.note(place.row, place.chunk)
    rules[rule].matched &+= 1
    tally.matched &+= 1
    if Int64(entry.slot) > decision.upperSlot {
      rules[rule].cutByFollowing &+= 1
      tally.cutByFollowing &+= 1
      if entry.kind == .block { flags.isRescued = true }
    } else if Int64(entry.slot) < decision.lowerSlot {
      rules[rule].cutByPrevious &+= 1
      tally.cutByPrevious &+= 1
      if entry.kind == .block { flags.isRescued = true }
    } else if entry.kind == .redirect || entry.kind == .modifyHeaders {
      rules[rule].withoutEffect &+= 1
      tally.withoutEffect &+= 1
    } else if entry.kind != .cssDisplayNone {
      sitePairs.add(rule, place.site)
      guard entry.kind == .block else { return }
      flags.blockerCount &+= 1
      onlyBlocker = rule
      if place.firstParty != .other {
        effects[rule, default: RuleEffects()].firstParty.add(place.firstParty)
      }
    }
  }

  /// Counts a load that only one rule of all lists blocks, possibly one of this list.
  @inline(__always)
  mutating func countOnlyBlocker() {
    if let onlyBlocker { rules[onlyBlocker].onlyBlocker &+= 1 }
  }

  /// Counts a load that no list blocks for the ignore rules of this list that rescue it.
  mutating func countRescuers() {
    for rule in rescuers { effects[rule, default: RuleEffects()].rescued += 1 }
  }

  /// Finds each ignore rule without which the list would block a load that it does not block.
  private mutating func findRescuers(_ entries: [MatchedEntry]) {
    for entry in entries
    where entry.kind == .ignorePreviousRules || entry.kind == .ignoreFollowingRules {
      let rule = Int(entry.rule)
      if rule < rules.count, !rescuers.contains(rule), Self.blocks(entries, without: entry.rule) {
        rescuers.append(rule)
      }
    }
  }

  /// Whether rules block a load without one of them.
  private static func blocks(_ entries: [MatchedEntry], without rule: UInt32) -> Bool {
    var decision = ListDecision()
    for entry in entries where entry.kind == .ignoreFollowingRules && entry.rule != rule {
      decision.upperSlot = min(decision.upperSlot, Int64(entry.slot))
    }
    for entry in entries where entry.kind == .ignorePreviousRules && entry.rule != rule {
      guard Int64(entry.slot) < decision.upperSlot else { continue }
      decision.lowerSlot = max(decision.lowerSlot, Int64(entry.slot))
    }
    return entries.contains { $0.kind == .block && decision.keeps($0.slot) }
  }

  mutating func takeExamples(_ rows: ChunkRows, _ chunk: Int32) {
    for rule in touched { take(rows, rules[Int(rule)].touch, &examples[Int(rule)]) }
    touched.removeAll(keepingCapacity: true)
    if sumTouch.chunk == chunk { take(rows, sumTouch, &sumExamples) }
  }

  private func take(_ rows: ChunkRows, _ touch: ChunkTouch, _ examples: inout Examples) {
    (examples.first, examples.last) = rows.examples(touch, examples.first, examples.last)
  }

  /// Adds a group's counts, and resets it.
  mutating func add(_ group: HidingGroup) {
    guard group.loads > 0 else { return }
    let (first, last) = (group.first, group.last)
    group.forEach { rule, tally in
      guard rule < rules.count else { return }
      rules[rule].matched += tally.matched
      rules[rule].cutByPrevious += tally.cutByPrevious
      rules[rule].cutByFollowing += tally.cutByFollowing
      if let first, examples[rule].first.map({ Example.isBefore(first, $0) }) ?? true {
        examples[rule].first = first
      }
      if let last, examples[rule].last.map({ Example.isBefore($0, last) }) ?? true {
        examples[rule].last = last
      }
    }
    group.reset()
  }

  /// Returns all findings in a form that can be merged.
  ///
  /// - Parameter sites: The names of the sites, by number.
  /// - Returns: What was found.
  func found(sites: [[UInt8]]) -> ListFindings {
    var applied: [Int: [[UInt8]: Int]] = [:]
    var effects = effects
    for (rule, counter) in rules.enumerated() where counter.onlyBlocker > 0 {
      effects[rule, default: RuleEffects()].onlyBlocker = counter.onlyBlocker
    }
    sitePairs.forEach { rule, site, count in applied[rule, default: [:]][sites[site]] = count }
    var record = Record()
    record.tally = sum
    record.first = sumExamples.first
    record.last = sumExamples.last
    var matches: [Int: Record] = [:]
    for (rule, counter) in rules.enumerated() where counter.matched > 0 {
      var found = Record()
      found.tally.matched = counter.matched
      found.tally.cutByPrevious = counter.cutByPrevious
      found.tally.cutByFollowing = counter.cutByFollowing
      found.tally.withoutEffect = counter.withoutEffect
      found.first = examples[rule].first
      found.last = examples[rule].last
      matches[rule] = found
    }
    return ListFindings(
      outcomes: outcomes,
      record: record,
      attachedSheets: attachedSheets,
      matches: matches,
      effects: effects,
      sites: applied
    )
  }
}

extension ChunkTouch {
  @inline(__always)
  mutating func note(_ row: Int32, _ number: Int32) {
    if chunk != number {
      chunk = number
      first = row
    }
    last = row
  }
}

extension HidingGroup {
  func takeExamples(_ rows: ChunkRows, _ chunk: Int32) {
    guard touch.chunk == chunk else { return }
    (first, last) = rows.examples(touch, first, last)
  }
}

/// The findings of one worker, to be merged with those of the others.
struct Findings: Sendable {
  var outcomes: Outcomes
  var sites: [[UInt8]: AuditedSite]
  var lists: [ListFindings]
}

/// The findings of one worker about one list.
struct ListFindings: Sendable {
  var outcomes: Outcomes
  var record: Record
  var attachedSheets: Int
  var matches: [Int: Record]
  var effects: [Int: RuleEffects]
  /// How often each rule was applied on each site.
  var sites: [Int: [[UInt8]: Int]]
}

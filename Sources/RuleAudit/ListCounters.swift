internal import RuleMatching

/// What one worker found about one list.
struct ListCounters {
  /// The counts of one rule, small because there are many.
  private struct RuleCounter {
    var matched = 0
    var cutByPrevious = 0
    var cutByFollowing = 0
    var withoutEffect = 0
    var touch = ChunkTouch()
  }

  /// The first and the last request of a rule.
  private struct Examples {
    var first: Example?
    var last: Example?
  }

  var outcomes = Outcomes()
  private var attachedSheets = 0
  private var rules: [RuleCounter]
  private var examples: [Examples]
  /// The rules that the present chunk met.
  private var touched: [Int32] = []
  private var sum = Tally()
  private var sumTouch = ChunkTouch()
  private var sumExamples = Examples()

  init(ruleCount: Int) {
    rules = Array(repeating: RuleCounter(), count: ruleCount)
    examples = Array(repeating: Examples(), count: ruleCount)
  }

  /// Counts a load, also into the tally of the load over all lists; what the list did to it.
  @inline(__always)
  mutating func count(
    _ decision: ListDecision,
    _ entries: [MatchedEntry],
    _ group: HidingGroup,
    _ row: Int32,
    _ chunk: Int32,
    _ total: inout Tally
  ) -> Flags {
    var tally = Tally()
    for entry in entries where entry.kind != .reportIdentifier {
      count(entry, decision, row, chunk, &tally)
    }
    var flags = Flags()
    flags.isBlocked = decision.isBlocked
    flags.isWithoutCookies = decision.blocksCookies
    flags.isUpgraded = decision.makesHTTPS
    flags.isHiding = decision.has(.cssDisplayNone)
    if !group.entries.isEmpty {
      let cut = group.count(decision)
      group.touch.note(row, chunk)
      tally.matched += group.entries.count
      tally.cutByPrevious += cut.byPrevious
      tally.cutByFollowing += cut.byFollowing
      flags.isHiding =
        flags.isHiding || cut.byPrevious + cut.byFollowing < group.entries.count
    }
    outcomes.add(flags)
    if decision.attachesGlobalSheet { attachedSheets &+= 1 }
    if tally.matched > 0 {
      sum += tally
      total += tally
      sumTouch.note(row, chunk)
    }
    return flags
  }

  @inline(__always)
  private mutating func count(
    _ entry: MatchedEntry,
    _ decision: ListDecision,
    _ row: Int32,
    _ chunk: Int32,
    _ tally: inout Tally
  ) {
    let rule = Int(entry.rule)
    guard rule < rules.count else { return }
    // A rule can be found in several ways, and still counts once.
    if rules[rule].touch.chunk == chunk {
      if rules[rule].touch.last == row { return }
    } else {
      touched.append(Int32(truncatingIfNeeded: rule))
    }
    rules[rule].touch.note(row, chunk)
    rules[rule].matched &+= 1
    tally.matched &+= 1
    if Int64(entry.slot) > decision.upperSlot {
      rules[rule].cutByFollowing &+= 1
      tally.cutByFollowing &+= 1
    } else if Int64(entry.slot) < decision.lowerSlot {
      rules[rule].cutByPrevious &+= 1
      tally.cutByPrevious &+= 1
    } else if entry.kind == .redirect || entry.kind == .modifyHeaders {
      rules[rule].withoutEffect &+= 1
      tally.withoutEffect &+= 1
    }
  }

  mutating func takeExamples(_ rows: ChunkRows, _ chunk: Int32) {
    for rule in touched {
      take(rows, rules[Int(rule)].touch, &examples[Int(rule)])
    }
    touched.removeAll(keepingCapacity: true)
    if sumTouch.chunk == chunk { take(rows, sumTouch, &sumExamples) }
  }

  /// Chunks come in order, so what is met later stands later.
  private func take(_ rows: ChunkRows, _ touch: ChunkTouch, _ examples: inout Examples) {
    if examples.first == nil { examples.first = rows.example(touch.first) }
    examples.last = rows.example(touch.last)
  }

  /// Counts a group out, and empties it.
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

  /// Everything in a form that can be merged.
  var found: ListFindings {
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
      matches: matches
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
    if first == nil { first = rows.example(touch.first) }
    last = rows.example(touch.last)
  }
}

/// What one worker found, to be merged with what the others found.
struct Findings: Sendable {
  var outcomes: Outcomes
  var sites: [[UInt8]: AuditedSite]
  var lists: [ListFindings]
}

/// What one worker found about one list.
struct ListFindings: Sendable {
  var outcomes: Outcomes
  var record: Record
  var attachedSheets: Int
  var matches: [Int: Record]
}

internal import ResourceLoads

/// Collects findings about a list that need all of its rules.
///
/// > Source: the rule language, sections 3.4, 7.2 and 7.3.
struct ListShape {
  /// The first place of an action of a kind.
  private struct Place {
    var range: Range<Int>
    var ruleIndex: Int
  }

  private var first = [Place?](repeating: nil, count: ActionType.allCases.count)
  private var counts = [Int](repeating: 0, count: ActionType.allCases.count)
  /// Kinds of action and flags that have a slot in the current segment, and in any.
  private var segment: Set<UInt64> = []
  private var all: Set<UInt64> = []
  /// The slot noted last in the current segment.
  private var lastSlot: UInt64?
  private var slotsOfSegments = 0
  private var exceptionRuns = 0
  private var isInsideOfRun = false
  /// The slots of the first segment; `nil` until it has ended.
  private var slotsOfFirstSegment: Set<UInt64>?
  /// Whether the first rule is an exception.
  private var beginsWithException = false
  /// The first and the last rule that count, and what kind of action each has.
  private var firstRule: Edge?
  private var lastRule: Edge?

  private struct Edge {
    var index: Int
    var range: Range<Int>
    var isIgnorePrevious = false
    var isIgnoreFollowing = false
  }

  /// Notes that a rule has an action of the given type.
  mutating func note(_ type: ActionType, at range: Range<Int>, _ ruleIndex: Int) {
    counts[type.rawValue] += 1
    if first[type.rawValue] == nil {
      first[type.rawValue] = Place(range: range, ruleIndex: ruleIndex)
    }
  }

  /// Notes one more rule with an action of a type that was noted before.
  mutating func noteAgain(_ type: ActionType) { counts[type.rawValue] += 1 }

  /// Adds a rule that is part of the list.
  mutating func add(_ rule: Rule) {
    var edge = Edge(index: rule.index, range: rule.sourceRange)
    defer {
      if firstRule == nil {
        firstRule = edge
        beginsWithException = isInsideOfRun
      }
      lastRule = edge
    }
    let kind: UInt64
    switch rule.action {
    case .ignorePreviousRules:
      edge.isIgnorePrevious = true
      return endSegment()
    case .ignoreFollowingRules:
      edge.isIgnoreFollowing = true
      return endSegment()
    case .block: kind = 1
    case .blockCookies: kind = 2
    case .makeHTTPS: kind = 3
    default: kind = 0
    }
    isInsideOfRun = false
    // Rules with a condition get a slot of their own anyway.
    guard kind > 0, rule.trigger.condition == nil else { return }
    let slot = kind << 32 | UInt64(rule.trigger.flags.packed)
    // Most rules have the same slot as the one before.
    guard slot != lastSlot else { return }
    lastSlot = slot
    segment.insert(slot)
    all.insert(slot)
  }

  private mutating func endSegment() {
    guard !isInsideOfRun else { return }
    isInsideOfRun = true
    if slotsOfFirstSegment == nil { slotsOfFirstSegment = segment }
    exceptionRuns += 1
    slotsOfSegments += segment.count
    segment.removeAll(keepingCapacity: true)
    lastSlot = nil
  }

  /// Adds what was found in the rules that follow, the first of which has the given index.
  mutating func add(_ other: ListShape, from ruleIndex: Int) {
    for type in first.indices {
      counts[type] += other.counts[type]
      guard first[type] == nil, var place = other.first[type] else { continue }
      place.ruleIndex += ruleIndex
      first[type] = place
    }
    guard var lastRule = other.lastRule else { return }
    lastRule.index += ruleIndex
    if firstRule == nil {
      firstRule = other.firstRule
      firstRule?.index += ruleIndex
      beginsWithException = other.beginsWithException
    }
    self.lastRule = lastRule
    all.formUnion(other.all)
    if let continued = other.slotsOfFirstSegment {
      // Its first segment goes on with the one at hand, unless a run of exceptions goes on instead.
      segment.formUnion(continued)
      if isInsideOfRun, other.beginsWithException { exceptionRuns -= 1 }
      if slotsOfFirstSegment == nil { slotsOfFirstSegment = segment }
      exceptionRuns += other.exceptionRuns
      slotsOfSegments += segment.count - continued.count + other.slotsOfSegments
      segment = other.segment
    } else {
      segment.formUnion(other.segment)
    }
    isInsideOfRun = other.isInsideOfRun
    lastSlot = nil
  }

  /// Reports the findings about the whole list.
  mutating func finish(into diagnostics: DiagnosticCollector) {
    slotsOfSegments += segment.count
    reportIgnoreRules(diagnostics)
    reportScatteredExceptions(diagnostics)
    for type in [ActionType.redirect, .modifyHeaders] {
      guard let place = first[type.rawValue] else { continue }
      let count = counts[type.rawValue]
      diagnostics.ruleIndex = place.ruleIndex
      diagnostics.report(
        .inertAction,
        place.range,
        path: ".action.type",
        "\(count.grouped) \(count == 1 ? "rule has" : "rules have") the action \(type.word),"
          + " which does nothing in an ordinary content blocker",
        hint: "the embedder must allow it for the pages in question"
      )
    }
    if let redirect = first[ActionType.redirect.rawValue],
      let block = first[ActionType.block.rawValue]
    {
      diagnostics.ruleIndex = redirect.ruleIndex
      diagnostics.report(
        .blockAndRedirect,
        redirect.range,
        path: ".action.type",
        block.ruleIndex < redirect.ruleIndex
          ? "of a block and a redirect for one load the first wins, which may be the block"
            + " in rule \(block.ruleIndex)"
          : "of a block and a redirect for one load the first wins"
      )
    }
    diagnostics.ruleIndex = nil
  }

  private func reportIgnoreRules(_ diagnostics: DiagnosticCollector) {
    if let rule = firstRule, rule.isIgnorePrevious {
      diagnostics.ruleIndex = rule.index
      diagnostics.report(
        .nothingToIgnore,
        rule.range,
        "ignore-previous-rules does nothing in the first rule of a list",
        hint: "put it after the rules that it is an exception to"
      )
    }
    if let rule = lastRule, rule.isIgnoreFollowing {
      diagnostics.ruleIndex = rule.index
      diagnostics.report(
        .nothingToIgnore,
        rule.range,
        "ignore-following-rules does nothing in the last rule of a list",
        hint: "put it before the rules that it is an exception to"
      )
    }
  }

  private func reportScatteredExceptions(_ diagnostics: DiagnosticCollector) {
    // With fewer, merging would hardly shrink the compiled list.
    let worthwhile = 64
    guard slotsOfSegments - all.count >= worthwhile, let rule = firstRule else { return }
    diagnostics.ruleIndex = nil
    diagnostics.report(
      .scatteredExceptions,
      rule.range.lowerBound..<rule.range.lowerBound,
      "exceptions stand in \(exceptionRuns.grouped) places between other rules, so that WebKit"
        + " keeps \((slotsOfSegments - all.count).grouped) actions more than it needs",
      hint: "if they are exceptions to all rules, put them together at the end"
    )
  }
}

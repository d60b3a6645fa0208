internal import ContentBlocking
package import ContentRules
internal import RuleCompiler
internal import RuleProofs
internal import WebURL

/// A list with the text that it was read from.
package struct ListInput {
  /// The rules that the list's reader accepted, in their order.
  package var rules: [Rule]
  /// The JSON.
  package var text: [UInt8]
  /// Whether the text has rules that WebKit skips.
  package var hasSkipped: Bool

  /// Creates a list from its parts.
  package init(rules: [Rule], text: [UInt8], hasSkipped: Bool = false) {
    self.rules = rules
    self.text = text
    self.hasSkipped = hasSkipped
  }
}

/// Compares what two lists do, rule by rule, with a load for each difference that has an effect.
///
///     var comparator = try ListComparator(old: old, new: new)
///     let comparison = try comparator.comparison()
package struct ListComparator {
  /// What is being done, for those who wait.
  package enum Phase: String, Sendable {
    case pairing = "pairing rules"
    case witnesses = "looking for loads"
    case proving = "proving that nothing changes"
  }

  private let old: ListInput
  private let new: ListInput
  private let sets: LoadSets
  private let oldFacts: ListFacts
  private let newFacts: ListFacts
  private let samples: PatternSamples
  private let sampler: LoadSampler
  private let oldMeetings: MeetingIndex
  private let newMeetings: MeetingIndex
  private var confirmation: Confirmation
  private let tell: (Phase, Int, Int) -> Void

  /// The changes of each of which a witness is looked for before equality is proved, and after it as
  /// a check of the proof.
  private static let firstTrials = 64
  private static let checkTrials = 1_024
  /// The most loads that are tried for one change.
  private static let loadLimit = 48
  private static let checkLimit = 8

  /// Prepares two lists; `tell` receives the progress: what is done, how far, and of how much.
  ///
  /// - Throws: ``ContentBlocking/RuleListError`` if a list exceeds the compiler's limits, or
  ///   ``RuleCompiler/CompileError`` if the patterns of both together do.
  /// - Complexity: That of compiling both lists twice.
  package init(
    old: ListInput,
    new: ListInput,
    tell: @escaping (Phase, Int, Int) -> Void = { _, _, _ in }
  ) throws {
    self.old = old
    self.new = new
    self.tell = tell
    tell(.pairing, 0, 0)
    confirmation = Confirmation(
      before: try ContentRuleList(identifier: "old", rules: old.rules, source: old.text),
      after: try ContentRuleList(identifier: "new", rules: new.rules, source: new.text)
    )
    sets = LoadSets()
    oldFacts = ListFacts(old.rules, sets: sets)
    newFacts = ListFacts(new.rules, sets: sets)
    sets.limit(forRules: old.rules.count + new.rules.count)
    samples = try PatternSamples(sets.patterns)
    oldMeetings = MeetingIndex(oldFacts, sets: sets)
    newMeetings = MeetingIndex(newFacts, sets: sets)
    sampler = LoadSampler(sets: sets, samples: samples)
  }

  /// Compares the lists.
  ///
  /// - Throws: ``RuleCompiler/CompileError`` or ``ContentBlocking/RuleListError`` as ``init(old:new:tell:)``.
  /// - Complexity: O(*n* log *n*) for *n* rules, and bounded searches for each change.
  package mutating func comparison() throws -> Comparison {
    let pairs = RulePairs(old: old.rules, new: new.rules)
    let changed = ChangedRules(old: oldFacts, new: newFacts, sets: sets, samples: samples)
      .pairs(gone: pairs.gone, added: pairs.added)
    var changes = self.changes(pairs, changed)
    var isEqual: Bool? = changes.isEmpty ? true : nil
    // Most changes have an effect, which a few of them show sooner than a proof fails.
    let moved = changes.indices.filter {
      changes[$0].kind == .moved || changes[$0].kind == .reworded
    }
    let others = changes.indices.filter {
      changes[$0].kind != .moved && changes[$0].kind != .reworded
    }
    var tried: Set<Int> = []
    if isEqual == nil, findsWitness(&changes, Self.spread(others, Self.firstTrials), &tried) {
      isEqual = false
    }
    if isEqual == nil {
      tell(.proving, 0, 0)
      sets.limit(forRules: old.rules.count + new.rules.count)
      let proof = EqualityProof(
        old: old,
        new: new,
        oldFacts,
        newFacts,
        sets: sets,
        samples: samples
      )
      if try proof.proves(pairs, changed) {
        // The engine knows nothing of the proof, and would show a mistake in it.
        isEqual = true
        let checks = Self.spread(others, Self.checkTrials) + Self.spread(moved, Self.checkTrials)
        if findsWitness(&changes, checks, &tried, isCheck: true) { isEqual = false }
      }
    }
    if isEqual != true {
      sets.limit(forRules: old.rules.count + new.rules.count)
      if findsWitness(&changes, Array(changes.indices), &tried) { isEqual = false }
    }
    for place in changes.indices {
      changes[place].old = changes[place].old.map { oldFacts.facts[$0].number }
      changes[place].new = changes[place].new.map { newFacts.facts[$0].number }
    }
    return Comparison(
      isEqual: isEqual,
      changes: changes,
      loadsTried: confirmation.count,
      statesSearched: sets.patterns.visited,
      givenUp: sets.givenUp + samples.givenUp
    )
  }

  /// Looks for the witnesses of some changes; returns whether there is one.
  private mutating func findsWitness(
    _ changes: inout [Change],
    _ numbers: [Int],
    _ tried: inout Set<Int>,
    isCheck: Bool = false
  ) -> Bool {
    var isFound = false
    for number in numbers where tried.insert(number).inserted {
      if tried.count % 16 == 0 { tell(.witnesses, tried.count, changes.count) }
      changes[number].witness = witness(for: changes[number], isCheck: isCheck)
      if changes[number].witness != nil { isFound = true }
    }
    return isFound
  }

  /// Returns some of many numbers, at even distances.
  private static func spread(_ numbers: [Int], _ count: Int) -> [Int] {
    guard numbers.count > count else { return numbers }
    return (0..<count).map { numbers[$0 * numbers.count / count] }
  }

  /// Returns all changes, with places instead of numbers.
  private func changes(_ pairs: RulePairs, _ changed: [ChangedRules.Pair]) -> [Change] {
    var changes: [Change] = []
    for pair in pairs.same where pairs.moved.contains(pair.new) {
      changes.append(Change(kind: .moved, old: pair.old, new: pair.new))
    }
    for pair in changed { changes.append(Change(kind: pair.kind, old: pair.old, new: pair.new)) }
    let (old, new) = (Set(changed.map(\.old)), Set(changed.map(\.new)))
    for place in pairs.added where !new.contains(place) {
      changes.append(Change(kind: .added, old: nil, new: place))
    }
    changes.sort { ($0.new ?? 0) < ($1.new ?? 0) }
    for place in pairs.gone where !old.contains(place) {
      changes.append(Change(kind: .removed, old: place, new: nil))
    }
    return changes
  }

  // MARK: Witnesses

  /// Returns a load that shows a change; a check of a proof tries fewer of them.
  private mutating func witness(for change: Change, isCheck: Bool) -> Witness? {
    let own = change.old.map { oldFacts.facts[$0] }
    let their = change.new.map { newFacts.facts[$0] }
    let hides = own?.hides ?? false || their?.hides ?? false
    var sampler = self.sampler
    sampler.prefersDocuments = hides
    var loads: [ResourceLoad] = []
    if let first = own?.loads, let second = their?.loads, first != second {
      loads += sampler.loads(of: first, outside: second)
      loads += sampler.loads(of: second, outside: first)
    }
    let all = [own?.loads, their?.loads].compactMap(\.self)
    for set in all { loads += sampler.loads(of: set) }
    var avoided: Set<PatternTable.Number> = []
    for load in loads.prefix(isCheck ? Self.checkLimit : Self.loadLimit) {
      if let witness = difference(on: load, hides: hides, &avoided) { return witness }
    }
    // Exceptions decide, if anything does, about a rule that only stands elsewhere.
    for load in crossing(change) {
      var more: Set<PatternTable.Number> = []
      if let witness = difference(on: load, hides: hides, &more) { return witness }
    }
    if isCheck { return nil }
    // Other rules may do the same to all of these: look for loads that they do not match.
    for set in all {
      avoided.remove(set.pattern)
      for load in sampler.loads(of: set, avoiding: avoided.sorted()) {
        var more: Set<PatternTable.Number> = []
        if let witness = difference(on: load, hides: hides, &more) { return witness }
      }
    }
    return nil
  }

  /// Returns loads that a changed exception and a rule that it may cancel have in common, or a moved
  /// rule and an exception that it went past.
  private func crossing(_ change: Change) -> [ResourceLoad] {
    var loads: [ResourceLoad] = []
    if let place = change.old {
      loads += oldMeetings.crossing(oldFacts.facts[place], in: oldFacts, samples, sampler)
    }
    if let place = change.new {
      loads += newMeetings.crossing(newFacts.facts[place], in: newFacts, samples, sampler)
    }
    return loads
  }

  /// Returns a witness if the lists decide a load differently; else notes the patterns of the rules
  /// that act on it.
  private mutating func difference(
    on load: ResourceLoad,
    hides: Bool,
    _ patterns: inout Set<PatternTable.Number>
  ) -> Witness? {
    if let found = confirmation.difference(on: load, hides: hides) {
      return Witness(load: load, difference: found)
    }
    patterns.formUnion(samples.patterns(matching: load.url.serialized).prefix(4))
    return nil
  }
}

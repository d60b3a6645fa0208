package import ContentBlocking
package import ContentRules
package import RuleCompiler
internal import RuleProofs

/// Finds rules of a list that do nothing, or nothing that others do not do, and proves it.
///
///     let findings = try RuleAnalyzer(list.rules).findings()
///
/// What is found holds for every load that a browser can make. What is not found may still be so:
/// the parts of a trigger are judged apart, and a proof that costs too much is given up.
package struct RuleAnalyzer {
  /// What is being done, for those who wait.
  package enum Phase: String, Sendable {
    case reading = "reading patterns"
    case dead = "looking for rules that match nothing"
    case covered = "comparing rules"
    case spellings = "comparing patterns"
    case confirming = "trying removals"
  }

  /// The list's facts; rules that match nothing have no loads.
  private var list: ListFacts
  private let sets: LoadSets
  private let samples: PatternSamples
  private let tell: (Phase, Int, Int) -> Void
  private var found: [Int: ListFinding] = [:]
  /// The cheaper spelling of each rule's pattern that has one, by the rule's number.
  private var cheaperSpellings: [Int: String] = [:]
  /// For each redundant rule, those that do its work.
  private var substitutes: [Int: [Int]] = [:]

  /// Prepares the analysis of a list.
  ///
  /// - Parameters:
  ///   - rules: The rules that the list's reader accepted, in their order.
  ///   - tell: Receives the progress: what is done, how far, and of how much.
  /// - Throws: ``RuleCompiler/CompileError`` if the patterns exceed the compiler's limits.
  /// - Complexity: That of compiling the list.
  package init(
    _ rules: [Rule],
    tell: @escaping (Phase, Int, Int) -> Void = { _, _, _ in }
  ) throws(CompileError) {
    tell(.reading, 0, rules.count)
    self.init(rules, try ProofTables(rules), tell: tell)
  }

  /// Prepares the analysis of rules that some tables know, as those of a longer list; what was proved
  /// about their patterns before is not proved again.
  init(
    _ rules: [Rule],
    _ tables: ProofTables,
    tell: @escaping (Phase, Int, Int) -> Void = { _, _, _ in }
  ) {
    self.tell = tell
    sets = tables.sets
    samples = tables.samples
    list = ListFacts(rules, sets: sets)
    sets.limit(forRules: rules.count)
  }

  /// The comparisons and searches that were given up so far because of their costs, so that what
  /// they would have shown is not found.
  package var givenUp: Int { sets.givenUp + samples.givenUp }

  /// Returns all findings, by rule.
  ///
  /// - Complexity: For *n* rules O(*n*) samples and look-ups, and a search of bounded size for each
  ///   pair of patterns of which one matches the other's samples.
  package mutating func findings() -> [ListFinding] {
    findDead()
    findCovered()
    findContradictionsOfDocuments()
    for (place, finding) in found where finding.isRemovable && movesSlots(place) {
      found[place]?.isRemovable = false
    }
    var findings = found.values.sorted { $0.rule < $1.rule }
    findings += samePatterns()
    findings += costlyPatterns()
    return findings.sorted { ($0.rule, $0.code.rawValue) < ($1.rule, $1.code.rawValue) }
  }

  /// Tries each removal on loads that the rule matches, by the engine alone.
  ///
  /// - Parameters:
  ///   - findings: What ``findings()`` returned.
  ///   - text: The JSON that the rules were read from.
  /// - Returns: The findings that hold on all loads, and how many loads were tried.
  /// - Throws: ``ContentBlocking/RuleListError`` if a list exceeds the compiler's limits.
  /// - Complexity: For each removal at most eight decisions by two lists.
  package mutating func confirmed(
    _ findings: [ListFinding],
    in text: [UInt8]
  ) throws(RuleListError) -> (findings: [ListFinding], loads: Int) {
    let gone = Set(findings.filter(\.isRemovable).map(\.rule))
    guard !gone.isEmpty, var confirmation = try Confirmation(list.rules, in: text, without: gone)
    else { return (findings, 0) }
    let places = Dictionary(
      list.facts.enumerated().map { ($1.number, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    var trials = LoadTrials(list, gone.compactMap { places[$0] }, sets: sets, samples: samples)
    var refuted: Set<Int> = []
    for (done, finding) in findings.enumerated() where finding.isRemovable {
      if done % 64 == 0 { tell(.confirming, done, findings.count) }
      guard let place = places[finding.rule] else { continue }
      for load in trials.loads(of: place)
      where !confirmation.agrees(on: load, hides: list.facts[place].hides) {
        refuted.insert(finding.rule)
      }
    }
    return (findings.filter { !refuted.contains($0.rule) }, confirmation.count)
  }

  // MARK: Rules that match nothing

  private mutating func findDead() {
    let dead = DeadRules(sets: sets, samples: samples)
    for (place, rule) in list.rules.enumerated() {
      if place % 256 == 0 { tell(.dead, place, list.rules.count) }
      guard let (code, text) = dead.reason(rule, list.facts[place].loads) else { continue }
      found[place] = finding(place, code, [], text, isRemovable: canRemoveDead(place))
      list.markAsDead(place)
    }
  }

  /// Adds findings about rules that are of use for the prefetch of links alone.
  private mutating func findContradictionsOfDocuments() {
    let dead = DeadRules(sets: sets, samples: samples)
    for (place, facts) in list.facts.enumerated() where found[place] == nil {
      guard let loads = facts.loads, let text = dead.contradictionOfDocuments(loads) else {
        continue
      }
      found[place] = finding(place, .contradiction, [], text, isRemovable: false)
    }
  }

  /// Whether the rest of the list stays as it is without a rule that matches nothing.
  ///
  /// Redirects and header changes share slots across exceptions (section 7.2 of the rule language),
  /// so that their place matters even then.
  private func canRemoveDead(_ place: Int) -> Bool {
    switch list.rules[place].action {
    case .redirect, .modifyHeaders: false
    default: !boundsGlobalSheet(place)
    }
  }

  /// Whether other rules would have other slots without a rule, and that may show.
  private func movesSlots(_ place: Int) -> Bool {
    if list.facts[place].isException { return list.sharedSlots != [] }
    // By the action, for a rule that is also reported takes part in its slot.
    return switch list.rules[place].action {
    case .block: list.sharedSlots.contains(.redirects)
    case .notify: list.sharedSlots.contains(.notifications)
    case .cssDisplayNone: list.sharedSlots.contains(.openSelectors)
    default: false
    }
  }

  /// Whether a rule is the first exception, and keeps a later rule out of the global sheet.
  private func boundsGlobalSheet(_ place: Int) -> Bool {
    place == list.firstException
      && list.facts[place...].contains { $0.isForGlobalSheet }
  }

  // MARK: Rules that others make superfluous

  private mutating func findCovered() {
    let covering = Covering(list, sets: sets, samples: samples)
    let exceptions = Exceptions(covering)
    // From the end, so that of two equal rules the later one is found.
    for place in list.facts.indices.reversed() {
      let done = list.facts.count - 1 - place
      if done % 64 == 0 { tell(.covered, done, list.facts.count) }
      guard list.facts[place].loads != nil else { continue }
      if let finding = stopped(place, covering) ?? substituted(place, covering, exceptions) {
        found[place] = finding
      }
    }
  }

  /// Returns a finding if exceptions or blocking rules leave a rule nothing to do.
  private mutating func stopped(_ place: Int, _ covering: Covering) -> ListFinding? {
    let facts = list.facts[place]
    let following = covering.covers(of: place, by: .ignoreFollowing) { $0 < place }
    if let cover = following.first {
      if facts.effect == .ignoreFollowing {
        // They do what it does, so that it cannot do their work in turn.
        guard let roots = roots(of: cover.places, for: place) else { return nil }
        substitutes[place] = roots
      }
      return finding(
        place,
        .shadowed,
        cover.places,
        "\(names(cover.places)) before it drop\(ending(cover.places)) it for every load that it"
          + " matches",
        isRemovable: canRemove(place)
      )
    }
    guard !facts.isException, !list.isGlobal(place) else { return nil }
    let previous = covering.covers(of: place, by: .ignorePrevious) {
      $0 > place && covering.interference.lets($0, standInFor: place)
    }
    if let cover = previous.first {
      return finding(
        place,
        .alwaysCancelled,
        cover.places,
        "\(names(cover.places)) behind it cancel\(ending(cover.places)) it for every load that it"
          + " matches",
        isRemovable: canRemove(place)
      )
    }
    guard facts.effect == .blockCookies || facts.effect == .makeHTTPS else { return nil }
    let blocking = covering.covers(of: place, by: .block) {
      covering.interference.lets($0, standInFor: place)
    }
    return blocking.first.map { cover in
      finding(
        place,
        .shadowed,
        cover.places,
        "\(names(cover.places)) block\(ending(cover.places)) every load that it matches",
        isRemovable: false
      )
    }
  }

  /// Whether nothing changes without a rule that has no effect.
  private func canRemove(_ place: Int) -> Bool {
    switch list.rules[place].action {
    case .redirect, .modifyHeaders: false
    default: list.rules[place].identifier == nil && !boundsGlobalSheet(place)
    }
  }

  /// Returns a finding if others do the work of a rule.
  private mutating func substituted(
    _ place: Int,
    _ covering: Covering,
    _ exceptions: Exceptions
  ) -> ListFinding? {
    let facts = list.facts[place]
    if facts.isException {
      guard canRemove(place) else { return nil }
      if exceptions.cancelsNothing(place) {
        let side = facts.effect == .ignorePrevious ? "before" : "behind"
        return finding(
          place,
          .cancelsNothing,
          [],
          "no load that it matches is matched by a rule \(side) it",
          isRemovable: true
        )
      }
      guard let other = exceptions.substitute(of: place), let roots = roots(of: [other], for: place)
      else { return nil }
      substitutes[place] = roots
      return finding(
        place,
        .redundant,
        roots,
        "\(names(roots)) cancel\(ending(roots)) whatever it cancels",
        isRemovable: true
      )
    }
    guard let role = facts.roles.first else { return nil }
    let selectors = Set(hiddenBy(place))
    let isGlobal = list.isGlobal(place)
    let covers = covering.covers(of: place, by: role) { other in
      (!isGlobal || list.isGlobal(other))
        && selectors.isSubset(of: hiddenBy(other))
        && covering.interference.lets(other, standInFor: place)
    }
    for cover in covers {
      guard let roots = roots(of: cover.places, for: place) else { continue }
      substitutes[place] = roots
      let does = cover.places.count == 1 ? "does" : "do"
      return finding(
        place,
        .redundant,
        roots,
        "\(names(roots)) \(roots.count == 1 ? "does" : does) the same to every load that it matches",
        isRemovable: true
      )
    }
    return nil
  }

  private func hiddenBy(_ place: Int) -> [Int] {
    if case .hide(let selectors) = list.facts[place].effect { selectors } else { [] }
  }

  /// Returns the rules that remain and do the work of others; `nil` if the rule itself is one.
  private mutating func roots(of places: [Int], for place: Int) -> [Int]? {
    var roots: Set<Int> = []
    var stack = places
    while let other = stack.popLast() {
      if let further = substitutes[other] { stack += further } else { roots.insert(other) }
    }
    return roots.contains(place) ? nil : roots.sorted()
  }

  // MARK: Patterns

  /// Returns findings about patterns that others mean as well.
  private func samePatterns() -> [ListFinding] {
    var firstPlaces: [PatternTable.Number: Int] = [:]
    var order: [PatternTable.Number] = []
    for (place, facts) in list.facts.enumerated() {
      guard let pattern = facts.loads?.pattern, !sets.patterns.isUniversal(pattern),
        firstPlaces[pattern] == nil
      else { continue }
      firstPlaces[pattern] = place
      order.append(pattern)
    }
    var findings: [ListFinding] = []
    for (done, pattern) in order.enumerated() {
      if done % 256 == 0 { tell(.spellings, done, order.count) }
      let same = samples.wider(pattern).filter {
        $0 != pattern && (firstPlaces[$0] ?? .max) < (firstPlaces[pattern] ?? 0)
          && samples.wider($0).contains(pattern)
      }
      guard let place = firstPlaces[pattern],
        let other = same.compactMap({ firstPlaces[$0] }).min(),
        // A redundant rule needs no second finding about the same rule.
        !(found[place]?.code == .redundant
          && found[place]?.because == [list.facts[other].number])
      else { continue }
      findings.append(
        finding(
          place,
          .samePattern,
          [other],
          "its url-filter matches the same URLs as that of rule \(list.facts[other].number)",
          isRemovable: false
        )
      )
    }
    return findings
  }

  /// Returns findings about patterns that could be written more cheaply.
  private mutating func costlyPatterns() -> [ListFinding] {
    let spelling = CheaperSpelling(sets.patterns)
    return list.rules.indices.compactMap { place in
      guard list.facts[place].loads != nil, !(found[place]?.isRemovable ?? false),
        let cheaper = spelling.pattern(for: list.rules[place].trigger.urlFilter)
      else { return nil }
      cheaperSpellings[list.facts[place].number] = cheaper.text
      let patterns = sets.patterns
      let factors = [list.rules[place].trigger.urlFilter, cheaper].compactMap {
        PatternForm(patterns.number(of: $0), in: patterns).webKitFactor
      }
      let gain =
        factors.count == 2 && factors[0] > factors[1]
        ? "\(Int((factors[0] / factors[1]).rounded(.down))) times as fast" : "faster"
      return finding(
        place,
        .costly,
        [],
        "the url-filter \(cheaper.text) matches the same URLs, and WebKit compiles it \(gain)",
        isRemovable: false
      )
    }
  }

  // MARK: Costs

  /// Groups the rules by what their costs depend on; to be asked after ``findings()``, which finds the
  /// cheaper spellings.
  ///
  /// - Parameter measures: Whether each group is also timed, on this machine.
  /// - Returns: The groups, the most rules first.
  /// - Throws: ``RuleCompiler/CompileError`` if a group exceeds the compiler's limits.
  /// - Complexity: That of compiling the list; with `measures`, some thousand decisions a group.
  package func costs(measures: Bool) throws(CompileError) -> [CostGroup] {
    try CostGroups(list, sets.patterns, samples).groups(
      cheaper: cheaperSpellings,
      measures: measures
    )
  }

  // MARK: Words

  private func finding(
    _ place: Int,
    _ code: ListFinding.Code,
    _ because: [Int],
    _ text: String,
    isRemovable: Bool
  ) -> ListFinding {
    ListFinding(
      rule: list.facts[place].number,
      code: code,
      because: because.map { list.facts[$0].number }.sorted(),
      text: text,
      isRemovable: isRemovable
    )
  }

  /// The rules at some places, as the beginning of a sentence.
  private func names(_ places: [Int]) -> String {
    let numbers = places.map { "\(list.facts[$0].number)" }
    guard let last = numbers.last, numbers.count > 1 else { return "rule \(numbers.first ?? "")" }
    return "rules \(numbers.dropLast().joined(separator: ", ")) and \(last) together"
  }

  private func ending(_ places: [Int]) -> String { places.count == 1 ? "s" : "" }
}

package import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleCompiler
internal import RuleProofs

/// Makes a list shorter without changing what it does.
///
/// Rules that an analysis proves superfluous go, and rules that differ in one part alone become one.
package struct ListOptimizer {
  /// What became of a list.
  package struct Outcome {
    /// The new list's JSON.
    package var text: [UInt8]
    /// Its number of rules.
    package var ruleCount: Int
    /// What was removed and why; numbers are those of the list as it was given.
    package var removed: [ListFinding]
    /// The numbers of the rules whose url-filter was written more cheaply, ascending.
    package var respelled: [Int]
    /// The rules that became one: the number of the first, then those that it took in.
    package var merged: [[Int]]
    /// The loads on which the new list was compared with the old one.
    package var loadsTried: Int
  }

  /// Why there is no outcome.
  package enum Failure: Error {
    /// The engine found a load that the new list decides differently: a fault of this program.
    case refuted(ResourceLoad)
    /// No rule would be left.
    case nothingLeft
  }

  private let list: ListInput
  private let merges: Bool
  private let tell: (RuleAnalyzer.Phase, Int, Int) -> Void

  /// The most times that a list is analysed again after rules have gone.
  private static let rounds = 2

  /// Prepares a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - merges: Whether rules that differ in one part are made one.
  ///   - tell: Receives the progress, as ``RuleAnalyzer`` has it.
  package init(
    _ list: ListInput,
    merges: Bool,
    tell: @escaping (RuleAnalyzer.Phase, Int, Int) -> Void
  ) {
    self.list = list
    self.merges = merges
    self.tell = tell
  }

  /// Returns the shorter list.
  ///
  /// - Throws: ``Failure``, ``RuleCompiler/CompileError`` or ``ContentBlocking/RuleListError``.
  /// - Complexity: That of a few analyses.
  package func outcome() throws -> Outcome {
    var rules = list.rules
    var removed: [ListFinding] = []
    tell(.reading, 0, rules.count)
    let tables = try ProofTables(rules)
    for _ in 0..<Self.rounds {
      var analyzer = RuleAnalyzer(rules, tables, tell: tell)
      let findings = analyzer.findings().filter(\.isRemovable)
      guard !findings.isEmpty else { break }
      let gone = Set(findings.map(\.rule))
      removed += findings
      rules.removeAll { gone.contains($0.index) }
    }
    guard !rules.isEmpty else { throw Failure.nothingLeft }
    var texts = rules.map { list.text[$0.sourceRange] }
    let respelled = merges ? respell(&rules, &texts, tables) : []
    var merged: [[Int]] = []
    if merges {
      let groups = RuleMerging(rules, sets: tables.sets).groups()
      var gone: Set<Int> = []
      for group in groups {
        texts[group.places[0]] = group.text[...]
        gone.formUnion(group.places.dropFirst())
        merged.append(group.places.map { rules[$0].index })
      }
      texts = texts.indices.filter { !gone.contains($0) }.map { texts[$0] }
    }
    let text = ListText.json(of: texts)
    let changed = Set(removed.map(\.rule)).union(merged.joined()).union(respelled)
    let tried = try confirm(text, changed, tables)
    return Outcome(
      text: text,
      ruleCount: texts.count,
      removed: removed.sorted { $0.rule < $1.rule },
      respelled: respelled,
      merged: merged,
      loadsTried: tried
    )
  }

  /// Writes url-filters more cheaply where that is proved to mean the same.
  ///
  /// - Returns: The numbers of the rules that were changed.
  private func respell(
    _ rules: inout [Rule],
    _ texts: inout [ArraySlice<UInt8>],
    _ tables: ProofTables
  ) -> [Int] {
    tables.sets.limit(forRules: rules.count)
    let spelling = CheaperSpelling(tables.sets.patterns)
    var numbers: [Int] = []
    for place in rules.indices {
      guard let cheaper = spelling.pattern(for: rules[place].trigger.urlFilter) else { continue }
      var rule = rules[place]
      rule.trigger.urlFilter = cheaper
      guard let text = RuleJSON.json(of: rule) else { continue }
      rules[place] = rule
      texts[place] = text[...]
      numbers.append(rule.index)
    }
    return numbers
  }

  private static func compiled(_ text: [UInt8]) throws -> ContentRuleList {
    var options = ContentRuleList.readingOptions()
    options.ruleLimit = .max
    options.findsTraps = false
    options.limitFault = nil
    let report = RuleListReader.read(text, options: options)
    guard let list = report.ruleList else { throw RuleListError.refused(report) }
    return try ContentRuleList(identifier: "after", rules: list.rules, source: text)
  }

  /// Tries the new list on loads that the changed rules match.
  private func confirm(_ text: [UInt8], _ changed: Set<Int>, _ tables: ProofTables) throws -> Int {
    guard !changed.isEmpty else { return 0 }
    var confirmation = Confirmation(
      before: try ContentRuleList(identifier: "before", rules: list.rules, source: list.text),
      // Read again, as WebKit would read it.
      after: try Self.compiled(text)
    )
    let sets = tables.sets
    let facts = ListFacts(list.rules, sets: sets)
    sets.limit(forRules: list.rules.count)
    let places = facts.facts.indices.filter { changed.contains(facts.facts[$0].number) }
    var trials = LoadTrials(facts, places, sets: sets, samples: tables.samples)
    for (done, place) in places.enumerated() {
      if done % 64 == 0 { tell(.confirming, done, places.count) }
      let facts = facts.facts[place]
      for load in trials.loads(of: place) where !confirmation.agrees(on: load, hides: facts.hides) {
        throw Failure.refuted(load)
      }
    }
    return confirmation.count
  }
}

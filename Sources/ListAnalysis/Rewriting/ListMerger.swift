internal import ContentRules
internal import RuleProofs

/// Joins lists to one that does what they do together.
///
/// In one list the exceptions of a later list would also cancel what earlier ones do. So exceptions
/// that all lists have are joined, and every other exception must be proved to meet no rule of
/// another list before it, unless that list has the same exception behind the rule.
package struct ListMerger {
  /// The joined list.
  package struct Outcome {
    /// Its JSON.
    package var text: [UInt8]
    /// Its number of rules.
    package var ruleCount: Int
    /// The exceptions that several lists had, which it has once.
    package var joinedExceptions: Int
  }

  /// Why lists cannot be joined.
  package enum Failure: Error {
    /// An exception of one list may meet a rule of another; both by list and number.
    case exceptionMeets(exception: Place, rule: Place)
    /// A rule that hides on every page would leave the global sheet.
    case globalSheet(Place)
    /// Redirects, header changes and equal notifications of several lists share slots in one.
    case redirect(Place)
    /// There would be more rules than a list may have.
    case tooMany(Int)
  }

  /// A rule of one of the lists.
  package struct Place: Hashable, Sendable {
    /// The list, from 0.
    package var list: Int
    /// The rule's number in it.
    package var rule: Int
  }

  private let lists: [ListInput]
  private let sets = LoadSets()
  private let facts: [ListFacts]
  /// For each list the places of exceptions that are the same, ascending; each that has an identifier is reported by
  /// itself, and is not in it.
  private let exceptions: [[RuleContent: [Int]]]
  /// For each list whether it has exceptions to what follows.
  private let hasFollowing: [Bool]

  /// Prepares lists, at least one.
  package init(_ lists: [ListInput]) {
    self.lists = lists
    let facts = lists.map { [sets] in ListFacts($0.rules, sets: sets) }
    self.facts = facts
    exceptions = facts.map { list in
      var places: [RuleContent: [Int]] = [:]
      for (place, facts) in list.facts.enumerated() where facts.isException && !facts.isReported {
        places[RuleContent(list.rules[place]), default: []].append(place)
      }
      return places
    }
    hasFollowing = facts.map { $0.facts.contains { $0.effect == .ignoreFollowing } }
    sets.limit(forRules: facts.reduce(0) { $0 + $1.facts.count })
  }

  /// How often two rules were compared.
  package var comparisons: Int { sets.comparisons }

  /// Whether comparisons were given up, since all together may cost only so much.
  package var hasGivenUp: Bool { sets.givenUp > 0 }

  /// A rule of the joined list.
  private struct Entry {
    /// The lists and places that it stands for: several only for an exception.
    var sources: [(list: Int, place: Int)]
    /// Whether all lists have the exception, and what is before and behind it in one of them is so in the joined list.
    var isOfAll = false
  }

  /// Returns the joined list.
  ///
  /// - Throws: ``Failure``.
  /// - Complexity: O(*n* · *m*) comparisons for *n* rules and *m* exceptions that not all lists have, without those of
  ///   which both are about hosts; bounded by ``RuleProofs/LoadSets/limit(forRules:)``.
  package func outcome() throws(Failure) -> Outcome {
    try checkShared()
    let entries = self.entries()
    try check(entries)
    guard entries.count <= RuleListReader.ruleLimit else { throw .tooMany(entries.count) }
    let texts = entries.map { entry in
      let source = entry.sources[0]
      return lists[source.list].text[lists[source.list].rules[source.place].sourceRange]
    }
    return Outcome(
      text: ListText.json(of: texts),
      ruleCount: entries.count,
      joinedExceptions: entries.count { Set($0.sources.map(\.list)).count > 1 }
    )
  }

  /// Lays the lists out between the exceptions that all of them have, in order.
  private func entries() -> [Entry] {
    guard let first = facts.first else { return [] }
    // Exceptions of the first list that the others have as well, each behind the last one found.
    var cursors = Array(repeating: 0, count: facts.count)
    var entries: [Entry] = []
    func append(_ list: Int, upTo end: Int) {
      for place in cursors[list]..<end { entries.append(Entry(sources: [(list, place)])) }
      cursors[list] = end
    }
    for place in first.facts.indices where first.facts[place].isException {
      var sources = [(list: 0, place: place)]
      for list in facts.indices.dropFirst() {
        guard let found = self.place(of: first.rules[place], in: list, from: cursors[list]) else {
          break
        }
        sources.append((list, found))
      }
      guard sources.count == facts.count else { continue }
      for source in sources { append(source.list, upTo: source.place) }
      entries.append(Entry(sources: sources, isOfAll: true))
      for source in sources { cursors[source.list] = source.place + 1 }
    }
    for list in facts.indices { append(list, upTo: facts[list].facts.count) }
    return folded(entries)
  }

  /// Leaves of exceptions to what precedes that are the same the last one alone, which acts on all that the others act
  /// on.
  ///
  /// What it acts on besides is looked at as for each exception. One that an exception to what follows keeps from acting
  /// has no other in its place.
  private func folded(_ entries: [Entry]) -> [Entry] {
    guard !hasFollowing.contains(true) else { return entries }
    var last: [RuleContent: Int] = [:]
    var kept = entries.map(Optional.some)
    for (number, entry) in entries.enumerated().reversed() {
      let source = entry.sources[0]
      let facts = self.facts[source.list].facts[source.place]
      guard facts.isException, !facts.isReported else { continue }
      let key = RuleContent(self.facts[source.list].rules[source.place])
      if let behind = last[key] {
        kept[behind]?.sources += entry.sources
        kept[number] = nil
      } else {
        last[key] = number
      }
    }
    return kept.compactMap(\.self)
  }

  /// The place of the first exception that is the same; exceptions are asked for in their order.
  private func place(of exception: Rule, in list: Int, from start: Int) -> Int? {
    exceptions[list][RuleContent(exception)]?.first { $0 >= start }
  }

  // MARK: Proofs

  /// Whether each exception is proved to meet no rule of a list that does not have it.
  private func check(_ entries: [Entry]) throws(Failure) {
    var index = HostIndex()
    for (number, entry) in entries.enumerated() {
      let source = entry.sources[0]
      guard let loads = facts[source.list].facts[source.place].loads else { continue }
      index.add(number, host: sets.patterns.host(of: loads.pattern))
    }
    for (number, entry) in entries.enumerated() {
      let own = entry.sources[0]
      let facts = self.facts[own.list].facts[own.place]
      guard facts.isException, !entry.isOfAll, let loads = facts.loads else { continue }
      let acts = { (other: Int) in
        facts.effect == .ignorePrevious ? other < number : other > number
      }
      let others =
        sets.patterns.host(of: loads.pattern).map { index.places(meeting: $0) + index.others }
      for other in others?.filter(acts).sorted() ?? entries.indices.filter(acts) {
        // Its own list is as before, unless the exception stands for an earlier one of that.
        for source in entries[other].sources
        where (source.list != own.list || entry.sources.count > 1) && meets(own, loads, source) {
          throw .exceptionMeets(
            exception: Place(list: own.list, rule: facts.number),
            rule: Place(list: source.list, rule: self.facts[source.list].facts[source.place].number)
          )
        }
      }
    }
    try checkGlobalSheet(entries)
  }

  /// Whether an exception may change what another list's rule does.
  private func meets(
    _ exception: (list: Int, place: Int),
    _ loads: LoadSet,
    _ rule: (list: Int, place: Int)
  ) -> Bool {
    let facts = self.facts[exception.list].facts[exception.place]
    let their = self.facts[rule.list].facts[rule.place]
    guard their.effect != facts.effect || their.isReported, let others = their.loads else {
      return false
    }
    return !isCancelledAnyway(rule, by: exception) && !sets.areDisjoint(loads, others)
  }

  /// Whether a rule's own list has the same exception behind it, so that on the exception's loads the rule does
  /// nothing in either case.
  ///
  /// An exception to what follows could keep the list's own one from acting.
  private func isCancelledAnyway(
    _ rule: (list: Int, place: Int),
    by exception: (list: Int, place: Int)
  ) -> Bool {
    let own = facts[exception.list]
    guard own.facts[exception.place].effect == .ignorePrevious, !hasFollowing[rule.list],
      let last = exceptions[rule.list][RuleContent(own.rules[exception.place])]?.last
    else { return false }
    return last > rule.place
  }

  /// Whether the same rules are part of a global sheet as before, which exceptions of one list switch
  /// off for that list alone.
  private func checkGlobalSheet(_ entries: [Entry]) throws(Failure) {
    var hasException = false
    for entry in entries {
      let source = entry.sources[0]
      let facts = self.facts[source.list].facts[source.place]
      if facts.isException { hasException = true }
      let isGlobal = self.facts[source.list].isGlobal(source.place)
      guard facts.isForGlobalSheet, isGlobal == hasException else { continue }
      throw .globalSheet(Place(list: source.list, rule: facts.number))
    }
  }

  private func checkShared() throws(Failure) {
    guard lists.count > 1 else { return }
    var notifying: [String: Int] = [:]
    for (number, list) in lists.enumerated() {
      for rule in list.rules {
        switch rule.action {
        case .notify(let text):
          // In one list there would be one notification, and not one of each list.
          if notifying[text, default: number] != number {
            throw .redirect(Place(list: number, rule: rule.index))
          }
          notifying[text] = number
        case .redirect, .modifyHeaders: throw .redirect(Place(list: number, rule: rule.index))
        default: continue
        }
      }
    }
  }
}

internal import ContentRules
internal import RuleProofs

/// Joins lists to one that does what they do together.
///
/// In one list the exceptions of a later list would also cancel what earlier ones do. So exceptions
/// that all lists have are joined, and every other exception must be proved to meet no rule of
/// another list before it.
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

  /// Prepares lists, at least one.
  package init(_ lists: [ListInput]) {
    self.lists = lists
    facts = lists.map { [sets] in ListFacts($0.rules, sets: sets) }
  }

  /// A rule of the joined list.
  private struct Entry {
    /// The lists and places that it stands for: several only for an exception.
    var sources: [(list: Int, place: Int)]
  }

  /// Returns the joined list.
  ///
  /// - Throws: ``Failure``.
  /// - Complexity: O(*n* · *m*) comparisons for *n* rules and *m* exceptions that not all lists have.
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
      joinedExceptions: entries.count { $0.sources.count > 1 }
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
      entries.append(Entry(sources: sources))
      for source in sources { cursors[source.list] = source.place + 1 }
    }
    for list in facts.indices { append(list, upTo: facts[list].facts.count) }
    return entries
  }

  private func place(of rule: Rule, in list: Int, from start: Int) -> Int? {
    facts[list].rules[start...].firstIndex {
      // Each that has an identifier is reported by itself.
      $0.trigger == rule.trigger && $0.action == rule.action && $0.identifier == nil
        && rule.identifier == nil
    }
  }

  // MARK: Proofs

  /// Whether each exception is proved to meet no rule of a list that does not have it.
  private func check(_ entries: [Entry]) throws(Failure) {
    for (number, entry) in entries.enumerated() {
      let own = entry.sources[0]
      let facts = self.facts[own.list].facts[own.place]
      guard facts.isException, entry.sources.count < lists.count else { continue }
      let range =
        facts.effect == .ignorePrevious ? 0..<number : number + 1..<entries.count
      for other in entries[range] {
        for source in other.sources where source.list != own.list {
          let their = self.facts[source.list].facts[source.place]
          guard their.effect != facts.effect || their.isReported, let loads = facts.loads,
            let others = their.loads,
            !sets.areDisjoint(loads, others)
          else { continue }
          throw .exceptionMeets(
            exception: Place(list: own.list, rule: facts.number),
            rule: Place(list: source.list, rule: their.number)
          )
        }
      }
    }
    try checkGlobalSheet(entries)
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

package import ContentRules
package import ResourceLoads

/// The loads that a trigger matches: a pattern, flags, and a condition on page or frame.
///
/// The three are judged apart, as if each URL could be loaded in every way on every page. So what
/// is proved holds for all loads, and some things that hold are not proved.
package struct LoadSet: Hashable, Sendable {
  /// The pattern.
  package var pattern: PatternTable.Number
  /// The types of resource, without gaps: all of them if the trigger names none.
  package var types: ResourceType
  /// The parties; both if the trigger names none.
  package var parties: LoadType
  /// The contexts; both if the trigger names none.
  package var contexts: LoadContext
  /// The method; `nil` for any.
  package var method: RequestMethod?
  /// The condition; 0 for none.
  package var condition: PageConditions.Number
}

extension LoadSet {
  /// The combinations of type, party and context, a bit for each of the 56.
  package var cells: UInt64 {
    var cells: UInt64 = 0
    for (place, way) in Self.ways.enumerated()
    where parties.contains(way.party) && contexts.contains(way.context) {
      cells |= UInt64(types.rawValue) << (14 * UInt64(place))
    }
    return cells
  }

  private static let ways: [(party: LoadType, context: LoadContext)] = [
    (.firstParty, .topFrame), (.firstParty, .childFrame), (.thirdParty, .topFrame),
    (.thirdParty, .childFrame),
  ]
}

/// The sets of loads that belong to rules, and proofs about them.
package final class LoadSets {
  /// The patterns of all sets.
  package let patterns: PatternTable
  /// The conditions of all sets.
  package let conditions: PageConditions
  /// The comparisons of two sets that were made.
  package private(set) var comparisons = 0
  private var refused = 0
  /// The most comparisons; behind them, nothing is proved any more.
  package var comparisonLimit = Int.max

  /// Creates an empty table.
  package init() {
    patterns = PatternTable()
    conditions = PageConditions(patterns: patterns)
  }

  /// Returns the loads that a trigger matches; `nil` for a trigger that WebKit never sees to match,
  /// because of its request method and condition.
  ///
  /// > Source: the rule language, section 6.4, "Defect".
  package func loads(of trigger: Trigger) -> LoadSet? {
    var condition = trigger.condition
    if trigger.flags.requestMethod != nil, let own = condition {
      guard own.isNegated else { return nil }
      condition = nil
    }
    let flags = trigger.flags
    let any: LoadType = [.firstParty, .thirdParty]
    let everywhere: LoadContext = [.topFrame, .childFrame]
    return LoadSet(
      pattern: patterns.number(of: trigger.urlFilter),
      types: flags.resourceTypes.isEmpty ? .all : flags.resourceTypes,
      parties: flags.loadTypes.isEmpty ? any : flags.loadTypes,
      contexts: flags.loadContexts.isEmpty ? everywhere : flags.loadContexts,
      method: flags.requestMethod,
      condition: conditions.number(of: condition)
    )
  }

  // MARK: Proofs

  /// Bounds what all proofs about a list of some rules cost together.
  ///
  /// What is left undecided because of it is counted by ``givenUp``.
  package func limit(forRules count: Int) {
    comparisonLimit = comparisons + 4_000_000 + 200 * count
    patterns.budget = patterns.visited + 8_000_000 + 400 * count
  }

  /// The searches and comparisons that were given up, all of them left undecided.
  package var givenUp: Int { patterns.givenUp + refused }

  /// Counts a comparison; false if there were too many.
  private func counts() -> Bool {
    guard comparisons < comparisonLimit else {
      refused += 1
      return false
    }
    comparisons += 1
    return true
  }

  /// Whether it is proved that each load of the first set is in the second.
  package func isIncluded(_ first: LoadSet, in second: LoadSet) -> Bool {
    first.cells & ~second.cells == 0 && isIncludedApartFromCells(first, in: second)
  }

  /// Whether it is proved that each load of the first set would be in the second if that had the
  /// first one's types, parties and contexts.
  package func isIncludedApartFromCells(_ first: LoadSet, in second: LoadSet) -> Bool {
    counts() && (second.method == nil || first.method == second.method)
      && conditions.isIncluded(first.condition, in: second.condition)
      && patterns.inclusion(of: first.pattern, in: second.pattern) == .proved
  }

  /// Whether it is proved that no load is in both sets.
  package func areDisjoint(_ first: LoadSet, _ second: LoadSet) -> Bool {
    guard counts() else { return false }
    if first.types.isDisjoint(with: second.types) || first.parties.isDisjoint(with: second.parties)
      || first.contexts.isDisjoint(with: second.contexts)
    {
      return true
    }
    if let method = first.method, let other = second.method, method != other { return true }
    if conditions.areDisjoint(first.condition, second.condition) { return true }
    return patterns.meeting(first.pattern, second.pattern) == .none
  }
}

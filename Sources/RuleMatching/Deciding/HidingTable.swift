/// The slots of the rules that hide elements on a page whatever the load, prepared for counting
/// without visiting each.
///
/// Most of them apply to any page: those without a condition, and those with a negated one that
/// does not match. These are counted once per list; a page removes some and adds some.
package struct HidingTable: Sendable {
  /// The slots of the rules without a condition or with a negated one, in order.
  private let usual: [UInt32]
  /// The slots of rules with a negated condition, by condition, and the index of each condition's
  /// first.
  private let negatedStarts: [UInt32]
  private let negated: [UInt32]
  private let list: CompiledRuleList

  /// Collects the slots.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rules that hide something.
  package init(_ list: CompiledRuleList) {
    self.list = list
    let table = list.universal
    let conditionCount = Int(list.info.conditionCount)
    var usual: [UInt32] = []
    var counts = [UInt32](repeating: 0, count: conditionCount + 1)
    var pairs: [(condition: Int, slot: UInt32)] = []
    for number in table.alwaysActing..<table.always {
      let entryClass = list.classes[table.entry(number).entryClass]
      guard entryClass.hidesWhateverTheLoad else { continue }
      usual.append(entryClass.slot)
      guard let condition = entryClass.conditionNumber else { continue }
      counts[condition + 1] += 1
      pairs.append((condition, entryClass.slot))
    }
    usual.sort()
    for condition in 0..<conditionCount { counts[condition + 1] += counts[condition] }
    var next = counts
    var negated = [UInt32](repeating: 0, count: pairs.count)
    for pair in pairs {
      negated[Int(next[pair.condition])] = pair.slot
      next[pair.condition] += 1
    }
    self.usual = usual
    self.negatedStarts = counts
    self.negated = negated
  }

  /// The page's part in the count: slots to remove from, and to add to, the usual ones.
  package struct Page: Sendable {
    fileprivate var isKnown = false
    fileprivate var removed: [UInt32] = []
    fileprivate var added: [UInt32] = []
    /// The filters that always run and matched the last load counted, and the slots that they hide
    /// by.
    fileprivate var filters: [Int] = []
    fileprivate var ofFilters: [UInt32] = []

    /// Creates the state of no page.
    package init() {}

    /// Forgets the page; keeps the memory.
    package mutating func reset() {
      isKnown = false
      filters.removeAll(keepingCapacity: true)
      ofFilters.removeAll(keepingCapacity: true)
    }
  }

  /// Counts the rules that hide something on the page of the last decision, without those that an
  /// ignore rule cuts off and those that depend on the load.
  ///
  /// - Parameters:
  ///   - decision: What the list does to the load.
  ///   - page: The list's state for the load's page.
  ///   - known: The cache for that page; reset it whenever the page's state is updated.
  ///   - scratch: The scratch, as the decision left it.
  /// - Returns: The number.
  /// - Complexity: O(log *n*) for *n* rules that hide something, once the page is known.
  package func count(
    _ decision: ListDecision,
    _ page: @autoclosure () -> PageState,
    _ known: inout Page,
    _ scratch: borrowing MatchScratch
  ) -> Int {
    if !known.isKnown { learn(page(), &known) }
    var count =
      Self.count(usual, decision) - Self.count(known.removed, decision)
      + Self.count(known.added, decision)
    if !scratch.hidingFilters.isEmpty {
      if known.filters != scratch.hidingFilters {
        // Copied, not shared: otherwise the scratch would allocate anew for its next load.
        known.filters.removeAll(keepingCapacity: true)
        known.filters.append(contentsOf: scratch.hidingFilters)
        known.ofFilters = list.hidingEntries(ofFilters: known.filters, page()).map { $0.slot }
      }
      count += Self.count(known.ofFilters, decision)
    }
    return count
  }

  private func learn(_ page: PageState, _ known: inout Page) {
    let table = list.universal
    known.removed.removeAll(keepingCapacity: true)
    known.added.removeAll(keepingCapacity: true)
    for condition in page.matchedConditions {
      let condition = Int(condition)
      known.removed += negated[Int(negatedStarts[condition])..<Int(negatedStarts[condition + 1])]
      for number in table.first(condition)..<table.first(condition + 1) {
        let entryClass = list.classes[table.entry(number).entryClass]
        if entryClass.hidesWhateverTheLoad { known.added.append(entryClass.slot) }
      }
    }
    known.removed.sort()
    known.added.sort()
    known.isKnown = true
  }

  /// Counts the slots that a decision keeps; `slots` must be sorted.
  private static func count(_ slots: [UInt32], _ decision: ListDecision) -> Int {
    if decision.lowerSlot < 0, decision.upperSlot == .max { return slots.count }
    let low = firstIndex(slots) { Int64($0) > decision.lowerSlot }
    let high = firstIndex(slots) { Int64($0) >= decision.upperSlot }
    return max(0, high - low)
  }

  private static func firstIndex(_ slots: [UInt32], _ isReached: (UInt32) -> Bool) -> Int {
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if isReached(slots[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

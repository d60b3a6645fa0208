internal import RuleMatching

/// What a list hides on one page, without rules that depend on the load: the distinct sets of rules
/// that loads of the page hide by.
///
/// Most loads of a page hide by the same rules, of which there may be thousands; determining them
/// costs more than deciding. Callers cache them by the set's number.
struct HidingSets: Sendable {
  private struct Known {
    /// The always-run filters that matched; together with the page they determine the rules.
    var filters: [Int]
    /// The slots between which rules survive.
    var lowerSlot: Int64
    var upperSlot: Int64
    var number: UInt32
  }

  /// Bounds the memory for a page whose loads all hide something else.
  private static let capacity = 16

  private var known: [Known] = []

  /// Forgets all sets.
  mutating func removeAll() { known.removeAll(keepingCapacity: true) }

  /// Returns the number of a set, if it is known.
  func number(_ filters: [Int], lowerSlot: Int64, upperSlot: Int64) -> UInt32? {
    for set in known
    where set.lowerSlot == lowerSlot && set.upperSlot == upperSlot && set.filters == filters {
      return set.number
    }
    return nil
  }

  /// Adds a set under a number that must be unique.
  mutating func add(_ filters: [Int], lowerSlot: Int64, upperSlot: Int64, number: UInt32) {
    if known.count >= Self.capacity { removeAll() }
    known.append(
      Known(filters: filters, lowerSlot: lowerSlot, upperSlot: upperSlot, number: number)
    )
  }
}

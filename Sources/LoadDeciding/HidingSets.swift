internal import RuleMatching

/// What a list hides on one page, apart from what asks about the load: the sets of rules that loads of
/// the page were found to hide by.
///
/// Most loads of a page hide by the same rules, of which there may be thousands; finding out which they
/// are costs more than deciding does. Whoever needs them keeps them by the set's number.
struct HidingSets: Sendable {
  private struct Known {
    /// The filters that run on every URL and matched; with the page they decide the rules.
    var filters: [Int]
    /// The slots between which rules are left.
    var lowerSlot: Int64
    var upperSlot: Int64
    var number: UInt32
  }

  /// A page whose loads all hide something else is not worth more memory.
  private static let capacity = 16

  private var known: [Known] = []

  /// Forgets all sets.
  mutating func removeAll() { known.removeAll(keepingCapacity: true) }

  /// The number of a set, if it is known.
  func number(_ filters: [Int], lowerSlot: Int64, upperSlot: Int64) -> UInt32? {
    for set in known
    where set.lowerSlot == lowerSlot && set.upperSlot == upperSlot && set.filters == filters {
      return set.number
    }
    return nil
  }

  /// Adds a set under a number that no other set has had.
  mutating func add(_ filters: [Int], lowerSlot: Int64, upperSlot: Int64, number: UInt32) {
    if known.count >= Self.capacity { removeAll() }
    known.append(
      Known(filters: filters, lowerSlot: lowerSlot, upperSlot: upperSlot, number: number)
    )
  }
}

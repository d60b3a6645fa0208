/// Entries of filters that apply if a condition of the page matches, sorted by condition.
///
/// A page matches few of the conditions that many rules have, so that few of their entries are looked at.
struct ConditionalEntries: Sendable {
  /// An entry of a filter.
  struct Entry {
    /// The number of the filter within the table that has it.
    var filter: UInt32
    var entryClass: UInt32
    var rule: UInt32
  }

  /// For each condition, and once more for the end, its first entry in ``entries``; empty if there is none.
  private var starts: [UInt32] = []
  /// The entries, by condition and then by filter once they are sorted.
  private(set) var entries: [Entry] = []

  var count: Int { entries.count }

  /// Adds an entry of the last filter or of a later one, before all are sorted.
  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Takes back the entries that were added last.
  mutating func removeEntries(from count: Int) { entries.removeSubrange(count...) }

  /// Sorts the entries, each of which must have a condition that must match.
  ///
  /// - Complexity: O(*n* + *c*) for *n* entries and *c* conditions.
  mutating func sort(_ classes: EntryClasses, conditionCount: Int) {
    guard !entries.isEmpty else { return }
    var counts: [UInt32] = Array(repeating: 0, count: conditionCount + 1)
    for entry in entries {
      if let condition = classes[entry.entryClass].matchingCondition { counts[condition + 1] += 1 }
    }
    for condition in 0..<conditionCount { counts[condition + 1] += counts[condition] }
    starts = counts
    // Counting keeps the order of filters within a condition.
    let unsorted = entries
    for entry in unsorted {
      guard let condition = classes[entry.entryClass].matchingCondition else { continue }
      entries[Int(counts[condition])] = entry
      counts[condition] += 1
    }
  }

  /// Collects the entries of conditions that match, in the order of their filters.
  ///
  /// - Parameters:
  ///   - conditions: The numbers of the conditions.
  ///   - keys: What to fill: the number of the filter, and that of the entry in the lower 32 bits.
  @inline(__always)
  func collect(_ conditions: [UInt32], _ keys: inout [UInt64]) {
    if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
    if !starts.isEmpty, !conditions.isEmpty { collectSome(conditions, &keys) }
  }

  private func collectSome(_ conditions: [UInt32], _ keys: inout [UInt64]) {
    for condition in conditions {
      for number in Int(starts[Int(condition)])..<Int(starts[Int(condition) + 1]) {
        keys.append(UInt64(entries[number].filter) << 32 | UInt64(truncatingIfNeeded: number))
      }
    }
    keys.sortWithoutAllocating()
  }

  /// Returns the entry that a key stands for.
  @inline(__always)
  func entry(_ key: UInt64) -> Entry { entries[Int(truncatingIfNeeded: key & 0xFFFF_FFFF)] }
}

extension EntryClass {
  /// The number of the condition that must match; `nil` if there is none, or it is negated.
  var matchingCondition: Int? {
    (condition &- 1) & 1 != 0 ? nil : conditionNumber
  }
}

extension [UInt64] {
  /// Sorts in place.
  ///
  /// The standard library's sort allocates for more than 64 elements, and an update of a page's state
  /// must not. Most arrays here are sorted already.
  ///
  /// - Complexity: O(*n*) if sorted, otherwise O(*n* log *n*).
  fileprivate mutating func sortWithoutAllocating() {
    guard count > 1, !indices.dropFirst().allSatisfy({ self[$0 - 1] <= self[$0] }) else { return }
    for root in stride(from: count / 2 - 1, through: 0, by: -1) { sink(root, before: count) }
    for end in stride(from: count - 1, to: 0, by: -1) {
      swapAt(0, end)
      sink(0, before: end)
    }
  }

  /// Restores the order of a heap in which only one element may be too small.
  private mutating func sink(_ place: Int, before end: Int) {
    var parent = place
    while 2 * parent + 1 < end {
      var child = 2 * parent + 1
      if child + 1 < end, self[child] < self[child + 1] { child += 1 }
      guard self[parent] < self[child] else { return }
      swapAt(parent, child)
      parent = child
    }
  }
}

// Hot: read by each update of a page's state. Without it, every update decodes the postings of all
// filters that run on every URL, of which lists have up to a thousand, nearly all with conditions
// that do not hold. Built once when a list is opened; bounded by the size of the file. Guarded by
// `Scripts/count-instructions`.

/// The entries of the filters that run on every URL, by the conditions under which they apply.
struct AlwaysRunTable: Sendable {
  /// An entry of a filter.
  struct Entry {
    /// The number of the filter within the table.
    var filter: UInt32
    var entryClass: UInt32
    var rule: UInt32
  }

  /// A filter's entries that have no condition, or a negated one, in ``usual``.
  struct Usual {
    var filter: UInt32
    /// Those that do more than hide elements whatever the load.
    var acting: Range<Int>
    var hiding: Range<Int>
  }

  /// The record of each filter, in the order of the index.
  private(set) var records: [Int] = []
  /// The filters that have entries without a condition or with a negated one, in order.
  private(set) var usualFilters: [Usual] = []
  private(set) var usual: [Entry] = []
  /// For each condition, and once more for the end, its first entry in ``conditional``; empty if
  /// there is none.
  private var starts: [UInt32] = []
  /// The entries that apply if a condition matches, by condition and then by filter.
  private(set) var conditional: [Entry] = []

  /// Decodes the filters of a validated index.
  ///
  /// - Complexity: O(*n* + *c*) for *n* entries and *c* conditions.
  init(_ scanner: IndexScanner, _ classes: EntryClasses, conditionCount: Int) {
    var hiding: [Entry] = []
    var counts: [UInt32] = []
    scanner.eachAlwaysRun { record in
      let filter = UInt32(truncatingIfNeeded: records.count)
      records.append(record)
      let first = usual.count
      hiding.removeAll(keepingCapacity: true)
      scanner.eachPosting(of: record) { posting in
        let entry = Entry(filter: filter, entryClass: posting.number, rule: posting.rule)
        let entryClass = classes[posting.number]
        if let condition = entryClass.matchingCondition {
          if counts.isEmpty { counts = Array(repeating: 0, count: conditionCount + 1) }
          counts[condition + 1] += 1
          conditional.append(entry)
        } else if entryClass.hidesWhateverTheLoad {
          hiding.append(entry)
        } else {
          usual.append(entry)
        }
      }
      let middle = usual.count
      usual += hiding
      if usual.count > first {
        usualFilters.append(
          Usual(filter: filter, acting: first..<middle, hiding: middle..<usual.count)
        )
      }
    }
    guard !conditional.isEmpty else { return }
    for condition in 0..<conditionCount { counts[condition + 1] += counts[condition] }
    starts = counts
    // Counting keeps the order of filters within a condition.
    let unsorted = conditional
    for entry in unsorted {
      guard let condition = classes[entry.entryClass].matchingCondition else { continue }
      conditional[Int(counts[condition])] = entry
      counts[condition] += 1
    }
  }

  /// Returns the entries of a condition that matches, as a range of ``conditional``.
  @inline(__always)
  func entries(ofCondition number: UInt32) -> Range<Int> {
    guard !starts.isEmpty else { return 0..<0 }
    return Int(starts[Int(number)])..<Int(starts[Int(number) + 1])
  }
}

extension EntryClass {
  /// The number of the condition that must match; `nil` if there is none, or it is negated.
  fileprivate var matchingCondition: Int? {
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
  mutating func sortWithoutAllocating() {
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

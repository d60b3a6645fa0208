// Hot: read by each update of a page's state. Without it, every update decodes the postings of all
// filters that run on every URL, of which lists have up to a thousand, nearly all with conditions
// that do not hold. Built once when a list is opened; bounded by the size of the file. Guarded by
// `Scripts/count-instructions`.

/// The entries of the filters that run on every URL, by the conditions under which they apply.
struct AlwaysRunTable: Sendable {
  typealias Entry = ConditionalEntries.Entry

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
  /// The entries that apply if a condition matches.
  private(set) var conditional = ConditionalEntries()

  /// Decodes the filters of a validated index.
  ///
  /// - Complexity: O(*n* + *c*) for *n* entries and *c* conditions.
  init(_ scanner: IndexScanner, _ classes: EntryClasses, conditionCount: Int) {
    var hiding: [Entry] = []
    scanner.eachAlwaysRun { record in
      let filter = UInt32(truncatingIfNeeded: records.count)
      records.append(record)
      let first = usual.count
      hiding.removeAll(keepingCapacity: true)
      scanner.eachPosting(of: record) { posting in
        let entry = Entry(filter: filter, entryClass: posting.number, rule: posting.rule)
        let entryClass = classes[posting.number]
        if entryClass.matchingCondition != nil {
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
    conditional.sort(classes, conditionCount: conditionCount)
  }
}

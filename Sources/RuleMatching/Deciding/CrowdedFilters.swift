// Hot: read by each decision whose URL meets a filter that many rules share. Without it, the class and the
// condition of each of these rules are looked up, of which lists have hundreds and generated ones a hundred
// thousand. Built once when a list is opened; bounded by the size of the file. Guarded by
// `Scripts/count-instructions`.

/// The filters that many rules share under conditions of their own, with their entries by condition.
struct CrowdedFilters: Sendable {
  /// From how many postings on a filter may be in the table.
  ///
  /// With fewer, going through them takes no longer than looking the filter up.
  static let leastPostings = 16

  /// A filter of the table.
  struct Filter {
    /// Where its postings begin and end in the image.
    var postings: Range<Int>
    /// Its entries that have no condition, or a negated one, in ``CrowdedFilters/usual``.
    var usual: Range<Int>
  }

  /// The filters, in the order of their postings.
  private(set) var filters: [Filter] = []
  private(set) var usual: [Posting] = []
  /// The entries that apply if a condition matches.
  private(set) var conditional = ConditionalEntries()

  /// Decodes filters of a validated index.
  ///
  /// - Parameters:
  ///   - index: The index that has the filters.
  ///   - places: Where the postings of filters that have at least ``leastPostings`` begin in the image.
  ///   - classes: The entry classes.
  ///   - conditionCount: The number of conditions.
  /// - Complexity: O(*n* + *c*) for *n* entries and *c* conditions.
  init(_ index: IndexWalk, at places: [Int], _ classes: EntryClasses, conditionCount: Int) {
    for place in places.sorted() {
      let filter = UInt32(truncatingIfNeeded: filters.count)
      let (firstUsual, firstConditional) = (usual.count, conditional.count)
      let end = index.postings(at: place).each { posting in
        if classes[posting.number].matchingCondition != nil {
          conditional.append(
            ConditionalEntries.Entry(
              filter: filter,
              entryClass: posting.number,
              rule: posting.rule
            )
          )
        } else {
          usual.append(posting)
        }
      }
      if conditional.count - firstConditional >= Self.leastPostings {
        filters.append(Filter(postings: place..<end, usual: firstUsual..<usual.count))
      } else {
        // Too few are saved by looking it up.
        usual.removeSubrange(firstUsual...)
        conditional.removeEntries(from: firstConditional)
      }
    }
    conditional.sort(classes, conditionCount: conditionCount)
  }

  /// Returns the number of the filter whose postings begin at an offset of the image; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*) for *n* filters.
  func filter(at postings: Int) -> Int? {
    var (low, high) = (0, filters.count)
    while low < high {
      let middle = low + (high - low) / 2
      if filters[middle].postings.lowerBound < postings { low = middle + 1 } else { high = middle }
    }
    return low < filters.count && filters[low].postings.lowerBound == postings ? low : nil
  }
}

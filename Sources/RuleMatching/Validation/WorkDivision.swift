/// How the checks of a file are divided into two parts that take about as long.
///
/// It goes by sizes. How long a byte takes was measured with six real lists, by a clock around the check of each kind, and
/// is counted in what the checksum takes for one, about 0.05 ns.
struct WorkDivision {
  /// Whether the first part computes the checksum, and not the second.
  let firstHasChecksum: Bool
  /// Whether the work is worth two threads.
  let isWorthBoth: Bool
  /// How much of the key slots the first part has, of ``wholeShare``.
  private let share: Int

  private static let wholeShare = 64
  /// What a byte takes: of tables, of key records, of filter records and the tables of grams.
  private static let (ofTables, ofKeys, ofFilters) = (3, 6, 9)
  /// The least work of a part that is worth another thread, which takes some 80 µs to begin and to end.
  private static let leastWork = 2_500_000

  /// Divides the checks of a file with these sections and indexes.
  init(_ sections: SectionTable, _ indexes: [RecordValidator]) {
    // In 64ths: with an `Int` of 32 bits, nine times the size of a file would overflow.
    func work(_ bytes: Int, _ each: Int) -> Int { max(0, bytes) / Self.wholeShare * each }
    let tables = work(
      [Section.slots, .entryClasses, .universal].reduce(0) { $0 + sections.size($1) },
      Self.ofTables
    )
    var (keys, filters) = (0, 0)
    for records in indexes {
      let ofKeys = records.index.filterRecords - records.index.records
      keys += work(ofKeys, Self.ofKeys)
      filters += work(records.end - records.index.gramTable - ofKeys, Self.ofFilters)
    }
    let checksum = work(sections.start(.source), 1)
    firstHasChecksum = tables + keys <= filters
    let first = tables + keys + (firstHasChecksum ? checksum : 0)
    let second = filters + (firstHasChecksum ? 0 : checksum)
    // Only keys can be moved from the first part to the second.
    let moved = min(keys, max(0, first - second) / 2)
    share = max(0, Self.wholeShare - moved / max(1, keys / Self.wholeShare))
    isWorthBoth = min(first - moved, second + moved) >= Self.leastWork / Self.wholeShare
  }

  /// The key slots of an index that each part has.
  func slots(of records: RecordValidator) -> (first: Range<Int>, second: Range<Int>) {
    let slots = records.index.keySlots
    let first = slots / Self.wholeShare * share
    return (0..<first, first..<slots)
  }
}

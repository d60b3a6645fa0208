internal import RuleMatching
internal import WebURL

/// What lists hide on a page, collected from its loads.
///
/// Long lists have thousands of rules that hide something because of a load, and nearly all loads
/// of a page share them.
///
///     var hiding = PageHiding(listCount: blocker.lists.count)
///     for load in loads { blocker.addHiding(of: load, to: &hiding) }
///     hiding.count        // rules that hide something on the page
///
/// Takes a bit for each rule of the lists, and some bytes for each load that differs from those
/// before.
public struct PageHiding: Sendable {
  /// What determines the rules that a load hides by: loads with the same key hide the same.
  struct Key: Hashable {
    var list: Int
    var frame: WebURL
    var top: WebURL
    var filters: [Int]
    var rules: [UInt32]
    var decision: ListDecision
  }

  /// The number of rules that hide something, by key.
  private var counts: [Key: Int] = [:]
  /// For each list, a bit for each rule that hides something.
  private var bits: [[UInt64]]
  /// For each list, whether a load attaches its global sheet, which ``count`` excludes.
  public private(set) var attachesGlobalSheet: [Bool]

  /// Creates a page without loads.
  public init(listCount: Int) {
    bits = Array(repeating: [], count: listCount)
    attachesGlobalSheet = Array(repeating: false, count: listCount)
  }

  /// The number of rules that hide something, without the global sheets.
  public var count: Int { bits.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } } }

  /// Returns the rules of a list that hide something, ascending, without its global sheet.
  public func rules(ofList list: Int) -> [Int] {
    var rules: [Int] = []
    for (number, word) in bits[list].enumerated() {
      var rest = word
      while rest != 0 {
        rules.append(number * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return rules
  }

  /// Returns the number of rules that hide something for loads with a key; `nil` if there was none.
  func count(of key: Key) -> Int? { counts[key] }

  /// Adds the rules that matched for loads with a key.
  ///
  /// - Returns: The number of them that hide something.
  mutating func add(_ entries: [MatchedEntry], of key: Key) -> Int {
    if key.decision.attachesGlobalSheet { attachesGlobalSheet[key.list] = true }
    var count = 0
    var last: UInt32?
    for entry in entries where key.decision.keeps(entry.slot) {
      let word = Int(entry.rule / 64)
      let missing = word + 1 - bits[key.list].count
      if missing > 0 { bits[key.list] += Array(repeating: 0, count: missing) }
      bits[key.list][word] |= 1 << UInt64(entry.rule % 64)
      if entry.rule != last { count += 1 }
      last = entry.rule
    }
    counts[key] = count
    return count
  }
}

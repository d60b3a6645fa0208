internal import RuleMatching
internal import WebURL

/// What lists hide on a page, gathered from its loads.
///
/// Long lists have thousands of rules that hide something because of every load, and nearly all loads
/// of a page share them.
///
///     var hiding = PageHiding(listCount: blocker.lists.count)
///     for load in loads { blocker.addHiding(of: load, to: &hiding) }
///     hiding.count        // rules that hide something on the page
///
/// A value needs a bit for each rule of the lists, and some bytes for each load that is unlike those
/// before it.
public struct PageHiding: Sendable {
  /// What decides which rules a load hides by: where it is equal, so are they.
  struct Key: Hashable {
    var list: Int
    var frame: WebURL
    var top: WebURL
    var filters: [Int]
    var rules: [UInt32]
    var decision: ListDecision
  }

  /// How many rules hide something for loads that were met.
  private var counts: [Key: Int] = [:]
  /// By list, a bit for each rule that hides something.
  private var bits: [[UInt64]]
  /// By list, whether a load attaches the list's global sheet, which is apart from ``count``.
  public private(set) var attachesGlobalSheet: [Bool]

  /// Creates a page without loads.
  public init(listCount: Int) {
    bits = Array(repeating: [], count: listCount)
    attachesGlobalSheet = Array(repeating: false, count: listCount)
  }

  /// How many rules hide something, the global sheets apart.
  public var count: Int { bits.reduce(0) { $0 + $1.reduce(0) { $0 + $1.nonzeroBitCount } } }

  /// The rules of a list that hide something, ascending, its global sheet apart.
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

  /// How many rules hide something for loads of a key, if any was met.
  func count(of key: Key) -> Int? { counts[key] }

  /// Adds the rules that matched for loads of a key.
  ///
  /// - Returns: How many of them hide something.
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

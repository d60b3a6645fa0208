internal import RuleMatching

/// Lists that are lent out without being retained and released.
///
/// Both are atomic, and an array's element would need them for each load.
@safe struct BorrowedLists {
  /// The lists, which this keeps alive.
  private(set) var all: [CompiledRuleList]
  private var unretained: [Unmanaged<CompiledRuleList>]

  init(_ lists: [CompiledRuleList]) {
    all = lists
    unsafe unretained = unsafe lists.map { unsafe .passUnretained($0) }
  }

  mutating func append(_ list: CompiledRuleList) {
    all.append(list)
    unsafe unretained.append(.passUnretained(list))
  }

  mutating func remove(at number: Int) {
    unsafe unretained.remove(at: number)
    all.remove(at: number)
  }

  /// Calls a function with a list.
  @inline(__always)
  func withList<Result>(_ number: Int, _ body: (CompiledRuleList) -> Result) -> Result {
    unsafe unretained[number]._withUnsafeGuaranteedRef { body($0) }
  }
}

internal import RuleMatching

/// Lists that are lent to decisions without being retained and released for each.
@safe struct LentLists {
  // Both have the same lists in the same order. The first keeps them alive, and neither changes while a list
  // is lent, since that needs the value itself.
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

  /// Calls a function with a list, which must be there.
  @inline(__always)
  func withList<Result>(_ number: Int, _ body: (CompiledRuleList) -> Result) -> Result {
    defer { extendLifetime(all) }
    return unsafe unretained[number]._withUnsafeGuaranteedRef { body($0) }
  }
}

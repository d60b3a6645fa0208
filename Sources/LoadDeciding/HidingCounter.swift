package import RuleMatching

/// Counts the rules that hide something because of a load, without visiting each.
package struct HidingCounter: Sendable {
  private struct Page {
    var identity: UInt64 = 0
    /// What is known of the present page, by list.
    var known: [HidingTable.Page] = []
  }

  private let tables: [HidingTable]
  private var pages: [Page] = []

  /// Collects the rules of lists.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rules that hide something.
  package init(_ lists: [CompiledRuleList]) { tables = lists.map { HidingTable($0) } }

  /// Returns how many rules of a list hide something because of the last load, without those that
  /// depend on the load.
  ///
  /// - Complexity: O(log *n*) for *n* rules that hide something, once the page is known.
  package mutating func count(
    _ decision: ListDecision,
    list number: Int,
    _ decider: borrowing LoadDecider
  ) -> Int {
    let page = decider.page
    while pages.count <= page.entry { pages.append(Page()) }
    if pages[page.entry].identity != page.identity {
      pages[page.entry].identity = page.identity
      for list in pages[page.entry].known.indices { pages[page.entry].known[list].reset() }
      while pages[page.entry].known.count < tables.count {
        pages[page.entry].known.append(HidingTable.Page())
      }
    }
    // Moved out and back: a copy would retain and release its arrays.
    var known = HidingTable.Page()
    swap(&known, &pages[page.entry].known[number])
    let count = decider.hidingCount(tables[number], decision, list: number, &known)
    swap(&known, &pages[page.entry].known[number])
    return count
  }
}

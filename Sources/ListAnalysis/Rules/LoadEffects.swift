package import ContentBlocking
internal import ContentRules
internal import RuleMatching
internal import WebURL

/// What a list does to a load, as far as anybody can tell: the same effects by other rules are
/// equal.
package struct LoadEffects: Hashable, Sendable {
  /// All but what is hidden.
  package struct Outcome: Hashable, Sendable {
    /// Whether the load fails.
    package var isBlocked: Bool
    /// Whether it goes without cookies.
    package var blocksCookies: Bool
    /// Whether a `make-https` rule applies.
    package var makesHTTPS: Bool
    /// Notifications, redirects, header changes and reports, in the engine's order.
    package var others: [LoadDecision.AppliedAction.Effect]

    init(_ decision: LoadDecision) {
      isBlocked = decision.isBlocked
      blocksCookies = decision.blocksCookies
      makesHTTPS = decision.actions.contains { $0.kind == .makeHTTPS }
      others = decision.actions.compactMap { action in
        switch action.kind {
        case .notify, .redirect, .modifyHeaders, .reportIdentifier: action.effect
        default: nil
        }
      }
    }
  }

  /// All but what is hidden.
  package var outcome: Outcome
  /// The single selectors that hide, the global sheet's included.
  package var hidden: Set<String>

  /// Creates the effects of a decision; `globalSelectors` are the single selectors of each list's
  /// global sheet.
  package init(_ decision: LoadDecision, globalSelectors: [Set<String>]) {
    outcome = Outcome(decision)
    hidden = []
    for list in decision.hiddenSelectors {
      for part in SelectorParts.parts(of: list) { hidden.insert(String(part)) }
    }
    for (list, selectors) in zip(decision.lists, globalSelectors) where list.hidesGlobally {
      hidden.formUnion(selectors)
    }
  }
}

/// The same as ``LoadEffects``, in a form that is quickly compared: for lists with thousands of
/// selectors on one page.
struct EffectsSummary: Equatable {
  /// All but what is hidden.
  let outcome: LoadEffects.Outcome
  private(set) var hidden: SelectorNumbers.Selection

  /// The rules that hide together, by the first of them: their selectors are always the same.
  struct HidingRules: Hashable {
    var list: Int
    var first: Int
  }

  /// Sums a decision up; `known` has the selectors of rules that hid before, `globalSelectors` those of
  /// each list's global sheet.
  init(
    _ decision: LoadDecision,
    globalSelectors: [SelectorNumbers.Selection],
    _ numbers: SelectorNumbers,
    known: inout [HidingRules: [Int]]
  ) {
    outcome = LoadEffects.Outcome(decision)
    hidden = SelectorNumbers.Selection()
    for action in decision.actions {
      guard case .action(.cssDisplayNone(let selectors)) = action.effect,
        let first = action.rules.first
      else { continue }
      let rules = HidingRules(list: action.list, first: first)
      let own = known[rules] ?? numbers.numbers(of: selectors)
      known[rules] = own
      hidden.insert(own)
    }
    for (list, selectors) in zip(decision.lists, globalSelectors) where list.hidesGlobally {
      hidden.formUnion(selectors)
    }
  }
}

/// Numbers for single selectors, and those of each list of selectors that was met.
final class SelectorNumbers {
  private var numbers: [Substring: Int] = [:]
  /// The selectors by their numbers.
  private(set) var texts: [Substring] = []
  private var lists: [String: [Int]] = [:]

  /// A set of selectors.
  struct Selection: Equatable {
    /// A bit for each number; the last word is not 0.
    private var bits: [UInt64] = []

    /// Adds selectors.
    mutating func insert(_ numbers: [Int]) {
      guard let last = numbers.max() else { return }
      if last >> 6 >= bits.count {
        bits += Array(repeating: 0, count: (last >> 6) + 1 - bits.count)
      }
      for number in numbers { bits[number >> 6] |= 1 << UInt64(number & 63) }
    }

    /// Adds the selectors of another set.
    mutating func formUnion(_ other: Selection) {
      if other.bits.count > bits.count {
        bits += Array(repeating: 0, count: other.bits.count - bits.count)
      }
      for (place, word) in other.bits.enumerated() { bits[place] |= word }
    }

    /// Returns the first numbers that another set has not, up to a limit, and how many there are.
    func missing(in other: Selection, limit: Int) -> (first: [Int], count: Int) {
      var first: [Int] = []
      var count = 0
      for (place, word) in bits.enumerated() {
        var rest = place < other.bits.count ? word & ~other.bits[place] : word
        count += rest.nonzeroBitCount
        while rest != 0, first.count < limit {
          first.append(place << 6 + rest.trailingZeroBitCount)
          rest &= rest - 1
        }
      }
      return (first, count)
    }
  }

  /// Returns the numbers of the single selectors of a list.
  ///
  /// - Complexity: O(*n*) for *n* bytes; less if the same list was asked for before.
  func numbers(of list: String) -> [Int] {
    if let known = lists[list] { return known }
    let found = SelectorParts.parts(of: list).map { part in
      if let known = numbers[part] { return known }
      numbers[part] = texts.count
      texts.append(part)
      return texts.count - 1
    }
    lists[list] = found
    return found
  }
}

/// Asks lists for the effects on loads.
package final class EffectsDecider {
  private var blocker: ContentBlocker
  private let lists: [ContentRuleList]
  private let selectors: SelectorNumbers
  private lazy var globalSelectors: [Set<String>] = lists.map { list in
    Set((list.globalSelectors.map { SelectorParts.parts(of: $0) } ?? []).map { String($0) })
  }
  /// The selectors of the global sheets, which nearly every load has: not looked up for each.
  private lazy var globalSelections: [SelectorNumbers.Selection] = lists.map { list in
    var selection = SelectorNumbers.Selection()
    if let text = list.globalSelectors { selection.insert(selectors.numbers(of: text)) }
    return selection
  }
  private var known: [EffectsSummary.HidingRules: [Int]] = [:]

  /// Creates a decider for one list.
  package convenience init(_ list: ContentRuleList) { self.init([list]) }

  /// Creates a decider for several lists.
  package convenience init(_ lists: [ContentRuleList]) {
    self.init(lists, selectors: SelectorNumbers())
  }

  /// Creates a decider whose summaries are compared with those of others with the same numbers.
  init(_ lists: [ContentRuleList], selectors: SelectorNumbers) {
    blocker = ContentBlocker(lists: lists)
    self.lists = lists
    self.selectors = selectors
  }

  /// Returns what the lists do to a load in short; what is hidden is empty unless `hides`.
  func summary(of load: ResourceLoad, hides: Bool) -> EffectsSummary {
    EffectsSummary(
      blocker.decision(for: load, includesHiding: hides),
      globalSelectors: hides ? globalSelections : [],
      selectors,
      known: &known
    )
  }

  /// Returns what the lists do to a load; what is hidden is empty unless `hides`.
  ///
  /// - Complexity: That of a decision, and O(*n*) for *n* selectors that hide.
  package func effects(on load: ResourceLoad, hides: Bool = true) -> LoadEffects {
    LoadEffects(
      blocker.decision(for: load, includesHiding: hides),
      globalSelectors: hides ? globalSelectors : []
    )
  }
}

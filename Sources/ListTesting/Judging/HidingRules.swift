internal import ContentBlocking
internal import ContentRules

/// The hiding rules of a list by their selectors.
///
/// - Complexity: O(*n*) memory for *n* bytes of selectors.
struct HidingRules {
  private var rules: [String: [Int]] = [:]
  private var global: Set<Int> = []

  init(_ source: ListSource) {
    for index in 0..<source.ruleCount {
      guard let rule = source.rule(at: index), case .cssDisplayNone(let selector) = rule.action
      else { continue }
      let parts = SelectorText.parts(of: selector)
      for part in parts where !part.isEmpty { rules[part, default: []].append(index) }
      let whole = SelectorText.normalized(selector.utf8)
      if parts.count > 1 { rules[whole, default: []].append(index) }
    }
    global = Set(source.globalRules.map(\.index))
  }

  /// Returns the rules that hide a selector, ascending.
  func rules(hiding selector: String) -> [Int] { rules[selector] ?? [] }

  /// Returns the selectors that contain a text, in order.
  func selectors(containing text: String) -> [String] {
    rules.keys.filter { $0.contains(text) }.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// Whether a rule belongs to the global sheet.
  func isGlobal(_ rule: Int) -> Bool { global.contains(rule) }
}

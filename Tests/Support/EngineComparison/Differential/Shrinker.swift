internal import CaseGenerators
internal import ReferenceMatcher

/// Shrinks a case while the engine still disagrees on it.
struct Shrinker {
  let engine: any Engine

  /// Returns the smallest disagreement that removing parts one by one leads to.
  func shrink(_ disagreement: Disagreement) -> Disagreement {
    var best = disagreement
    // Often one load is enough; if not, an earlier one has left state behind.
    if best.comparison.loads.count > 1 {
      best = attempt(best) { $0.loads = [$0.loads[$0.loads.count - 1]] } ?? best
    }
    var budget = 4_000
    var isSmaller = true
    while isSmaller, budget > 0 {
      isSmaller = false
      for change in changes(of: best.comparison) {
        budget -= 1
        if budget == 0 { break }
        if let smaller = attempt(best, change) {
          best = smaller
          isSmaller = true
          break
        }
      }
    }
    return best
  }

  private typealias Change = (inout ComparisonCase) -> Void

  private func attempt(_ old: Disagreement, _ change: Change) -> Disagreement? {
    var comparison = old.comparison
    change(&comparison)
    let changed = ComparisonCase(
      seed: comparison.seed,
      lists: comparison.lists,
      loads: comparison.loads
    )
    guard !changed.lists.isEmpty, changed.lists.allSatisfy({ !$0.isEmpty }) else { return nil }
    return Differential.disagreement(of: engine, on: changed)
  }

  /// Ways to make a case smaller, large steps first.
  private func changes(of comparison: ComparisonCase) -> [Change] {
    var changes: [Change] = []
    for list in comparison.lists.indices where comparison.lists.count > 1 {
      changes.append { $0.lists.remove(at: list) }
    }
    for load in comparison.loads.indices where comparison.loads.count > 1 {
      changes.append { $0.loads.remove(at: load) }
    }
    for (list, rules) in comparison.lists.enumerated() {
      for rule in rules.indices where rules.count > 1 {
        changes.append { $0.lists[list].remove(at: rule) }
      }
      for (rule, value) in rules.enumerated() {
        for smaller in smaller(value, isRule: true) {
          changes.append { $0.lists[list][rule] = smaller }
        }
      }
    }
    for load in comparison.loads.indices {
      for path in [\ReferenceLoad.url, \.topURL, \.frameURL] {
        let text = comparison.loads[load][keyPath: path]
        for shorter in shorter(text) where ComparisonCase.isPlainURL(shorter) {
          changes.append {
            $0.loads[load][keyPath: path] = shorter
            $0.loads[load].isFirstParty = sharesDomain($0.loads[load].url, $0.loads[load].topURL)
          }
        }
      }
    }
    return changes
  }

  /// The value without one of its parts.
  private func smaller(_ value: JSONValue, isRule: Bool = false) -> [JSONValue] {
    switch value {
    case .object(let members):
      members.keys.sorted().flatMap { key -> [JSONValue] in
        var without = members
        without[key] = nil
        let parts = smaller(members[key] ?? .null).map { part in
          var changed = members
          changed[key] = part
          return JSONValue.object(changed)
        }
        return [.object(without)] + parts
      }
    case .array(let members):
      members.indices.flatMap { index -> [JSONValue] in
        var without = members
        without.remove(at: index)
        let parts = smaller(members[index]).map { part in
          var changed = members
          changed[index] = part
          return JSONValue.array(changed)
        }
        return [.array(without)] + parts
      }
    case .string(let text): shorter(text).map { .string($0) }
    default: []
    }
  }

  /// The text without some of its characters.
  private func shorter(_ text: String) -> [String] {
    let characters = Array(text)
    var texts: [String] = []
    for length in [8, 3, 1] where characters.count > length {
      for start in stride(from: 0, through: characters.count - length, by: max(1, length / 2)) {
        texts.append(String(characters[..<start] + characters[(start + length)...]))
      }
    }
    return texts
  }
}

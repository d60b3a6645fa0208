/// A draft with its chosen form.
struct ChosenWay {
  var place: DraftPlace
  var way = 0
  var isForSession = false

  var list: Int { place.list }
  var draft: Int { place.draft }
}

extension Assembly {
  /// Drafts whose best form uses the same rules with regular expressions.
  private struct Bundle {
    var keys: [MergeKey]
    var choices: [ChosenWay] = []
    /// Whether there is no form without an expression.
    var isOnlyWay: Bool
  }

  /// Chooses forms so that regular expressions go first to rules that cannot be expressed
  /// otherwise, then to where one expression serves most rules, then by the lists' order.
  ///
  /// - Returns: The forms, in the lists' order, and those for which no expression was left.
  func chooseWays() -> (chosen: [ChosenWay], lost: [ChosenWay]) {
    var chosen: [ChosenWay] = []
    var lost: [ChosenWay] = []
    var left = translation.browser.dynamicRegexes
    var leftOfSession = translation.browser.sessionRegexes
    var taken: Set<MergeKey> = []
    var bundles = bundles(&chosen)
    bundles.sort {
      ($0.isOnlyWay ? 1 : 0, $0.choices.count) > ($1.isOnlyWay ? 1 : 0, $1.choices.count)
    }
    for bundle in bundles {
      let new = bundle.keys.filter { !taken.contains($0) }
      var isForSession = false
      if new.count <= left {
        left -= new.count
        taken.formUnion(new)
      } else if bundle.isOnlyWay, bundle.keys.count <= leftOfSession {
        leftOfSession -= bundle.keys.count
        isForSession = true
      } else if bundle.isOnlyWay {
        lost += bundle.choices
        continue
      } else {
        for var choice in bundle.choices {
          choice.way = draft(choice).ways.firstIndex { !$0.usesRegex } ?? 0
          chosen.append(choice)
        }
        continue
      }
      for var choice in bundle.choices {
        choice.isForSession = isForSession
        chosen.append(choice)
      }
    }
    chosen.sort { ($0.list, $0.draft) < ($1.list, $1.draft) }
    return (chosen, lost)
  }

  /// Bundles the drafts whose best form has expressions; adds the others to the chosen ones.
  private func bundles(_ chosen: inout [ChosenWay]) -> [Bundle] {
    var bundles: [Bundle] = []
    var places: [[MergeKey]: Int] = [:]
    for list in drafts.indices {
      for index in drafts[list].indices where orders[list].places[index] != .nowhere {
        let choice = ChosenWay(place: DraftPlace(list: list, draft: index))
        let ways = draft(choice).ways
        guard ways[0].usesRegex else {
          chosen.append(choice)
          continue
        }
        var keys: [MergeKey] = []
        for condition in ways[0].conditions {
          let key = MergeKey(choice, priority(of: choice.place), draft(choice).action, condition)
          if !keys.contains(key) { keys.append(key) }
        }
        let isOnlyWay = ways.allSatisfy(\.usesRegex)
        if let known = places[keys], bundles[known].isOnlyWay == isOnlyWay {
          bundles[known].choices.append(choice)
        } else {
          places[keys] = bundles.count
          bundles.append(Bundle(keys: keys, choices: [choice], isOnlyWay: isOnlyWay))
        }
      }
    }
    return bundles
  }

  func draft(_ choice: ChosenWay) -> RuleDraft { drafts[choice.list][choice.draft] }
}

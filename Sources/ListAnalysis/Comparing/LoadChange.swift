/// How a load, or what is hidden on its page, differs between two lists.
package enum LoadChange: String, CaseIterable, Hashable, Sendable {
  case newlyBlocked = "newly-blocked"
  case newlyLoaded = "newly-loaded"
  case newlyHidden = "newly-hidden"
  case newlyShown = "newly-shown"
  case cookies = "cookies-changed"
  case https = "https-changed"
  case other = "other-change"

  /// Returns the ways in which effects differ, the gravest first.
  package static func changes(from before: LoadEffects, to after: LoadEffects) -> [LoadChange] {
    changes(
      from: before.outcome,
      to: after.outcome,
      hidesMore: !after.hidden.isSubset(of: before.hidden),
      hidesLess: !before.hidden.isSubset(of: after.hidden)
    )
  }

  /// Returns the ways in which outcomes differ, and what is hidden, the gravest first.
  static func changes(
    from before: LoadEffects.Outcome,
    to after: LoadEffects.Outcome,
    hidesMore: Bool,
    hidesLess: Bool
  ) -> [LoadChange] {
    var changes: [LoadChange] = []
    if before.isBlocked != after.isBlocked {
      changes.append(after.isBlocked ? .newlyBlocked : .newlyLoaded)
    }
    if hidesMore { changes.append(.newlyHidden) }
    if hidesLess { changes.append(.newlyShown) }
    if before.blocksCookies != after.blocksCookies { changes.append(.cookies) }
    if before.makesHTTPS != after.makesHTTPS { changes.append(.https) }
    if before.others != after.others { changes.append(.other) }
    return changes
  }
}

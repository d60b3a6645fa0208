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
    var changes: [LoadChange] = []
    if before.isBlocked != after.isBlocked {
      changes.append(after.isBlocked ? .newlyBlocked : .newlyLoaded)
    }
    if !after.hidden.isSubset(of: before.hidden) { changes.append(.newlyHidden) }
    if !before.hidden.isSubset(of: after.hidden) { changes.append(.newlyShown) }
    if before.blocksCookies != after.blocksCookies { changes.append(.cookies) }
    if before.makesHTTPS != after.makesHTTPS { changes.append(.https) }
    if before.others != after.others { changes.append(.other) }
    return changes
  }
}

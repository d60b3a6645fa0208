/// What a maintainer decides by, of one rule.
package struct RuleEffects: Hashable, Sendable {
  /// The loads that no other applied rule of any list blocked.
  package var onlyBlocker = 0
  /// Of an ignore rule: the loads that loaded, and that the list would have blocked without it.
  package var rescued = 0
  /// The first-party loads that it blocked.
  package var firstParty = FirstPartyBlocks()

  /// Creates effects on nothing.
  package init() {}

  static func += (a: inout RuleEffects, b: RuleEffects) {
    a.onlyBlocker.add(b.onlyBlocker)
    a.rescued.add(b.rescued)
    a.firstParty += b.firstParty
  }
}

/// First-party loads that were blocked and without which a page is broken rather than tidied.
package struct FirstPartyBlocks: Hashable, Sendable {
  /// Of pages and frames.
  package var documents = 0
  package var scripts = 0
  package var styleSheets = 0

  /// Creates counts of nothing.
  package init() {}

  /// Whether there are any.
  package var isEmpty: Bool { documents == 0 && scripts == 0 && styleSheets == 0 }

  static func += (a: inout FirstPartyBlocks, b: FirstPartyBlocks) {
    a.documents.add(b.documents)
    a.scripts.add(b.scripts)
    a.styleSheets.add(b.styleSheets)
  }

  @inline(__always)
  mutating func add(_ kind: FirstPartyKind) {
    switch kind {
    case .other: break
    case .document: documents &+= 1
    case .script: scripts &+= 1
    case .styleSheet: styleSheets &+= 1
    }
  }
}

/// Which of ``FirstPartyBlocks`` a load is if it is blocked.
enum FirstPartyKind {
  case other, document, script, styleSheet
}

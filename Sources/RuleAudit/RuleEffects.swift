/// The effects of one rule by which a maintainer judges it.
package struct RuleEffects: Hashable, Sendable {
  /// The loads that no other applied rule of any list blocked.
  package var onlyBlocker = 0
  /// For an ignore rule, the loads that were not blocked and that the list would have blocked
  /// without it.
  package var rescued = 0
  /// The first-party loads that it blocked.
  package var firstParty = FirstPartyBlocks()

  /// Creates empty counts.
  package init() {}

  static func += (a: inout RuleEffects, b: RuleEffects) {
    a.onlyBlocker.add(b.onlyBlocker)
    a.rescued.add(b.rescued)
    a.firstParty += b.firstParty
  }
}

/// Blocked first-party loads without which a page is probably broken.
package struct FirstPartyBlocks: Hashable, Sendable {
  /// Documents of pages and frames.
  package var documents = 0
  package var scripts = 0
  package var styleSheets = 0

  /// Creates empty counts.
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

/// The kind of a load in ``FirstPartyBlocks``.
enum FirstPartyKind {
  case other, document, script, styleSheet
}

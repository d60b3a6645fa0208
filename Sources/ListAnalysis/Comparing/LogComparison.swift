package import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// Decides the loads of a log by two lists, and collects what differs.
package struct LogComparison {
  /// A load that the lists decide differently.
  package struct Difference {
    /// The load.
    package var load: ResourceLoad
    /// How it differs, the gravest first.
    package var changes: [LoadChange]
    /// What the old list does.
    package var before: LoadEffects
    /// What the new list does.
    package var after: LoadEffects
  }

  /// The loads that differ, in the log's order.
  package private(set) var differences: [Difference] = []
  /// The loads that were decided.
  package private(set) var loadCount = 0
  private let before: EffectsDecider
  private let after: EffectsDecider
  private let comparesHiding: Bool
  private var pages: Set<String> = []

  /// Prepares two lists; what is hidden is compared, for the document of each page, only if
  /// `comparesHiding`.
  package init(old: ContentRuleList, new: ContentRuleList, comparesHiding: Bool) {
    before = EffectsDecider(old)
    after = EffectsDecider(new)
    self.comparesHiding = comparesHiding
  }

  /// Adds a load of the log; of each page the document is decided as well.
  package mutating func add(_ load: ResourceLoad) {
    loadCount += 1
    let page = load.topURL.serialized
    let isDocument = load.resourceType == .topDocument
    if comparesHiding, pages.insert(page).inserted, !isDocument, load.topURL.scheme != "about" {
      let document = ResourceLoad(url: load.topURL, resourceType: .topDocument)
      // A page that is in no log may not have been loaded at all: only what it hides counts.
      compare(document, hides: true, keeping: [.newlyHidden, .newlyShown])
    }
    compare(load, hides: comparesHiding && (isDocument || load.resourceType == .childDocument))
  }

  private mutating func compare(
    _ load: ResourceLoad,
    hides: Bool,
    keeping kinds: Set<LoadChange> = Set(LoadChange.allCases)
  ) {
    let first = before.effects(on: load, hides: hides)
    let second = after.effects(on: load, hides: hides)
    guard first != second else { return }
    let changes = LoadChange.changes(from: first, to: second).filter { kinds.contains($0) }
    guard !changes.isEmpty else { return }
    differences.append(Difference(load: load, changes: changes, before: first, after: second))
  }
}

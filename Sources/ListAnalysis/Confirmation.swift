package import ContentBlocking

/// Confirms by the engine that a list decides as before without some rules.
package struct Confirmation: ~Copyable {
  private var before: EffectsDecider
  private var after: EffectsDecider
  /// The loads that were tried.
  package private(set) var count = 0

  /// Prepares two lists.
  package init(before: ContentRuleList, after: ContentRuleList) {
    self.before = EffectsDecider(before)
    self.after = EffectsDecider(after)
  }

  /// Whether both lists do the same to a load.
  package mutating func agrees(on load: ResourceLoad) -> Bool {
    count += 1
    return before.effects(on: load) == after.effects(on: load)
  }
}

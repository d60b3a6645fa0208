package import ContentBlocking

/// A rule that differs between two lists.
package struct Change {
  /// How it differs.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Only the new list has it.
    case added
    /// Only the old list has it.
    case removed
    /// It stands elsewhere among the others.
    case moved
    /// It is written in another way, and matches and does the same.
    case reworded
    /// It matches fewer loads.
    case narrower
    /// It matches more loads.
    case wider
    /// It matches others, or does something else.
    case changed
  }

  /// How it differs.
  package var kind: Kind
  /// The rule's number in the old list; `nil` if that has none.
  package var old: Int?
  /// The rule's number in the new list; `nil` if that has none.
  package var new: Int?
  /// A load that the lists decide differently because of it; `nil` if none was found.
  package var witness: Witness?
}

/// A load that two lists decide differently.
package struct Witness {
  /// The load.
  package var load: ResourceLoad
  /// How what they do to it differs.
  package var difference: EffectsDifference
}

/// How two lists differ.
package struct Comparison {
  /// Whether the lists decide all loads alike; `nil` if neither was proved.
  package var isEqual: Bool?
  /// The rules that differ: those of the new list in its order, then those that are gone.
  package var changes: [Change]
  /// The loads that were tried.
  package var loadsTried: Int
  /// The states that all searches for proofs and loads visited.
  package var statesSearched: Int
  /// The searches and comparisons that were given up because of their costs.
  package var givenUp: Int
}

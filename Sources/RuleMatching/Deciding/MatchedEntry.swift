/// A rule whose trigger matches a load, with its action's slot.
@frozen
public struct MatchedEntry: Hashable, Sendable {
  /// The action slot.
  public var slot: UInt32
  /// The rule's position in the JSON array, from 0.
  public var rule: UInt32
  /// What the slot does.
  public var kind: ActionKind
  /// Whether the rule matches every URL without a flag or a condition.
  public var isPlainUniversal: Bool
}

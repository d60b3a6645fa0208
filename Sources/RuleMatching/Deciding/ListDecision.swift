/// What one list does to a load, after both ignore actions.
///
/// The actions with slots strictly between ``lowerSlot`` and ``upperSlot`` apply; see the rule
/// language, section 7.1.
@frozen
public struct ListDecision: Hashable, Sendable {
  /// The kinds of actions that apply, one bit for each ``ActionKind``; without rules that hide
  /// elements whatever the load.
  public var kinds: UInt16 = 0
  /// The last `ignore-previous-rules` slot that counts, or -1.
  public var lowerSlot: Int64 = -1
  /// The first `ignore-following-rules` slot, or `Int64.max`.
  public var upperSlot: Int64 = .max

  /// Creates a decision without any action.
  public init() {}

  /// Whether an action of the kind applies.
  @inlinable
  public func has(_ kind: ActionKind) -> Bool { kinds >> UInt16(kind.rawValue) & 1 != 0 }

  /// Whether the load is blocked.
  @inlinable
  public var isBlocked: Bool { has(.block) }
  /// Whether the load goes without cookies.
  @inlinable
  public var blocksCookies: Bool { has(.blockCookies) }
  /// Whether an `http` URL is upgraded.
  @inlinable
  public var makesHTTPS: Bool { has(.makeHTTPS) }
  /// Whether the load attaches the list's global sheet to its document.
  @inlinable
  public var attachesGlobalSheet: Bool { lowerSlot < 0 }

  /// Whether a slot's action survives the ignore actions.
  @inlinable
  public func keeps(_ slot: UInt32) -> Bool {
    Int64(slot) > lowerSlot && Int64(slot) < upperSlot
  }
}

/// One action of a list's result for a load.
public struct AppliedAction: Hashable, Sendable {
  /// The action slot.
  public var slot: UInt32
  /// What the slot does.
  public var kind: ActionKind
  /// The rules that matched and share the slot, in the list's order; never empty.
  public var rules: [UInt32]
}

/// What an action slot does, as one byte.
///
/// > Source: WebKit `ActionType`; the rule language, section 9.
@frozen
public enum ActionKind: UInt8, CaseIterable, Hashable, Sendable {
  case block
  case blockCookies
  case cssDisplayNone
  case notify
  case ignorePreviousRules
  case ignoreFollowingRules
  case makeHTTPS
  case modifyHeaders
  case redirect
  case reportIdentifier
}

/// An action slot: one action of the list, and the first rule that has it.
///
///     offset  size  field
///          0     1  kind, see ``ActionKind``
///          1     3  zero
///          4     4  the action's text in ``Section/texts``, or 0xFFFFFFFF
///          8     4  the first rule that uses the slot
@frozen
public struct Slot: Hashable, Sendable {
  /// The size of a slot in the file, in bytes.
  public static let size = 12
  /// Stands for "no text".
  public static let noText = UInt32.max

  /// What the slot does.
  public var kind: ActionKind
  /// The offset of the action's text in ``Section/texts``.
  public var text: UInt32
  /// The index of the first rule that uses the slot.
  public var firstRule: UInt32

  /// Creates a slot from its fields.
  public init(kind: ActionKind, text: UInt32 = noText, firstRule: UInt32) {
    self.kind = kind
    self.text = text
    self.firstRule = firstRule
  }
}

/// What many entries have in common: slot, flags and condition.
///
///     offset  size  field
///          0     4  slot
///          4     4  bits 0–21 the trigger's flags, see ``ResourceLoads/TriggerFlags/packed``;
///                   bits 24–31 the slot's kind
///          8     4  condition: 0 for none, else 1 + 2 × number + (1 if negated)
@frozen
public struct EntryClass: Hashable, Sendable {
  /// The size of an entry class in the file, in bytes.
  public static let size = 12
  /// The bits of ``flagsAndKind`` that hold flags.
  public static let flagsMask: UInt32 = (1 << 22) - 1

  /// The action slot.
  public var slot: UInt32
  /// Flags in bits 0–21, the slot's kind in bits 24–31.
  public var flagsAndKind: UInt32
  /// The condition reference.
  public var condition: UInt32

  /// Creates an entry class from its fields.
  public init(slot: UInt32, flags: UInt32, kind: ActionKind, condition: UInt32) {
    self.slot = slot
    flagsAndKind = flags & Self.flagsMask | UInt32(kind.rawValue) << 24
    self.condition = condition
  }

  /// Returns the reference for a condition number.
  public static func conditionReference(number: Int, isNegated: Bool) -> UInt32 {
    1 + 2 * UInt32(number) + (isNegated ? 1 : 0)
  }
}

/// Counts of the whole list, 4 bytes each, in the order of the properties.
@frozen
public struct ListInfo: Hashable, Sendable {
  /// The size in the file, in bytes.
  public static let size = 32

  /// The number of elements of the JSON array, skipped ones included.
  public var ruleCount: UInt32 = 0
  /// The number of elements skipped because of their selectors.
  public var skippedCount: UInt32 = 0
  /// The number of conditions.
  public var conditionCount: UInt32 = 0
  /// The number of stamps: filters that run at most once per URL, over all indexes.
  public var stampCount: UInt32 = 0
  /// The instructions of the longest threads program, which the scratch must have room for.
  public var threadCount: UInt32 = 0
  /// The offset of the global sheet's selectors in ``Section/texts``, or 0xFFFFFFFF.
  public var globalSheet: UInt32 = .max
  /// The number of entries of the universal table.
  public var universalCount: UInt32 = 0
  /// The low half of the source text's checksum.
  public var sourceChecksum: UInt32 = 0

  /// Creates a record of zeros.
  public init() {}
}

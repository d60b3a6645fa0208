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

extension EntryClass {
  init(slot: UInt32, flagsAndKind: UInt32, condition: UInt32) {
    self.slot = slot
    self.flagsAndKind = flagsAndKind
    self.condition = condition
  }

  /// The number of the condition, negated or not; `nil` if there is none.
  var conditionNumber: Int? { condition == 0 ? nil : Int((condition &- 1) &>> 1) }

  /// Whether the entry hides elements whatever the load.
  var hidesWhateverTheLoad: Bool {
    flagsAndKind == UInt32(ActionKind.cssDisplayNone.rawValue) &<< 24
  }

  /// The trigger's flags, packed.
  public var flags: UInt32 { flagsAndKind & Self.flagsMask }

  /// The slot's kind; an unknown one, which the validator refuses, reads as `notify`.
  public var kind: ActionKind {
    ActionKind(rawValue: UInt8(truncatingIfNeeded: flagsAndKind &>> 24)) ?? .notify
  }
}

/// The entry classes of a list, read in place.
struct EntryClasses: Sendable {
  let image: Image
  let start: Int

  @inline(__always)
  subscript(_ number: UInt32) -> EntryClass {
    let offset = start &+ Int(number) &* EntryClass.size
    return EntryClass(
      slot: image.u32(offset),
      flagsAndKind: image.u32(offset &+ 4),
      condition: image.u32(offset &+ 8)
    )
  }

  /// Returns the flags and the condition of a class, by one read.
  @inline(__always)
  func trigger(_ number: UInt32) -> (flags: UInt32, condition: UInt32) {
    let word = image.u64(start &+ Int(number) &* EntryClass.size &+ 4)
    return (
      UInt32(truncatingIfNeeded: word) & EntryClass.flagsMask,
      UInt32(truncatingIfNeeded: word &>> 32)
    )
  }
}

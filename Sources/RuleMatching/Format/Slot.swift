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

extension Slot {
  /// Reads a slot; an unknown kind, which the validator refuses, reads as `notify`.
  init(_ image: Image, at offset: Int) {
    self.init(
      kind: ActionKind(rawValue: image.u8(offset)) ?? .notify,
      text: image.u32(offset + 4),
      firstRule: image.u32(offset + 8)
    )
  }
}

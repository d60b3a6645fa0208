/// A set of symbols 0–127: the alphabet that patterns and URLs share.
///
/// Symbol 0 is fed once after a URL's last character.
public struct SymbolSet: Hashable, Sendable {
  /// Symbols 0–63; bit *n* stands for symbol *n*.
  public var low: UInt64
  /// Symbols 64–127; bit *n* stands for symbol 64 + *n*.
  public var high: UInt64

  /// Creates a set from its bits.
  public init(low: UInt64 = 0, high: UInt64 = 0) {
    self.low = low
    self.high = high
  }

  /// Whether the set contains a symbol; false for numbers above 127.
  public func contains(_ symbol: UInt8) -> Bool {
    symbol < 64
      ? low >> UInt64(symbol) & 1 != 0
      : symbol < 128 && high >> UInt64(symbol - 64) & 1 != 0
  }

  /// Whether the set is empty.
  public var isEmpty: Bool { low | high == 0 }
}

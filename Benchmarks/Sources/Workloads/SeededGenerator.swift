/// Random numbers that are the same for a seed on every machine: SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Begins a sequence.
  public init(seed: UInt64) { state = seed }

  /// The next 64 random bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed &>> 31
  }

  /// A number from 0 up to but not including 1.
  mutating func share() -> Double { Double(next() &>> 11) * 0x1p-53 }

  /// A number from 0 up to but not including a bound above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// One of some values.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// One of some values by their weights.
  mutating func pick<Value>(weighted values: [(weight: Double, value: Value)]) -> Value {
    var rest = share() * values.reduce(0) { $0 + $1.weight }
    for (weight, value) in values {
      rest -= weight
      if rest < 0 { return value }
    }
    return values[values.count - 1].value
  }
}

/// A pseudo-random number generator with the same sequence for a seed on every machine.
///
/// It is splitmix64. It has its own methods for ranges and choices, because those of the standard
/// library may change between releases.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts a sequence.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  /// A number from 0 to just below a bound; 0 if the bound is not positive.
  public mutating func number(below bound: Int) -> Int {
    guard bound > 0 else { return 0 }
    return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of a closed range.
  public mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + number(below: range.count)
  }

  /// Returns true in the given percentage of cases.
  public mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  /// One of the elements.
  ///
  /// - Precondition: There is one.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// One of the values, each as often as its weight says.
  ///
  /// - Precondition: Some weight is positive.
  public mutating func pick<Value>(weighted choices: [(weight: Int, value: Value)]) -> Value {
    var remaining = number(below: choices.reduce(0) { $0 + $1.weight })
    for choice in choices {
      remaining -= choice.weight
      if remaining < 0 { return choice.value }
    }
    return choices[choices.count - 1].value
  }
}

/// A moment as archives write it, such as `2024-05-06T07:08:09.123+02:00`, in milliseconds.
struct HARTime: Comparable {
  var milliseconds: Int64

  static let zero = HARTime(milliseconds: 0)

  init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Parses a moment; `nil` if the text is not one.
  init?(_ text: String) {
    var digits = NumberReader(Array(text.utf8.prefix(40)))
    guard let year = digits.number(4), digits.skip("-"), let month = digits.number(2),
      digits.skip("-"), let day = digits.number(2), digits.skip("T") || digits.skip(" "),
      let hour = digits.number(2), digits.skip(":"), let minute = digits.number(2),
      digits.skip(":"), let second = digits.number(2), (1...12).contains(month)
    else { return nil }
    let fraction = digits.skip(".") ? digits.thousandths() : 0
    var offset: Int64 = 0
    if !digits.skip("Z"), let sign: Int64 = digits.skip("+") ? 1 : digits.skip("-") ? -1 : nil {
      guard let hours = digits.number(2) else { return nil }
      _ = digits.skip(":")
      offset = sign * (hours * 60 + (digits.number(2) ?? 0))
    }
    // Days since 1970, by years that begin in March.
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    let minutes = days * 1_440 + hour * 60 + minute - offset
    milliseconds = (minutes * 60 + second) * 1_000 + fraction
  }

  static func < (one: HARTime, other: HARTime) -> Bool { one.milliseconds < other.milliseconds }
}

/// Reads digits and signs.
private struct NumberReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number(_ count: Int) -> Int64? {
    guard rest.count >= count else { return nil }
    var value: Int64 = 0
    for byte in rest.prefix(count) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    rest = rest.dropFirst(count)
    return value
  }

  mutating func skip(_ sign: Character) -> Bool {
    guard let byte = sign.asciiValue, rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads three digits and skips the others.
  mutating func thousandths() -> Int64 {
    var value: Int64 = 0
    var place: Int64 = 100
    while let byte = rest.first, (0x30...0x39).contains(byte) {
      value += Int64(byte - 0x30) * place
      place /= 10
      rest.removeFirst()
    }
    return value
  }
}

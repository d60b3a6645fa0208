extension PatternReader {
  /// Applies a quantifier to what precedes it, and skips a lazy mark.
  mutating func quantify(minimum: UInt32, maximum: UInt32, in text: Span<UInt8>) {
    switch quantifiable {
    case .term:
      break
    case .lookBehind:
      return fail(.yarrError, tokenStart..<index, "a look-behind cannot be repeated")
    case .nothing:
      var hint = "write \\\(Unicode.Scalar(text[tokenStart])) for the character itself"
      if text[tokenStart] == 0x2A {
        hint = "to match any text write .* and for the character itself \\*"
      }
      return fail(
        .yarrError,
        tokenStart..<index,
        "there is nothing to repeat before this",
        hint: hint
      )
    }
    quantifiable = .nothing
    let range = tokenStart..<index
    if index < text.count, text[index] == 0x3F { index += 1 }
    if isRefused { return }
    switch (minimum, maximum) {
    case (0, 1): terms[floating].quantifier = .zeroOrOne
    case (0, .max): terms[floating].quantifier = .zeroOrMore
    case (1, .max): terms[floating].quantifier = .oneOrMore
    default:
      refuse(
        .invalidQuantifier,
        range,
        "only ?, * and + and what means the same are supported",
        hint: Self.replacement(minimum: minimum, maximum: maximum)
      )
    }
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; anything else is an ordinary brace and leaves `index` alone.
  mutating func readRepetition(in text: Span<UInt8>) -> Bool {
    let start = index
    guard let minimum = decimal(in: text) else { return false }
    var maximum = minimum
    if index < text.count, text[index] == 0x2C {
      index += 1
      maximum = decimal(in: text) ?? .max
    }
    guard index < text.count, text[index] == 0x7D else {
      index = start
      return false
    }
    index += 1
    if minimum == .max {
      fail(.yarrError, tokenStart..<index, "the number of repetitions is too large")
    } else if minimum > maximum {
      fail(
        .yarrError,
        tokenStart..<index,
        "the numbers of repetitions are out of order",
        hint: "the smaller number comes first"
      )
    } else {
      quantify(
        minimum: UInt32(clamping: minimum),
        maximum: UInt32(clamping: maximum),
        in: text
      )
    }
    return true
  }

  /// Reads a run of digits; `nil` without any, the largest value if it does not fit.
  private mutating func decimal(in text: Span<UInt8>) -> UInt64? {
    let start = index
    var value: UInt64 = 0
    while index < text.count, case let digit = text[index] &- 0x30, digit < 10 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      value = overflow || carry || value == .max ? .max : sum
      index += 1
    }
    return index > start ? value : nil
  }

  /// Returns a counted repetition of `x` written out.
  private static func replacement(minimum: UInt32, maximum: UInt32) -> String {
    let longest = 12
    if maximum == 0 { return "leave out what is repeated no times" }
    if minimum == 1, maximum == 1 { return "leave the quantifier out" }
    guard minimum <= longest, maximum == .max || maximum <= longest else {
      return "write the repeated text out, with ? behind every optional copy"
    }
    var text = "for x write "
    if maximum == .max {
      text += String(repeating: "x", count: Int(minimum) - 1) + "x+"
    } else {
      text += String(repeating: "x", count: Int(minimum))
      for _ in minimum..<maximum { text += "x?" }
    }
    return text
  }
}

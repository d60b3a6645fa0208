/// Punycode, the encoding of a label in ASCII.
///
/// > Source: RFC 3492.
enum Punycode {
  private static let base: UInt32 = 36
  private static let minimumThreshold: UInt32 = 1
  private static let maximumThreshold: UInt32 = 26
  private static let initialBias: UInt32 = 72
  private static let initialCode: UInt32 = 0x80

  /// Appends the encoding of a label, without `xn--`.
  ///
  /// - Returns: `false` if a number exceeds 32 bits.
  /// - Complexity: O(*n*·*d*) for *n* code points, of which *d* are distinct and not ASCII. The
  ///   caller bounds *n*.
  static func encode(_ label: [UInt32], to output: inout [UInt8]) -> Bool {
    let start = output.count
    for code in label where code < initialCode {
      output.append(UInt8(truncatingIfNeeded: code))
    }
    let basicCount = UInt32(truncatingIfNeeded: output.count - start)
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var handled = basicCount
    var code = initialCode
    var delta: UInt32 = 0
    var bias = initialBias
    while handled < label.count {
      let next = label.reduce(UInt32.max) { $1 >= code ? min($0, $1) : $0 }
      let (step, stepOverflows) = (next - code).multipliedReportingOverflow(by: handled + 1)
      let (sum, sumOverflows) = delta.addingReportingOverflow(step)
      guard !stepOverflows, !sumOverflows else { return false }
      delta = sum
      code = next
      for each in label {
        if each < code {
          guard delta < UInt32.max else { return false }
          delta += 1
        }
        if each == code {
          append(delta, bias, to: &output)
          bias = adapt(delta, handled + 1, isFirst: handled == basicCount)
          delta = 0
          handled += 1
        }
      }
      guard delta < UInt32.max else { return false }
      delta += 1
      code += 1
    }
    return true
  }

  /// Decodes what follows `xn--` in a label; `nil` if it is not the punycode of Unicode scalars.
  ///
  /// - Complexity: O(*n*²), where *n* is the number of bytes. The caller bounds *n*.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt32]? {
    var output: [UInt32] = []
    var rest = text
    if let hyphen = text.lastIndex(of: UInt8(ascii: "-")) {
      output = text[..<hyphen].map { UInt32($0) }
      rest = text[(hyphen + 1)...]
    }
    var code = initialCode
    var index: UInt32 = 0
    var bias = initialBias
    while !rest.isEmpty {
      let previous = index
      var weight: UInt32 = 1
      var position = base
      while true {
        guard let byte = rest.popFirst(), let digit = digit(byte) else { return nil }
        let (product, productOverflows) = digit.multipliedReportingOverflow(by: weight)
        let (sum, sumOverflows) = index.addingReportingOverflow(product)
        guard !productOverflows, !sumOverflows else { return nil }
        index = sum
        let threshold = threshold(position, bias)
        if digit < threshold { break }
        let (next, overflows) = weight.multipliedReportingOverflow(by: base - threshold)
        guard !overflows else { return nil }
        weight = next
        position += base
      }
      let count = UInt32(truncatingIfNeeded: output.count) + 1
      bias = adapt(index - previous, count, isFirst: previous == 0)
      let (sum, overflows) = code.addingReportingOverflow(index / count)
      guard !overflows, Unicode.Scalar(sum) != nil else { return nil }
      code = sum
      index %= count
      output.insert(code, at: Int(index))
      index += 1
    }
    return output
  }

  /// Appends a number in digits of varying weight.
  private static func append(_ number: UInt32, _ bias: UInt32, to output: inout [UInt8]) {
    var rest = number
    var position = base
    while true {
      let threshold = threshold(position, bias)
      if rest < threshold { break }
      output.append(character(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(character(rest))
  }

  private static func threshold(_ position: UInt32, _ bias: UInt32) -> UInt32 {
    if position <= bias + minimumThreshold { return minimumThreshold }
    return min(position - bias, maximumThreshold)
  }

  private static func adapt(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var position: UInt32 = 0
    while delta > (base - minimumThreshold) * maximumThreshold / 2 {
      delta /= base - minimumThreshold
      position += base
    }
    return position + (base - minimumThreshold + 1) * delta / (delta + 38)
  }

  private static func character(_ digit: UInt32) -> UInt8 {
    let digit = UInt8(truncatingIfNeeded: digit)
    return digit < 26 ? UInt8(ascii: "a") + digit : ASCII.zero + (digit - 26)
  }

  private static func digit(_ character: UInt8) -> UInt32? {
    if ASCII.isDigit(character) { return UInt32(character - ASCII.zero) + 26 }
    if ASCII.isLetter(character) { return UInt32((character | 0x20) - UInt8(ascii: "a")) }
    return nil
  }
}

/// Parses the text of elements of XML property lists.
enum PropertyListText {
  /// Parses digits only, without the sign that `Int.init` accepts.
  static func number(_ text: some StringProtocol, radix: Int) -> UInt32? {
    guard text.utf8.first.map({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) ?? false
    else { return nil }
    return UInt32(text, radix: radix)
  }

  /// Parses a decimal number, or a hexadecimal one with `0x`, with a sign and white space around
  /// it.
  static func integer(_ text: String) -> PropertyListValue? {
    var digits = trimmed(text)[...]
    let isNegative = digits.hasPrefix("-")
    if isNegative || digits.hasPrefix("+") { digits = digits.dropFirst() }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits = digits.dropFirst(2) }
    guard digits.first?.isHexDigit ?? false,
      let magnitude = UInt64(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    if isNegative {
      guard magnitude <= Int64.min.magnitude else { return nil }
      return .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    }
    return Int64(exactly: magnitude).map { .integer($0) } ?? .unsigned(magnitude)
  }

  /// Parses a decimal number, or a word for infinity or "not a number".
  static func real(_ text: String) -> Double? {
    let text = trimmed(text).lowercased()
    switch text {
    case "nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default:
      // Rejects hexadecimal numbers and other words that `Double.init` accepts.
      let isDecimal = text.utf8.allSatisfy {
        (48...57).contains($0) || "+-.e".utf8.contains($0)
      }
      return isDecimal ? Double(text) : nil
    }
  }

  /// Parses a date such as `2026-11-21T12:00:00Z` to seconds since the start of 2001.
  static func date(_ text: String) -> Double? {
    let digits = Array(trimmed(text).utf8)
    let pattern = Array("dddd-dd-ddTdd:dd:ddZ".utf8)
    guard digits.count == pattern.count else { return nil }
    var numbers = [0]
    for (digit, form) in zip(digits, pattern) {
      if form == UInt8(ascii: "d") {
        guard (48...57).contains(digit) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(digit - 48)
      } else {
        guard digit == form else { return nil }
        numbers.append(0)
      }
    }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month), (1...31).contains(day), numbers[3] < 24, numbers[4] < 60,
      numbers[5] < 60
    else { return nil }
    let seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
    return Double((days(year, month, day) - days(2001, 1, 1)) * 86_400 + seconds)
  }

  /// Returns the days since 1 March of the year 0, by the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // In a year that begins in March, the leap day is the last one.
    let year = month < 3 ? year - 1 : year
    let months = (month + 9) % 12
    let leapDays =
      Int((Double(year) / 4).rounded(.down))
      - Int((Double(year) / 100).rounded(.down)) + Int((Double(year) / 400).rounded(.down))
    return year * 365 + leapDays + (months * 306 + 5) / 10 + day - 1
  }

  /// Decodes base64 with white space anywhere.
  static func data(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      let value: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 97 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - 48 + 52
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count.isMultiple(of: 4) {
        result += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
        bits = 0
      }
    }
    switch count % 4 {
    case 0: return padding == 0 ? result : nil
    case 2: return padding == 2 ? result + [UInt8(bits >> 4 & 0xFF)] : nil
    case 3:
      return padding == 1 ? result + [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)] : nil
    default: return nil
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    let bytes = text.utf8.drop(while: isBlank)
    let end = bytes.lastIndex { !isBlank($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

public import ReferenceMatcher
public import TestSupport

/// Writes a JSON value in one of its many equivalent spellings.
///
/// Varies white space, the order of keys, escapes, the spelling of numbers, and repeated keys of
/// which the last one counts.
public struct RuleListSpeller: Sendable {
  /// Makes a speller.
  public init() {}

  /// Writes a value.
  public func text(for value: JSONValue, using random: inout RandomSource) -> String {
    space(&random) + inner(value, &random) + space(&random)
  }

  private func space(_ random: inout RandomSource) -> String {
    random.chance(70) ? "" : random.pick([" ", "\n", "\t", "\r\n", "  "])
  }

  private func inner(_ value: JSONValue, _ random: inout RandomSource) -> String {
    switch value {
    case .null, .boolean: return value.text
    case .number(let number):
      guard let whole = Int(exactly: number), abs(whole) < 1_000_000 else { return value.text }
      let spellings = ["\(whole)", "\(whole).0", "\(whole)e0", "\(whole).00E+0", "\(whole)0e-1"]
      // A zero may not stand in front of another digit.
      return random.pick(whole == 0 ? spellings.dropLast() : spellings)
    case .string(let string): return quoted(string, &random)
    case .array(let members):
      return "[" + joined(members.map { inner($0, &random) }, &random) + "]"
    case .object(let members):
      var keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      for index in keys.indices.dropFirst() {
        keys.swapAt(index, random.number(in: 0...index))
      }
      var texts: [String] = []
      for key in keys {
        if random.chance(5) {
          texts.append(quoted(key, &random) + ":" + random.pick(["null", "{}", "[[]]", "\"\""]))
        }
        let text = inner(members[key] ?? .null, &random)
        texts.append(quoted(key, &random) + space(&random) + ":" + space(&random) + text)
      }
      return "{" + joined(texts, &random) + "}"
    }
  }

  private func joined(_ texts: [String], _ random: inout RandomSource) -> String {
    var result = space(&random)
    for (index, text) in texts.enumerated() {
      if index > 0 { result += space(&random) + "," + space(&random) }
      result += text
    }
    return result + space(&random)
  }

  private func quoted(_ string: String, _ random: inout RandomSource) -> String {
    var result = "\""
    for unit in string.utf16 {
      let escapes = random.chance(4)
      switch unit {
      case 0x22: result += "\\\""
      case 0x5C: result += "\\\\"
      case 0x2F where escapes: result += "\\/"
      case 0x20..<0x7F where !escapes:
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      case 0..<0x80 where random.chance(30): result += "\\x" + hexadecimal(unit, digits: 2)
      default: result += "\\u" + hexadecimal(unit, digits: 4)
      }
    }
    return result + "\""
  }

  private func hexadecimal(_ unit: UInt16, digits: Int) -> String {
    let text = String(unit, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

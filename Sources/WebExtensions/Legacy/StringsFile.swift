internal import ExtensionBundles

/// Reads `.strings` files: lines of `"key" = "text";`, or a property list.
enum StringsFile {
  private static let limit = 5_000

  /// Returns the texts by their keys; `nil` for a file of another form.
  static func read(_ bytes: [UInt8]) -> [String: String]? {
    if PropertyListReader.form(of: bytes) != nil {
      return (try? PropertyListReader.read(bytes))?.dictionary?.compactMapValues(\.string)
    }
    guard let text = decoded(bytes) else { return nil }
    var reader = StringsReader(text: Array(text.unicodeScalars))
    return reader.read(limit)
  }

  private static func decoded(_ bytes: [UInt8]) -> String? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else {
      return String(
        validating: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...],
        as: UTF8.self
      )
    }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return String(validating: units, as: UTF16.self)
  }
}

/// The position in a text of strings.
private struct StringsReader {
  let text: [Unicode.Scalar]
  var position = 0

  mutating func read(_ limit: Int) -> [String: String]? {
    var strings: [String: String] = [:]
    while true {
      skipSpace()
      guard position < text.count else { return strings }
      guard strings.count < limit, let key = word(), take("="), let value = word(), take(";") else {
        return nil
      }
      strings[key] = value
    }
  }

  private mutating func skipSpace() {
    while position < text.count {
      if text[position].properties.isWhitespace {
        position += 1
      } else if text[position...].starts(with: "//".unicodeScalars) {
        while position < text.count, text[position] != "\n" { position += 1 }
      } else if text[position...].starts(with: "/*".unicodeScalars) {
        position += 2
        while position < text.count, !text[position...].starts(with: "*/".unicodeScalars) {
          position += 1
        }
        position = min(position + 2, text.count)
      } else {
        return
      }
    }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpace()
    guard position < text.count, text[position] == sign else { return false }
    position += 1
    return true
  }

  /// Reads a word, in quotation marks unless it is plain.
  private mutating func word() -> String? {
    skipSpace()
    guard position < text.count else { return nil }
    var word = String.UnicodeScalarView()
    guard text[position] == "\"" else {
      while position < text.count,
        text[position].properties.isAlphabetic
          || "_-.0123456789".unicodeScalars.contains(text[position])
      {
        word.append(text[position])
        position += 1
      }
      return word.isEmpty ? nil : String(word)
    }
    position += 1
    while position < text.count {
      let scalar = text[position]
      position += 1
      switch scalar {
      case "\"": return String(word)
      case "\\":
        guard let escaped = escape() else { return nil }
        word.append(escaped)
      default: word.append(scalar)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard position < text.count else { return nil }
    let scalar = text[position]
    position += 1
    switch scalar {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "U", "u":
      guard position + 4 <= text.count else { return nil }
      let digits = String(String.UnicodeScalarView(text[position..<position + 4]))
      position += 4
      return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
    default: return scalar
    }
  }
}

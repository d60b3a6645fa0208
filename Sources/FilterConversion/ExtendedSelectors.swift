/// Selectors that blockers have beside those of style sheets.
enum ExtendedSelectors {
  /// Their names, without the colon and the parenthesis.
  private static let names = [
    "-abp-contains", "-abp-properties", "contains", "has-text", "if", "if-not", "matches-attr",
    "matches-css", "matches-css-after", "matches-css-before", "matches-media", "matches-path",
    "matches-property", "matches-prop", "min-text-length", "nth-ancestor", "others", "properties",
    "remove", "remove-attr", "remove-class", "shadow", "style", "upward", "watch-attr",
    "watch-attrs",
    "xpath",
  ].map { Array($0.utf8) }

  /// Returns a selector in the spelling of style sheets: `:-abp-has(…)` and `[-ext-has="…"]` are
  /// `:has(…)`.
  ///
  /// - Returns: The selector, and whether it is another one.
  static func asNative(_ selector: [UInt8]) -> (selector: [UInt8], isChanged: Bool) {
    let old = Array(":-abp-has(".utf8)
    let attribute = Array("[-ext-has=".utf8)
    var result: [UInt8] = []
    var isChanged = false
    var index = 0
    while index < selector.count {
      if selector[index] == old[0], selector[index...].starts(with: old) {
        result += Array(":has(".utf8)
        index += old.count
        isChanged = true
      } else if selector[index] == attribute[0], selector[index...].starts(with: attribute),
        let value = quoted(in: selector, from: index + attribute.count)
      {
        result += Array(":has(".utf8) + asNative(Array(selector[value])).selector
        result.append(UInt8(ascii: ")"))
        index = value.upperBound + 2
        isChanged = true
      } else {
        result.append(selector[index])
        index += 1
      }
    }
    return (result, isChanged)
  }

  /// Returns the range between the quotes of an attribute's value that begins at a position, and ends
  /// with the attribute; `nil` if there is none.
  private static func quoted(in selector: [UInt8], from start: Int) -> Range<Int>? {
    guard start < selector.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(selector[start])
    else { return nil }
    var index = start + 1
    while index < selector.count, selector[index] != selector[start] {
      index += selector[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index + 1 < selector.count, selector[index + 1] == UInt8(ascii: "]") else { return nil }
    return start + 1..<index
  }

  /// Returns the first of them in a selector, such as `:contains()` or `[-ext-contains]`, outside of strings; `nil` if
  /// there is none.
  static func name(in selector: [UInt8]) -> String? {
    var quote: UInt8?
    var index = 0
    while index < selector.count {
      let byte = selector[index]
      index += 1
      if byte == UInt8(ascii: "\\") {
        index += 1
      } else if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "["), selector[index...].starts(with: "-ext-".utf8) {
        let name = selector[index...].prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "]") }
        return "[" + String(decoding: name, as: UTF8.self) + "]"
      } else if byte == UInt8(ascii: ":") {
        let rest = selector[min(index, selector.count)...]
        let word = rest.prefix { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D }
        guard word.endIndex < selector.count, selector[word.endIndex] == UInt8(ascii: "(") else {
          continue
        }
        if let name = names.first(where: { $0[...] == word }) {
          return ":" + String(decoding: name, as: UTF8.self) + "()"
        }
      }
    }
    return nil
  }
}

/// Styles of AdGuard's filters that do nothing but hide.
enum HidingStyle {
  /// Returns the selector of `selector { display: none !important; }`; `nil` for any other style.
  static func selector(_ text: [UInt8], _ body: Range<Int>) -> [UInt8]? {
    guard let opening = text[body].firstIndex(of: UInt8(ascii: "{")),
      text[body.upperBound - 1] == UInt8(ascii: "}")
    else { return nil }
    let declarations = text[opening + 1..<body.upperBound - 1]
      .filter { $0 > 0x20 && $0 != UInt8(ascii: ";") }
    let style = String(decoding: declarations, as: UTF8.self).lowercased()
    guard style == "display:none!important" || style == "display:none" else { return nil }
    var selector = Array(text[body.lowerBound..<opening])
    while selector.last.map({ $0 <= 0x20 }) ?? false { selector.removeLast() }
    return selector.isEmpty ? nil : selector
  }
}

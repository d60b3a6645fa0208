/// The single selectors of a list of selectors.
package enum SelectorParts {
  /// Cuts a list at the commas that are in no bracket and no string.
  ///
  ///     parts(of: ".ad, a:is(b, c)")   // [".ad", "a:is(b, c)"]
  ///
  /// A list with a comment, or with a bracket or string that only its end closes, is one part: cut
  /// or joined with another one it would mean something else.
  ///
  /// - Returns: The parts without white space around them.
  /// - Complexity: O(*n*) for *n* bytes.
  package static func parts(of list: String) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var quote: UInt8?
    var isEscaped = false
    let bytes = list.utf8
    var start = bytes.startIndex
    for index in bytes.indices {
      let byte = bytes[index]
      if isEscaped {
        isEscaped = false
        continue
      }
      switch byte {
      case UInt8(ascii: "\\"): isEscaped = true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == nil { quote = byte } else if quote == byte { quote = nil }
      case UInt8(ascii: "("), UInt8(ascii: "["): if quote == nil { depth += 1 }
      case UInt8(ascii: ")"), UInt8(ascii: "]"): if quote == nil { depth -= 1 }
      case UInt8(ascii: ",") where quote == nil && depth == 0:
        parts.append(trimmed(list[start..<index]))
        start = bytes.index(after: index)
      default: break
      }
    }
    guard depth == 0, quote == nil, !isEscaped, !list.contains("/*") else { return [list[...]] }
    parts.append(trimmed(list[start...]))
    return parts
  }

  /// Whether a list can be joined with others by a comma.
  static func canBeJoined(_ list: String) -> Bool {
    // If the list is closed, a comma behind it begins another part.
    !list.contains("/*") && parts(of: list + ",a").count == parts(of: list).count + 1
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var bytes = text.utf8
    while let byte = bytes.first, isSpace(byte) { bytes.removeFirst() }
    // A space behind a backslash belongs to the name.
    while let byte = bytes.last, isSpace(byte),
      bytes.dropLast().last != UInt8(ascii: "\\")
    {
      bytes.removeLast()
    }
    return Substring(bytes)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
      || byte == UInt8(ascii: "\r") || byte == 0x0C
  }
}

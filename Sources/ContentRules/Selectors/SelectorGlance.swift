/// A quick test of whether a selector list is of the usual form, which is valid and closed at its end.
///
/// Nearly all selectors of large lists are types, classes, ids and attributes with plain names. A glance may call a
/// valid list unusual, never an invalid one usual; a test compares it with ``SelectorList``.
struct SelectorGlance {
  private var index = 0

  /// Whether a list is of the usual form.
  static func isUsual(_ text: Span<UInt8>) -> Bool {
    var glance = SelectorGlance()
    return glance.takeList(text)
  }

  private mutating func takeList(_ text: Span<UInt8>) -> Bool {
    takeSpaces(text)
    while takeCompound(text) {
      takeSpaces(text)
      guard index < text.count else { return true }
      // Without a combinator, what follows a space is a descendant.
      switch text[index] {
      case UInt8(ascii: ","), UInt8(ascii: ">"), UInt8(ascii: "+"), UInt8(ascii: "~"):
        index += 1
        takeSpaces(text)
      default: continue
      }
    }
    return false
  }

  private mutating func takeSpaces(_ text: Span<UInt8>) {
    while index < text.count, text[index] == UInt8(ascii: " ") { index += 1 }
  }

  /// Takes a type, and classes, ids and attributes, at least one of them.
  private mutating func takeCompound(_ text: Span<UInt8>) -> Bool {
    let start = index
    _ = takeName(text)
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "."), UInt8(ascii: "#"):
        index += 1
        guard takeName(text) else { return false }
      case UInt8(ascii: "["):
        index += 1
        guard takeAttribute(text) else { return false }
      case UInt8(ascii: " "), UInt8(ascii: ","): return index > start
      default: return false
      }
    }
    return index > start
  }

  /// Takes a letter or `_`, possibly behind one hyphen, and the letters, digits, `-` and `_` behind it.
  private mutating func takeName(_ text: Span<UInt8>) -> Bool {
    let start = index
    if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
    guard index < text.count, text[index].beginsPlainName else {
      index = start
      return false
    }
    while index < text.count,
      text[index].beginsPlainName || text[index].isDigit || text[index] == UInt8(ascii: "-")
    {
      index += 1
    }
    return true
  }

  /// Takes what stands in an attribute's brackets, and the closing one: `name`, `name="value"`, or the same with
  /// `^=`, `*=`, `$=` or `~=`.
  private mutating func takeAttribute(_ text: Span<UInt8>) -> Bool {
    guard takeName(text), index < text.count else { return false }
    switch text[index] {
    case UInt8(ascii: "^"), UInt8(ascii: "*"), UInt8(ascii: "$"), UInt8(ascii: "~"): index += 1
    case UInt8(ascii: "="): break
    default: return takeBracket(text)
    }
    guard index + 1 < text.count, text[index] == UInt8(ascii: "="),
      text[index + 1] == UInt8(ascii: "\"")
    else { return false }
    index += 2
    while index < text.count, text[index] != UInt8(ascii: "\"") {
      guard 0x20..<0x7F ~= text[index], text[index] != UInt8(ascii: "\\") else { return false }
      index += 1
    }
    index += 1
    return takeBracket(text)
  }

  private mutating func takeBracket(_ text: Span<UInt8>) -> Bool {
    guard index < text.count, text[index] == UInt8(ascii: "]") else { return false }
    index += 1
    return true
  }
}

extension UInt8 {
  fileprivate var beginsPlainName: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}

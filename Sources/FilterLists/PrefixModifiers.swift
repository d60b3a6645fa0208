/// AdGuard's modifiers in front of a hiding filter: `[$path=/a,domain=a.example|/b[0-9]/]`.
///
/// Their values may be regular expressions, between slashes, in which `]`, `,` and `|` have another meaning.
package enum PrefixModifiers {
  /// Returns the position behind the bracket that ends them; `nil` if a line does not begin with such ones.
  ///
  /// - Complexity: O(*n*)
  static func end(in text: [UInt8], _ line: Range<Int>) -> Int? {
    guard FilterText.starts(text, line, "[$") else { return nil }
    var reader = Reader(text, line.lowerBound + 2..<line.upperBound, endsValue: false)
    while let byte = reader.next() {
      if byte == UInt8(ascii: "]") { return reader.position }
    }
    return nil
  }

  /// Splits them at their commas; leaves empty ones out, and trims the others.
  ///
  /// - Parameters:
  ///   - text: The list's bytes.
  ///   - range: What stands between `[$` and `]`.
  /// - Returns: The modifiers.
  /// - Complexity: O(*n*)
  package static func parts(in text: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var reader = Reader(text, range, endsValue: true)
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    func take(_ end: Int) {
      let part = FilterText.trim(text, start..<end)
      if !part.isEmpty { parts.append(part) }
    }
    while let byte = reader.next() {
      guard byte == UInt8(ascii: ",") else { continue }
      take(reader.position - 1)
      start = reader.position
    }
    take(range.upperBound)
    return parts
  }

  /// Reads the marks outside of regular expressions and behind no backslash.
  private struct Reader {
    private let text: [UInt8]
    private let end: Int
    /// Whether a value ends where the text does.
    private let endsValue: Bool
    private(set) var position: Int
    /// Whether a value may begin here.
    private var isAtValue = false
    /// Whether a slash may follow that ends an expression.
    private var hasExpressions = true

    init(_ text: [UInt8], _ range: Range<Int>, endsValue: Bool) {
      self.text = text
      self.endsValue = endsValue
      (position, end) = (range.lowerBound, range.upperBound)
    }

    /// Returns the next byte that stands for itself.
    mutating func next() -> UInt8? {
      while position < end {
        let byte = text[position]
        if byte == UInt8(ascii: "/"), isAtValue, hasExpressions {
          isAtValue = false
          if let behind = expressionEnd() {
            position = behind
            continue
          }
          hasExpressions = false
        }
        isAtValue =
          byte == UInt8(ascii: "=") || byte == UInt8(ascii: "|")
          || isAtValue && byte == UInt8(ascii: "~")
        position += byte == UInt8(ascii: "\\") ? 2 : 1
        if byte != UInt8(ascii: "\\") { return byte }
      }
      return nil
    }

    /// Returns the position behind the expression that begins here: behind a slash, outside of brackets, that
    /// ends the value.
    private func expressionEnd() -> Int? {
      var index = position + 1
      var isInSet = false
      while index < end {
        switch text[index] {
        case UInt8(ascii: "\\"): index += 1
        case UInt8(ascii: "["): isInSet = true
        case UInt8(ascii: "]"): isInSet = false
        case UInt8(ascii: "/") where !isInSet && index > position + 1:
          let isEnd = index + 1 == end ? endsValue : ",]|".utf8.contains(text[index + 1])
          if isEnd { return index + 1 }
        default: break
        }
        index += 1
      }
      return nil
    }
  }
}

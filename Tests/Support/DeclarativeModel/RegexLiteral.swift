/// Finds a text that every match of a regular expression contains, to avoid trying most
/// expressions.
enum RegexLiteral {
  /// The longest run of plain characters outside groups and sets, in lower case.
  ///
  /// Empty if there is none, or if the expression has alternatives outside groups.
  static func longest(in pattern: String) -> [UInt8] {
    var longest: [UInt8] = []
    var run: [UInt8] = []
    var depth = 0
    var bytes = Array(pattern.utf8)[...]
    func end() {
      if run.count > longest.count { longest = run }
      run = []
    }
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "\\"):
        let escaped = bytes.popFirst() ?? byte
        if !Character(Unicode.Scalar(escaped)).isLetter,
          !Character(Unicode.Scalar(escaped)).isNumber
        {
          if depth == 0 { run.append(escaped) }
        } else {
          // A character by its number, or a class.
          if escaped == UInt8(ascii: "x") { bytes = bytes.dropFirst(2) }
          end()
        }
      case UInt8(ascii: "["):
        end()
        while let member = bytes.popFirst(), member != UInt8(ascii: "]") {
          if member == UInt8(ascii: "\\") { _ = bytes.popFirst() }
        }
      case UInt8(ascii: "("):
        end()
        depth += 1
      case UInt8(ascii: ")"):
        depth -= 1
      case UInt8(ascii: "|"):
        if depth == 0 { return [] }
      case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "{"):
        // The last character is optional.
        _ = run.popLast()
        end()
        if byte == UInt8(ascii: "{") { bytes = bytes.drop { $0 != UInt8(ascii: "}") }.dropFirst() }
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"):
        end()
      default:
        if depth == 0 { run.append(FilterMatch.lower(byte)) }
      }
    }
    end()
    return longest
  }
}

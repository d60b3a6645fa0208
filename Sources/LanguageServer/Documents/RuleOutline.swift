/// Where the elements of a list's array are, found by their brackets and strings alone.
///
/// Reads no values, so that it has an answer for a text that is just being typed: a brace that is
/// missing makes an element longer, and nothing worse.
struct RuleOutline {
  /// The bytes of each element, in the order of the text.
  private(set) var ranges: [Range<Int>] = []

  /// Finds the elements.
  ///
  /// - Complexity: O(*n*) for *n* bytes; 16 bytes of memory for each element.
  init(_ text: Span<UInt8>) {
    var depth = 0
    var start: Int?
    var index = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""):
        if depth == 1, start == nil { start = index }
        index = Self.endOfString(text, index)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        if depth == 1, start == nil { start = index }
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth = max(0, depth - 1)
        if depth == 0 { end(&start, index) }
      case UInt8(ascii: ","):
        if depth == 1 { end(&start, index) }
      case 0x20, 0x09, 0x0A, 0x0D: break
      default:
        if depth == 1, start == nil { start = index }
      }
      index += 1
    }
    end(&start, text.count)
    for number in ranges.indices { ranges[number] = Self.trimmed(ranges[number], text) }
  }

  private mutating func end(_ start: inout Int?, _ end: Int) {
    if let begin = start { ranges.append(begin..<end) }
    start = nil
  }

  /// Returns the place behind a string, or behind its line if it has no end there.
  private static func endOfString(_ text: Span<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "\""): return index + 1
      case 0x0A, 0x0D: return index
      default: break
      }
      index += 1
    }
    return text.count
  }

  private static func trimmed(_ range: Range<Int>, _ text: Span<UInt8>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, [0x20, 0x09, 0x0A, 0x0D].contains(text[end - 1]) { end -= 1 }
    return range.lowerBound..<end
  }

  /// Returns the number of the element that contains an offset, its end included.
  ///
  /// - Complexity: O(log *n*) for *n* elements.
  func element(at offset: Int) -> Int? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < offset { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].lowerBound <= offset ? low : nil
  }
}

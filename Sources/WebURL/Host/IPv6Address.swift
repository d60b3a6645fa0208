/// An IPv6 address.
///
/// > Source: URL standard, "IPv6 parser" and "IPv6 serializer".
struct IPv6Address: Equatable, Sendable {
  /// The eight pieces, in order.
  var pieces: [UInt16]

  /// Parses the text between the brackets.
  init?(parsing text: [UInt8]) {
    var pieces = [UInt16](repeating: 0, count: 8)
    var count = 0
    var compressed: Int?
    var index = 0
    func byte(_ index: Int) -> UInt8? {
      index < text.count ? text[index] : nil
    }
    if byte(0) == ASCII.colon {
      guard byte(1) == ASCII.colon else { return nil }
      index = 2
      compressed = 0
    }
    while let first = byte(index) {
      guard count < 8 else { return nil }
      if first == ASCII.colon {
        guard compressed == nil else { return nil }
        index += 1
        compressed = count
        continue
      }
      let start = index
      var value: UInt16 = 0
      while index < start + 4, let digit = byte(index).flatMap(ASCII.hexValue) {
        value = value << 4 | UInt16(digit)
        index += 1
      }
      if byte(index) == ASCII.dot {
        guard index > start, count <= 6, let tail = Self.dottedTail(text[start...]) else {
          return nil
        }
        pieces[count] = UInt16(truncatingIfNeeded: tail >> 16)
        pieces[count + 1] = UInt16(truncatingIfNeeded: tail)
        count += 2
        break
      }
      if let next = byte(index) {
        guard next == ASCII.colon, index + 1 < text.count else { return nil }
        index += 1
      }
      pieces[count] = value
      count += 1
    }
    if let compressed {
      let moved = count - compressed
      for offset in 0..<moved {
        pieces[7 - offset] = pieces[count - 1 - offset]
        if 7 - offset != count - 1 - offset { pieces[count - 1 - offset] = 0 }
      }
    } else if count != 8 {
      return nil
    }
    self.pieces = pieces
  }

  /// Reads four decimal numbers up to 255, without leading zeros, to the end of the text.
  private static func dottedTail(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: ASCII.dot, maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ ASCII.isDigit($0) }),
        part.count == 1 || part.first != ASCII.zero
      else { return nil }
      let number = part.reduce(0) { $0 * 10 + UInt32($1 - ASCII.zero) }
      guard number <= 255 else { return nil }
      value = value << 8 | number
    }
    return value
  }

  /// Appends the address, its first longest run of two or more zero pieces as `::`.
  func append(to output: inout [UInt8]) {
    let run = longestZeroRun
    var index = 0
    while index < 8 {
      if let run, index == run.lowerBound {
        output.append(ASCII.colon)
        if index == 0 { output.append(ASCII.colon) }
        index = run.upperBound
        continue
      }
      output.append(contentsOf: String(pieces[index], radix: 16).utf8)
      index += 1
      if index < 8 { output.append(ASCII.colon) }
    }
  }

  private var longestZeroRun: Range<Int>? {
    var longest = 0..<1
    var start = 0
    for index in 0..<8 {
      if pieces[index] != 0 {
        start = index + 1
      } else if index + 1 - start > longest.count {
        longest = start..<(index + 1)
      }
    }
    return longest.count > 1 ? longest : nil
  }
}

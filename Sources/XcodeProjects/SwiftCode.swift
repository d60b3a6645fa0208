/// A Swift source without its comments and the contents of its strings, line by line.
///
/// Just enough to find imported modules and used attributes.
struct SwiftCode {
  /// The lines, from number 1 on, each only as long as needed.
  let lines: [String]

  init(_ bytes: [UInt8]) {
    var scanner = Scanner(bytes: bytes)
    scanner.scan()
    lines = scanner.code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private struct Scanner {
    let bytes: [UInt8]
    var code: [UInt8] = []
    private var position = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
      code.reserveCapacity(bytes.count)
    }

    private func byte(_ offset: Int) -> UInt8 {
      position + offset < bytes.count ? bytes[position + offset] : 0
    }

    mutating func scan() {
      while position < bytes.count {
        switch byte(0) {
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
          while position < bytes.count, byte(0) != UInt8(ascii: "\n") { position += 1 }
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "\""): skipString(pounds: 0)
        case UInt8(ascii: "#"):
          let count = pounds
          if byte(count) == UInt8(ascii: "\"") {
            skipString(pounds: count)
          } else {
            // Appended at once, so that a run is counted only once.
            code += bytes[position..<position + count]
            position += count
          }
        case UInt8(ascii: "\r"): position += 1
        default:
          code.append(byte(0))
          position += 1
        }
      }
    }

    private var pounds: Int {
      var count = 0
      while byte(count) == UInt8(ascii: "#") { count += 1 }
      return count
    }

    /// Skips one byte that is omitted; line breaks are kept.
    private mutating func drop() {
      if byte(0) == UInt8(ascii: "\n") { code.append(UInt8(ascii: "\n")) }
      position += 1
    }

    private mutating func skipComment() {
      var depth = 0
      code.append(UInt8(ascii: " "))
      while position < bytes.count {
        if byte(0) == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
          depth += 1
          position += 2
        } else if byte(0) == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
          depth -= 1
          position += 2
          if depth == 0 { return }
        } else {
          drop()
        }
      }
    }

    /// Skips a string with all that is interpolated in it.
    private mutating func skipString(pounds: Int) {
      position += pounds
      let quote = UInt8(ascii: "\"")
      let isLong = byte(1) == quote && byte(2) == quote
      position += isLong ? 3 : 1
      code += [quote, quote]
      // The number of open parentheses of each open interpolation; bounded by the text's length.
      var interpolation = 0
      while position < bytes.count {
        let byte = byte(0)
        if interpolation > 0 {
          if byte == UInt8(ascii: "(") { interpolation += 1 }
          if byte == UInt8(ascii: ")") { interpolation -= 1 }
          if byte == UInt8(ascii: "\n"), !isLong { return }
          drop()
          continue
        }
        if byte == UInt8(ascii: "\\"), follows(1, pounds) {
          position += 1 + pounds
          if self.byte(0) == UInt8(ascii: "(") { interpolation = 1 }
          if position < bytes.count { drop() }
          continue
        }
        // An unterminated string is an error of its line only.
        if byte == UInt8(ascii: "\n"), !isLong { return }
        let length = isLong ? 3 : 1
        let isEnd =
          byte == quote && (!isLong || self.byte(1) == quote && self.byte(2) == quote)
          && follows(length, pounds)
        if isEnd {
          position += length + pounds
          return
        }
        drop()
      }
    }

    private func follows(_ offset: Int, _ pounds: Int) -> Bool {
      var index = 0
      while index < pounds {
        guard byte(offset + index) == UInt8(ascii: "#") else { return false }
        index += 1
      }
      return true
    }
  }
}

/// A line of a hosts file, or of a list of domains.
package enum HostsLine {
  /// Names that hosts files give to the machine itself.
  private static let localNames: Set<String> = [
    "localhost", "localhost.localdomain", "local", "broadcasthost", "ip6-localhost",
    "ip6-loopback", "ip6-localnet", "ip6-mcastprefix", "ip6-allnodes", "ip6-allrouters",
    "ip6-allhosts", "0.0.0.0",
  ]

  /// Returns the names that a line blocks; `nil` for a line that is none of hosts.
  ///
  /// They are those behind an address, or one domain; without names of the machine itself.
  package static func names(in text: [UInt8], _ range: Range<Int>) -> [Range<Int>]? {
    let word = range.lowerBound..<(range.first { isEnd(text[$0]) } ?? range.upperBound)
    // Behind an address any `#` begins a comment, elsewhere one behind white space: `a.test##.ad` is no line of
    // hosts.
    let startsAnywhere = isAddress(text, word)
    let end =
      range.first { place in
        text[place] == UInt8(ascii: "#")
          && (startsAnywhere || place == range.lowerBound || FilterText.isSpace(text[place - 1]))
      } ?? range.upperBound
    var words: [Range<Int>] = []
    var start: Int?
    for index in range.lowerBound...end {
      let isSpace = index == end || FilterText.isSpace(text[index])
      if !isSpace, start == nil { start = index }
      if isSpace, let first = start {
        words.append(first..<index)
        start = nil
      }
    }
    guard let first = words.first else { return nil }
    if isAddress(text, first) {
      guard words.count > 1 else { return nil }
      let names = words.dropFirst()
      guard names.allSatisfy({ isName(text, $0) }) else { return nil }
      return names.filter { !isLocal(text, $0) }
    }
    guard words.count == 1, isName(text, first), text[first].contains(UInt8(ascii: ".")) else {
      return nil
    }
    return isLocal(text, first) ? [] : [first]
  }

  /// Whether a line is the name of a host, or an address of IPv4, and nothing else.
  static func isBareName(_ text: [UInt8], _ line: Range<Int>) -> Bool {
    guard let first = line.first, isName(text, line), text[line].contains(UInt8(ascii: ".")) else {
      return false
    }
    let ends = [text[first], text[line.upperBound - 1]]
    return ends.allSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") && $0 != 0x5F }
  }

  private static func isLocal(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    range.count <= 24 && localNames.contains(FilterText.string(text, range).lowercased())
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    FilterText.isSpace(byte) || byte == UInt8(ascii: "#")
  }

  /// Whether a word is an address of IPv4 or IPv6.
  private static func isAddress(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count <= 45 else { return false }
    let bytes = text[range]
    let colons = bytes.count { $0 == UInt8(ascii: ":") }
    if colons > 0 {
      // `404:` begins a message.
      return colons > 1
        && bytes.allSatisfy {
          (0x30...0x3A).contains($0) || (0x61...0x66).contains($0 | 0x20) || $0 == 0x2E
            || $0 == 0x25
        } || FilterText.starts(text, range, "fe80::")
    }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// Whether a word can be the name of a host.
  private static func isName(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    range.count <= 253
      && text[range].allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D || $0 == 0x2E
          || $0 == 0x5F || $0 >= 0x80
      }
  }
}

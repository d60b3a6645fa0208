/// What a list's patterns may cost a matcher at most, in steps, counted while the list is read.
///
/// It is never too small, so that a list below a compiler's limits need not be compiled to know that
/// it compiles. A step is the comparison of a character with a set or of eight with a string.
public struct MatchingCost: Hashable, Sendable {
  /// Steps of patterns that are looked up by a host, taken where the host is met.
  public var atHosts = 0
  /// Steps of all other patterns, taken for each character of a URL.
  public var elsewhere = 0

  /// No fewer than the places of one pattern that a character may be compared with at once.
  public var mostThreads = 0

  /// No fewer than the hosts that patterns are looked up by: each pattern takes three steps at least
  /// where it names its host in a known way, and more than four for each text it stands for else.
  public var mostHosts: Int { atHosts / 3 + elsewhere / 4 }

  /// Creates the cost of a list without patterns.
  public init() {}

  /// Counts a pattern of plain text and an ending behind the beginning of a host.
  mutating func addHost(plain: Int, ending: Int, isRepeated: Bool) {
    atHosts += 3 + plain / 8 + ending
    if isRepeated { elsewhere += ending + 1 }
  }

  /// Counts any other pattern.
  mutating func add(_ pattern: Span<UInt8>) {
    // What converters put in front; it is not tried in two ways.
    let anchor = "^[^:]+:(//)?"
    var index = pattern.matches(anchor, at: 0) ? anchor.utf8.count : 0
    var parts = index
    var optionalParts = 0
    var hasRepetition = false
    var previous: UInt8 = 0
    while index < pattern.count {
      let byte = pattern[index]
      switch byte {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): index = Self.endOfSet(pattern, index)
      case UInt8(ascii: "?"), UInt8(ascii: "{"): optionalParts += 1
      case UInt8(ascii: "+"): hasRepetition = true
      case UInt8(ascii: "*"): hasRepetition = hasRepetition || previous != UInt8(ascii: ".")
      default: break
      }
      previous = byte
      index += 1
      parts += 1
    }
    // A pattern with a few optional parts may be looked up as all the texts that it stands for.
    let texts = hasRepetition ? 1 : 1 << min(4, optionalParts)
    elsewhere += (parts + 4) * texts
    mostThreads = max(mostThreads, pattern.count)
  }
  /// The place of the bracket that closes a set, all of which is one comparison; the last place
  /// where there is none.
  private static func endOfSet(_ pattern: Span<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < pattern.count, pattern[index] != UInt8(ascii: "]") {
      index += pattern[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, pattern.count - 1)
  }
}

/// An upper bound on what a list's patterns cost a matcher, in steps, computed while the list is
/// read.
///
/// A list below a compiler's limits by this bound need not be compiled to know that it compiles. A
/// step is the comparison of a character with a set, or of eight with a string.
public struct MatchingCost: Hashable, Sendable {
  /// Steps of patterns that are looked up by a host, per occurrence of the host.
  public var atHosts = 0
  /// Steps of all other patterns, per character of a URL.
  public var elsewhere = 0

  /// An upper bound on the places of one pattern that a character may be compared with at once.
  public var mostThreads = 0

  /// An upper bound on the hosts that patterns are indexed by.
  ///
  /// A pattern costs at least three steps for each name of its host, and otherwise more than four for each text
  /// that it stands for.
  public var mostHosts: Int { atHosts / 3 + elsewhere / 4 }

  /// Creates the cost of a list without patterns.
  public init() {}

  /// Adds the cost of more patterns.
  mutating func add(_ other: MatchingCost) {
    atHosts += other.atHosts
    elsewhere += other.elsewhere
    mostThreads = max(mostThreads, other.mostThreads)
  }

  /// What was added to an earlier cost to give this one, apart from ``mostThreads``, which is that of the whole
  /// list so far.
  func since(_ earlier: MatchingCost) -> MatchingCost {
    var added = self
    added.atHosts -= earlier.atHosts
    added.elsewhere -= earlier.elsewhere
    return added
  }

  /// Adds a pattern of a host anchor, plain text and an ending; see also ``addNames(_:length:)``.
  mutating func addHost(plain: Int, ending: Int, isRepeated: Bool) {
    atHosts += 3 + plain / 8 + ending
    if isRepeated { elsewhere += ending + 1 }
  }

  /// Adds the pattern of a plain domain entry.
  mutating func addDomain(length: Int) { addHost(plain: length, ending: 1, isRepeated: false) }

  /// Adds any other pattern.
  mutating func add(_ pattern: Span<UInt8>) {
    addNames(pattern)
    // The usual anchor of converters, which has no alternatives to try.
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
    // A pattern with a few optional parts may be indexed by all the texts that it stands for.
    let texts = hasRepetition ? 1 : 1 << min(4, optionalParts)
    elsewhere += (parts + 4) * texts
    mostThreads = max(mostThreads, pattern.count)
  }

  /// Adds a pattern that may be taken apart into the names of hosts, each of which is looked up.
  private mutating func addNames(_ pattern: Span<UInt8>) {
    // How a host anchor begins, in whatever spelling.
    guard pattern.count > 0, pattern[0] == UInt8(ascii: "^") || pattern[0] == UInt8(ascii: "[")
    else { return }
    // What stands in an anchor is not taken apart.
    let start = PatternShortcut.endOfBeginning(pattern) ?? 0
    addNames(Self.names(pattern, from: start), length: pattern.count - start)
  }

  /// Adds a pattern behind a host anchor that may be taken apart into several names.
  ///
  /// - Parameters:
  ///   - names: How many at most; 1 adds nothing.
  ///   - length: The length of the pattern behind the anchor.
  mutating func addNames(_ names: Int, length: Int) {
    guard names > 1 else { return }
    atHosts += names * (length + 4)
    // Unless it is taken apart, a table reads what follows.
    elsewhere += length + 4
  }

  /// An upper bound on the names that a pattern is taken apart into, from a place on.
  static func names(_ pattern: Span<UInt8>, from start: Int) -> Int {
    var names = 1
    var index = start
    while index < pattern.count, names < mostNames {
      switch pattern[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["):
        let end = endOfSet(pattern, index)
        if mayBeOfName(pattern, index, end) { names = mostNames }
        index = end
      case UInt8(ascii: "?"), UInt8(ascii: "{"): names *= 2
      default: break
      }
      index += 1
    }
    return min(names, mostNames)
  }

  /// Whether a set may stand for a few characters of a host's name.
  ///
  /// Such a set has letters, digits, `-`, `.` or `_`, or an escape that may stand for them. One that is negated has
  /// too many, and the end of the URL.
  private static func mayBeOfName(_ pattern: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    guard start + 1 < end, pattern[start + 1] != UInt8(ascii: "^") else { return false }
    for index in start + 1..<end {
      switch pattern[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "-")...UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "\\"):
        return true
      default: continue
      }
    }
    return false
  }

  /// No pattern is taken apart into more names, nor into more texts.
  private static let mostNames = 16

  /// Returns the position of a set's closing bracket, or the last position if there is none; a set
  /// is one comparison.
  private static func endOfSet(_ pattern: Span<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < pattern.count, pattern[index] != UInt8(ascii: "]") {
      index += pattern[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index, pattern.count - 1)
  }
}

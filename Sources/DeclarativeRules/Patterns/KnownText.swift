internal import ContentRules

/// A known beginning of a URL, to determine how far units match it.
///
/// Positions are bit sets, because each scheme is tested for each pattern.
struct KnownText {
  /// A set of positions in the text: bit *n* is the position before character *n*.
  typealias Places = UInt64

  /// The position before the first character.
  static let start: Places = 1

  private let bytes: [UInt8]
  /// Whether a unit could match beyond the known text.
  private(set) var goesOn = false

  /// Creates a known text of at most 63 characters.
  init(_ text: String) {
    bytes = Array(text.utf8)
    precondition(bytes.count < Places.bitWidth)
  }

  /// The position behind the last character.
  var end: Places { 1 << Places(bytes.count) }

  /// Returns the positions up to which units match from any of the given ones.
  mutating func ends(_ nodes: ArraySlice<PatternNode>, from starts: Places) -> Places {
    var places = starts
    for node in nodes where places != 0 { places = ends(node, from: places) }
    return places
  }

  /// Whether units may match from a position, as far as is known.
  func canBegin(_ nodes: [PatternNode], at place: Int) -> Bool {
    var text = self
    text.goesOn = false
    return text.ends(nodes[...], from: 1 << Places(place)) != 0 || text.goesOn
  }

  private mutating func ends(_ node: PatternNode, from starts: Places) -> Places {
    var ends = node.quantifier.allowsZero ? starts : 0
    var reached = starts
    let isRepeated = node.quantifier == .zeroOrMore || node.quantifier == .oneOrMore
    repeat {
      reached = once(node, from: reached) & ~ends
      ends |= reached
    } while isRepeated && reached != 0
    return ends
  }

  private mutating func once(_ node: PatternNode, from starts: Places) -> Places {
    switch node.kind {
    case .group(let members): return ends(members[...], from: starts)
    case .characters(let set):
      if starts & end != 0 { goesOn = true }
      var ends: Places = 0
      for (place, byte) in bytes.enumerated()
      where starts & 1 << Places(place) != 0 && set.contains(byte) {
        ends |= 2 << Places(place)
      }
      return ends
    }
  }
}

internal import ContentRules

/// A unit of a pattern; groups contain their units.
struct PatternNode: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case characters(CharacterSet)
    case group([PatternNode])
  }

  var kind: Kind
  var quantifier: Quantifier

  /// The greatest depth of groups in patterns that are translated.
  static let maximumDepth = 16

  /// Any text.
  static let anything = PatternNode(kind: .characters(.urlCharacters), quantifier: .zeroOrMore)

  var isAnything: Bool { self == .anything }

  /// Whether the unit is the end of the URL.
  var isEnd: Bool { kind == .characters(.endOfURL) && quantifier == .one }

  /// The set of a unit that matches exactly one character.
  var single: CharacterSet? {
    guard quantifier == .one, case .characters(let set) = kind else { return nil }
    return set
  }
}

/// A pattern as a tree, simplified for translation.
struct PatternTree {
  /// The units behind the anchor.
  var nodes: [PatternNode]
  /// Whether the first unit must match at the URL's start.
  var isAnchored: Bool
  /// Whether letters match only themselves.
  var isCaseSensitive: Bool
  /// Whether the pattern can match no URL at all.
  var isImpossible = false

  /// Reads a pattern; `nil` if it is nested too deeply.
  init?(_ terms: [Term], isCaseSensitive: Bool) {
    self.isCaseSensitive = isCaseSensitive
    guard let read = Self.nodes(terms[...], depth: 0), let ended = Self.ended(read) else {
      return nil
    }
    var nodes = Self.tidied(ended)
    isAnchored = nodes.first?.isAnything != true
    if !isAnchored { nodes.removeFirst() }
    self.nodes = nodes
    isImpossible = Self.isImpossible(nodes)
  }

  private static func nodes(_ terms: ArraySlice<Term>, depth: Int) -> [PatternNode]? {
    guard depth <= PatternNode.maximumDepth else { return nil }
    var nodes: [PatternNode] = []
    var place = terms.startIndex
    while place < terms.endIndex {
      let term = terms[place]
      switch term.kind {
      case .characters(var set):
        // The URL of a load over the network is without its fragment.
        set.remove(UInt8(ascii: "#"))
        if !set.isEmpty || !term.quantifier.allowsZero {
          nodes.append(PatternNode(kind: .characters(set), quantifier: term.quantifier))
        }
        place += 1
      case .group(let count):
        let inner = terms[place + 1..<place + 1 + count]
        guard let members = Self.nodes(inner, depth: depth + 1) else { return nil }
        if term.quantifier == .one {
          nodes += members
        } else if !term.quantifier.allowsZero || !isImpossible(members) {
          nodes.append(PatternNode(kind: .group(members), quantifier: term.quantifier))
        }
        place += count + 1
      }
    }
    return nodes
  }

  /// Takes the URL's end out of sets that something must follow; `nil` if it is within a group.
  private static func ended(_ nodes: [PatternNode]) -> [PatternNode]? {
    var nodes = nodes
    for place in nodes.indices {
      switch nodes[place].kind {
      case .characters(var set):
        guard place + 1 < nodes.count, set.contains(0) else { continue }
        set.remove(0)
        nodes[place].kind = .characters(set)
      case .group(let members):
        guard !hasEnd(members) else { return nil }
      }
    }
    return nodes
  }

  private static func hasEnd(_ nodes: [PatternNode]) -> Bool {
    nodes.contains { node in
      switch node.kind {
      case .characters(let set): set.contains(0)
      case .group(let members): hasEnd(members)
      }
    }
  }

  /// Removes optional units next to “any text”.
  private static func tidied(_ nodes: [PatternNode]) -> [PatternNode] {
    var tidied: [PatternNode] = []
    for node in nodes {
      let isNeedless = node.quantifier.allowsZero && !node.isAnything
      if isNeedless, tidied.last?.isAnything == true { continue }
      if node.isAnything {
        while let last = tidied.last, last.quantifier.allowsZero { tidied.removeLast() }
      }
      tidied.append(node)
    }
    return tidied
  }

  private static func isImpossible(_ nodes: [PatternNode]) -> Bool {
    nodes.contains { node in
      guard !node.quantifier.allowsZero else { return false }
      switch node.kind {
      case .characters(let set): return set.isEmpty
      case .group(let members): return isImpossible(members)
      }
    }
  }
}

extension CharacterSet {
  /// Every character that a URL can have before its fragment.
  static let urlCharacters: CharacterSet = {
    var set = CharacterSet.any
    set.remove(UInt8(ascii: "#"))
    return set
  }()

  /// The browsers' separators, without `#`.
  static let separators: CharacterSet = {
    var set = CharacterSet.urlCharacters
    for character in UInt8(0)..<128 where CharacterSet.isWordCharacter(character) {
      set.remove(character)
    }
    return set
  }()

  private static func isWordCharacter(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "%"):
      true
    default: false
    }
  }

  mutating func remove(_ character: UInt8) {
    if character < 64 {
      low &= ~(1 << UInt64(character))
    } else {
      high &= ~(1 << UInt64(character - 64))
    }
  }

  /// The members in ascending order.
  var members: [UInt8] { (0..<128).filter { contains($0) } }

  /// The number of members.
  var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

  /// The set of a text's characters.
  init(_ text: StaticString) {
    self.init()
    for character in "\(text)".utf8 { insert(character) }
  }

  static let labelCharacters = CharacterSet("abcdefghijklmnopqrstuvwxyz0123456789-")
  static let dotAndUnderscore = CharacterSet("._")
  static let underscore = CharacterSet("_")
  static let hostEnds = CharacterSet(":/")
  /// URLs have hosts in lower case.
  private static let hostCharacters = CharacterSet("abcdefghijklmnopqrstuvwxyz0123456789-._")

  func isSuperset(of other: CharacterSet) -> Bool {
    other.low & ~low == 0 && other.high & ~high == 0
  }

  /// Whether a member could continue a host.
  var meetsHost: Bool {
    low & Self.hostCharacters.low != 0 || high & Self.hostCharacters.high != 0
  }

  /// The members without capital letters.
  var withoutCapitals: CharacterSet { CharacterSet(low: low, high: high & ~0x07FF_FFFE) }

  /// Returns the members, with only one case of a letter if the pattern means both.
  func folded(isCaseSensitive: Bool) -> CharacterSet {
    guard !isCaseSensitive else { return self }
    var set = self
    // The two cases of a letter are 32 apart.
    let upper = high & 0x07FF_FFFE
    set.high = high & ~upper | upper << 32
    return set
  }

  /// Returns the only character that is meant, if there is just one.
  func only(isCaseSensitive: Bool) -> UInt8? {
    let folded = folded(isCaseSensitive: isCaseSensitive)
    guard folded.count == 1 else { return nil }
    return UInt8(
      folded.low != 0 ? folded.low.trailingZeroBitCount : 64 + folded.high.trailingZeroBitCount
    )
  }
}

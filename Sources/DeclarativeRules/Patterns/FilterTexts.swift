internal import ContentRules

/// Expresses patterns as the browser's simple filters, several if one is not enough.
///
/// A filter consists of characters, `*` for any text, and `^` for a separator or the end.
struct FilterTexts {
  /// The filters so far, without the anchor.
  private(set) var texts: [[UInt8]] = [[]]
  private let isCaseSensitive: Bool
  private let seesFragments: Bool
  /// The most filters for one pattern.
  private static let limit = 8

  /// Creates the filters of units; `nil` if filters cannot express them.
  ///
  /// - Parameters:
  ///   - nodes: The units behind the anchor or its equivalent.
  ///   - isCaseSensitive: Whether the filters are case-sensitive.
  ///   - seesFragments: Whether the browser matches URLs with their fragments.
  init?(_ nodes: [PatternNode], isCaseSensitive: Bool, seesFragments: Bool) {
    self.isCaseSensitive = isCaseSensitive
    self.seesFragments = seesFragments
    guard append(nodes[...], isLast: true) else { return nil }
  }

  /// Returns the filters as tests, behind an anchor.
  func tests(anchor: String) -> [AddressForm.Test] {
    texts.map { text in
      var text = text[...]
      if anchor.isEmpty { text = text.drop { $0 == UInt8(ascii: "*") } }
      return AddressForm.Test(urlFilter: anchor + String(decoding: text, as: UTF8.self))
    }
  }

  /// Appends units to all filters; returns false if that is impossible.
  private mutating func append(_ nodes: ArraySlice<PatternNode>, isLast: Bool) -> Bool {
    var place = nodes.startIndex
    while place < nodes.endIndex {
      let node = nodes[place]
      let follow = nodes[(place + 1)...]
      if isLast, node.isEnd, follow.isEmpty { return appendEnd() }
      if isLast, follow.count == 1, follow.first?.isEnd == true, let set = node.endOrGoesOn {
        return appendEnd(or: set)
      }
      guard append(node, isFollowed: !follow.isEmpty || !isLast) else { return false }
      place += 1
    }
    return true
  }

  private mutating func append(_ node: PatternNode, isFollowed: Bool) -> Bool {
    if node.isAnything {
      add([[UInt8(ascii: "*")]])
      return true
    }
    switch node.quantifier {
    case .oneOrMore, .zeroOrMore: return false
    case .zeroOrOne:
      var with = self
      var one = node
      one.quantifier = .one
      let isSaid =
        switch one.kind {
        case .characters: with.append(one, isFollowed: isFollowed)
        case .group(let members): with.append(members[...], isLast: false)
        }
      guard isSaid, texts.count + with.texts.count <= Self.limit else { return false }
      texts += with.texts
      return true
    case .one: break
    }
    guard case .characters(let set) = node.kind, !set.contains(0) else { return false }
    if set == .separators, isFollowed {
      add([[UInt8(ascii: "^")]])
      return true
    }
    let folded = set.folded(isCaseSensitive: isCaseSensitive)
    guard (1...4).contains(folded.count), folded.count * texts.count <= Self.limit else {
      return false
    }
    let members = folded.members
    guard !members.contains(where: { [UInt8]("*^|".utf8).contains($0) }) else { return false }
    add(members.map { [$0] })
    return true
  }

  /// Appends the URL's end, possibly preceded by a member of a set and any text.
  private mutating func appendEnd(or set: CharacterSet? = nil) -> Bool {
    if set == .separators {
      add([[UInt8(ascii: "^")]])
      return true
    }
    var ends = [[UInt8(ascii: "|")]]
    // `#` occurs in a URL only before the fragment.
    if seesFragments { ends.append([UInt8(ascii: "#")]) }
    if let set {
      let members = set.folded(isCaseSensitive: isCaseSensitive).members
      guard members.count <= 4, !members.contains(where: { [UInt8]("*^|".utf8).contains($0) })
      else { return false }
      ends += members.map { [$0] }
    }
    guard ends.count * texts.count <= Self.limit else { return false }
    add(ends)
    return true
  }

  private mutating func add(_ choices: [[UInt8]]) {
    texts = texts.flatMap { text in
      choices.map { choice in
        choice == [UInt8(ascii: "*")] && text.last == UInt8(ascii: "*") ? text : text + choice
      }
    }
  }
}

extension PatternNode {
  /// The set of `(set .*)?`, which before the end means the end or a member of the set.
  var endOrGoesOn: CharacterSet? {
    guard quantifier == .zeroOrOne, case .group(let members) = kind, members.count == 2,
      members[1].isAnything
    else { return nil }
    return members[0].single
  }
}

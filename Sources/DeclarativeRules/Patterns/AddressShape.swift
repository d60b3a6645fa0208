internal import ContentRules

/// What an anchored pattern says of a URL's scheme and host.
///
///     ^[^:]+://+([^:/]+\.)?ads\.example[:/]     any scheme, subdomains, a whole host, nothing more
struct AddressShape {
  /// What may stand before the host that is named.
  enum Subdomains {
    /// Nothing.
    case none
    /// Nothing, or any labels.
    case any
    /// Nothing, or one label of letters, digits and hyphens.
    case oneLabel
    /// Nothing, or two characters and more, whatever they are.
    case anyText
  }

  /// The schemes that browsers let rules see.
  static let schemes = ["http", "https", "ws", "wss"]

  /// Those of ``schemes`` that the pattern has.
  var schemes: [String]
  /// What may stand before the host.
  var subdomains: Subdomains
  /// The units from the host on.
  var rest: [PatternNode]
  /// The host that is named, if the pattern says where it ends.
  var host: String?
  /// Whether the pattern ends with the host.
  var endsWithHost = false
  /// The characters of the only label that may stand before the host, for `oneLabel`.
  private var label: PatternNode?

  /// Reads the units of an anchored pattern; `nil` if they have another shape.
  init?(_ tree: PatternTree) {
    guard tree.isAnchored else { return nil }
    let nodes = tree.nodes
    let colon = nodes.firstIndex { $0.single == Self.colon }
    guard let colon else { return nil }
    let scheme = nodes[..<colon]
    guard scheme.allSatisfy({ $0.isPlain(without: UInt8(ascii: ":")) }) else { return nil }
    schemes = zip(Self.schemes, Self.texts).filter { _, text in
      var text = text
      return text.ends(scheme, from: KnownText.start) & text.end != 0
    }.map(\.0)
    guard let host = Self.afterSlashes(nodes[(colon + 1)...]) else { return nil }
    (subdomains, rest) = Self.subdomains(host)
    if subdomains == .oneLabel, case .group(let members) = host.first?.kind {
      label = members.first
    }
    // A further slash would belong to those that were counted.
    guard let first = rest.first, !first.canBe(UInt8(ascii: "/")) else { return nil }
    readHost(isCaseSensitive: tree.isCaseSensitive)
  }

  /// A test for a host that is named and ends the pattern, with one label before it at most.
  ///
  /// That a load is of the host or of one below says the domain; so the expression only counts
  /// labels, and is the same for many hosts.
  func labelCountRegex(seesFragments: Bool) -> AddressForm.Test? {
    guard subdomains == .oneLabel, endsWithHost, let host, let label else { return nil }
    var regex = RegexText(isCaseSensitive: false, seesFragments: seesFragments)
    regex.append("[^:/]+://(?:", cost: 10)
    regex.append([label])
    regex.append("\\.)?", cost: 2)
    for number in 0..<host.split(separator: ".").count {
      regex.append(number == 0 ? "[^./:]+" : "\\.[^./:]+", cost: number == 0 ? 8 : 9)
    }
    regex.append("[:/]", cost: 3)
    return AddressForm.Test(domain: host, regex: regex.text, regexCost: regex.cost)
  }

  private static let texts = schemes.map { KnownText($0) }
  private static let twoSlashes = KnownText("//")
  private static let colon = CharacterSet(":")
  fileprivate static let slash = CharacterSet("/")
  private static let dot = CharacterSet(".")

  /// The units behind those that stand for the two slashes.
  private static func afterSlashes(_ nodes: ArraySlice<PatternNode>) -> ArraySlice<PatternNode>? {
    var slashes = twoSlashes
    var places = KnownText.start
    var place = nodes.startIndex
    while place < nodes.endIndex, nodes[place].isSlashes {
      places = slashes.ends(nodes[place...place], from: places)
      place += 1
    }
    return place < nodes.endIndex && places & slashes.end != 0 ? nodes[place...] : nil
  }

  private static func subdomains(
    _ nodes: ArraySlice<PatternNode>
  ) -> (Subdomains, [PatternNode]) {
    let whole = (Subdomains.none, Array(nodes))
    guard let first = nodes.first, first.quantifier.allowsZero,
      case .group(let members) = first.kind, members.count == 2,
      case .characters(let labels) = members[0].kind,
      members[0].quantifier == .oneOrMore || members[0].quantifier == .zeroOrMore,
      let dot = members[1].single
    else { return whole }
    let rest = Array(nodes.dropFirst())
    let isRepeated = first.quantifier == .zeroOrMore
    guard !labels.contains(UInt8(ascii: "/")), labels.isSuperset(of: .labelCharacters) else {
      return whole
    }
    guard dot == Self.dot else {
      return dot == .urlCharacters && labels.isSuperset(of: .dotAndUnderscore) && !isRepeated
        ? (.anyText, rest) : whole
    }
    if labels.isSuperset(of: isRepeated ? .underscore : .dotAndUnderscore) { return (.any, rest) }
    return isRepeated ? whole : (.oneLabel, rest)
  }

  /// Finds out the host and where it ends.
  private mutating func readHost(isCaseSensitive: Bool) {
    var text: [UInt8] = []
    var place = 0
    while place < rest.count, let set = rest[place].single,
      let character = set.only(isCaseSensitive: isCaseSensitive), set.meetsHost
    {
      text.append(character)
      place += 1
    }
    guard place < rest.count, let host = DomainName.name(text) else { return }
    let after = rest[place]
    if let set = after.single {
      // A host goes on with a port or the path.
      guard !set.meetsHost, !set.contains(0) else { return }
      self.host = host
      endsWithHost = place + 1 == rest.count && set.isSuperset(of: .hostEnds)
    } else if place + 2 == rest.count, rest[place + 1].isEnd, let set = after.endOrGoesOn,
      !set.meetsHost
    {
      self.host = host
      endsWithHost = set.isSuperset(of: .hostEnds)
    }
  }
}

extension PatternNode {
  /// Whether the unit is a set, whose members are not this character.
  fileprivate func isPlain(without character: UInt8) -> Bool {
    guard case .characters(let set) = kind else { return false }
    return !set.contains(character)
  }

  /// Whether the unit is slashes alone.
  fileprivate var isSlashes: Bool {
    switch kind {
    case .characters(let set): set == AddressShape.slash
    case .group(let members): members.allSatisfy { $0.single == AddressShape.slash }
    }
  }

  /// Whether a text that the unit matches can begin with the character.
  fileprivate func canBe(_ character: UInt8) -> Bool {
    switch kind {
    case .characters(let set): return set.contains(character)
    case .group(let members):
      for member in members {
        if member.canBe(character) { return true }
        if !member.quantifier.allowsZero { return false }
      }
      return false
    }
  }
}

/// Names of hosts as the browser's rules take them.
enum DomainName {
  /// The text, if it is a name in lower case.
  static func name(_ text: [UInt8]) -> String? {
    guard !text.isEmpty else { return nil }
    for label in text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard !label.isEmpty else { return nil }
      for byte in label {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          continue
        default: return nil
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a name is a domain, or lies below it.
  static func isName(_ name: String, within domain: String) -> Bool {
    name == domain || name.hasSuffix("." + domain)
  }

  /// Whether a name is an address, which has nothing below it.
  static func isAddress(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }
}

internal import ContentRules

/// The scheme and host that an anchored pattern requires of a URL.
///
///     ^[^:]+://+([^:/]+\.)?ads\.example[:/]     any scheme, subdomains, a whole host, nothing more
struct AddressShape {
  /// What may precede the named host.
  enum Subdomains {
    /// Nothing.
    case none
    /// Nothing, or any labels.
    case any
    /// Nothing, or a label of letters, digits and hyphens.
    case oneLabel
    /// Nothing, or any text of at least two characters.
    case anyText
  }

  /// The schemes that browser rules can see.
  static let schemes = ["http", "https", "ws", "wss"]

  /// Those of ``schemes`` that the pattern allows.
  var schemes: [String]
  /// What may precede the host.
  var subdomains: Subdomains
  /// The units from the host on.
  var rest: [PatternNode]
  /// The named host, if the pattern says where it ends.
  var host: String?
  /// Whether the pattern ends with the host.
  var endsWithHost = false
  /// The characters of the only label before the host, for `oneLabel`.
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
    // A further slash would be one of those that were counted.
    guard let first = rest.first, !first.canBe(UInt8(ascii: "/")) else { return nil }
    readHost(isCaseSensitive: tree.isCaseSensitive)
  }

  /// Returns a test for a named host at the end of the pattern, with at most one label before it.
  ///
  /// The domain condition ensures that the load belongs to the host; so the expression only counts
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

  /// Returns the units behind those of the two slashes.
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

  /// Determines the host and where it ends.
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
      // Only a port or the path can follow a host.
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
  /// Whether the unit is a set without this character.
  fileprivate func isPlain(without character: UInt8) -> Bool {
    guard case .characters(let set) = kind else { return false }
    return !set.contains(character)
  }

  /// Whether the unit matches only slashes.
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

/// Names of hosts as browser rules accept them.
enum DomainName {
  /// Returns the text if it is a lower-case name.
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

  /// Whether a name is a domain or one of its subdomains.
  static func isName(_ name: String, within domain: String) -> Bool {
    name == domain || name.hasSuffix("." + domain)
  }

  /// Whether a name is an IP address, which has no subdomains.
  static func isAddress(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
  }
}

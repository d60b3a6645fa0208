internal import ContentRules

/// What an anchored pattern says of a URL's scheme, where it says nothing of the host.
///
///     ^[^:]+:(//)?.*/ads/     any scheme, and `/ads/` somewhere behind its colon
///     ^https?://              http and https, whatever follows
struct SchemeShape {
  /// Those of ``AddressShape/schemes`` that the pattern has.
  var schemes: [String] = []
  /// The units behind “any text”; empty if all URLs of the schemes are meant.
  var rest: [PatternNode] = []
  /// What must stand before the rest so that it is found behind the scheme alone: a beginning of
  /// `://`, which is first found at the scheme; empty if the rest can be nowhere else.
  var start = ""
  /// Whether the rest cannot begin before the scheme's colon has ended.
  var hasColon = false

  private static let slashes = "://"

  /// Reads the units of an anchored pattern; `nil` if they have another shape.
  init?(_ tree: PatternTree) {
    guard tree.isAnchored else { return nil }
    let head = tree.nodes.prefix { !$0.isAnything }
    rest = Array(tree.nodes.dropFirst(head.count + 1))
    var starts: Set<Int> = []
    var canBeEarlier = false
    for scheme in AddressShape.schemes {
      var text = KnownText("\(scheme)\(Self.slashes)")
      // Behind the shortest text that fits, any text may follow.
      guard let end = text.ends(Array(head), from: [0]).min() else {
        if text.goesOn { return nil }
        continue
      }
      schemes.append(scheme)
      starts.insert(end - scheme.utf8.count)
      canBeEarlier = canBeEarlier || (0..<end).contains { text.canBegin(rest, at: $0) }
    }
    hasColon = starts.allSatisfy { $0 > 0 }
    guard canBeEarlier, !rest.isEmpty else { return }
    guard starts.count == 1, let length = starts.first, length > 0 else { return nil }
    start = String(Self.slashes.prefix(length))
  }
}

/// The part of a URL up to the host, of which every character is known.
private struct KnownText {
  private let bytes: [UInt8]
  /// Whether a unit asked for more than is known.
  private(set) var goesOn = false

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The places up to which units match from any of some places.
  mutating func ends(_ nodes: [PatternNode], from starts: Set<Int>) -> Set<Int> {
    nodes.reduce(starts) { ends($1, from: $0) }
  }

  /// Whether units may match from a place, as far as is known.
  func canBegin(_ nodes: [PatternNode], at place: Int) -> Bool {
    var text = self
    text.goesOn = false
    return !text.ends(nodes, from: [place]).isEmpty || text.goesOn
  }

  private mutating func ends(_ node: PatternNode, from starts: Set<Int>) -> Set<Int> {
    guard !starts.isEmpty else { return [] }
    var ends = node.quantifier.allowsZero ? starts : []
    var reached = starts
    repeat {
      reached = once(node, from: reached).subtracting(ends)
      ends.formUnion(reached)
    } while node.quantifier.isRepeated && !reached.isEmpty
    return ends
  }

  private mutating func once(_ node: PatternNode, from starts: Set<Int>) -> Set<Int> {
    switch node.kind {
    case .group(let members): return ends(members, from: starts)
    case .characters(let set):
      if starts.contains(bytes.count) { goesOn = true }
      return Set(starts.filter { $0 < bytes.count && set.contains(bytes[$0]) }.map { $0 + 1 })
    }
  }
}

extension Quantifier {
  /// Whether a unit may be there more than once.
  var isRepeated: Bool { self == .zeroOrMore || self == .oneOrMore }
}

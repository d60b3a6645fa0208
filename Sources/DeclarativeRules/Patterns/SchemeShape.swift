internal import ContentRules

/// The scheme that an anchored pattern requires of a URL, if it does not constrain the host.
///
///     ^[^:]+:(//)?.*/ads/     any scheme, and `/ads/` somewhere behind its colon
///     ^https?://              http and https, whatever follows
struct SchemeShape {
  /// Those of ``AddressShape/schemes`` that the pattern allows.
  var schemes: [String] = []
  /// The units behind “any text”; empty if all URLs of the schemes are meant.
  var rest: [PatternNode] = []
  /// What must precede the rest so that it is found only behind the scheme: a prefix of `://`,
  /// whose first occurrence is at the scheme; empty if the rest cannot be elsewhere.
  var start = ""
  /// Whether the rest must begin behind the scheme's colon.
  var hasColon = false

  private static let slashes = "://"
  private static let texts = AddressShape.schemes.map { KnownText($0 + slashes) }

  /// Reads the units of an anchored pattern; `nil` if they have another shape.
  init?(_ tree: PatternTree) {
    guard tree.isAnchored else { return nil }
    let head = tree.nodes.prefix { !$0.isAnything }
    rest = Array(tree.nodes.dropFirst(head.count + 1))
    var starts: Set<Int> = []
    var canBeEarlier = false
    for (scheme, text) in zip(AddressShape.schemes, Self.texts) {
      var text = text
      let ends = text.ends(head, from: KnownText.start)
      guard ends != 0 else {
        if text.goesOn { return nil }
        continue
      }
      // Any text may follow the shortest match.
      let end = ends.trailingZeroBitCount
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

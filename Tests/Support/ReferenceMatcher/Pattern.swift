/// A set of the characters 0 to 127, where 0 is the end of the searched text.
public struct PatternCharacters: Hashable, Sendable {
  /// Bit *n* is set if character *n* is in the set.
  public var bits: UInt128

  /// Makes a set from its bits.
  public init(bits: UInt128 = 0) { self.bits = bits }

  /// The end of the searched text, which is what `$` means.
  public static let end = Self(bits: 1)
  /// All characters but the end: what `.` and `[^]` mean.
  public static let any = Self(bits: ~1)

  /// Says whether a character is in the set.
  public func contains(_ character: UInt8) -> Bool {
    character < 128 && bits >> UInt128(character) & 1 == 1
  }

  mutating func insert(_ character: UInt8) { bits |= 1 << UInt128(character) }

  /// The members in ascending order.
  public var members: [UInt8] {
    var members: [UInt8] = []
    var rest = bits
    while rest != 0 {
      members.append(UInt8(rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    return members
  }

  /// The set with each letter joined by its other case.
  var ignoringCase: Self {
    var result = self
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      let capital = letter - 32
      if contains(letter) { result.insert(capital) }
      if contains(capital) { result.insert(letter) }
    }
    return result
  }

  /// All characters but the end and the members.
  var inverted: Self { .init(bits: Self.any.bits & ~bits) }
}

/// How often a node of a pattern is matched.
public enum PatternRepetition: Hashable, Sendable {
  case once
  case zeroOrOne
  case zeroOrMore
  case oneOrMore

  /// Whether zero times are enough.
  public var allowsNone: Bool { self == .zeroOrOne || self == .zeroOrMore }
  /// Whether more than one time is possible.
  public var allowsMany: Bool { self == .zeroOrMore || self == .oneOrMore }
}

/// A piece of a pattern: one character of a set, or a group, each with its repetition.
public indirect enum PatternNode: Hashable, Sendable {
  case characters(PatternCharacters, PatternRepetition)
  case group([PatternNode], PatternRepetition)

  /// Whether the piece is `$` or another spelling of it.
  var isEnd: Bool {
    if case .characters(.end, _) = self { true } else { false }
  }

  /// Whether the piece is one of those known to match any text, which become `.*`.
  var isKnownToMatchAnything: Bool {
    switch self {
    case .characters(let set, let repetition): return set == .any && repetition == .zeroOrMore
    case .group(let body, let repetition):
      guard body.count == 1 else { return false }
      if body[0].isKnownToMatchAnything { return true }
      guard let inner = body[0].repetitionOfUniversalAtom else { return false }
      return repetition == .zeroOrMore
        || repetition == .zeroOrOne && inner == .oneOrMore
        || repetition == .oneOrMore && inner == .zeroOrOne
    }
  }

  /// How often the piece is repeated if it is `.` or a group of one such piece, however often that
  /// is repeated; nil if it is neither.
  private var repetitionOfUniversalAtom: PatternRepetition? {
    switch self {
    case .characters(.any, let repetition): repetition
    case .group(let body, let repetition)
    where body.count == 1 && body[0].repetitionOfUniversalAtom != nil:
      repetition
    default: nil
    }
  }

  /// Whether the piece counts as one that must consume a character.
  ///
  /// This is a question about the pieces, not about the texts that match: in `^$` no piece counts,
  /// so the pattern matches everything.
  var mustConsume: Bool {
    switch self {
    case .characters(let set, let repetition): set != .end && !repetition.allowsNone
    case .group(let body, let repetition):
      !repetition.allowsNone && body.contains(where: \.mustConsume)
    }
  }
}

/// A url filter, top-URL or frame-URL entry, as a tree.
///
/// WebKit tidies the pieces. Most of that (putting `.*` in front, dropping what may be empty at the
/// back) changes neither which texts are found nor whether a pattern counts as matching everything,
/// so there is nothing of it here. Dropping `.*$` does change what is found: in `a[\\0/].*$` the set
/// may read the end, after which no other end comes.
///
/// > Source: The rule language, sections 5.1 to 5.3.
public struct ReferencePattern: Hashable, Sendable {
  /// Whether a match must start where the text starts.
  public var isAnchored: Bool
  /// The pieces, one after the other.
  ///
  /// Letters already hold both cases if case is ignored.
  public var nodes: [PatternNode]

  /// Whether the pattern counts as one that matches every text.
  public var matchesEverything: Bool { !nodes.contains(where: \.mustConsume) }

  /// Reads a pattern.
  ///
  /// - Throws: ``ReferenceRefusal`` named `JSONInvalidRegex` with the status of the pattern.
  public init(_ text: String, isCaseSensitive: Bool = false) throws {
    var reader = try PatternReader(text, isCaseSensitive: isCaseSensitive)
    self = try reader.read()
  }

  init(isAnchored: Bool, nodes: [PatternNode]) {
    self.isAnchored = isAnchored
    self.nodes = nodes
    // `.*` right before `$`, in front of which something else stands, goes together with it.
    if case .characters(.end, .once) = nodes.last, !matchesEverything {
      let rest = nodes.dropLast()
      let kept = rest.reversed().drop(while: \.isKnownToMatchAnything)
      if kept.count < rest.count { self.nodes = Array(kept.reversed()) }
    }
  }

  /// Searches a text for the pattern, as a rule would.
  public func matches(_ text: String) -> Bool {
    matchesEverything || PatternMachine(self).finds(in: SearchedText(text))
  }
}

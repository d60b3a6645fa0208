/// A set of the 128 characters that patterns distinguish.
///
/// Character 0 is the end-of-URL marker: the engine feeds it once behind the URL's last character.
/// `$` is the set of it alone.
public struct CharacterSet: Hashable, Sendable {
  /// Characters 0–63; bit *n* stands for character *n*.
  public var low: UInt64
  /// Characters 64–127; bit *n* stands for character 64 + *n*.
  public var high: UInt64

  /// Creates a set from its bits.
  public init(low: UInt64 = 0, high: UInt64 = 0) {
    self.low = low
    self.high = high
  }

  /// Every character of a URL, 1–127, and not the end of the URL.
  public static let any = CharacterSet(low: ~1, high: ~0)
  /// The end of the URL alone.
  public static let endOfURL = CharacterSet(low: 1, high: 0)

  /// Whether the set holds the character; false for anything above 127.
  public func contains(_ character: UInt8) -> Bool {
    character < 64
      ? low >> UInt64(character) & 1 != 0
      : character < 128 && high >> UInt64(character - 64) & 1 != 0
  }

  /// Adds a character below 128.
  ///
  /// - Precondition: `character` is below 128.
  public mutating func insert(_ character: UInt8) {
    precondition(character < 128, "a pattern's alphabet has 128 characters")
    if character < 64 {
      low |= 1 << UInt64(character)
    } else {
      high |= 1 << UInt64(character - 64)
    }
  }

  /// Whether the set is empty; such a term never matches.
  public var isEmpty: Bool { low | high == 0 }
}

/// How often a term may be repeated.
public enum Quantifier: UInt8, Hashable, Sendable {
  case one
  case zeroOrOne
  case zeroOrMore
  case oneOrMore

  /// Whether the term may be left out.
  public var allowsZero: Bool { self == .zeroOrOne || self == .zeroOrMore }
}

/// A unit of a parsed pattern: a character set or a group, with its quantifier.
///
/// A pattern is a flat array of terms in reading order, so that no nesting, however deep, needs
/// recursion to copy, compare or release it. A group is followed by its `count` terms, those of
/// nested groups included:
///
///     a(b(c)?)*   →   a · group(3)* · b · group(1)? · c
public struct Term: Hashable, Sendable {
  /// What a term matches.
  public enum Kind: Hashable, Sendable {
    /// One character out of the set.
    case characters(CharacterSet)
    /// The `count` terms that follow, one after the other.
    case group(count: Int)
  }

  /// What the term matches.
  public var kind: Kind
  /// How often it may be repeated.
  public var quantifier: Quantifier

  /// Creates a term.
  public init(_ kind: Kind, _ quantifier: Quantifier = .one) {
    self.kind = kind
    self.quantifier = quantifier
  }

  /// Whether this is `.*`: any run of characters.
  package var isGap: Bool { quantifier == .zeroOrMore && kind == .characters(.any) }
}

/// A pattern after reading and simplification.
///
/// > Source: the rule language, sections 5.1 to 5.3. WebKit: `URLFilterParser`, `Term`.
public struct ParsedURLFilter: Hashable, Sendable {
  /// The terms in reading order, flattened as ``Term`` describes.
  ///
  /// Without a leading `^` the first term is `.*`; a final `$` is the term of the set
  /// ``CharacterSet/endOfURL``. Letters are in their sets in both cases unless the pattern is
  /// case-sensitive.
  public var terms: [Term]
  /// Whether every piece can match nothing, so that the rule applies to every URL (status
  /// MatchesEverything); the terms then play no part.
  public var matchesEverything: Bool

  /// Creates a parsed pattern.
  public init(terms: [Term], matchesEverything: Bool) {
    self.terms = terms
    self.matchesEverything = matchesEverything
  }
}

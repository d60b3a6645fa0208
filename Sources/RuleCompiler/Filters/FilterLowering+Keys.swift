internal import ContentRules
internal import RuleMatching

/// The keys of patterns that begin with a host.
extension FilterLowering {
  static func key(
    _ anchor: HostAnchor,
    _ terms: ArraySlice<Term>,
    _ isCaseSensitive: Bool
  ) -> KeyFilter? {
    var text: [UInt8] = []
    for term in terms {
      guard let character = term.singleSet?.character(isCaseSensitive: isCaseSensitive),
        // The scanner compares keys with the folded URL.
        !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= character)
      else { break }
      text.append(character)
    }
    // A key of kind `word` needs a character behind it that cannot be part of a word.
    let wordCount = text.prefix { FilterIndex.isWordByte($0) }.count
    let endsWord = wordCount == text.count && Self.endsWord(terms.dropFirst(wordCount))
    guard let (kind, length) = key(of: text.span, endsWord: endsWord) else { return nil }
    return KeyFilter(
      anchor: anchor,
      kind: kind,
      key: Array(text.prefix(length)),
      tail: terms.dropFirst(length)
    )
  }

  /// Returns the key for a pattern whose host begins with plain text.
  ///
  /// - Parameters:
  ///   - text: The text, not empty, letters folded.
  ///   - endsWord: Whether what follows the text ends a word.
  /// - Returns: The kind of key and its length; `nil` if the pattern cannot have a key.
  static func key(
    of text: Span<UInt8>,
    endsWord: Bool
  ) -> (kind: FilterIndex.KeyKind, length: Int)? {
    var word = 0
    while word < text.count, FilterIndex.isWordByte(text[word]) { word += 1 }
    // The scanner never looks for hosts behind surplus slashes.
    guard word > 0 else { return nil }
    // A short word such as `com` would collect many filters that differ only in their paths.
    let isCrowded = word < shortWord && text.count >= 8
    if word <= FilterIndex.maximumWord, !isCrowded, word < text.count || endsWord {
      return (.word, word)
    }
    return text.count >= 8 ? (.prefix8, 8) : text.count >= 4 ? (.prefix4, 4) : nil
  }

  /// Whether terms must begin with a character that cannot be part of a word.
  static func endsWord(_ terms: ArraySlice<Term>) -> Bool {
    let first = firstCharacters(of: terms)
    return !first.isNullable && first.set.isDisjoint(with: wordSet)
  }

  /// Shorter words are indexed by their first eight bytes, with whatever follows the word.
  private static let shortWord = 6

  /// The characters of words, as the scanner sees them: in the folded text or, for case-sensitive
  /// filters, in the exact one.
  private static let wordSet: CharacterSet = {
    var set = CharacterSet()
    for byte: UInt8 in 0..<128 where FilterIndex.isWordByte(byte) { set.insert(byte) }
    return set
  }()
}

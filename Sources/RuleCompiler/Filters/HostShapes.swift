internal import ContentRules
internal import RuleMatching

/// Recognises the shape of most patterns without parsing: a host anchor in one of its usual
/// spellings, plain text, and one of a few endings.
///
///     ^[^:]+://+([^:/]+\.)?   ads\.test   [/:]
///
/// Spellings and endings go through the parser once each, so that a recognised pattern means
/// exactly what parsing all of it would give, some ten times as fast. In doubt the parser decides.
struct HostShapes {
  /// A pattern of the shape.
  struct Match {
    var anchor: HostAnchor
    var kind: FilterIndex.KeyKind
    /// How many bytes of ``HostShapes/text`` are the key; the rest must follow it.
    var keyLength: Int
    /// How many bytes the text has.
    var textLength: Int
    /// The index of the ending in ``HostShapes/tails``.
    var tail: Int
  }

  /// What follows the plain text.
  struct Tail {
    /// The parsed terms.
    var terms: [Term] = []
    /// Whether patterns with this ending are recognised at all.
    var isUsable = false
    /// Whether it begins with a character that cannot be part of a word.
    var endsWord = false
    /// Whether it begins with a class that the parsed pattern's name would be taken apart at.
    var beginsWithClassOfName = false
    /// The program of the terms; `nil` until it is first needed.
    var program: TailProgram?
  }

  /// The pieces of an ending's program, and the program's offset once it has been written on its
  /// own.
  struct TailProgram {
    /// `nil` if the ending has terms other than single characters and gaps.
    var pieces: [UInt8]?
    var offset: UInt32?
  }

  private struct Spelling {
    var text: [UInt8]
    /// Whether a longer spelling begins with it.
    var isBeginning = false
    /// The anchor for patterns that are not case-sensitive, and for those that are.
    var anchors: [HostAnchor?]
  }

  /// Patterns longer than this are parsed.
  private static let longestPattern = 4_096
  /// The plain text of the last recognised pattern, letters folded; bytes behind ``Match/textLength`` are left
  /// over from others.
  private(set) var text = [UInt8](repeating: 0, count: longestPattern)
  /// The endings met so far.
  var tails: [Tail] = []
  private var spellings: [Spelling] = []
  /// The endings' texts, each with its case flag in front.
  private var names = ByteStringTable()
  /// The ending that was met last, which most patterns of a list share.
  private var lastTail: Int?
  /// The spelling that was met last.
  private var lastSpelling = 0
  /// The shapes of domain entries' patterns, of those without a `*` in front and of those with one.
  private var domains: [Match?] = []
  /// The hashes of endings that were met and not cached, each in the place that its lower bits choose.
  private var metOnce = [UInt32](repeating: 0, count: 1_024)

  /// Longer endings are not cached, nor more than so many.
  private static let longestTail = 40
  private static let mostTails = 512

  init(_ anchors: [FilterLowering.AnchorTerms]) {
    var texts: [String] = []
    for anchor in HostAnchor.allCases {
      let plain = "\(anchor.pattern)"
      texts.append(plain)
      if let escaped = Self.escapingSlashes(plain) { texts.append(escaped) }
    }
    for text in texts {
      let found = [false, true].map { Self.anchor(text, isCaseSensitive: $0, anchors) }
      spellings.append(Spelling(text: Array(text.utf8), anchors: found))
    }
    // Longest first, as the parser would match them.
    spellings.sort { $0.text.count > $1.text.count }
    for place in spellings.indices {
      spellings[place].isBeginning = spellings[..<place].contains {
        $0.text.starts(with: spellings[place].text)
      }
    }
    for entry in ["x", "*x"] {
      let pattern = DomainPattern.pattern(forDomain: entry)
      // An ending is cached when it is met for the second time.
      _ = match(pattern.span, isCaseSensitive: false)
      domains.append(match(pattern.span, isCaseSensitive: false))
    }
  }

  /// The spelling with `:\/\/` for `://`.
  private static func escapingSlashes(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    for place in bytes.indices where bytes[place...].starts(with: "://".utf8) {
      let escaped = bytes[..<place] + #":\/\/"#.utf8 + bytes[(place + 3)...]
      return String(decoding: escaped, as: UTF8.self)
    }
    return nil
  }

  /// Returns the anchor that a spelling means if plain text follows it.
  private static func anchor(
    _ text: String,
    isCaseSensitive: Bool,
    _ anchors: [FilterLowering.AnchorTerms]
  ) -> HostAnchor? {
    let terms = FilterLowering.terms(of: text, isCaseSensitive: isCaseSensitive)
    let known = anchors.filter { $0.isCaseSensitive == isCaseSensitive }
    guard let anchor = known.first(where: { $0.terms == terms }) else { return nil }
    // Ambiguous if a longer anchor continues with plain text: the text would be mistaken for the
    // host.
    let isAmbiguous = known.contains {
      $0.terms.count > terms.count && $0.terms.starts(with: terms)
        && $0.terms[terms.count].singleSet?.character(isCaseSensitive: isCaseSensitive) != nil
    }
    return isAmbiguous ? nil : anchor.anchor
  }

  // MARK: Recognising

  /// Recognises a pattern; returns `nil` for one that must be parsed.
  mutating func match(_ pattern: Span<UInt8>, isCaseSensitive: Bool) -> Match? {
    guard pattern.count <= Self.longestPattern, let spelling = spelling(of: pattern),
      let anchor = spellings[spelling].anchors[isCaseSensitive ? 1 : 0]
    else { return nil }
    let start = spellings[spelling].text.count
    guard
      let (end, length) = readText(pattern, from: start, isCaseSensitive: isCaseSensitive),
      let tail = tail(pattern, from: end, isCaseSensitive: isCaseSensitive)
    else { return nil }
    return match(anchor, textLength: length, tail)
  }

  /// Recognises the pattern of a domain entry by the entry; returns `nil` for one whose pattern must be made.
  mutating func match(domain entry: Span<UInt8>, isCaseSensitive: Bool) -> Match? {
    // These anchors are not looked up in conditions that are case-sensitive, which hardly any are.
    guard !isCaseSensitive else { return nil }
    let start = entry.count > 0 && entry[0] == UInt8(ascii: "*") ? 1 : 0
    guard let shape = domains[start],
      let length = readDomain(entry, from: start)
    else { return nil }
    return match(shape.anchor, textLength: length, shape.tail)
  }

  /// The shape of an anchor, the text that was read last, and an ending; `nil` if the text has no key.
  private func match(_ anchor: HostAnchor, textLength: Int, _ tail: Int) -> Match? {
    guard
      let (kind, keyLength) = FilterLowering.key(
        of: text.span.extracting(first: textLength),
        endsWord: tails[tail].endsWord
      ),
      kind == .word || !tails[tail].beginsWithClassOfName
    else { return nil }
    return Match(
      anchor: anchor,
      kind: kind,
      keyLength: keyLength,
      textLength: textLength,
      tail: tail
    )
  }

  /// Writes the program for what follows the key of the last recognised pattern, and returns its offset.
  ///
  /// - Returns: `nil` for an ending that needs an automaton.
  mutating func write(
    _ match: Match,
    by writer: inout ProgramWriter,
    isCaseSensitive: Bool
  ) -> UInt32? {
    // Taken out meanwhile, since an ending is changed beside it.
    var text: [UInt8] = []
    swap(&text, &self.text)
    defer { swap(&text, &self.text) }
    return writer.write(
      text.span.extracting(match.keyLength..<match.textLength),
      &tails[match.tail],
      isCaseSensitive: isCaseSensitive
    )
  }

  private mutating func spelling(of pattern: Span<UInt8>) -> Int? {
    // Most patterns of a list share one; but a longer one would win.
    if !spellings[lastSpelling].isBeginning, begins(pattern, withSpelling: lastSpelling) {
      return lastSpelling
    }
    for place in spellings.indices where begins(pattern, withSpelling: place) {
      lastSpelling = place
      return place
    }
    return nil
  }

  private func begins(_ pattern: Span<UInt8>, withSpelling place: Int) -> Bool {
    let spelling = spellings[place]
    let count = spelling.text.count
    return pattern.count > count
      && pattern[count - 1] == spelling.text[count - 1]
      && pattern.isEqual(0, count, spelling.text.span)
  }

  /// Reads at least one character of plain text; returns where it ends in the pattern, and its length.
  private mutating func readText(
    _ pattern: Span<UInt8>,
    from start: Int,
    isCaseSensitive: Bool
  ) -> (end: Int, length: Int)? {
    var read = text.mutableSpan
    var length = 0
    var index = start
    while index < pattern.count {
      var byte = pattern[index]
      if byte == UInt8(ascii: "\\") {
        guard index + 1 < pattern.count, Self.isEscapable(pattern[index + 1]) else { return nil }
        byte = pattern[index + 1]
        index += 1
      } else if !Self.isOrdinary(byte) {
        break
      }
      if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte {
        // The scanner compares keys with the folded URL.
        if isCaseSensitive { return nil }
        byte |= 0x20
      }
      read[length] = byte
      length += 1
      index += 1
    }
    return length == 0 ? nil : (index, length)
  }

  /// Reads an entry's letters, digits, dots and hyphens as plain text; returns its length, and `nil` for an entry
  /// without text, or with other characters.
  private mutating func readDomain(_ entry: Span<UInt8>, from start: Int) -> Int? {
    guard entry.count > start, entry.count <= Self.longestPattern else { return nil }
    var read = text.mutableSpan
    for index in start..<entry.count {
      switch entry[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"):
        read[index - start] = entry[index]
      default: return nil
      }
    }
    return entry.count - start
  }

  /// Whether a character stands for itself wherever it is.
  private static func isOrdinary(_ byte: UInt8) -> Bool {
    switch byte {
    case 0, UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "^"),
      UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "\\"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"):
      false
    default: byte < 128
    }
  }

  /// Whether a character stands for itself behind a backslash: all but letters, digits and `_`.
  private static func isEscapable(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x5E, 0x60, 0x7B...0x7E: true
    default: false
    }
  }

  // MARK: Endings

  /// Returns the index of an ending; `nil` if it must be parsed with the rest.
  private mutating func tail(
    _ pattern: Span<UInt8>,
    from start: Int,
    isCaseSensitive: Bool
  ) -> Int? {
    guard pattern.count - start <= Self.longestTail else { return nil }
    // Also where no more endings are cached: which way a pattern is read changes nothing in the file.
    if let lastTail, isTail(lastTail, pattern, from: start, isCaseSensitive: isCaseSensitive) {
      return tails[lastTail].isUsable ? lastTail : nil
    }
    names.draft.removeAll(keepingCapacity: true)
    names.draft.append(isCaseSensitive ? 1 : 0)
    for index in start..<pattern.count {
      // A backslash with a letter or digit may refer to what precedes the ending.
      if pattern[index] == UInt8(ascii: "\\"),
        index + 1 == pattern.count || !Self.isEscapable(pattern[index + 1])
      {
        return nil
      }
      names.draft.append(pattern[index])
    }
    let hash = names.hashOfDraft
    if let number = names.numberOfDraft(hash: hash) {
      lastTail = number
      return tails[number].isUsable ? number : nil
    }
    // In some lists nearly every pattern has an ending of its own, for which parsing it and keeping it would
    // be in vain, and would leave no room for the usual ones.
    guard start == pattern.count || tails.count < Self.mostTails && wasMet(hash) else { return nil }
    let (number, _) = names.numberOfDraft()
    tails.append(Self.tail(names.draft[1...], isCaseSensitive: isCaseSensitive))
    lastTail = number
    return tails[number].isUsable ? number : nil
  }

  /// Whether an ending of this hash was asked about before, unless others were since; notes that it was.
  private mutating func wasMet(_ hash: UInt32) -> Bool {
    // Not `Int(hash)`, which traps where it has 32 bits.
    let place = Int(truncatingIfNeeded: hash % UInt32(metOnce.count))
    defer { metOnce[place] = hash }
    return metOnce[place] == hash
  }

  /// Whether a pattern ends, from `start` on, as a known ending does.
  private func isTail(
    _ tail: Int,
    _ pattern: Span<UInt8>,
    from start: Int,
    isCaseSensitive: Bool
  ) -> Bool {
    let name = names.range(tail)
    return names.bytes[name.lowerBound] == (isCaseSensitive ? 1 : 0)
      && names.bytes.span.isEqual(
        name.lowerBound + 1,
        name.count - 1,
        pattern.extracting(start..<pattern.count)
      )
  }

  private static func tail(_ text: ArraySlice<UInt8>, isCaseSensitive: Bool) -> Tail {
    var tail = Tail()
    switch text.first {
    // A quantifier would apply to the plain text's last character.
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"), UInt8(ascii: "{"): return tail
    default: break
    }
    let pattern = Array("^x".utf8) + text
    guard
      case .success(let parsed) = URLFilterParser.parse(
        pattern.span,
        isCaseSensitive: isCaseSensitive
      ), !parsed.matchesEverything
    else { return tail }
    tail.terms = Array(parsed.terms.dropFirst())
    // Plain text at the start of the ending would belong to the key.
    let isText =
      tail.terms.first?.singleSet?.character(isCaseSensitive: isCaseSensitive) != nil
    tail.isUsable = !isText
    tail.endsWord = FilterLowering.endsWord(tail.terms[...])
    if !isCaseSensitive, let set = tail.terms.first?.singleSet {
      tail.beginsWithClassOfName = FilterLowering.charactersOfName(set) != nil
    }
    return tail
  }
}

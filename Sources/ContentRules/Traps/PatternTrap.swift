internal import Automata

/// Something that a valid url filter does not do although its author may think so.
struct PatternTrap {
  var code: DiagnosticCode
  /// Bytes of the pattern.
  var range: Range<Int>
  var message: String
  var hint: String?
  /// The bytes of the pattern to replace, and what is meant instead.
  var edit: (range: Range<Int>, replacement: String)?
}

/// Finds traps in patterns.
enum PatternTraps {
  /// The kind of URLs that a pattern is matched against.
  enum Subject {
    /// Loads; `hasTypes` says that the rule lists types, so that only loads of those count.
    case load(hasTypes: Bool)
    case page, frame
  }

  /// Returns a trap if no URL of a kind matches a valid pattern, with what was probably meant;
  /// `nil` if some URL matches.
  static func unmet(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ kind: URLLanguage.Kind,
    _ subject: Subject,
    _ scratch: inout [Term]
  ) -> PatternTrap? {
    guard isDoubtful(pattern, isCaseSensitive: isCaseSensitive, kind) else { return nil }
    let bytes = pattern.indices.map { pattern[$0] }
    let begins = beginsWithScheme(pattern)
    guard
      let nfa = automaton(bytes, isCaseSensitive, atStart: begins, &scratch),
      !URLLanguage.urls(kind).isMet(by: nfa)
    else { return nil }
    let isAnchored = bytes.first == UInt8(ascii: "^")
    if isAnchored {
      // The pattern is about other schemes, which have such URLs.
      if URLLanguage.otherSchemes.isMet(by: nfa) { return nil }
      if let scheme = ownScheme(bytes) {
        guard scheme == "data", case .load = subject else { return nil }
        return PatternTrap(
          code: .patternMatchesNothing,
          range: 0..<bytes.count,
          message: "WebKit never looks at data: URLs, so that no load matches"
        )
      }
    }
    func isMet(_ changed: [UInt8]) -> Bool {
      automaton(changed, isCaseSensitive, atStart: begins, &scratch)
        .map { URLLanguage.urls(kind).isMet(by: $0) } ?? false
    }
    if isCaseSensitive, let edit = lowerCase(bytes, isMet) {
      return PatternTrap(
        code: .patternUpperCase,
        range: edit.range,
        message: "the scheme and host of a URL are always in lower case, and the pattern is"
          + " case-sensitive",
        hint: "write \(String(decoding: Self.changed(bytes, edit), as: UTF8.self))",
        edit: edit
      )
    }
    var trap = PatternTrap(
      code: .patternMatchesNothing,
      range: 0..<bytes.count,
      message: begins && !isAnchored
        ? "no URL begins so; only one that holds another URL can match"
        : nothing(subject, isForFragments: bytes.contains(UInt8(ascii: "#")), kind)
    )
    for guess in guesses(bytes, kind) {
      let changed = Self.changed(bytes, guess.edit)
      guard isMet(changed) else { continue }
      trap.message += ": " + guess.reason
      trap.range = guess.edit.range
      trap.edit = guess.edit
      trap.hint = "write \(String(decoding: changed, as: UTF8.self))"
      return trap
    }
    if URLLanguage.looselyWritten(kind).isMet(by: nfa) {
      trap.message +=
        ": in a URL, IP addresses and ports are written in their shortest form, such as 127.0.0.1,"
        + " [::1] and 8080"
    }
    return trap
  }

  /// Returns the trap that no URL matches.
  private static func nothing(
    _ subject: Subject,
    isForFragments: Bool,
    _ kind: URLLanguage.Kind
  ) -> String {
    switch subject {
    case .load(let hasTypes):
      !isForFragments || kind.contains(.fragments)
        ? "no http, https, ws or wss URL that this rule is asked about can match"
        : hasTypes
          ? "no http or https URL that this rule is asked about can match: fragments are taken"
            + " off before"
          : "nearly no load can match: fragments are removed from http and https URLs before, but"
            + " for media, popups, pings, reports and synchronous requests"
    case .page:
      isForFragments && !kind.contains(.fragments)
        ? "no page that is being loaded can match: fragments are taken off before"
        : "no page's URL can match"
    case .frame: "no frame's URL can match"
    }
  }

  // MARK: Doubt

  /// Whether the automaton needs checking, because the pattern may match nothing.
  ///
  /// An unanchored pattern can match in some query, unless it contains characters that no query
  /// has. Nearly all anchored patterns begin in one of a few ways, followed by a host.
  private static func isDoubtful(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ kind: URLLanguage.Kind
  ) -> Bool {
    guard pattern.count > 0 else { return false }
    var index = 0
    if pattern[0] != UInt8(ascii: "^") {
      if pattern[0] == UInt8(ascii: "h"), beginsWithScheme(pattern) { return true }
    } else if !kind.contains(.http) {
      // The usual beginnings allow http and https.
      return true
    } else if let start = endOfGap(pattern) {
      index = start
    } else if let start = endOfBeginning(pattern), start < pattern.count {
      index = start
      // A host that begins with a digit may be an address.
      guard pattern[index].isWordLetter else { return true }
      // A host and then a path is always a URL.
      while index < pattern.count,
        pattern[index].isWordLetter || pattern[index].isDigit || pattern[index] == UInt8(ascii: "-")
          || pattern[index] == UInt8(ascii: ".")
          || pattern.has("\\", at: index) && pattern.has(".", at: index + 1)
      {
        // Hosts have no capitals.
        if isCaseSensitive, pattern[index].isCapital { return true }
        index += 1
      }
      if index == pattern.count { return false }
      let isPath = pattern.has("/", at: pattern.has("\\", at: index) ? index + 1 : index)
      guard isPath || takesSlash(pattern, index) else { return true }
    } else {
      return true
    }
    while index < pattern.count {
      let byte = pattern[index]
      if byte == UInt8(ascii: "#") || byte < 0x20 { return true }
      if byte == UInt8(ascii: "\\"), index + 1 < pattern.count {
        index += 1
        if pattern[index].isWordLetter || pattern[index].isDigit
          || pattern[index] == UInt8(ascii: "#")
        {
          return true
        }
      }
      index += 1
    }
    return false
  }

  /// Returns the end of a beginning that anything may follow.
  private static func endOfGap(_ pattern: Span<UInt8>) -> Int? {
    if pattern.has(".", at: 12), pattern.matches("^[^:]+:(//)?.*", at: 0) { return 14 }
    guard pattern.has("h", at: 1), pattern.matches("^https?://", at: 0) else { return nil }
    return pattern.count == 10 ? 10 : pattern.matches(".*", at: 10) ? 12 : nil
  }

  /// Returns the end of a beginning that a host may follow.
  private static func endOfBeginning(_ pattern: Span<UInt8>) -> Int? {
    // With an unescaped dot, as old converters wrote it.
    pattern.has(".", at: 18) && pattern.matches("^[^:]+:(//)?([^/]+.)?", at: 0)
      ? 21 : PatternShortcut.endOfBeginning(pattern)
  }

  /// Whether a set, possibly in a group, begins here that contains the slash that follows every
  /// host.
  ///
  /// False if that is not obvious.
  private static func takesSlash(_ pattern: Span<UInt8>, _ start: Int) -> Bool {
    var index = pattern.has("(", at: start) ? start + 1 : start
    guard pattern.has("[", at: index) else { return false }
    index += 1
    let isNegated = pattern.has("^", at: index)
    if isNegated { index += 1 }
    var holdsSlash = false
    while index < pattern.count, pattern[index] != UInt8(ascii: "]") {
      if pattern[index] == UInt8(ascii: "\\") { index += 1 }
      guard index < pattern.count else { return false }
      let low = pattern[index]
      var high = low
      index += 1
      if pattern.has("-", at: index), index + 1 < pattern.count,
        !pattern.has("]", at: index + 1)
      {
        high = pattern[index + 1]
        guard high != UInt8(ascii: "\\") else { return false }
        index += 2
      }
      holdsSlash = holdsSlash || low <= UInt8(ascii: "/") && UInt8(ascii: "/") <= high
    }
    return holdsSlash != isNegated
  }

  /// Whether a pattern begins with a web scheme and the slashes behind it.
  private static func beginsWithScheme(_ pattern: Span<UInt8>) -> Bool {
    for scheme in ["http://", "https://", "https?://", #"http:\/\/"#, #"https:\/\/"#]
    where pattern.matches(scheme, at: 0) {
      return true
    }
    return pattern.matches(#"https?:\/\/"#, at: 0)
  }

  /// Returns the plain scheme that an anchored pattern names, unless it is one of the web.
  private static func ownScheme(_ pattern: [UInt8]) -> String? {
    let name = pattern.dropFirst().prefix {
      $0.isWordLetter || $0.isDigit || $0 == UInt8(ascii: "-")
    }
    guard !name.isEmpty, name.endIndex < pattern.count, pattern[name.endIndex] == UInt8(ascii: ":")
    else { return nil }
    let scheme = String(decoding: name, as: UTF8.self).lowercased()
    return ["http", "https", "ws", "wss"].contains(scheme) ? nil : scheme
  }

  private static func automaton(
    _ pattern: [UInt8],
    _ isCaseSensitive: Bool,
    atStart: Bool,
    _ scratch: inout [Term]
  ) -> NFA? {
    let parsed = URLFilterParser.parse(
      pattern.span,
      isCaseSensitive: isCaseSensitive,
      into: &scratch
    )
    guard case .success(false) = parsed, scratch.count <= longestPattern else { return nil }
    // Without `^` the first term is the implicit `.*`.
    let skips = atStart && pattern.first != UInt8(ascii: "^") ? 1 : 0
    return NFA(terms: scratch.dropFirst(skips))
  }

  private static let longestPattern = 4_096
}

extension Span<UInt8> {
  /// Whether a character is at a position.
  @inline(__always)
  func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
    index < count && self[index] == UInt8(ascii: character)
  }
}

extension UInt8 {
  var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  /// Whether the byte is a letter or an underscore.
  var isWordLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}

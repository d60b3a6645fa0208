internal import Automata

/// What a url filter that is accepted does not do, and its author may think that it does.
struct PatternTrap {
  var code: DiagnosticCode
  /// Bytes of the pattern.
  var range: Range<Int>
  var message: String
  var hint: String?
  /// Bytes of the pattern, and what is meant instead.
  var edit: (range: Range<Int>, replacement: String)?
}

/// Finds traps in patterns.
enum PatternTraps {
  /// Whose URLs a pattern is for.
  enum Subject {
    /// Loads; `hasTypes` says whether the rule names types, so that no load of another type is its
    /// own.
    case load(hasTypes: Bool)
    case page, frame
  }

  /// Says that no URL of a kind is matched by a pattern that was accepted, and what was probably
  /// meant; `nil` for a pattern that some URL matches.
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
      // About other schemes, and these have such URLs.
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

  /// Says that no URL matches.
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

  /// Whether a look at the automaton may show that nothing matches.
  ///
  /// What is not bound to a URL's beginning can stand in some query, unless it holds what no query
  /// has; and nearly all that is bound begins in one of a few ways, with a host behind.
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
      // Nearly all of the beginnings are those of http and https.
      return true
    } else if let start = endOfGap(pattern) {
      index = start
    } else if let start = endOfBeginning(pattern), start < pattern.count {
      index = start
      // What begins with a digit may be an address.
      guard pattern[index].isWordLetter else { return true }
      // As long as there is a host, and then a path, it is a URL.
      while index < pattern.count,
        pattern[index].isWordLetter || pattern[index].isDigit || pattern[index] == UInt8(ascii: "-")
          || pattern[index] == UInt8(ascii: ".")
          || pattern.has("\\", at: index) && pattern.has(".", at: index + 1)
      {
        // No host has a capital.
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

  /// The end of a beginning behind which anything may stand.
  private static func endOfGap(_ pattern: Span<UInt8>) -> Int? {
    if pattern.has(".", at: 12), pattern.matches("^[^:]+:(//)?.*", at: 0) { return 14 }
    guard pattern.has("h", at: 1), pattern.matches("^https?://", at: 0) else { return nil }
    return pattern.count == 10 ? 10 : pattern.matches(".*", at: 10) ? 12 : nil
  }

  /// The end of a beginning behind which a host may stand.
  private static func endOfBeginning(_ pattern: Span<UInt8>) -> Int? {
    // With a dot that lacks its backslash, which old converters left out.
    pattern.has(".", at: 18) && pattern.matches("^[^:]+:(//)?([^/]+.)?", at: 0)
      ? 21 : PatternShortcut.endOfBeginning(pattern)
  }

  /// Whether a set begins at a place, be it in a group, that holds the slash behind every host.
  ///
  /// False where that takes more than a glance to see.
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

  /// Whether a pattern begins with the text of a web scheme and the slashes behind it.
  private static func beginsWithScheme(_ pattern: Span<UInt8>) -> Bool {
    for scheme in ["http://", "https://", "https?://", #"http:\/\/"#, #"https:\/\/"#]
    where pattern.matches(scheme, at: 0) {
      return true
    }
    return pattern.matches(#"https?:\/\/"#, at: 0)
  }

  /// The plain scheme that an anchored pattern names, if it is none of the web's.
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
    // Without `^` the first term is what may stand in front.
    let skips = atStart && pattern.first != UInt8(ascii: "^") ? 1 : 0
    return NFA(terms: scratch.dropFirst(skips))
  }

  private static let longestPattern = 4_096
}

extension Span<UInt8> {
  /// Whether a character stands at a place.
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

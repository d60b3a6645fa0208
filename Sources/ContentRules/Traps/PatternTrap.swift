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
  /// Says that no URL of a kind is matched by a pattern that was accepted, and what was probably
  /// meant; `nil` for a pattern that some URL matches.
  ///
  /// `hasTypes` says whether the rule names types, so that no load of another type is its own.
  static func unmet(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ kind: URLLanguage.Kind,
    hasTypes: Bool,
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
        guard scheme == "data" else { return nil }
        return PatternTrap(
          code: .patternMatchesNothing,
          range: 0..<bytes.count,
          message: "WebKit never looks at data: URLs, so that no load matches"
        )
      }
    }
    let hasFragment = bytes.contains(UInt8(ascii: "#")) && !kind.contains(.fragments)
    var trap = PatternTrap(
      code: .patternMatchesNothing,
      range: 0..<bytes.count,
      message: begins && !isAnchored
        ? "no URL begins so; only one that holds another URL can match"
        : !hasFragment
          ? "no http, https, ws or wss URL that this rule is asked about can match"
          : hasTypes
            ? "no http or https URL that this rule is asked about can match: fragments are taken"
              + " off before"
            : "nearly no load can match: fragments are removed from http and https URLs before, but"
              + " for media, popups, pings, reports and synchronous requests"
    )
    for guess in guesses(bytes) {
      var changed = bytes
      changed.replaceSubrange(guess.edit.range, with: guess.edit.replacement.utf8)
      guard
        let nfa = automaton(changed, isCaseSensitive, atStart: begins, &scratch),
        URLLanguage.urls(kind).isMet(by: nfa)
      else { continue }
      trap.message += ": " + guess.reason
      trap.range = guess.edit.range
      trap.edit = guess.edit
      trap.hint = "write \(String(decoding: changed, as: UTF8.self))"
      return trap
    }
    return trap
  }

  /// A group for subdomains whose last dot has no backslash.
  static func openHostGroup(_ pattern: Span<UInt8>) -> PatternTrap? {
    var index = 4
    // Behind the scheme; no converter writes more in front of it.
    let end = min(pattern.count - 2, 64)
    while index < end {
      defer { index += 1 }
      guard pattern[index] == UInt8(ascii: ")"), pattern[index - 1] == UInt8(ascii: "."),
        pattern[index - 2] == UInt8(ascii: "+") || pattern[index - 2] == UInt8(ascii: "*"),
        pattern[index - 3] == UInt8(ascii: "]"),
        pattern[index + 1] == UInt8(ascii: "?") || pattern[index + 1] == UInt8(ascii: "*")
      else { continue }
      var open = index - 4
      while open > 0, pattern[open] != UInt8(ascii: "(") { open -= 1 }
      guard open > 2, pattern[open + 1] == UInt8(ascii: "["), isBehindScheme(pattern, open) else {
        return nil
      }
      var name: [UInt8] = []
      var place = index + 2
      while place < pattern.count {
        let byte = pattern[place]
        place += 1
        if byte == UInt8(ascii: "\\"), place < pattern.count, pattern[place] == UInt8(ascii: ".") {
          continue
        }
        guard
          byte.isWordLetter || byte.isDigit || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
        else { break }
        name.append(byte)
      }
      guard name.count > 2 else { return nil }
      let host = String(decoding: name, as: UTF8.self)
      return PatternTrap(
        code: .openHostGroup,
        range: index - 1..<index,
        message: "this dot stands for any character, so that hosts match which merely end in the"
          + " name, such as not\(host)",
        hint: #"write \. for a dot"#,
        edit: (index - 1..<index, #"\."#)
      )
    }
    return nil
  }

  private static func isBehindScheme(_ pattern: Span<UInt8>, _ open: Int) -> Bool {
    pattern.matches("/", at: open - 1) || pattern.matches("/+", at: open - 2)
      || pattern.matches("//)?", at: open - 4)
  }

  /// `/ads?id=1`: the question mark makes the `s` optional.
  static func questionMark(_ pattern: Span<UInt8>) -> PatternTrap? {
    var index = 0
    var hasPath = false
    while index < pattern.count {
      let byte = pattern[index]
      switch byte {
      // What stands behind these is no path any more, or no plain text.
      case UInt8(ascii: "\\"):
        index += 1
        if pattern[min(index, pattern.count - 1)] == UInt8(ascii: "?") { return nil }
        hasPath = hasPath || pattern[min(index, pattern.count - 1)] == UInt8(ascii: "/")
      case UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "["), UInt8(ascii: "("): return nil
      case UInt8(ascii: "/"): hasPath = true
      case UInt8(ascii: "?") where hasPath && index > 0:
        let front = pattern[index - 1]
        var end = index + 1
        while end < pattern.count, pattern[end].isWordLetter || pattern[end].isDigit { end += 1 }
        guard front.isWordLetter || front.isDigit, end > index + 1, end < pattern.count,
          pattern[end] == UInt8(ascii: "=")
        else { return nil }
        return PatternTrap(
          code: .patternQuestionMark,
          range: index..<index + 1,
          message: "'?' makes the character in front of it optional; here it looks as if the"
            + " beginning of a query was meant",
          hint: #"write \? for a question mark"#,
          edit: (index..<index + 1, #"\?"#)
        )
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Whether a pattern matches all of a few URLs that have little in common.
  static func matchesEveryPage(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ scratch: inout [Term]
  ) -> Bool {
    let parsed = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive, into: &scratch)
    guard case .success(let matchesEverything) = parsed else { return false }
    if matchesEverything { return true }
    let nfa = NFA(terms: scratch[...])
    return samples.allSatisfy { $0.isMet(by: nfa) }
  }

  /// Whether a pattern matches one URL.
  static func matches(
    _ url: String,
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ scratch: inout [Term]
  ) -> Bool {
    let parsed = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive, into: &scratch)
    guard case .success(let matchesEverything) = parsed else { return false }
    return matchesEverything || URLLanguage(url: url).isMet(by: NFA(terms: scratch[...]))
  }

  private static let samples = [
    "http://x/", "https://abcdefg.hijklm/no?p#q", "http://0.1.2.3:45/-", "https://rstuv.wyz/",
  ].map { URLLanguage(url: $0) }

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
      guard pattern[index].isWordLetter || pattern[index].isDigit else { return true }
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

  // MARK: What may be meant

  private struct Guess {
    var reason: String
    var edit: (range: Range<Int>, replacement: String)
  }

  /// What a pattern may be meant to be, and nothing by which it would match more than it names.
  private static func guesses(_ pattern: [UInt8]) -> [Guess] {
    var guesses: [Guess] = []
    let count = pattern.count
    let text = pattern.span
    for port in [":443", ":80"] {
      for index in pattern.indices where text.matches(port, at: index) {
        guesses.append(
          Guess(
            reason: "the default port is never in a URL",
            edit: (index..<index + port.utf8.count, "")
          )
        )
      }
    }
    if pattern.last == UInt8(ascii: "$") {
      guesses.append(
        Guess(reason: "a path follows every host", edit: (count - 1..<count, "/"))
      )
    }
    if pattern.first == UInt8(ascii: "^"), namesHost(pattern.dropFirst()) {
      let scheme = text.matches("//", at: 1) ? "^https?:" : "^https?://"
      guesses.append(Guess(reason: "a URL begins with its scheme", edit: (0..<1, scheme)))
    }
    return guesses
  }

  /// Whether a pattern begins with labels and a dot between them.
  private static func namesHost(_ pattern: ArraySlice<UInt8>) -> Bool {
    let host = pattern.starts(with: "//".utf8) ? pattern.dropFirst(2) : pattern
    guard let first = host.first, first.isWordLetter || first.isDigit else { return false }
    let label = host.prefix { $0.isWordLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    let rest = host[label.endIndex...]
    return rest.starts(with: #"\."#.utf8) || rest.first == UInt8(ascii: ".")
  }
}

extension Span<UInt8> {
  /// Whether a character stands at a place.
  @inline(__always)
  fileprivate func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
    index < count && self[index] == UInt8(ascii: character)
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }

  /// Whether the byte is a letter or an underscore.
  fileprivate var isWordLetter: Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 || self == UInt8(ascii: "_")
  }
}

internal import Automata

/// The coverage of patterns that match more than a few URLs.
extension PatternTraps {
  /// The kinds of loads of which a pattern matches all.
  struct Coverage: OptionSet {
    let rawValue: Int
    static let http = Coverage(rawValue: 1)
    static let webSocket = Coverage(rawValue: 2)
    /// All other schemes.
    static let other = Coverage(rawValue: 4)
  }

  /// Returns the kinds of loads of which a pattern matches all, judged by a few URLs that have
  /// little in common.
  static func coverage(
    _ pattern: Span<UInt8>,
    isCaseSensitive: Bool,
    _ scratch: inout [Term]
  ) -> Coverage {
    let parsed = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive, into: &scratch)
    guard case .success(let matchesEverything) = parsed else { return [] }
    if matchesEverything { return [.http, .webSocket, .other] }
    let nfa = NFA(terms: scratch[...])
    var coverage: Coverage = []
    for (part, urls) in samples where urls.allSatisfy({ $0.isMet(by: nfa) }) {
      coverage.insert(part)
    }
    return coverage
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

  private static let samples: [(Coverage, [URLLanguage])] = [
    (
      .http,
      ["http://x/", "https://abcdefg.hijklm/no?p#q", "http://0.1.2.3:45/-", "https://rstuv.wyz/"]
    ),
    (.webSocket, ["ws://x/", "wss://abcdefg.hijklm/no?p", "ws://0.1.2.3:45/-"]),
    (.other, ["a:b", "about:blank", "blob:https://x/0-1"]),
  ].map { part, urls in (part, urls.map { URLLanguage(url: $0) }) }
}

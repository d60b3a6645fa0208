import Foundation
import TestSupport
import Testing

@testable import ContentRules

/// The quick look at patterns never overlooks what the close one finds.
@Suite struct PatternGlanceTests {
  private func check(_ pattern: String) {
    for isCaseSensitive in [false, true] {
      guard
        case .success(let parsed) = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive)
      else { continue }
      let findings = URLFilterLint.findings(pattern, isCaseSensitive: isCaseSensitive)
      let isWorthALook = PatternGlance.isWorthALook(
        pattern.utf8Span.span,
        matchesEverything: parsed.matchesEverything
      )
      #expect(isWorthALook || findings.isEmpty, "\(pattern): \(findings)")
    }
  }

  @Test func randomPatternsAreNotOverlooked() {
    var random = RandomSource(seed: 1)
    let pieces = [
      "a", "B", "1", "-", ".", "\\.", ".*", "[ab]", "[^/]", "[]", "[^]", "(", ")", "?", "*", "+",
      "^", "\\?", "\\*", "\\}", "\\\\", "\\\"", "\\<", "\\ ", "\\\u{7F}",
      "$", "/", "://", "\\d", "\\p", "\\x41", "\\x", "\\0", "\\1", "{", "{1", "{0,1}", "}", " ",
      "\"",
      "\\c", "i", "gi", "ads", "com", "example", "(?:x)", "\\/", "<", "\u{7F}", "]",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...6, using: &random)
      check(
        (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      )
    }
  }

  @Test(arguments: [
    #"^[^:]+:(//)?([^/]+\.)?ads\.example\.com[/:&?]"#, #"/banner\?"#, #"/a\\\*"#,
  ])
  func aPlainPatternIsBeyondSuspicion(pattern: String) {
    let isWorthALook = PatternGlance.isWorthALook(
      pattern.utf8Span.span,
      matchesEverything: false
    )
    #expect(!isWorthALook)
  }

  @Test("a quantifier at the end, with an even number of backslashes before it, is looked at")
  func quantifierBehindBackslashes() {
    for pattern in [#"/a\\?"#, #"/a\\\\*"#] {
      let isWorthALook = PatternGlance.isWorthALook(
        pattern.utf8Span.span,
        matchesEverything: false
      )
      #expect(isWorthALook)
    }
  }
}

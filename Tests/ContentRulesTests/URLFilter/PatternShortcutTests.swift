import TestSupport
import Testing

@testable import ContentRules

/// What the shortcut lets pass is accepted by the parser, and nothing can be said about it.
@Suite struct PatternShortcutTests {
  private static let beginnings = [
    #"^[^:]+://+([^:/]+\.)?"#, #"^[^:]+:(//)?([^/]+\.)?"#, #"^https?://([^/]+\.)?"#,
    #"^https?://([^/:]*\.)?"#, #"^https?:/+([^/:]+\.)?"#, #"^https?://"#,
    #"^[htpsw]+:\/\/([a-z0-9-]+\.)?"#, #"^[htpsw]+:\/\/"#, #"^https?:\/\/"#, "", "^", "^https?:",
  ]

  /// Checks a pattern, and returns whether the shortcut let it pass.
  private func check(
    _ pattern: String,
    isCaseSensitive: Bool,
    _ shortcut: inout PatternShortcut
  ) -> Bool {
    var scratch: [Term] = []
    guard
      shortcut.isHarmless(
        pattern.utf8Span.span,
        isCaseSensitive: isCaseSensitive,
        &scratch
      )
    else { return false }
    let parsed = URLFilterParser.parse(pattern, isCaseSensitive: isCaseSensitive)
    guard case .success(let filter) = parsed else {
      Issue.record("\(pattern) is refused: \(parsed)")
      return true
    }
    #expect(!filter.matchesEverything, "\(pattern)")
    let findings = URLFilterLint.findings(pattern, isCaseSensitive: isCaseSensitive)
    #expect(findings.isEmpty, "\(pattern): \(findings)")
    return true
  }

  @Test func randomPatternsPassOnlyWhenNothingCanBeSaid() {
    var random = RandomSource(seed: 1)
    let pieces = [
      "a", "B", "1", "-", ".", "\\.", ".*", "[ab]", "[^/]", "[/:]", "[]", "[^]", "(", ")", "?", "*",
      "+", "^", "$", "/", "://", "\\d", "\\p", "\\x41", "\\0", "\\1", "\\k", "{", "{0,1}", "}", " ",
      "\"", "\\c", "i", "gi", "ads", "com", "(?:x)", "\\/", "\\?", "\\*", "\\$", "\\_", "<",
      "\u{7F}", "]", "é", "\\", "|", "\0", "([/:&?].*)?$", "(a.*)?",
      "([^-_.%A-Za-z0-9].*)?$", "[A-Z]",
    ]
    var passed = 0
    for _ in 0..<2_000 {
      // Endings are remembered, but not many.
      var shortcut = PatternShortcut()
      for _ in 0..<20 {
        var pattern = Self.beginnings.randomElement(using: &random) ?? ""
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let piece = Int.random(in: 0..<2, using: &random) == 0 ? "ads" : nil
          pattern += piece ?? pieces.randomElement(using: &random) ?? ""
        }
        if check(pattern, isCaseSensitive: Bool.random(using: &random), &shortcut) { passed += 1 }
      }
    }
    #expect(passed > 1_000)
  }

  @Test(arguments: [
    #"^[^:]+://+([^:/]+\.)?ads\.example\.com[/:]"#, #"^https?://([^/]+\.)?ads-1\.example/x_y"#,
    #"^[htpsw]+:\/\/([a-z0-9-]+\.)?example\.com([\/:&\?].*)?$"#,
    #"^[^:]+:(//)?([^/]+\.)?example\.com([^-_.%A-Za-z0-9].*)?$"#,
  ])
  func commonPatternsPass(_ pattern: String) {
    var shortcut = PatternShortcut()
    for isCaseSensitive in [false, false, true, true] {
      #expect(check(pattern, isCaseSensitive: isCaseSensitive, &shortcut))
    }
  }

  @Test func endingsMetOftenStayKnown() {
    var shortcut = PatternShortcut()
    for number in 0..<100 {
      #expect(check("^https?://example[/:]a[x-z]\(number)", isCaseSensitive: false, &shortcut))
      let common = #"^https?://([^/]+\.)?example([/:&?].*)?$"#
      #expect(check(common, isCaseSensitive: false, &shortcut))
      // It stands for a character or the end, and repeats nothing that a matcher does.
      #expect(!shortcut.parts.isRepeated)
    }
  }
}

import ContentRules
import Testing

@Suite("URL filter lint")
struct URLFilterLintTests {
  @Test(
    "a finding has its code and place",
    arguments: [
      ("«a*»", URLFilterFinding.Code.matchesEverything), ("«^$»", .matchesEverything),
      ("«^»", .matchesEverything), ("«(a)?»", .matchesEverything), ("«.*$»", .matchesEverything),
      (#"(a)«\1»"#, .misleadingEscape), (#"a«\8»"#, .misleadingEscape),
      (#"a«\p»{L}"#, .misleadingEscape), (#"a«\x»g"#, .misleadingEscape),
      (#"a«\u»12"#, .misleadingEscape), (#"a«\k»"#, .misleadingEscape),
      (#"a«\»c"#, .misleadingEscape), (#"«\A»a"#, .misleadingEscape),
      (#"a«\z»"#, .misleadingEscape), (#"«\h»a"#, .misleadingEscape),
      (#"a«\Q»b"#, .misleadingEscape), (#"a«\0»"#, .misleadingEscape),
      ("a«{»,2}", .literalBrace), ("a«{»2", .literalBrace),
      ("a«[]»b", .emptySet), ("a« »b", .impossibleCharacter), ("a«\"»", .impossibleCharacter),
      ("«<»a", .impossibleCharacter), (#"a«\x3e»"#, .impossibleCharacter),
      (#"a«\t»b"#, .impossibleCharacter), ("«.*»a", .uselessPart), ("«^.*»a", .uselessPart),
      ("a«.*»", .uselessPart), ("a«.*$»", .uselessPart), ("a«b?»", .uselessPart),
      ("a«(bc)*»", .uselessPart), ("a«(b(c))?»", .uselessPart), ("a«[bc]{0,}?»", .uselessPart),
      ("ads«.»example", .unescapedDot), (#"^https://ads«.»example\.com/"#, .unescapedDot),
      (#"/ad\.«/i»"#, .delimiters),
    ]
  )
  func finding(_ marked: String, _ code: URLFilterFinding.Code) {
    let example = PatternCase(marked, .ok)
    let findings = URLFilterLint.findings(example.pattern, isCaseSensitive: false)
    #expect(findings.map(\.code) == [code])
    #expect(findings.first?.range == example.range)
    #expect(findings.allSatisfy { !$0.message.isEmpty && !$0.message.hasSuffix(".") })
  }

  @Test(
    "good patterns have no findings",
    arguments: [
      ".*", "a", "https?://", #"^https?://([^/:]+\.)?example\.com[:/]"#, #"\/ads\/"#, "/ads/",
      #"\.js$"#, #"a\.b*c"#, "a.*b", "[ ]a", "[^ ]a", #"foo[\0/]"#,
      "a+", "(ab)+", "(?<n>a)b", "://a/B", "{a}", "a{x}", #"\{2}"#, "a%20b", #"\?a=\*"#, "/a/i",
    ]
  )
  func clean(_ pattern: String) {
    #expect(URLFilterLint.findings(pattern, isCaseSensitive: true) == [])
  }

  @Test("findings come in the order of their places, and not at all for refused patterns")
  func order() {
    let findings = URLFilterLint.findings(#".*ads.example\p[].*"#, isCaseSensitive: false)
    #expect(
      findings.map(\.code)
        == [.uselessPart, .unescapedDot, .misleadingEscape, .emptySet, .uselessPart]
    )
    #expect(URLFilterLint.findings(#"ads.example\p|"#, isCaseSensitive: false).isEmpty)
  }
}

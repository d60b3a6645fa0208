import ContentRules
import RuleProofs
import Testing

@Suite struct PatternTableTests {
  private func proof(_ first: String, _ second: String) -> PatternTable.Proof {
    let table = PatternTable()
    return table.inclusion(
      of: table.number(of: URLFilter(first)),
      in: table.number(of: URLFilter(second))
    )
  }

  @Test(arguments: [
    ("/ads/banner", "/ads/"),
    ("^[^:]+://+([^:/]+\\.)?ads\\.shop\\.test[/:]", "^[^:]+://+([^:/]+\\.)?shop\\.test[/:]"),
    ("^https://a\\.test/", "^https?://a.test"),
    ("anything", ".*"),
    ("^https?://[^/]+/x", "^http"),
    ("ad+s", "add*s"),
    ("\\.js$", "\\.js"),
    ("[a-f]x", "[a-z]x"),
    ("^http:", "^[htps]+:"),
    ("^wss?://", "ws"),
  ])
  func included(first: String, second: String) {
    #expect(proof(first, second) == .proved)
    if first != "ad+s" { #expect(proof(second, first) == .refuted) }
  }

  @Test(arguments: [
    ("^https?://", "^[htps]+://[a-z]"), ("/ads/", "/ad/"),
    ("^[^:]+://+([^:/]+\\.)?shop\\.test[/:]", "^https?://([^/]+\\.)?shop\\.test/"),
  ])
  func notIncluded(first: String, second: String) {
    #expect(proof(first, second) == .refuted)
  }

  @Test func impossible() {
    let table = PatternTable()
    let none = table.number(of: URLFilter("^https://[^/]+A", isCaseSensitive: true))
    let upper = table.url(matching: [none])
    // Capital letters may stand before an "@".
    #expect(upper == .found("https://aA@a/"))
    let some = table.number(of: URLFilter("^https://[^/]+/A", isCaseSensitive: true))
    #expect(table.url(matching: [some]) == .found("https://a/A"))
    let port = table.number(of: URLFilter("^https://[^/@]+:443/"))
    #expect(table.url(matching: [port]) == .none)
  }

  @Test(arguments: [
    "/ads/", "^[^:]+://+([^:/]+\\.)?shop\\.test[/:]", "^wss?://x", "\\.js$",
    "^about:", "a.*b.*c\\?",
  ])
  func samples(pattern: String) {
    let table = PatternTable()
    let number = table.number(of: URLFilter(pattern))
    guard let automaton = table.automaton(number) else {
      Issue.record("no automaton")
      return
    }
    for variant in 0..<SampleURL.variantCount {
      guard let url = SampleURL.url(automaton, variant: variant) else { continue }
      #expect(automaton.matches(url), "\(url)")
    }
    guard case .found(let url) = table.url(matching: [number]) else {
      Issue.record("no URL")
      return
    }
    #expect(automaton.matches(url))
  }
}

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

  @Test(
    "the host that a pattern is about, in the spellings of converters",
    arguments: [
      (#"^[^:]+://+([^:/]+\.)?shop\.test[/:]"#, "shop.test"),
      (#"^[htpsw]+://shop\.test[/:]"#, "shop.test"),
      (#"^[htpsw]+:\/\/([a-z0-9-]+\.)?shop\.test\/ads"#, "shop.test"),
      (#"^[htpsw]+:\/\/shop\.test\/"#, "shop.test"), (#"^https?://a-b\.test/x"#, "a-b.test"),
      (#"^[htpsw]+://shop\.test"#, nil), (#"^https?://shop\.test\/?x"#, nil),
      (#"^https?://shop.test/"#, nil), (#"^https?://([^/]+\.)?shop\.test/"#, nil),
      (#"^[htpsw]+://shop\.test[/:]?"#, nil), (#"^[htpsw]+:///"#, nil),
      (#"https?://shop\.test/"#, nil),
      (#"^[htpsw]+:\/\/([a-z0-9-]+\.)?shop\.test([\/:&\?].*)?$"#, nil),
    ]
  )
  func hosts(pattern: String, host: String?) {
    let table = PatternTable()
    let number = table.number(of: URLFilter(pattern))
    #expect(table.host(of: number).map { String(decoding: $0, as: UTF8.self) } == host)
  }

  @Test("patterns about hosts that are apart have no URL in common, as a search finds as well")
  func hostsApart() {
    let patterns = [
      #"^[^:]+://+([^:/]+\.)?a\.test[/:]"#, #"^[htpsw]+://a\.test[/:]"#, #"^https?://b\.a\.test/"#,
      #"^[htpsw]+:\/\/([a-z0-9-]+\.)?ba\.test\/"#, #"^[htpsw]+://test[/:]"#,
    ]
    for first in patterns {
      for second in patterns where first != second {
        let table = PatternTable()
        let numbers = [first, second].map { table.number(of: URLFilter($0)) }
        guard table.areOfDifferentHosts(numbers[0], numbers[1]) else { continue }
        #expect(table.url(matching: numbers) == .none, "\(first) \(second)")
      }
    }
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

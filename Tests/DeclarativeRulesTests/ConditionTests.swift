import DeclarativeRules
import ResourceLoads
import Testing

@Suite("Conditions, flags and parties as declarative conditions")
struct ConditionTests {
  @Test("domains with a star are domains of pages; those without one are approximated")
  func domains() throws {
    let star = try Bench(rules: [(#""url-filter": "ad", "if-domain": ["*a.com"]"#, "block")])
    #expect(star.verdicts == [.exact])
    #expect(try star.blocks("http://x.example/ad", on: "https://www.a.com/"))
    #expect(try !star.blocks("http://x.example/ad", on: "https://b.com/"))
    #expect(try star.blocks("http://a.com/ad", .topDocument))
    let plain = try Bench(rules: [(#""url-filter": "ad", "if-domain": ["a.com"]"#, "block")])
    #expect(plain.verdicts == [.approximated([.domainsWithSubdomains])])
    let both = try Bench(
      rules: [(#""url-filter": "ad", "unless-domain": ["www.a.com", "*a.com"]"#, "block")]
    )
    #expect(both.verdicts == [.exact])
    #expect(both.translation.rules[0].condition.excludedTopDomains == ["a.com", "www.a.com"])
  }

  @Test("patterns for pages are domains where they say no more")
  func pages() throws {
    let domain = try Bench(
      rules: [(#""url-filter": "ad", "if-top-url": ["^https?://([^/]*\\.)?a\\.com[:/]"]"#, "block")]
    )
    #expect(domain.verdicts == [.exact])
    #expect(domain.translation.rules[0].condition.topDomains == ["a.com"])
    let path = try Bench(
      rules: [(#""url-filter": "ad", "if-top-url": ["a\\.com/news"]"#, "block")]
    )
    #expect(path.verdicts == [.notExpressible(.pageAddress)])
    #expect(path.translation.rules.isEmpty)
  }

  @Test("the party of a known host is exact in frames of other sites, too")
  func party() throws {
    let pattern = #""url-filter": "^[^:]+://+([^:/]+\\.)?adserver\\.com[:/]""#
    let third = try Bench(rules: [(pattern + #", "load-type": ["third-party"]"#, "block")])
    #expect(third.verdicts == [.exact])
    let ad = "https://cdn.adserver.com/x"
    #expect(try third.blocks(ad, on: "https://page.example/"))
    #expect(try !third.blocks(ad, on: "https://www.adserver.com/"))
    #expect(try third.blocks(ad, on: "https://page.example/", frame: "https://adserver.com/f"))
    #expect(try !third.blocks(ad, .topDocument))
    let first = try Bench(rules: [(pattern + #", "load-type": ["first-party"]"#, "block")])
    #expect(first.verdicts == [.exact])
    #expect(try first.blocks(ad, .topDocument))
    #expect(try !first.blocks(ad, on: "https://page.example/"))
  }

  @Test("the party of an unknown host is that of the frame, and of documents none")
  func unknownParty() throws {
    let third = try Bench(rules: [(#""url-filter": "ad", "load-type": ["third-party"]"#, "block")])
    #expect(third.verdicts == [.approximated([.partyOfFrame])])
    let condition = third.translation.rules[0].condition
    #expect(condition.party == .thirdParty && !condition.types.contains("main_frame"))
    let first = try Bench(rules: [(#""url-filter": "ad", "load-type": ["first-party"]"#, "block")])
    #expect(first.translation.rules.map(\.condition.types.count) == [1, 14])
    #expect(first.translation.rules.map(\.condition.party) == [nil, .firstParty])
  }

  @Test("frames, methods and types, as far as the browser knows them")
  func kinds() throws {
    func verdict(_ more: String) throws -> Verdict {
      try Bench(rules: [(#""url-filter": "ad", "# + more, "block")]).verdicts[0]
    }
    #expect(
      try verdict(#""resource-type": ["child-document"], "load-context": ["child-frame"]"#)
        == .exact
    )
    #expect(
      try verdict(#""resource-type": ["script"], "load-context": ["child-frame"]"#)
        == .notExpressible(.subresourcesOfFrames)
    )
    #expect(try verdict(#""load-context": ["child-frame"]"#) == .approximated([.documentsOnly]))
    #expect(try verdict(#""load-context": ["top-frame"]"#) == .approximated([.allFrames]))
    #expect(try verdict(#""resource-type": ["popup"]"#) == .notExpressible(.typesUnknown))
    #expect(
      try verdict(#""resource-type": ["popup", "image"]"#) == .approximated([.otherTypesOnly])
    )
    #expect(try verdict(#""resource-type": ["document"], "request-method": "post""#) == .exact)
    #expect(
      try verdict(#""resource-type": ["image"], "request-method": "post""#)
        == .notExpressible(.pageMethod)
    )
    #expect(
      try verdict(#""resource-type": ["image"], "request-method": "get""#)
        == .approximated([.pageMethodIsGet])
    )
    // In WebKit, a condition with a request method never matches.
    #expect(try verdict(#""request-method": "get", "if-domain": ["*a.com"]"#) == .exact)
    #expect(
      try verdict(#""if-frame-url": ["^https?://a\\.com/x"]"#) == .notExpressible(.frameAddress)
    )
  }
}

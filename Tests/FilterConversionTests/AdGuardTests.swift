import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

/// What AdGuard does otherwise than the others, by the answers of its engine, tsurlfilter 5.
@Suite("Filters of AdGuard do what they do there")
struct AdGuardTests {
  static let targets = UBlockOriginTests.targets

  @Test("exceptions of styles lift styles alone")
  func styles() throws {
    let style = "page.test#$#.ad { display: none!important; }"
    let page = "https://page.test/"
    for (filters, isHidden) in [
      (["##.ad", "page.test#@$#.ad { display: none!important; }"], true),
      (["##.ad", "page.test#@#.ad"], false), ([style, "page.test#@#.ad"], true),
      ([style, "page.test#@$#.ad { display: none!important; }"], false),
    ] {
      #expect(
        try FilterBench(filters, .adguard).hidden(on: page) == (isHidden ? [".ad"] : []),
        "\(filters)"
      )
    }
  }

  @Test("attributes for extended selectors")
  func attributes() throws {
    for filter in [
      #"page.test##div[-ext-has=".ad"]"#, "page.test#?#div[-ext-has='.ad']",
    ] {
      let bench = try FilterBench(filter, .adguard)
      #expect(bench.outcome() == .converted)
      #expect(try bench.hidden(on: "https://page.test/") == ["div:has(.ad)"], "\(filter)")
    }
    // WebKit takes no `:has()` within another.
    let nested = try FilterBench(#"##p[-ext-has="div[-ext-has='.ad']"]"#, .adguard)
    #expect(nested.codes() == ["invalid-selector"])
    for filter in [
      #"##div[-ext-contains="x"]"#, #"##div[-ext-has=".ad:contains(x)"]"#,
      #"##div[-ext-matches-css="x"]"#,
    ] {
      let bench = try FilterBench(filter, .adguard)
      #expect(bench.outcome() == .impossible)
      #expect(bench.codes() == ["extended-selector"])
    }
  }

  @Test("excluded wildcards below a domain", arguments: targets)
  func wildcards(target: EngineRelease?) throws {
    let bench = try FilterBench(
      ["a.co.uk,b.com,~maps.a.*,~maps.b.*##.ad"],
      .adguard,
      target: target
    )
    #expect(bench.outcome() == .approximated)
    for (host, isHidden) in [
      ("a.co.uk", true), ("www.a.co.uk", true), ("maps.a.co.uk", false), ("b.com", true),
      ("x.maps.b.com", false), ("maps.b.com", false), ("xmaps.b.com", true),
    ] {
      let expected: Set<String> = isHidden ? [".ad"] : []
      #expect(try bench.hidden(on: "https://\(host)/") == expected, "\(host)")
    }
    let exception = try FilterBench(["b.com##.ad", "maps.b.*#@#.ad"], .adguard, target: target)
    #expect(try exception.hidden(on: "https://maps.b.com/") == [])
    #expect(try exception.hidden(on: "https://b.com/") == [".ad"])
    let wild = try FilterBench("a.*,~maps.a.*##.ad", .adguard)
    #expect(wild.codes() == ["two-conditions"])
  }
}

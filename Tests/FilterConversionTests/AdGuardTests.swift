import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

/// What AdGuard does otherwise than the others, by the answers of its engine, tsurlfilter 5.
@Suite("Filters of AdGuard do what they do there")
struct AdGuardTests {
  static let targets = UBlockOriginTests.targets

  /// Filters, and whether they block the page `https://ads.test/`.
  static let pages: [([String], Bool)] = [
    (["||ads.test^"], false), (["||ads.test^$document"], true), (["||ads.test^$all"], true),
    (["||ads.test^$document", "@@||ads.test^"], false),
    (["||ads.test^$document", "@@ads.test"], false),
    (["||ads.test^$all", "@@||ads.test^$~third-party"], false),
    (["||ads.test^$document", "@@||ads.test^$~script"], false),
    (["||ads.test^$document", "@@||ads.test^$~script,~document"], true),
    (["||ads.test^$document", "@@||ads.test^$script"], true),
    (["||ads.test^$document", "@@||ads.test^$third-party"], true),
    (["||ads.test^$document", "@@||ads.test^$domain=x.test"], true),
    (["||ads.test^$document", "@@||ads.test^$domain=ads.test"], false),
    (["||ads.test^$document", "@@||ads.test^$elemhide"], true),
    (["||ads.test^$document", "@@||ads.test^$document"], false),
    (["||ads.test^$document,important", "@@||ads.test^"], true),
    (["||ads.test^$document,important", "@@||ads.test^$important"], false),
  ]

  @Test("exceptions without types pass pages", arguments: targets)
  func pages(target: EngineRelease?) throws {
    for (filters, isBlocked) in Self.pages {
      for hiding in [[], ["##.ad"], ["ads.test##.own"]] {
        let bench = try FilterBench(filters + hiding, .adguard, target: target)
        let page = "https://ads.test/"
        #expect(try bench.blocks(page, on: page, .topDocument) == isBlocked, "\(filters)")
      }
    }
  }

  @Test("exceptions without types pass windows, and lift no hiding", arguments: targets)
  func windows(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "||ads.test^$popup", "@@||ads.test/ok", "@@||ads.test/third^$third-party",
        "@@||ads.test/x^$domain=x.test", "ads.test##.own", "##.ad",
      ],
      .adguard,
      target: target
    )
    #expect(try bench.blocks("https://ads.test/", .popup))
    #expect(try !bench.blocks("https://ads.test/ok", .popup))
    #expect(try !bench.blocks("https://ads.test/third", .popup))
    #expect(try bench.blocks("https://ads.test/x", .popup))
    #expect(try !bench.blocks("https://ads.test/x", on: "https://x.test/", .popup))
    #expect(try bench.hidden(on: "https://ads.test/ok") == [".own", ".ad"])
    #expect(try bench.hidden(on: "https://ads.test/third") == [".own", ".ad"])
  }

  @Test("types with ~ add no loads to what an exception lifts of pages", arguments: targets)
  func liftsAlone(target: EngineRelease?) throws {
    for what in ["generichide", "elemhide", "content", "jsinject", "document"] {
      let filters = ["||ads.test^", "##.ad", "@@||ads.test^$~image,\(what)"]
      let bench = try FilterBench(filters, .adguard, target: target)
      #expect(try bench.blocks("https://ads.test/x"), "\(what)")
      let named = ["||ads.test^", "##.ad", "@@||ads.test^$script,\(what)"]
      #expect(try !FilterBench(named, .adguard, target: target).blocks("https://ads.test/x"))
    }
  }

  @Test("a page is no third party to itself")
  func thirdParty() throws {
    for what in ["document", "elemhide", "generichide", "specifichide", "urlblock"] {
      let bench = try FilterBench(
        ["##.ad", "||ads.test^", "@@||page.test^$\(what),third-party"],
        .adguard
      )
      #expect(bench.outcome(3) == .impossible)
      #expect(bench.codes(3) == ["pages-not-by-party"])
      #expect(try bench.hidden(on: "https://page.test/") == [".ad"])
      #expect(try bench.blocks("https://ads.test/x"))
    }
    let loads = try FilterBench(
      ["||ads.test^", "@@||ads.test^$document,script,third-party"],
      .adguard
    )
    #expect(loads.outcome(2) == .approximated)
    #expect(try !loads.blocks("https://ads.test/x"))
    let first = ["##.ad", "@@||page.test^$generichide,~third-party"]
    #expect(try FilterBench(first, .adguard).hidden(on: "https://page.test/") == [])
  }

  @Test("filters of fewer than 4 characters are none")
  func short() throws {
    for filter in ["*", "||", "ads", "@@ads", "/a/", "##a", "||a", "é##"] {
      let bench = try FilterBench(filter, .adguard)
      #expect(bench.outcome() == .impossible, "\(filter)")
      #expect(bench.codes() == ["no-filter"])
      #expect(bench.conversion.ruleCount == 0)
    }
    for filter in ["/abc", "a$script", "##.a", "a##b", "##em"] {
      #expect(try FilterBench(filter, .adguard).outcome() == .converted, "\(filter)")
    }
  }

  @Test("what would take too long to find out of badfilter is impossible, and soon told")
  func manyBadfilters() throws {
    let count = 3_000
    let filters =
      (0..<count).map { "/some$domain=a\($0).test,badfilter" }
      + (0..<count).map { "/some$domain=b\($0).test" }
    let bench = try FilterBench(filters, .adguard)
    #expect(bench.outcome(count + 1) == .converted)
    #expect(bench.codes(2 * count) == ["too-many-exclusions"])
  }

  @Test("a filter of hiding for every page beside domains is a specific one")
  func starred() throws {
    let bench = try FilterBench(
      ["*,p.com##.ad", "*##.own", "@@||p.com^$generichide", "@@||q.com^$generichide"],
      .adguard
    )
    #expect(try bench.hidden(on: "https://p.com/") == [".ad"])
    #expect(try bench.hidden(on: "https://q.com/") == [".ad"])
    #expect(try bench.hidden(on: "https://r.com/") == [".ad", ".own"])
  }

  @Test("an important filter for every page is above an exception with $document")
  func importantEverywhere() throws {
    let bench = try FilterBench(["/ad/$important,domain=*|q.com", "@@||p.com^$document"], .adguard)
    #expect(try bench.blocks("https://x.com/ad/", on: "https://p.com/"))
  }

  @Test("exceptions with $all are none")
  func all() throws {
    let bench = try FilterBench(["||ads.test^", "@@||ads.test^$all"], .adguard)
    #expect(bench.outcome(2) == .impossible)
    #expect(try bench.blocks("https://ads.test/x"))
  }

  @Test("important filters are above $document", arguments: targets)
  func important(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "||ads.test^$important", "||b.test^", "page.test##.own", "##.ad", "||page.test^$document",
        "@@||page.test^$document", "@@||deep.test/x$document", "@@||all.test^$document,important",
      ],
      .adguard,
      target: target
    )
    let isExact = target == nil
    #expect(bench.codes(6) == (isExact ? [] : ["important-too"]))
    #expect(bench.codes(7) == (isExact ? [] : ["important-too"]))
    #expect(bench.codes(8) == [])
    for page in ["https://page.test/", "https://deep.test/x", "https://all.test/"] {
      #expect(try !bench.blocks("https://b.test/x", on: page))
      #expect(try !bench.blocks(page, on: page, .topDocument))
      #expect(try bench.hidden(on: page) == [])
      let isBlocked = isExact && !page.contains("all")
      #expect(try bench.blocks("https://ads.test/x", on: page) == isBlocked, "\(page)")
    }
    // Those of other pages do not matter.
    let others = try FilterBench(
      ["||ads.test^$important,domain=x.test", "@@||page.test^$document", "@@||a.x.test^$document"],
      .adguard,
      target: target
    )
    #expect(others.codes(2) == [])
    #expect(others.codes(3) == (isExact ? [] : ["important-too"]))
  }

  @Test("$genericblock lifts important filters if it is important", arguments: targets)
  func importantGenericblock(target: EngineRelease?) throws {
    let filters = [
      "/one$important", "/two$important,domain=page.test", "/three", "/four$domain=page.test",
      "/five$important,domain=~x.test",
    ]
    for (what, isLifted) in [("genericblock", false), ("genericblock,important", true)] {
      let bench = try FilterBench(filters + ["@@||page.test^$" + what], .adguard, target: target)
      let paths = ["one", "two", "three", "four", "five"]
      let decisions = try paths.map { try bench.blocks("https://a.test/\($0)") }
      #expect(decisions == [!isLifted, true, false, true, !isLifted])
      for path in ["one", "three", "five"] {
        #expect(try bench.blocks("https://a.test/" + path, on: "https://other.test/"))
      }
      #expect(try !bench.blocks("https://a.test/five", on: "https://x.test/"))
      #expect(bench.conversion.rules(ofLine: 5).count == (isLifted ? 3 : 1))
    }
    let everywhere = try FilterBench(["/one$important", "@@*$genericblock,important"], .adguard)
    #expect(everywhere.codes(1) == ["cancelled-by-exception"])
    let path = try FilterBench(
      ["/one$important", "@@||page.test/x$genericblock,important"],
      .adguard,
      target: target
    )
    #expect(path.codes(2).contains("important-stays"))
    #expect(try path.blocks("https://a.test/one", on: "https://page.test/x"))
    let disabled = try FilterBench(
      ["/one$important"] + ["", ",badfilter"].map { "@@||page.test^$genericblock,important" + $0 },
      .adguard
    )
    #expect(try disabled.blocks("https://a.test/one"))
  }

  @Test("$urlblock lifts important filters if it is important", arguments: targets)
  func urlblock(target: EngineRelease?) throws {
    for (what, isBlocked) in [("urlblock", true), ("urlblock,important", false)] {
      let bench = try FilterBench(
        ["||ads.test^$important", "||b.test^", "page.test##.own", "@@||page.test^$\(what)"],
        .adguard,
        target: target
      )
      #expect(try bench.blocks("https://ads.test/x") == isBlocked)
      #expect(try !bench.blocks("https://b.test/x"))
      #expect(try bench.hidden(on: "https://page.test/") == [".own"])
    }
  }

  @Test("$badfilter disables filters on the pages that both name")
  func badfilter() throws {
    func blocked(_ filters: [String], _ pages: [String]) throws -> [Bool] {
      let bench = try FilterBench(filters, .adguard)
      return try pages.map { try bench.blocks("https://ads.test/some", on: "https://\($0)/") }
    }
    let pages = ["a.com", "b.org", "c.io"]
    let three = "/some$domain=a.com|b.org|c.io"
    for (filters, expected) in [
      ([three, "/some$domain=a.com,badfilter"], [false, true, true]),
      ([three, "/some$badfilter,domain=b.org|a.com"], [false, false, true]),
      ([three, "/some$domain=a.*,badfilter"], [false, true, true]),
      ([three, "/some$domain=a.com|~b.org,badfilter"], [true, true, true]),
      ([three, "/some$domain=d.com,badfilter"], [true, true, true]),
      ([three, "/some$badfilter"], [false, false, false]),
      (
        ["/some$domain=a.com|b.org", "/some$domain=a.com|b.org|c.io,badfilter"],
        [false, false, false]
      ),
      (["/some", "/some$domain=a.com,badfilter"], [false, true, true]),
      (["/some$domain=*", "/some$domain=a.com,badfilter"], [true, true, true]),
      (["/some$domain=*|a.com", "/some$domain=*,badfilter,domain=a.com"], [false, false, false]),
      ([three, "/some$domain=*,badfilter"], [true, true, true]),
      (["/some$image", "/some", "/some$domain=a.com,image,badfilter"], [true, true, true]),
    ] { #expect(try blocked(filters, pages) == expected, "\(filters)") }
    let bench = try FilterBench([three, "/some$domain=a.com,badfilter"], .adguard)
    #expect(bench.codes(2) == ["disables-filters"])
    let other = try FilterBench([three, "/some$domain=a.com,badfilter"], .abp)
    #expect(other.codes(2) == ["cancels-nothing"])
  }

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

  @Test("* among domains stands for every page")
  func star() throws {
    for filter in ["page.test,*##.ad", "*,page.test,~b.test##.ad", "*##.ad"] {
      let bench = try FilterBench(filter, .adguard)
      #expect(try bench.hidden(on: "https://other.test/") == [".ad"], "\(filter)")
    }
    let lifted = try FilterBench(["##.ad", "page.test,*#@#.ad"], .adguard)
    #expect(try lifted.hidden(on: "https://other.test/") == [])
    let except = try FilterBench("*,page.test,~b.test##.ad", .adguard)
    #expect(try except.hidden(on: "https://b.test/") == [])
    let loads = try FilterBench("||ads.test^$domain=page.test|*", .adguard)
    #expect(try loads.blocks("https://ads.test/x", on: "https://other.test/"))
  }
}

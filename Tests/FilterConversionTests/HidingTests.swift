import ContentRules
import FilterConversion
import FilterLists
import Testing

@Suite("Hiding filters become rules that hide the same")
struct HidingTests {
  @Test("generic ones are joined, and exceptions of their selectors are conditions")
  func generic() throws {
    let bench = try FilterBench([
      "##.aa", "##.bb", "~x.test##.cc", "y.test,z.test#@#.bb", "y.test#@#.cc",
    ])
    #expect(try bench.hidden(on: "https://page.test/") == [".aa", ".bb", ".cc"])
    #expect(try bench.hidden(on: "https://x.test/") == [".aa", ".bb"])
    #expect(try bench.hidden(on: "https://www.y.test/") == [".aa"])
    #expect(try bench.hidden(on: "https://z.test/") == [".aa", ".cc"])
    #expect(bench.conversion.rules(ofLine: 3).count == 1)
    #expect(bench.conversion.rules(ofLine: 3) == bench.conversion.rules(ofLine: 1))
  }

  @Test("specific ones, with domains left out")
  func specific() throws {
    let bench = try FilterBench([
      "a.test,b.test##.xx", "a.test,~www.a.test##.yy", "a.test##.zz", "m.a.test#@#.zz",
      "google.*##.gg", "b.test#@#.xx",
    ])
    #expect(try bench.hidden(on: "https://a.test/") == [".xx", ".yy", ".zz"])
    #expect(try bench.hidden(on: "https://www.a.test/") == [".xx", ".zz"])
    #expect(try bench.hidden(on: "https://m.a.test/") == [".xx", ".yy"])
    #expect(try bench.hidden(on: "https://b.test/") == [])
    #expect(try bench.hidden(on: "https://www.google.co.uk/") == [".gg"])
    #expect(bench.codes(5) == ["wildcard-domain"])
  }

  @Test("an exception has the rules of the filters whose pages it concerns")
  func linked() throws {
    let bench = try FilterBench(["a.test##.xx", "b.test##.xx", "m.a.test#@#.xx", "c.test#@#.xx"])
    #expect(Array(bench.conversion.rules(ofLine: 2)) == Array(bench.conversion.rules(ofLine: 0)))
    #expect(bench.conversion.rules(ofLine: 3).isEmpty)
    #expect(bench.codes(4) == ["leaves-no-rule"])
  }

  @Test("an exception for all pages lifts a selector everywhere")
  func everywhere() throws {
    let bench = try FilterBench([
      "##.aa", "x.test##.aa", "#@#.aa", "#@#.bb", "x.test##.cc", "x.test#@#.cc",
    ])
    #expect(bench.rules.isEmpty)
    #expect(bench.codes(1) == ["cancelled-by-exception"])
    #expect(bench.codes(2) == ["cancelled-by-exception"])
    #expect(bench.codes(3) == ["leaves-no-rule"])
    #expect(bench.codes(4) == ["cancels-nothing"])
    #expect(bench.codes(5) == ["cancelled-by-exception"])
    #expect(bench.codes(6) == ["leaves-no-rule"])
    #expect(bench.conversion.count(.converted) == 6)
  }

  @Test("white space behind the mark says nothing, but to AdGuard")
  func spaced() throws {
    for dialect in [FilterDialect.abp, .ubo] {
      let bench = try FilterBench(["##.ad", "#@# .ad", "## .own", "x.test#@#\t.own"], dialect)
      #expect(try bench.hidden(on: "https://y.test/") == [".own"], "\(dialect)")
      #expect(try bench.hidden(on: "https://x.test/") == [])
    }
    let bench = try FilterBench(["##.ad", "#@# .ad", "## .own", "x.test#@# .ad"], .adguard)
    #expect(bench.outcome(2) == .comment && bench.outcome(3) == .comment)
    #expect(try bench.hidden(on: "https://y.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://x.test/") == [])
  }

  @Test(
    "selectors that WebKit refuses are impossible, and take no others along",
    arguments: [
      ("##.aa:has-text(x)", "extended-selector"), ("##.aa:-abp-contains(x)", "extended-selector"),
      ("##.aa:upward(2)", "extended-selector"), ("##:is(.aa, :contains(x))", "extended-selector"),
      ("##.aa:has(.bb:has(.cc))", "invalid-selector"), ("##.aa,", "invalid-selector"),
      ("##.aa:nonsense", "invalid-selector"), ("x.test###", "invalid-selector"),
      // WebKit takes them, and then hides nothing by the whole style sheet.
      ("##.aa:is(.bb", "open-selector"), ("##.aa /* b", "open-selector"),
      ("##[a=\"b", "open-selector"), ("a.test##[a", "open-selector"), ("##.aa\\", "open-selector"),
      ("##.aa { color: red }", "style-filter"), ("x.test#$#.aa { top: 0 }", "style-filter"),
      ("x.test#%#f()", "scriptlet"), ("x.test##+js(f)", "scriptlet"),
      ("x.test##^script", "html-filter"), ("x.test$$script", "html-filter"),
      ("a(b##.aa", "domain-pattern"), ("[$path=/x]a.test##.aa", "cosmetic-modifier"),
      ("[$path=/x[0-9]/]a.test##.aa", "cosmetic-modifier"),
      ("[$domain=/a[bc]d/]##.aa", "domain-pattern"),
      ("[$domain=a.test|/(b|c)/]##.aa", "domain-pattern"),
    ]
  )
  func impossible(filter: String, code: String) throws {
    let bench = try FilterBench([filter, "##.good"])
    #expect(bench.outcome() == .impossible)
    #expect(bench.codes() == [code])
    #expect(try bench.hidden(on: "https://x.test/") == [".good"])
  }

  @Test("what is native under another name is converted")
  func native() throws {
    let bench = try FilterBench([
      "x.test#?#.aa:-abp-has(> .bb)", "x.test#?#.cc", #"x.test##.d[title=":contains(x)"]"#,
      "x.test#$#.ee { display: none !important; }", "[$domain=x.test]##.ff",
    ])
    #expect(bench.conversion.count(.converted) == 5)
    #expect(
      try bench.hidden(on: "https://x.test/")
        == [".aa:has(> .bb)", ".cc", #".d[title=":contains(x)"]"#, ".ee", ".ff"]
    )
    #expect(try bench.hidden(on: "https://y.test/") == [])
  }

  @Test("new selectors stand in rules of their own, so that older engines skip no others")
  func age() throws {
    let bench = try FilterBench(["##.aa", "##.bb:has(.cc)", "##.dd"])
    let selectors = bench.rules.map { rule in
      if case .cssDisplayNone(let selector) = rule.action { selector } else { "" }
    }
    #expect(selectors == [".aa, .dd", ".bb:has(.cc)"])
  }

  @Test("a selector that is left open swallows no others")
  func open() throws {
    for selector in [".bb:not(.cc", ".b[c=d", ".b[c='d]", ".bb:is(.cc /* )", #".bb\"#] {
      let bench = try FilterBench(["##.aa", "##" + selector, "##.zz"])
      let selectors = bench.rules.compactMap { rule in
        if case .cssDisplayNone(let selector) = rule.action { selector } else { nil }
      }
      #expect(selectors.first == ".aa, .zz", "\(selector)")
    }
  }

  @Test("a text that is not UTF-8 is impossible")
  func encoding() throws {
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    reader.add(
      FilterSource(name: "x", dialect: .abp, text: Array("##.aa".utf8) + [0xFF]),
      including: &none
    )
    let conversion = FilterConverter.convert(reader.collection)
    #expect(conversion.outcomes == [.impossible])
    #expect(conversion.reasons[0]?.map(\.code) == [.notUTF8])
  }

  @Test("of a domain with .* endings are excluded, by the filter and by exceptions")
  func wildcardEndings() throws {
    let bench = try FilterBench(
      ["a.*##.ad", "a.de#@#.ad", "a.co.uk,a.com.tr#@#.ad", "abc.*,~abc.de,~abc.d-e##.own"],
      .adguard
    )
    #expect(bench.outcome() == .approximated && bench.codes() == ["wildcard-domain"])
    #expect(bench.codes(4) == ["wildcard-domain"])
    let hidden: [String: String?] = [
      "a.fr": ".ad", "www.a.fr": ".ad", "a.d": ".ad", "a.dev": ".ad", "a.dd": ".ad", "a.com": ".ad",
      "a.uk": ".ad", "a.co.jp": ".ad", "a.co.us": ".ad", "a.com.uk": ".ad", "a.com.tw": ".ad",
      "a.or.uk": ".ad", "a.co.u": nil, "ba.fr": nil, "a.de": nil, "www.a.de": nil, "a.co.uk": nil,
      "x.a.com.tr": nil, "a.de.fr": ".ad", "b.test": nil,
      "abc.fr": ".own", "abc.co.uk": ".own", "abc.d": ".own", "abc.d-f": ".own", "abc.de": nil,
      "abc.abc.de": nil, "x.abc.de": nil, "abc.d-e": nil, "abc.abd.de": ".own",
    ]
    for (host, selector) in hidden {
      #expect(
        try bench.hidden(on: "https://\(host)/") == Set([selector].compactMap(\.self)),
        "\(host)"
      )
    }
    let loads = try FilterBench("||ads.test^$domain=a.*|~a.de", .ubo)
    #expect(try loads.blocks("https://ads.test/", on: "https://a.fr/"))
    #expect(try !loads.blocks("https://ads.test/", on: "https://a.de/"))
    for filter in ["a.*,~x.a.de##.ad", "co.*,~co.co.uk##.ad", "a.*,~x.a.*##.ad"] {
      #expect(try FilterBench(filter, .adguard).codes() == ["two-conditions"], "\(filter)")
    }
  }
}

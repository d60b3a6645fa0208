import ContentRules
import FilterConversion
import FilterLists
import Testing

@Suite("Hiding filters become rules that hide the same")
struct HidingTests {
  @Test("generic ones are joined, and exceptions of their selectors are conditions")
  func generic() throws {
    let bench = try FilterBench([
      "##.a", "##.b", "~x.test##.c", "y.test,z.test#@#.b", "y.test#@#.c",
    ])
    #expect(try bench.hidden(on: "https://page.test/") == [".a", ".b", ".c"])
    #expect(try bench.hidden(on: "https://x.test/") == [".a", ".b"])
    #expect(try bench.hidden(on: "https://www.y.test/") == [".a"])
    #expect(try bench.hidden(on: "https://z.test/") == [".a", ".c"])
    #expect(bench.conversion.rules(ofLine: 3).count == 1)
    #expect(bench.conversion.rules(ofLine: 3) == bench.conversion.rules(ofLine: 1))
  }

  @Test("specific ones, with domains left out")
  func specific() throws {
    let bench = try FilterBench([
      "a.test,b.test##.x", "a.test,~www.a.test##.y", "a.test##.z", "m.a.test#@#.z",
      "google.*##.g", "b.test#@#.x",
    ])
    #expect(try bench.hidden(on: "https://a.test/") == [".x", ".y", ".z"])
    #expect(try bench.hidden(on: "https://www.a.test/") == [".x", ".z"])
    #expect(try bench.hidden(on: "https://m.a.test/") == [".x", ".y"])
    #expect(try bench.hidden(on: "https://b.test/") == [])
    #expect(try bench.hidden(on: "https://www.google.co.uk/") == [".g"])
    #expect(bench.codes(5) == ["wildcard-domain"])
  }

  @Test("an exception has the rules of the filters whose pages it concerns")
  func linked() throws {
    let bench = try FilterBench(["a.test##.x", "b.test##.x", "m.a.test#@#.x", "c.test#@#.x"])
    #expect(Array(bench.conversion.rules(ofLine: 2)) == Array(bench.conversion.rules(ofLine: 0)))
    #expect(bench.conversion.rules(ofLine: 3).isEmpty)
    #expect(bench.codes(4) == ["leaves-no-rule"])
  }

  @Test("an exception for all pages lifts a selector everywhere")
  func everywhere() throws {
    let bench = try FilterBench([
      "##.a", "x.test##.a", "#@#.a", "#@#.b", "x.test##.c", "x.test#@#.c",
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

  @Test(
    "selectors that WebKit refuses are impossible, and take no others along",
    arguments: [
      ("##.a:has-text(x)", "extended-selector"), ("##.a:-abp-contains(x)", "extended-selector"),
      ("##.a:upward(2)", "extended-selector"), ("##:is(.a, :contains(x))", "extended-selector"),
      ("##.a:has(.b:has(.c))", "invalid-selector"), ("##.a,", "invalid-selector"),
      ("##.a:nonsense", "invalid-selector"), ("###", "invalid-selector"),
      // WebKit takes them, and then hides nothing by the whole style sheet.
      ("##.a:is(.b", "open-selector"), ("##.a /* b", "open-selector"),
      ("##[a=\"b", "open-selector"), ("a.test##[a", "open-selector"), ("##.a\\", "open-selector"),
      ("##.a { color: red }", "style-filter"), ("x.test#$#.a { top: 0 }", "style-filter"),
      ("x.test#%#f()", "scriptlet"), ("x.test##+js(f)", "scriptlet"),
      ("x.test##^script", "html-filter"), ("x.test$$script", "html-filter"),
      ("a(b##.a", "domain-pattern"), ("[$path=/x]a.test##.a", "cosmetic-modifier"),
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
      "x.test#?#.a:-abp-has(> .b)", "x.test#?#.c", #"x.test##.d[title=":contains(x)"]"#,
      "x.test#$#.e { display: none !important; }", "[$domain=x.test]##.f",
    ])
    #expect(bench.conversion.count(.converted) == 5)
    #expect(
      try bench.hidden(on: "https://x.test/")
        == [".a:has(> .b)", ".c", #".d[title=":contains(x)"]"#, ".e", ".f"]
    )
    #expect(try bench.hidden(on: "https://y.test/") == [])
  }

  @Test("new selectors stand in rules of their own, so that older engines skip no others")
  func age() throws {
    let bench = try FilterBench(["##.a", "##.b:has(.c)", "##.d"])
    let selectors = bench.rules.map { rule in
      if case .cssDisplayNone(let selector) = rule.action { selector } else { "" }
    }
    #expect(selectors == [".a, .d", ".b:has(.c)"])
  }

  @Test("a selector that is left open swallows no others")
  func open() throws {
    for selector in [".b:not(.c", ".b[c=d", ".b[c='d]", ".b:is(.c /* )", #".b\"#] {
      let bench = try FilterBench(["##.a", "##" + selector, "##.z"])
      let selectors = bench.rules.compactMap { rule in
        if case .cssDisplayNone(let selector) = rule.action { selector } else { nil }
      }
      #expect(selectors.first == ".a, .z", "\(selector)")
    }
  }

  @Test("a text that is not UTF-8 is impossible")
  func encoding() throws {
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    reader.add(
      FilterSource(name: "x", dialect: .abp, text: Array("##.a".utf8) + [0xFF]),
      including: &none
    )
    let conversion = FilterConverter.convert(reader.collection)
    #expect(conversion.outcomes == [.impossible])
    #expect(conversion.reasons[0]?.map(\.code) == [.notUTF8])
  }
}

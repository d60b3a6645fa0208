import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Exceptions lift what they name, and nothing else")
struct ExceptionTests {
  private let ad = "https://ads.test/x.js"

  @Test("an exception lifts blocking, wherever it stands")
  func ordinary() throws {
    let bench = try FilterBench([
      "@@||ads.test/x.js$domain=good.test", "||ads.test^", "##.ad", "good.test##.own",
    ])
    #expect(try !bench.blocks(ad, on: "https://good.test/"))
    #expect(try bench.blocks(ad))
    #expect(try bench.blocks("https://ads.test/y.js", on: "https://good.test/"))
    #expect(try bench.hidden(on: "https://good.test/") == [".ad", ".own"])
  }

  @Test("an exception for a page's own address leaves its hiding alone")
  func ofThePage() throws {
    let bench = try FilterBench(["##.ad", "page.test##.own", "||page.test^", "@@||page.test^"])
    #expect(try bench.hidden(on: "https://page.test/") == [".ad", ".own"])
  }

  @Test("$important is behind exceptions, and its own exceptions behind it")
  func important() throws {
    let bench = try FilterBench([
      "||ads.test^$important", "@@||ads.test^", "@@||ads.test/ok$important",
      "||pop.test^$popup,important", "@@||pop.test^$popup",
    ])
    #expect(try bench.blocks(ad))
    #expect(try !bench.blocks("https://ads.test/ok"))
    #expect(try bench.blocks("https://pop.test/", .popup))
  }

  @Test("uBlock Origin's important filters for a host stand behind exceptions, too")
  func importantHosts() throws {
    let bench = try FilterBench(["||ads.test^$important", "@@||ads.test^"], .ubo)
    #expect(try bench.blocks(ad))
    #expect(try bench.blocks("https://ads.test/", on: "https://ads.test/", .topDocument))
    #expect(try FilterBench(["||ads.test^", "@@||ads.test^"], .ubo).blocks(ad) == false)
  }

  @Test("$document lifts everything on a page, important rules included")
  func document() throws {
    let bench = try FilterBench([
      "##.ad", "good.test##.own", "||ads.test^$important", "||good.test^$document",
      "@@||good.test^$document",
    ])
    for page in ["https://good.test/", "https://www.good.test/a"] {
      #expect(try bench.hidden(on: page) == [])
      #expect(try !bench.blocks(ad, on: page))
      #expect(try !bench.blocks(page, on: page, .topDocument))
    }
    #expect(try bench.hidden(on: "https://bad.test/") == [".ad"])
    #expect(try bench.blocks(ad))
  }

  @Test("$elemhide lifts all hiding and no blocking")
  func elemhide() throws {
    let bench = try FilterBench([
      "##.ad", "good.test##.own", "||ads.test^", "@@||good.test^$elemhide",
    ])
    #expect(try bench.hidden(on: "https://good.test/") == [])
    #expect(try bench.blocks(ad, on: "https://good.test/"))
  }

  @Test("$generichide lifts generic hiding alone")
  func generichide() throws {
    let bench = try FilterBench([
      "##.ad", "~x.test##.other", "good.test##.own", "||ads.test^",
      "@@||good.test^$generichide", "@@||also.test/path/$generichide",
      "@@$generichide,domain=third.test|fourth.test",
    ])
    #expect(bench.conversion.count(.converted) == 7)
    #expect(try bench.hidden(on: "https://good.test/") == [".own"])
    #expect(try bench.hidden(on: "https://also.test/path/x") == [])
    #expect(try bench.hidden(on: "https://also.test/") == [".ad", ".other"])
    #expect(try bench.hidden(on: "https://www.fourth.test/") == [])
    #expect(try bench.hidden(on: "https://x.test/") == [".ad"])
    #expect(try bench.blocks(ad, on: "https://good.test/"))
  }

  @Test("$specifichide lifts specific hiding alone")
  func specifichide() throws {
    let bench = try FilterBench([
      "##.ad", "good.test,other.test##.own", "a.good.test##.deep", "test##.wide",
      "@@||good.test^$specifichide",
    ])
    #expect(bench.conversion.count(.converted) == 5)
    #expect(try bench.hidden(on: "https://good.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://a.good.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://other.test/") == [".ad", ".own", ".wide"])
  }

  @Test("$genericblock lifts filters without domains alone")
  func genericblock() throws {
    let bench = try FilterBench([
      "||ads.test^", "||own.test^$domain=good.test", "@@||good.test^$genericblock",
    ])
    #expect(try !bench.blocks(ad, on: "https://good.test/"))
    #expect(try bench.blocks("https://own.test/", on: "https://good.test/"))
    #expect(try bench.blocks(ad))
  }

  @Test("$urlblock lifts blocking and no hiding")
  func urlblock() throws {
    let bench = try FilterBench(["##.ad", "||ads.test^", "@@||good.test^$urlblock"], .adguard)
    #expect(try !bench.blocks(ad, on: "https://good.test/"))
    #expect(try bench.hidden(on: "https://good.test/") == [".ad"])
  }

  @Test("what WebKit never does needs no exception")
  func others() throws {
    for filter in [
      "@@||a.test^$jsinject", "@@||a.test^$csp", "@@||a.test^$removeparam", "a.test#@%#f()",
      "a.test#@?#.x:contains(y)",
    ] {
      let bench = try FilterBench(filter)
      #expect(bench.outcome() == .converted)
      #expect(bench.codes() == ["nothing-to-lift"])
      #expect(bench.rules.isEmpty)
    }
  }

  @Test("a document's exception under a condition lifts the load alone")
  func loadsOnly() throws {
    let bench = try FilterBench([
      "||ads.test^", "@@||ads.test/frame$document,subdocument,domain=page.test",
    ])
    #expect(bench.codes(2) == ["loads-only"])
    #expect(try !bench.blocks("https://ads.test/frame", .childDocument))
    #expect(try bench.blocks("https://ads.test/frame", on: "https://b.test/", .childDocument))
    #expect(
      try FilterBench("@@||ads.test/frame$document,domain=page.test").codes() == ["two-conditions"]
    )
  }
}

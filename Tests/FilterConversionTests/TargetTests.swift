import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Rules for older engines")
struct TargetTests {
  private let filters = [
    "||ads.test^", "||frame.test^$subdocument", "||mixed.test^$subdocument,script",
    "||fetch.test^$xhr", "||page.test^$document", "##.aa:has(.bb)", "##.cc", "@@||ads.test/ok",
    "$popup,domain=x.test", "||ping.test^$ping", "shop.*##.dd",
  ]

  /// The reader itself says what the target lacks, and ``FilterBench`` takes no diagnostics.
  @Test("nothing is used that the target lacks", arguments: [9, 12, 15, 16, 18, 26])
  func known(version: Int) throws {
    let target = try #require(EngineRelease(safari: SafariVersion(version)))
    let bench = try FilterBench(filters, target: target)
    #expect(try bench.blocks("https://ads.test/"))
    #expect(try !bench.blocks("https://ads.test/ok"))
    #expect(try bench.blocks("https://frame.test/", .childDocument))
    #expect(try bench.blocks("https://mixed.test/", .script))
    #expect(try bench.blocks("https://fetch.test/", .fetch))
    #expect(try bench.blocks("https://page.test/", on: "https://page.test/", .topDocument))
    #expect(try bench.hidden(on: "https://y.test/").contains(".cc"))
  }

  @Test("what a target lacks is accounted for")
  func accounts() throws {
    let old = try FilterBench(filters, target: EngineRelease(safari: SafariVersion(12)))
    #expect(old.codes(2) == ["documents-of-all-frames"])
    #expect(old.codes(4) == ["raw-types"])
    #expect(old.codes(6) == ["target-lacks"])
    #expect(old.outcome(6) == .impossible)
    #expect(old.conversion.ruleLimit == 50_000)
    #expect(old.conversion.differences.contains(.pagesBlocked))
    let first = try FilterBench(filters, target: EngineRelease(safari: SafariVersion(9)))
    #expect(first.codes(11) == ["target-lacks"])
    let new = try FilterBench(filters)
    #expect(new.outcome(6) == .converted)
    #expect(new.conversion.ruleLimit == 150_000)
    #expect(!new.conversion.differences.contains(.pagesBlocked))
  }

  @Test("frames are told from pages where the engine can")
  func frames() throws {
    let bench = try FilterBench(filters, target: EngineRelease(safari: SafariVersion(16)))
    #expect(bench.codes(2) == [])
    let frame = "https://frame.test/"
    #expect(try !bench.blocks(frame, on: frame, .topDocument))
  }

  @Test("what lifts blocking for a page lifts its hiding in the oldest engines, and says so")
  func hidingToo() throws {
    let old = try #require(EngineRelease(safari: SafariVersion(14)))
    for (effect, isTold) in [
      ("genericblock", true), ("urlblock", true), ("urlblock,generichide", true),
      ("urlblock,elemhide", false), ("urlblock,generichide,specifichide", false),
      ("document", false), ("generichide", false),
    ] {
      let filters = ["||ads.test^", "##.ad", "page.test##.own", "@@||page.test^$" + effect]
      let bench = try FilterBench(filters, .adguard, target: old)
      #expect(bench.codes(4).contains("hiding-too") == isTold, "\(effect)")
      if isTold {
        #expect(bench.outcome(4) == .approximated)
        #expect(try bench.hidden(on: "https://page.test/") == [])
      }
      #expect(!(try FilterBench(filters, .adguard).codes(4).contains("hiding-too")))
    }
  }

  /// What the newest engine is told by `ignore-following-rules`.
  private static let targets = [nil, EngineRelease(safari: SafariVersion(16, 4))]

  @Test("no engine since Safari 15 blocks pages by filters about loads", arguments: targets)
  func pages(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "||ads.test^", "/banner/", "||page.test^$document", "||window.test^$popup", "##.all",
        "ads.test##.own", "@@||ads.test^$elemhide", "b.test##.bb", "##.cc", "x.b.test#@#.cc",
        "@@||x.b.test^$specifichide", "@@||d.test^$document", "@@||b.test/lifted", "d.test##.dd",
      ],
      target: target
    )
    #expect(!bench.conversion.differences.contains(.pagesBlocked))
    for page in ["https://ads.test/", "https://b.test/banner/"] {
      #expect(try !bench.blocks(page, on: page, .topDocument))
      #expect(try !bench.blocks(page, on: "https://a.test/", .popup))
      #expect(try bench.blocks(page, on: "https://a.test/", .childDocument))
      #expect(try bench.blocks(page, on: "https://a.test/", .image))
      #expect(try !bench.blocks(page, on: "https://d.test/", .image))
    }
    #expect(try bench.blocks("https://page.test/", on: "https://page.test/", .topDocument))
    #expect(try bench.blocks("https://window.test/", .popup))
    #expect(try bench.hidden(on: "https://a.test/") == [".all", ".cc"])
    #expect(try bench.hidden(on: "https://ads.test/") == [])
    #expect(try bench.hidden(on: "https://b.test/lifted") == [".all", ".bb", ".cc"])
    #expect(try bench.hidden(on: "https://x.b.test/") == [".all"])
    #expect(try bench.hidden(on: "https://d.test/") == [])
    // An exception from hiding lifts no blocking.
    #expect(try bench.blocks("https://c.test/banner/", on: "https://ads.test/", .image))
  }

  @Test("what comes later or is lifted besides before Safari 26.2 is accounted for")
  func genericHiding() throws {
    let filters = ["##.aa", "||b.test^", "@@||c.test^$urlblock", "@@||d.test/x$elemhide"]
    let old = try FilterBench(filters, target: EngineRelease(safari: SafariVersion(16, 4)))
    #expect(old.conversion.differences.contains(.genericHidingLater))
    #expect(old.codes(3) == ["generic-hiding-too"])
    #expect(old.codes(4) == ["generic-hiding-alone"])
    let new = try FilterBench(filters)
    #expect(!new.conversion.differences.contains(.genericHidingLater))
    #expect(new.codes(3) == [] && new.codes(4) == [])
    // Nothing is put off for filters that match no page.
    let third = try FilterBench(
      ["##.aa", "||b.test^$third-party", "||c.test^$script"],
      target: EngineRelease(safari: SafariVersion(18))
    )
    #expect(!third.conversion.differences.contains(.genericHidingLater))
    // A window is third-party to the page that opens it.
    let words = ["css-display-none", "block", "block", "ignore-previous-rules"]
    #expect(third.rules.map(\.action.word) == words)
    #expect(try !third.blocks("https://b.test/", on: "https://a.test/", .popup))
    #expect(try third.blocks("https://b.test/", on: "https://a.test/", .script))
  }

  @Test("pages of hosts are blocked with what is loaded from them", arguments: targets)
  func blockedPages(target: EngineRelease?) throws {
    let filters = ["||ads.test^", "||b.test^$third-party", "##.aa", "0.0.0.0 c.test"]
    let others = ["/banner/", "@@||ads.test/ok", "@@||x.test/c.js", "||d.test^"]
    for lines in [filters, filters + others] {
      let bench = try FilterBench(lines, .ubo, target: target)
      for page in ["https://ads.test/", "https://x.ads.test/y", "https://c.test/"] {
        #expect(try bench.blocks(page, on: page, .topDocument))
        #expect(try bench.blocks(page, on: "https://a.test/", .script))
      }
      let page = "https://e.test/?https://ads.test/banner/"
      #expect(try !bench.blocks(page, on: page, .topDocument))
      #expect(try !bench.blocks("https://b.test/", on: "https://b.test/", .topDocument))
      for line in 1...lines.count { #expect(bench.conversion.rules(ofLine: line - 1).count > 0) }
    }
    let bench = try FilterBench(filters + others, .ubo, target: target)
    #expect(try !bench.blocks("https://ads.test/ok", on: "https://a.test/", .script))
    #expect(try !bench.blocks("https://ads.test/ok", on: "https://ads.test/ok", .topDocument))
    let hosts = try FilterBench(["0.0.0.0 a.test", "b.test"], .hosts, target: target)
    #expect(hosts.rules.map(\.action.word) == ["block", "block"])
  }
}

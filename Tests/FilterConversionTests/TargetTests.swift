import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Rules for older engines")
struct TargetTests {
  private let filters = [
    "||ads.test^", "||frame.test^$subdocument", "||mixed.test^$subdocument,script",
    "||fetch.test^$xhr", "||page.test^$document", "##.a:has(.b)", "##.c", "@@||ads.test/ok",
    "$popup,domain=x.test", "||ping.test^$ping", "shop.*##.d",
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
    #expect(try bench.hidden(on: "https://y.test/").contains(".c"))
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
}

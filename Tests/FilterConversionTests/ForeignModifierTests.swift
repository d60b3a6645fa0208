import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Modifiers that one blocker alone has")
struct ForeignModifierTests {
  @Test("$top names the page in the window, alone or with what $domain excludes")
  func top() throws {
    let bench = try FilterBench(
      [
        "||a.test^$top=x.test|~y.x.test", "||b.test^$top=~x.test",
        "||c.test^$top=x.test,domain=~y.x.test",
        "||d.test^$top=x.test,domain=y.test", "||e.test^$top=/x/", "||f.test^$top=",
        "||g.test^$top=x.*", "@@||b.test^$top=z.test",
      ],
      .ubo
    )
    for host in ["a", "c"] {
      #expect(try bench.blocks("https://\(host).test/", on: "https://w.x.test/"))
      #expect(try !bench.blocks("https://\(host).test/", on: "https://y.x.test/"))
      #expect(try !bench.blocks("https://\(host).test/", on: "https://y.test/"))
    }
    #expect(try bench.blocks("https://b.test/", on: "https://y.test/"))
    #expect(try !bench.blocks("https://b.test/", on: "https://x.test/"))
    #expect(try !bench.blocks("https://b.test/", on: "https://z.test/"))
    #expect((1...3).map { bench.outcome($0) } == [.converted, .converted, .converted])
    #expect(
      (4...7).map { bench.codes($0) } == [
        ["two-conditions"], ["domain-pattern"], ["no-filter"], ["wildcard-domain"],
      ]
    )
    // Spelled otherwise, it is disabled all the same; and $domain is another filter.
    let disabled = try FilterBench(
      [
        "||a.test^$top=x.test|y.test", "||a.test^$top=y.test|x.test,badfilter",
        "||b.test^$top=x.test",
        "||b.test^$domain=x.test,badfilter",
      ],
      .ubo
    )
    #expect(disabled.codes(1) == ["disabled-by-badfilter"])
    #expect(disabled.codes(3) == [])
  }

  @Test("a modifier that WebKit lacks is named by its own name")
  func namesOfModifiers() throws {
    for name in ["stealth=donottrack", "extension=x", "content", "jsinject", "tag=ads"] {
      let bench = try FilterBench("||a.test^$\(name)", .adguard)
      #expect(bench.codes() == ["unsupported-modifier"])
      #expect(
        bench.conversion.reasons[0]?.map(\.detail) == [String(name.prefix { $0 != "=" })]
      )
    }
  }

  @Test("what says nothing changes nothing")
  func noop() throws {
    let bench = try FilterBench("||a.test^$noop,script,_,noop", .adguard)
    #expect(bench.outcome() == .converted && bench.codes() == [])
    #expect(try bench.blocks("https://a.test/", .script))
    #expect(try !bench.blocks("https://a.test/", .image))
  }
}

import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

/// What uBlock Origin does otherwise than the others, by the answers of version 1.67 itself.
@Suite("Filters of uBlock Origin do what they do there")
struct UBlockOriginTests {
  static let targets = [
    nil, EngineRelease(safari: SafariVersion(18)), EngineRelease(safari: SafariVersion(16, 4)),
  ]

  /// Filters, and whether they block the page `https://ads.test/`.
  static let pages: [([String], Bool)] = [
    (["||ads.test^"], true), (["||ads.test"], true), (["||ads.test/"], true),
    (["ads.test"], true), (["ads.test$all"], true), (["||ads.test^$domain=~x.test"], true),
    (["||ads.test^$first-party"], true), (["||ads.test^$domain=ads.test"], true),
    (["||ads.test^$domain=x.test"], false), (["||ads.test^$third-party"], false),
    (["||ads.test^$~script"], false), (["||ads.test/page"], false), (["||ads.test^$popup"], false),
    (["||ads.test^", "@@||ads.test^"], false), (["0.0.0.0 ads.test", "@@||ads.test^"], false),
    (["||ads.test^$document", "@@||ads.test^"], false), (["||ads.test^", "@@ads.test"], false),
    (["||ads.test^$all", "@@||ads.test^$first-party"], false),
    (["||ads.test^", "@@||ads.test^$domain=ads.test"], false),
    (["||ads.test^", "@@||ads.test^$domain=x.test"], true),
    (["||ads.test^", "@@||ads.test^$third-party"], true),
    (["||ads.test^", "@@||ads.test^$script"], true),
    (["||ads.test^", "@@||ads.test^$~script"], true),
    (["||ads.test^", "@@||ads.test/ok"], true), (["||ads.test^", "@@||ads.test^$popup"], true),
    (["||ads.test^", "@@||ads.test^$elemhide"], true),
    (["||ads.test^", "@@||ads.test^$document"], false),
    (["||ads.test^$important", "@@||ads.test^"], true),
    (["||ads.test^$important,document", "@@||ads.test^"], true),
    (["||ads.test^$document,to=~ok.ads.test"], true), (["*$document,to=test|~ads.test"], false),
    (["/^https:\\/\\/[a-z]+\\.test\\//$document,to=test"], true),
    (["||ads.test^$all,to=~ok.ads.test"], true),
    (["||ads.test^$to=~ok.ads.test"], true), (["||ads.test^$to=~ads.test"], false),
    (["||ads.test^$denyallow=x.test,domain=ads.test"], true),
    (["||ads.test^$denyallow=ads.test,domain=ads.test"], false),
    (["||ads.test^$~object"], false), (["||ads.test^$~inline-script"], false),
    (["||ads.test^", "@@||ads.test^$~object"], true),
  ]

  @Test("pages of hosts", arguments: targets)
  func pages(target: EngineRelease?) throws {
    for (filters, isBlocked) in Self.pages {
      let bench = try FilterBench(filters, .ubo, target: target)
      let page = "https://ads.test/"
      #expect(try bench.blocks(page, on: page, .topDocument) == isBlocked, "\(filters)")
      for hiding in ["##.ad", "ads.test##.own"] {
        let bench = try FilterBench(filters + [hiding], .ubo, target: target)
        #expect(try bench.blocks(page, on: page, .topDocument) == isBlocked, "\(filters)")
        // An exception from blocking is none from hiding; `$document` and `$elemhide` are both.
        guard !(filters.last ?? "").hasPrefix("@@") || !filters.joined().contains("elemhide"),
          filters.last != "@@||ads.test^$document"
        else { continue }
        #expect(try bench.hidden(on: page).count == 1, "\(filters)")
      }
    }
  }

  @Test("an exception lifts the block of a page, and no hiding of it", arguments: targets)
  func exception(target: EngineRelease?) throws {
    let filters = [
      "||ads.test^", "||pop.test^$popup", "@@||ads.test^", "@@||pop.test^", "ads.test##.own",
      "pop.test##.own",
    ]
    let bench = try FilterBench(filters, .ubo, target: target)
    for line in filters.indices { #expect(bench.outcome(line + 1) != .impossible) }
    #expect(try !bench.blocks("https://ads.test/x"))
    #expect(try bench.hidden(on: "https://ads.test/") == [".own"])
    #expect(try bench.hidden(on: "https://pop.test/") == [".own"])
    // What is about windows by name is lifted by name alone.
    #expect(try bench.blocks("https://pop.test/", .popup))
    #expect(try !bench.blocks("https://ads.test/", .popup))
  }

  @Test("an exception with $document lifts the block of the page alone", arguments: targets)
  func document(target: EngineRelease?) throws {
    let filters = [
      "||ads.test^", "||x.test^", "@@||ads.test^$document", "@@||y.test^$doc", "ads.test##.own",
      "##.ad",
    ]
    let bench = try FilterBench(filters, .ubo, target: target)
    for line in filters.indices { #expect(bench.outcome(line + 1) == .converted) }
    #expect(try !bench.blocks("https://ads.test/", on: "https://ads.test/", .topDocument))
    #expect(try bench.blocks("https://x.test/", on: "https://ads.test/"))
    #expect(try bench.blocks("https://x.test/", on: "https://y.test/"))
    #expect(try bench.hidden(on: "https://ads.test/") == [".ad", ".own"])
  }

  @Test("what an exception lifts is lifted on the pages that $to names", arguments: targets)
  func liftedTo(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "##.ad", "@@*$ghide,to=a.test|b.test|~x.a.test", "@@||c.test^$ghide,to=d.c.test|e.test",
        "@@||f.test^$ghide,to=~g.f.test", "@@||h.test^$ghide,to=h.test|~i.h.test",
        "@@||j.test^$ghide,to=k.test", "@@/path/$ghide,to=l.test", "@@*$ghide,to=~m.test",
      ],
      .ubo,
      target: target
    )
    let lifted: [String: Bool] = [
      "a.test": true, "y.a.test": true, "b.test": true, "x.a.test": false, "z.x.a.test": false,
      "xa.test": false, "c.test": false, "d.c.test": true, "e.test": false, "f.test": true,
      "g.f.test": false, "z.f.test": true, "h.test": true, "i.h.test": false, "j.test": false,
      "k.test": false, "l.test": false, "o.test": false,
    ]
    for (host, isLifted) in lifted {
      #expect(try bench.hidden(on: "https://\(host)/path/").isEmpty == isLifted, "\(host)")
    }
    #expect(bench.codes(6) == ["never-applies"])
    #expect(bench.codes(7) == ["two-conditions"] && bench.codes(8) == ["two-conditions"])
  }

  @Test(
    "exceptions from hiding that uBlock Origin ignores lift nothing",
    arguments: [
      "@@||a.test^$ghide,important", "@@||a.test^$~ghide", "@@||a.test^$ehide,match-case",
      "@@||a.test^$ehide,content", "@@||a.test^$ghide,third-party",
    ]
  )
  func ignoredExceptions(filter: String) throws {
    let bench = try FilterBench(["##.ad", filter], .ubo)
    #expect(bench.outcome(2) == .impossible)
    #expect(try bench.hidden(on: "https://a.test/") == [".ad"])
  }

  @Test("a filter of hiding for all pages by * is a specific one", arguments: targets)
  func starred(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "*##.ad", "##.ad", "*,b.test##.own", "@@||a.test^$ghide", "c.test#@#.own",
        "@@||d.test^$ehide",
      ],
      .ubo,
      target: target
    )
    #expect(try bench.hidden(on: "https://a.test/") == [".ad", ".own"])
    #expect(try bench.hidden(on: "https://b.test/") == [".ad", ".own"])
    #expect(try bench.hidden(on: "https://c.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://d.test/") == [])
  }

  @Test("what a filter of hiding excludes is excluded from all of its selector", arguments: targets)
  func excludedHiding(target: EngineRelease?) throws {
    for (dialect, isLifted) in [(FilterDialect.ubo, true), (.abp, false)] {
      let bench = try FilterBench(
        ["##.ad", "~a.test##.ad", "b.test##.ad"],
        dialect,
        target: target
      )
      #expect(try bench.hidden(on: "https://a.test/").isEmpty == isLifted, "\(dialect)")
      #expect(try bench.hidden(on: "https://b.test/") == [".ad"])
      #expect(bench.outcome(2) == .converted)
    }
  }

  @Test(
    "what is left of a line that was cut is no filter",
    arguments: [
      (
        FilterDialect.ubo,
        [
          "|", "||", "*", "**", "||*", "|*", "^", "/./", "p", "|h", "@@|", "h|",
          "*.", ".*", "*/", "*.*", "*^", "^*", "||a|", "||^", "@@||a", "*||", "|*^", "@@*/",
        ],
        ["ab", "||a", "a^", "*a", "*$image", "||$script", "##a"]
      ),
      (
        .abp,
        [
          "|", "||", "^", "/./", "ab", "|abc", "||abc", "@@||ab", "abc$image", "##a", "#@#.a",
          "a$domain=~x.test",
        ],
        ["abcd", "||abcd", "ab*", "/ab/", "ab$domain=a.test", "##abc", "a.test##a", "*$image"]
      ),
    ]
  )
  func short(dialect: FilterDialect, none: [String], some: [String]) throws {
    for filter in none {
      let bench = try FilterBench([filter], dialect)
      #expect(bench.outcome() == .impossible && bench.codes() == ["no-filter"], "\(filter)")
      #expect(bench.rules.isEmpty)
    }
    for filter in some {
      #expect(try FilterBench([filter], dialect).outcome() != .impossible, "\(filter)")
    }
  }

  @Test("lines that are continued are one filter")
  func continued() throws {
    let bench = try FilterBench(
      [
        "||ads.test^$script, \\", "    image", "a.test, \\", "    b.test, \\", "    c.test##.ad",
        "! comment \\", "    ||x.test^", "||y.test^ \\", "||z.test^",
      ],
      .ubo
    )
    #expect(bench.outcome(1) == .converted && bench.outcome(2) == .comment)
    #expect(try bench.blocks("https://ads.test/", .image))
    #expect(try !bench.blocks("https://ads.test/", .font))
    #expect(try bench.hidden(on: "https://c.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://d.test/") == [])
    #expect(try !bench.blocks("https://x.test/"))
    #expect(try bench.blocks("https://z.test/"))
    #expect(bench.conversion.outcomes.count == 9)
  }

  @Test("a line is continued as long as what is joined of it says so")
  func continuedWhiteSpace() throws {
    let bench = try FilterBench(
      [
        "||ads.test \\", "    ^ \\  ", "    $script", "||x.test^$script \\", "    \\",
        "    ,image", "||y.test^ \\\r", "    $script", "||z.test^ \\",
      ],
      .ubo
    )
    #expect(bench.outcome(1) == .converted && bench.outcome(2) == .comment)
    #expect(bench.outcome(3) == .comment)
    #expect(try bench.blocks("https://ads.test/", .script))
    #expect(try !bench.blocks("https://ads.test/", .image))
    #expect(try !bench.blocks("https://x.test/", .image))
    #expect(bench.outcome(5) == .comment && bench.outcome(6) != .comment)
  }

  @Test("an exception for ||host is one for the host")
  func hostException() throws {
    let bench = try FilterBench(["/ad|", "@@||ads.test"], .ubo)
    #expect(try !bench.blocks("https://ads.test/ad"))
    #expect(try bench.blocks("https://ads.testing/ad"))
  }

  @Test("hints are comments to all but AdGuard")
  func hints() throws {
    for (dialect, isLeftOut) in [(FilterDialect.adguard, true), (.ubo, false), (.abp, false)] {
      let bench = try FilterBench(["!+ PLATFORM(windows)", "||ads.test^"], dialect)
      #expect(try bench.blocks("https://ads.test/") != isLeftOut)
    }
  }

  @Test(
    "exceptions of all lists pass pages that lines of hosts files block",
    arguments: [FilterDialect.abp, .adguard, .ubo]
  )
  func hostsLines(dialect: FilterDialect) throws {
    for target in Self.targets {
      let filters = [
        "0.0.0.0 ads.test b.test", "@@||ads.test^", "||c.test^$document", "@@||c.test^",
        "ads.test##.own",
      ]
      let bench = try FilterBench(filters, dialect, target: target)
      func blocksPage(_ host: String) throws -> Bool {
        try bench.blocks("https://\(host)/", on: "https://\(host)/", .topDocument)
      }
      #expect(try !blocksPage("ads.test"))
      #expect(try bench.hidden(on: "https://ads.test/") == [".own"])
      #expect(try blocksPage("b.test"))
      // Of a rule for pages of many hosts the line is named once.
      let rules = bench.conversion.rules(ofLine: 0)
      #expect(rules.count == Set(rules).count)
      #expect(try blocksPage("c.test") == (dialect == .abp))
    }
  }

  @Test("an exception for windows lets them open, whatever else is in the list", arguments: targets)
  func windows(target: EngineRelease?) throws {
    for others in [[], ["||z.test^$3p"]] {
      let bench = try FilterBench(
        ["||ads.test^", "@@||ads.test^$popup"] + others,
        .ubo,
        target: target
      )
      #expect(try !bench.blocks("https://ads.test/", .popup))
      #expect(try bench.blocks("https://ads.test/", on: "https://ads.test/", .topDocument))
    }
  }

  @Test("hosts that $denyallow excepts are blocked by what names them", arguments: targets)
  func denyallow(target: EngineRelease?) throws {
    let bench = try FilterBench(
      ["||ads.test^", "*$script,denyallow=ads.test|ok.test,domain=page.test"],
      .ubo,
      target: target
    )
    #expect(try bench.blocks("https://ads.test/a.js"))
    #expect(try !bench.blocks("https://ok.test/a.js"))
    #expect(try bench.blocks("https://other.test/a.js"))
    #expect(try bench.blocks("https://ads.test/", on: "https://ads.test/", .topDocument))
  }

  @Test(
    "names of hosts stand for the hosts",
    arguments: [
      ("ads.test", true, false, false), ("ads.test$script", true, false, false),
      ("ADS.test$3p", true, false, false), ("||ads.test$script", true, false, false),
      // With `~` it is a text, and behind `||` without modifiers the beginning of a host.
      ("ads.test$~image", true, true, true), ("||ads.test", true, true, false),
      ("ads.test/x", true, true, true), ("ads.t", true, true, true),
      ("banner.gif", false, false, false),
    ]
  )
  func names(filter: String, host: Bool, longer: Bool, path: Bool) throws {
    let bench = try FilterBench(filter, .ubo)
    #expect(bench.outcome() == .converted)
    #expect(try bench.blocks("https://www.ads.test/x") == host)
    #expect(try bench.blocks("https://ads.test.evil.test/ads.test/x") == (longer || path))
    #expect(try bench.blocks("https://page.test/?u=ads.test/x") == path)
    #expect(try !bench.blocks("https://page.test/banner.gif"))
    // Others read a text.
    let plain = try FilterBench("ads.test", .adguard)
    #expect(try plain.blocks("https://page.test/?u=ads.test"))
  }

  @Test(
    "exceptions from what no rule does lift nothing else",
    arguments: [
      "script,redirect-rule", "redirect-rule=noop.js", "document,csp=script-src 'none'",
      "script,csp", "removeparam", "xmlhttprequest,removeparam=utm", "cname", "permissions=x",
    ]
  )
  func otherExceptions(modifiers: String) throws {
    let bench = try FilterBench(
      ["||ads.test^", "##.ad", "@@||ads.test^$" + modifiers, "@@*$\(modifiers),domain=page.test"],
      .ubo
    )
    #expect(bench.codes(3) == ["nothing-to-lift"] && bench.outcome(3) == .converted)
    #expect(try bench.blocks("https://ads.test/"))
    #expect(try bench.hidden(on: "https://page.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://ads.test/") == [".ad"])
  }

  @Test(
    "texts begin and end with words of the URL where the word begins or ends them",
    arguments: [
      ("/ad", ["/ad", "/ad?x", "/x/ad/y", "/ad_x"], ["/ads", "/ad%20", "/ad1"]),
      ("ad/x", ["/ad/x", "/-ad/xy"], ["/bad/x", "/1ad/x", "/%20ad/x"]),
      ("/adserver", ["/adserver", "/adservers"], ["/badserver"]),
      ("_ad|", ["/x_ad"], ["/x_ads"]), ("/ad^", ["/ad", "/ad/x"], ["/ads"]),
      // Another word is looked up, or none.
      ("/foo/ad", ["/foo/ads"], ["/foos/ad"]), ("*ad*", ["/bads"], ["/x"]),
      ("/ad*", ["/ads"], ["/bad"]), ("ad*/foo/", ["/bads/foo/"], ["/ad/foos/"]),
      ("js/ad", ["/xjs/ad"], ["/js/ads"]), ("||page.test/ad", ["/ads"], ["/x/ad"]),
      ("/a/x", ["/a/xy"], ["/ba/x"]), ("https://page.test/ad", ["/ads"], ["/x"]),
      ("://page.test/ad", ["/ads"], ["/x"]),
    ]
  )
  func words(filter: String, matching: [String], others: [String]) throws {
    let bench = try FilterBench([filter, "@@||page.test/none^"], .ubo)
    #expect(bench.outcome() == .converted)
    for path in matching { #expect(try bench.blocks("https://page.test" + path), "\(path)") }
    for path in others { #expect(try !bench.blocks("https://page.test" + path), "\(path)") }
    // In other lists texts are found anywhere.
    let plain = try FilterBench(["/add", "ad/x", "_ads"], .adguard)
    #expect(try plain.blocks("https://page.test/adds") && plain.blocks("https://page.test/bad/x"))
  }

  @Test("an exception from hiding does the opposite where ~ stands", arguments: targets)
  func excludedExceptions(target: EngineRelease?) throws {
    let bench = try FilterBench(
      [
        "##.ad", "a.test,~b.test,~c.a.test#@#.ad", "x.test##.own", "~x.test#@#.own", "*#@#.all",
        "##.all", "y.test##.all", "d.test,~e.test#@#.new", "f.test,*#@#.ad2", "##.ad2",
      ],
      .ubo,
      target: target
    )
    #expect(try bench.hidden(on: "https://a.test/") == [])
    #expect(try bench.hidden(on: "https://c.a.test/") == [])
    #expect(try bench.hidden(on: "https://b.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://x.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://y.test/") == [".ad"])
    #expect(try bench.hidden(on: "https://e.test/") == [".ad", ".new"])
    for line in 1...10 { #expect(bench.outcome(line) == .converted) }
    // A specific filter hides there, which $generichide does not lift.
    let generic = try FilterBench(["##.ad", "a.test,~b.test#@#.ad", "@@||b.test^$ghide"], .ubo)
    #expect(try generic.hidden(on: "https://b.test/") == [".ad"])
  }

  @Test(
    "exceptions lift selectors that are spelled otherwise",
    arguments: [
      ("a>b", "a > b"), ("a  b", "a b"), (".x,.y", ".x, .y"), ("[a=b]", #"[a="b"]"#),
      ("[a='b']", #"[ a = "b" ]"#), (".x:not( .y )", ".x:not(.y)"), ("a~b+c", "a ~ b + c"),
    ]
  )
  func spelling(selector: String, other: String) throws {
    for (dialect, isLifted) in [(FilterDialect.ubo, true), (.abp, false), (.adguard, false)] {
      let bench = try FilterBench(["p.test##" + selector, "p.test#@#" + other], dialect)
      #expect(bench.rules.isEmpty == isLifted, "\(dialect)")
      #expect(bench.outcome(2) == .converted)
    }
    let different = try FilterBench(["p.test##a b", "p.test#@#a>b", "p.test#@#A b"], .ubo)
    #expect(different.rules.count == 1)
  }

  @Test("as many lines as one likes exclude hosts from one selector")
  func manyExcluded() throws {
    let count = 20_000
    let bench = try FilterBench((0..<count).map { "~h\($0).test##.ad" } + ["h.test##.ad"], .ubo)
    #expect(bench.rules.count == 2)
    #expect(bench.conversion.count(.converted) == count + 1)
    #expect(bench.conversion.rules(ofLine: count - 1) == [0])
    let specific = try FilterBench(
      (0..<3_000).flatMap { ["a\($0).test##.ad", "b.a\($0).test#@#.ad"] },
      .abp
    )
    #expect(specific.conversion.count(.converted) == 6_000)
  }

  @Test(
    "$badfilter disables what means the same",
    arguments: [
      ("||ads.test^$third-party", "||ads.test^$3p,badfilter", true),
      ("||ads.test^$3p", "||ads.test^$~1p,badfilter", true),
      ("||ads.test^$script,image", "||ads.test^$image,script,badfilter", true),
      ("||ads.test^$css,frame", "||ads.test^$stylesheet,subdocument,badfilter", true),
      ("||ads.test^$to=a.test|ads.test", "||ads.test^$to=ads.test|a.test,badfilter", true),
      ("ads.test", "||ads.test^$badfilter", true), ("||ads.test^", "ads.test$badfilter", true),
      ("127.0.0.1 ads.test", "||ads.test^$badfilter", true),
      ("0.0.0.0 ads.test", "ads.test$badfilter", true),
      ("||ads.test^$domain=P.test", "||ads.test^$domain=p.test,badfilter", true),
      ("||ads.test^$mp4", "||ads.test^$empty,badfilter", false),
      ("ads.test$important", "||ads.test^$important,badfilter", false),
      ("/AD/", "/ad/$badfilter", false),
      ("||ads.test", "||ads.test^$badfilter", false),
      ("||ads.test^$script,image", "||ads.test^$image,badfilter", false),
      ("||ads.test^", "||ads.test^$3p,badfilter", false),
    ]
  )
  func badfilter(filter: String, other: String, isDisabled: Bool) throws {
    let bench = try FilterBench([filter, other, "||b.test^"], .ubo)
    #expect(bench.codes(1).contains("disabled-by-badfilter") == isDisabled)
    #expect(bench.codes(2) == [isDisabled ? "disables-filters" : "cancels-nothing"])
    #expect(bench.conversion.rules(ofLine: 0).isEmpty == isDisabled)
  }
}

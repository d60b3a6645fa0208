import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Modifiers of filters decide which loads they are for")
struct ModifierTests {
  private let url = "https://ads.test/x"

  @Test(
    "types",
    arguments: [
      ("script", [ResourceType.script]), ("image", [.image]), ("css", [.styleSheet]),
      ("font", [.font]), ("media", [.media]), ("xhr", [.fetch]), ("websocket", [.webSocket]),
      ("subdocument", [.childDocument]), ("doc", [.topDocument]), ("popup", [.popup]),
      ("ping", [.ping, .other, .cspReport]), ("other", [.ping, .other, .cspReport]),
      ("script,image", [.script, .image]), ("popup,script", [.popup, .script]),
      (
        "~script,~image",
        [
          .childDocument, .styleSheet, .font, .media, .fetch, .webSocket, .ping, .other, .cspReport,
          .svgDocument,
        ]
      ),
      (
        "all",
        [
          .topDocument, .childDocument, .image, .styleSheet, .script, .font, .svgDocument, .media,
          .popup, .ping, .fetch, .webSocket, .other, .cspReport,
        ]
      ),
    ] as [(String, [ResourceType])]
  )
  func types(modifiers: String, types: [ResourceType]) throws {
    let bench = try FilterBench("||ads.test^$\(modifiers)")
    for type in ResourceType.allTypes {
      #expect(
        try bench.blocks(url, on: type == .topDocument ? url : "https://page.test/", type)
          == types.contains(type),
        "\(modifiers): \(type)"
      )
    }
  }

  @Test(
    "what no blocker would take, or WebKit cannot tell, says so",
    arguments: [
      ("||ads.test^$domain=", "no-filter"), ("||ads.test^$domain=|", "no-filter"),
      ("||ads.test^$domain", "no-filter"), ("*$denyallow=", "no-filter"),
      ("*$to", "no-filter"), ("*$denyallow=~a.test", "no-filter"),
      ("*$script,1p,strict3p", "strict-party-as-party"),
      ("*$script,strict3p,1p", "strict-party-as-party"),
      ("*$script,3p,strict1p", "never-applies"), ("*$script,3p,1p", "never-applies"),
      ("||ads.test^$important,to=~ads.test", "hosts-not-excepted"),
      ("@@*$denyallow=a.test", "no-filter"), ("||ads.test^$denyallow=a.test", "no-filter"),
      ("@@*$denyallow=a.test,domain=b.test", "hosts-not-excepted"),
      ("@@||ads.test^$important", "no-filter"), ("||ads.test^$~important", "no-filter"),
      ("||ads.test^$to=a.test", "never-applies"), ("|https://ads.test/$to=a.test", "never-applies"),
      ("|https://ads.test/$to=a.ads.test", "never-applies"), ("||ads.$to=ads.test", "two-patterns"),
      // There `$match-case` is for regular expressions.
      ("||ads.test/A$match-case", "no-filter"), ("/ads/A$~match-case", "no-filter"),
      ("@@||ads.test^$genericblock", "no-filter"), ("@@||ads.test^$urlblock", "no-filter"),
      (#"/^https:\/\/[a-z]a\.test\/x/$to=b.test"#, "never-applies"),
      (#"/^https:\/\/[a-z]+\.test\/x/$to=b.test"#, "two-patterns"),
      (#"/^https:\/\/.+\.test\/x/$to=test"#, "two-patterns"),
      (#"/^https:\/\/[a-z]test\/x/$to=test"#, "two-patterns"),
      (#"/ads$/$script,header=etag:/^W\/"x"$/"#, "unsupported-modifier"),
      ("/ads.js$script,header=server:/x/", "unsupported-modifier"),
    ]
  )
  func refused(filter: String, code: String) throws {
    let bench = try FilterBench(filter, .ubo)
    #expect(bench.outcome() == .impossible)
    #expect(bench.codes() == [code], "\(filter)")
  }

  @Test("hosts of $to that an expression implies need no second pattern")
  func impliedHosts() throws {
    for host in ["test", "ads.test", "b.test|ads.test"] {
      let bench = try FilterBench(#"/^https?:\/\/(x|[a-z]{2})\.ads\.test\/a/$to="# + host, .ubo)
      #expect(bench.outcome() == .converted)
      #expect(try bench.blocks("https://ab.ads.test/a"))
      #expect(try bench.blocks("https://x.ads.test/a"))
      #expect(try !bench.blocks("https://ads.test/a"))
    }
    let bench = try FilterBench(#"/^https:\/\/ads\.(test|org)\/a/$to=ads.test"#, .ubo)
    #expect(bench.outcome() == .converted)
    #expect(try bench.blocks("https://ads.test/a"))
    #expect(try !bench.blocks("https://ads.org/a"))
  }

  @Test("hosts of $to that the pattern names need no second one")
  func namedHosts() throws {
    for (filter, isBlocked) in [
      ("||ads.test^$to=ads.test", [true, true, true, true]),
      ("||ads.test^$to=test|x.org", [true, true, true, true]),
      ("||ads.test/a$to=ads.test", [true, false, true, true]),
      ("||ads.test^$script,to=x.ads.test", [false, false, true, true]),
      ("||ads.test^a$to=x.ads.test|y.test", [false, false, true, true]),
      ("||ads.test:443/$to=ads.test", [false, false, false, false]),
      ("|https://ads.test/$to=ads.test|b.test", [true, true, false, false]),
      ("|https://x.ads.test^a$to=ads.test", [false, false, true, false]),
      ("||ads.test^$to=ads.test|~y.x.ads.test", [true, true, true, false]),
    ] {
      let bench = try FilterBench(filter, .ubo)
      #expect(bench.outcome() == .converted, "\(filter)")
      let urls = [
        "https://ads.test/a", "https://ads.test/b", "https://x.ads.test/a",
        "https://y.x.ads.test/a",
      ]
      #expect(try urls.map { try bench.blocks($0) } == isBlocked, "\(filter)")
    }
    #expect(try FilterBench("||ads.test^$to=b.test|ads.*", .ubo).codes() == ["wildcard-domain"])
    // Said by the pattern, it blocks pages as the pattern does.
    let bench = try FilterBench(["||ads.test^$to=a.ads.test|b.ads.test", "/x$script"], .ubo)
    for (host, isBlocked) in [("ads.test", false), ("a.ads.test", true), ("c.b.ads.test", true)] {
      let page = "https://\(host)/"
      #expect(try bench.blocks(page, on: page, .topDocument) == isBlocked)
    }
  }

  @Test("Adblock Plus reads types in their order, and the last domains alone; others do not")
  func order() throws {
    let page = "https://b.com/"
    for (modifiers, types) in [
      ("~script,image", [ResourceType.fetch, .image]), ("image,~script", [.image]),
      ("~script,script", [.fetch, .image, .script]), ("script,image,~script", [.image]),
      ("~script,document", [.fetch, .image, .topDocument]), ("~image,script,~script", [.fetch]),
    ] {
      let bench = try FilterBench("||ads.test^$\(modifiers)", .abp)
      for type in [ResourceType.fetch, .image, .script, .topDocument] {
        let isBlocked = try bench.blocks(url, on: type == .topDocument ? url : page, type)
        #expect(isBlocked == types.contains(type), "\(modifiers) \(type)")
      }
    }
    for dialect in [FilterDialect.adguard, .ubo] {
      let bench = try FilterBench("||ads.test^$~script,image", dialect)
      #expect(try !bench.blocks(url, on: page, .fetch) && bench.blocks(url, on: page, .image))
    }
    for (dialect, isBlocked) in [(FilterDialect.abp, false), (.adguard, true)] {
      let bench = try FilterBench("||ads.test^$domain=b.com,domain=c.com", dialect)
      #expect(try bench.blocks(url, on: page, .image) == isBlocked)
      #expect(try bench.blocks(url, on: "https://c.com/", .image))
    }
    #expect(try FilterBench("||ads.test^$script,~script", .abp).codes() == ["never-applies"])
  }

  @Test(
    "no address has white space, so that around modifiers it makes no filter",
    arguments: [
      "||a.test^$ script", "||a.test^$script , image", "||a.test^$domain = a.com", "||a.test/a b",
      "||a.test/a\tb$script", "404 page not found",
    ]
  )
  func whiteSpace(filter: String) throws {
    for dialect in [FilterDialect.abp, .adguard, .ubo] {
      let bench = try FilterBench(filter, dialect)
      #expect(bench.outcome() == .impossible && bench.codes() == ["no-filter"])
    }
    #expect(try FilterBench("||a.test^$script, image").outcome() == .converted)
    #expect(try FilterBench("/a b/$script").outcome() == .converted)
  }

  @Test(
    "names of hosts have no capital letters in URLs",
    arguments: [
      ("||ADS.test^$match-case", false), ("||ads.TEST/x$match-case", false),
      ("|https://Ads.test/$match-case", false), ("|HTTPS://ads.test/$match-case", false),
      ("@@||Ads.test^$match-case", false), ("||ADS.test^", true), ("||ads.test/X$match-case", true),
      ("Ads.test$match-case", true), ("|https://ads.test/X$match-case", true),
    ]
  )
  func capitals(filter: String, canApply: Bool) throws {
    for dialect in [FilterDialect.abp, .adguard] {
      let bench = try FilterBench(filter, dialect)
      #expect(bench.outcome() == (canApply ? .converted : .impossible))
      #expect(bench.codes() == (canApply ? [] : ["never-applies"]))
    }
  }

  @Test("lines of hosts files are read in lists of every kind", arguments: FilterDialect.allCases)
  func hostsLines(dialect: FilterDialect) throws {
    let bench = try FilterBench(
      ["0.0.0.0 a.test#one", "127.0.0.1 localhost", "b.test # a comment", "::1 c.test d.test"],
      dialect
    )
    #expect(bench.conversion.outcomes == [.converted, .comment, .converted, .converted])
    for host in ["a", "b", "c", "d"] { #expect(try bench.blocks("https://\(host).test/")) }
    #expect(try !bench.blocks("https://e.test/"))
  }

  @Test("lines that are not UTF-8 are impossible, whatever they are; comments are none")
  func encodings() {
    let lines = [
      "! \u{FC}", "||b\u{FC}.test^", "||a.test/\u{FC}", "a.test##.\u{FC}", "b\u{FC}##.x",
    ]
    let text = lines.joined(separator: "\n").unicodeScalars.map { UInt8($0.value) }
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    reader.add(FilterSource(name: "latin1", dialect: .abp, text: text), including: &none)
    let conversion = FilterConverter.convert(reader.collection)
    #expect(conversion.outcomes == [.comment] + Array(repeating: .impossible, count: 4))
    #expect(conversion.reasons.values.allSatisfy { $0.map(\.code) == [.notUTF8] })
  }

  @Test("a filter without types blocks neither pages nor windows")
  func ordinary() throws {
    let bench = try FilterBench("||ads.test^")
    #expect(try bench.blocks(url, .childDocument))
    #expect(try bench.blocks(url, .svgDocument))
    #expect(try !bench.blocks(url, on: url, .topDocument))
    #expect(try !bench.blocks(url, .popup))
  }

  @Test("uBlock Origin blocks pages by filters that name a host and nothing else")
  func strictBlocking() throws {
    #expect(try FilterBench("||ads.test^", .ubo).blocks(url, on: url, .topDocument))
    #expect(try !FilterBench("||ads.test^$third-party", .ubo).blocks(url, on: url, .topDocument))
    #expect(try !FilterBench("||ads.test/x", .ubo).blocks(url, on: url, .topDocument))
    #expect(try !FilterBench("||ads.test^", .adguard).blocks(url, on: url, .topDocument))
  }

  @Test(
    "parties",
    arguments: [
      ("third-party", true, false), ("3p", true, false), ("~1p", true, false),
      ("~third-party", false, true), ("1p", false, true),
    ]
  )
  func parties(modifier: String, third: Bool, first: Bool) throws {
    let bench = try FilterBench("||ads.test^$\(modifier)")
    #expect(try bench.blocks(url) == third)
    #expect(try bench.blocks(url, on: "https://www.ads.test/") == first)
  }

  struct PageCase: Sendable {
    var domains: String
    var pages: [String]
    var others: [String]
    var outcome = ConversionOutcome.converted
  }

  static let pageCases = [
    PageCase(
      domains: "a.test|b.test",
      pages: ["a.test", "x.a.test", "b.test:8080"],
      others: ["c.test", "ba.test", "a.test.evil"]
    ),
    PageCase(domains: "~a.test|~b.test", pages: ["c.test"], others: ["a.test", "x.b.test"]),
    PageCase(
      domains: "a.test|~x.a.test",
      pages: ["a.test", "y.a.test", "xx.a.test", "ax.a.test", "x.y.a.test", "xa.test.a.test"],
      others: ["x.a.test", "y.x.a.test", "b.test", "y.b.test"]
    ),
    PageCase(
      domains: "a.test|~one.a.test|~two.one.a.test|~tone.a.test|b.test",
      pages: ["a.test", "ne.a.test", "xone.a.test", "onex.a.test", "b.test", "x.b.test"],
      others: ["one.a.test", "two.one.a.test", "tone.a.test", "x.tone.a.test", "c.test"]
    ),
    PageCase(
      domains: "shop.*",
      pages: ["shop.test", "www.shop.co.uk", "shop.com.br"],
      others: ["myshop.test", "shop.evil.test", "test.shop"],
      outcome: .approximated
    ),
    PageCase(
      domains: "~shop.*",
      pages: ["myshop.test"],
      others: ["shop.test", "www.shop.co.uk"],
      outcome: .approximated
    ),
    PageCase(
      domains: "BÜCHER.test",
      pages: ["xn--bcher-kva.test"],
      others: ["bucher.test"]
    ),
    PageCase(
      domains: "a.test|a(b",
      pages: ["a.test"],
      others: ["b.test"],
      outcome: .approximated
    ),
    PageCase(domains: "~a.test|b.a.test", pages: ["b.a.test", "x.b.a.test"], others: ["a.test"]),
  ]

  @Test("domains of pages, included and excluded", arguments: pageCases)
  func domains(test: PageCase) throws {
    let bench = try FilterBench("||ads.test^$domain=\(test.domains)")
    #expect(bench.outcome() == test.outcome, "\(bench.codes())")
    for page in test.pages {
      #expect(try bench.blocks(url, on: "https://\(page)/"), "\(test.domains): \(page)")
    }
    for page in test.others {
      #expect(try !bench.blocks(url, on: "https://\(page)/"), "\(test.domains): \(page)")
    }
  }

  @Test("AdGuard's excluded domains exclude what is below them in any case")
  func nearest() throws {
    let bench = try FilterBench("||ads.test^$domain=~a.test|b.a.test", .adguard)
    #expect(bench.codes() == ["never-applies"])
  }

  @Test("$denyallow leaves its hosts out, and lifts nothing else")
  func denyallow() throws {
    let bench = try FilterBench([
      "*$3p,script,domain=page.test,denyallow=good.test|cdn.test", "||ads.good.test^$image",
      "##.ad",
    ])
    #expect(bench.outcome() == .converted)
    #expect(try bench.blocks("https://bad.test/x.js"))
    #expect(try !bench.blocks("https://www.good.test/x.js"))
    #expect(try !bench.blocks("https://cdn.test/x.js"))
    #expect(try !bench.blocks("https://bad.test/x.js", on: "https://other.test/"))
    #expect(try bench.blocks("https://ads.good.test/x", .image))
    #expect(try bench.hidden(on: "https://page.test/") == [".ad"])
  }

  @Test("$to names the hosts of loads")
  func to() throws {
    let bench = try FilterBench("*$script,to=a.test|b.test", .ubo)
    #expect(try bench.blocks("https://x.a.test/"))
    #expect(try bench.blocks("https://b.test/"))
    #expect(try !bench.blocks("https://c.test/"))
  }

  @Test("$badfilter disables the filter that says the same, whatever the order")
  func badfilter() throws {
    let bench = try FilterBench([
      "||a.test^$script,domain=x.test|y.test", "||b.test^", "||c.test^$image",
      "||a.test^$domain=y.test|x.test,script,badfilter", "||c.test^$badfilter",
    ])
    #expect(try !bench.blocks("https://a.test/", on: "https://x.test/"))
    #expect(try bench.blocks("https://b.test/"))
    #expect(try bench.blocks("https://c.test/", .image))
    #expect(bench.codes(1) == ["disabled-by-badfilter"])
    #expect(bench.codes(4) == ["disables-filters"])
    #expect(bench.codes(5) == ["cancels-nothing"])
    #expect(bench.outcome(1) == .converted)
  }

  @Test("a redirection is approximated by blocking")
  func redirect() throws {
    for modifier in ["redirect=noop.js", "rewrite=abp-resource:blank-js", "mp4", "empty"] {
      let bench = try FilterBench("||ads.test^$\(modifier)")
      #expect(bench.outcome() == .approximated)
      #expect(bench.codes() == ["redirected-as-blocked"])
      #expect(try bench.blocks(url))
    }
  }

  @Test("a filter for all pings leaves other loads alone")
  func allPings() throws {
    let bench = try FilterBench("$ping,third-party")
    #expect(bench.codes() == ["pings-without-beacons"])
    #expect(try bench.blocks(url, .ping))
    #expect(try !bench.blocks(url, .other))
  }

  @Test("objects of plug-ins are not told apart")
  func objects() throws {
    #expect(try FilterBench("/xyz$object").codes() == ["type-unknown-to-webkit"])
    let excluded = try FilterBench(".ads.$~object")
    #expect(excluded.codes() == ["objects-not-told-apart"])
    #expect(try excluded.blocks("https://www.ads.test/"))
  }

  @Test("the method is that of a document alone")
  func methods() throws {
    #expect(try FilterBench("||a.test^$method=post").codes() == ["method-of-page"])
    let documents = try FilterBench("||a.test^$doc,method=post", .ubo)
    #expect(documents.outcome() == .converted)
    #expect(documents.rules.first?.trigger.flags.requestMethod == .post)
  }

  @Test(
    "what content blockers do not do is impossible for a reason",
    arguments: [
      ("||a.test^$csp=x", "unsupported-modifier"),
      ("||a.test^$removeparam=x", "unsupported-modifier"),
      ("||a.test^$redirect-rule=noopjs", "unsupported-modifier"),
      ("||a.test^$header=x", "unsupported-modifier"), ("||a.test^$app=x", "unsupported-modifier"),
      ("||a.test^$tag=ads", "unsupported-modifier"),
      ("||a.test^$nonsense", "unknown-modifier"), ("||a.test^$webrtc", "type-unknown-to-webkit"),
      ("||a.test^$domain=/x/", "domain-pattern"), ("||a.test^$domain=a(b", "domain-pattern"),
      ("||a.test^$domain=a.test|~a.test", "never-applies"), ("||a.test^$3p,1p", "never-applies"),
      ("||a.test^$script,~script", "never-applies"), ("||a.test^$elemhide", "no-filter"),
      ("@@||a.test^$redirect=x", "exception-of-other-kind"),
      ("||a.test^$doc,third-party", "pages-not-by-party"),
    ]
  )
  func impossible(filter: String, code: String) throws {
    let bench = try FilterBench(filter)
    #expect(bench.outcome() == .impossible)
    #expect(bench.codes() == [code])
    #expect(bench.rules.isEmpty)
  }
}

extension ResourceType {
  static let allTypes: [ResourceType] = [
    .topDocument, .childDocument, .image, .styleSheet, .script, .font, .svgDocument, .media,
    .popup, .ping, .fetch, .webSocket, .other, .cspReport,
  ]
}

import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Patterns of filters match as they should")
struct AddressTests {
  struct Case: Sendable {
    var filter: String
    var matching: [String]
    var others: [String]
  }

  static let cases: [Case] = [
    Case(
      filter: "||ads.test^",
      matching: [
        "https://ads.test/", "http://x.y.ads.test/z", "wss://ads.test/", "https://ads.test:8080/x",
      ],
      others: [
        "https://ads.test.evil/", "https://badads.test/", "https://a.test/?u=https://ads.test/",
        "https://a.test/ads.test/",
      ]
    ),
    Case(
      filter: "||ads.test^^",
      matching: ["https://ads.test/", "https://ads.test//", "https://ads.test//x"],
      others: ["https://ads.test/x", "https://ads.test.evil/"]
    ),
    Case(
      filter: "||ads.test",
      matching: ["https://ads.test/", "https://ads.testing/"],
      others: ["https://badads.test/"]
    ),
    Case(
      filter: "||ads.test/banner^",
      matching: [
        "https://ads.test/banner", "https://ads.test/banner/", "https://ads.test/banner?x",
        "https://x.ads.test/banner#x",
      ],
      others: [
        "https://ads.test/banners", "https://ads.test/banner.gif", "https://ads.test/x/banner",
      ]
    ),
    Case(
      filter: "||ads.test^*/x.js|",
      matching: ["https://ads.test/a/x.js", "https://ads.test/b/x.js"],
      others: ["https://ads.test/a/x.js?y", "https://ads.test/ax.js"]
    ),
    Case(
      filter: "^ad^",
      matching: ["https://a.test/ad/x", "https://a.test/x?ad", "https://a.test/ad"],
      others: ["https://a.test/bad/", "https://a.test/ads/", "https://a.test/ad.js"]
    ),
    Case(
      filter: "=ad^^",
      matching: ["https://a.test/=ad", "https://a.test/=ad/", "https://a.test/=ad/?x"],
      others: ["https://a.test/=ad/x", "https://a.test/=ads"]
    ),
    Case(
      filter: "=ad^^|",
      matching: ["https://a.test/=ad", "https://a.test/=ad/", "https://a.test/=ad/?"],
      others: ["https://a.test/=ad/?x", "https://a.test/=ad/x"]
    ),
    Case(
      filter: "/ad^*^",
      matching: ["https://a.test/ad", "https://a.test/ad/x", "https://a.test/ad/x/"],
      others: ["https://a.test/ads"]
    ),
    Case(
      filter: "|https://a.test/x|",
      matching: ["https://a.test/x"],
      others: ["https://a.test/xy", "http://a.test/x", "https://b.test/?https://a.test/x"]
    ),
    Case(
      filter: "/banner/*/img^",
      matching: ["https://a.test/banner/1/img?x", "https://a.test/banner/1/img"],
      others: ["https://a.test/banner/img", "https://a.test/banner/1/images"]
    ),
    Case(
      filter: "*://x?a=(b)+[c]{d}.",
      matching: ["https://a.test/://X?a=(b)+[c]{d}.e"],
      others: ["https://a.test/://xa=(b)+[c]{d}.e", "https://a.test/://x?a=bb+[c]{d}.e"]
    ),
    Case(
      filter: "/Ad_Banner.",
      matching: ["https://a.test/ad_banner.gif"],
      others: ["https://a.test/ad_bannerx"]
    ),
    Case(
      filter: "/Banner$match-case",
      matching: ["https://a.test/Banner"],
      others: ["https://a.test/banner"]
    ),
    Case(
      filter: "||ÄDS.test^",
      matching: ["https://xn--ds-uia.test/", "https://äds.test/"],
      others: ["https://ads.test/"]
    ),
    Case(
      filter: "/größe/*",
      matching: ["https://a.test/größe/"],
      others: ["https://a.test/grosse/"]
    ),
    Case(
      filter: "||*/x.js",
      matching: ["https://a.test/x.js"],
      others: ["https://a.test/y.js"]
    ),
  ]

  @Test("each matches what it should, and nothing else", arguments: cases)
  func matching(test: Case) throws {
    let bench = try FilterBench(test.filter)
    #expect(bench.outcome() == .converted, "\(bench.codes())")
    for url in test.matching { #expect(try bench.blocks(url), "\(test.filter) \(url)") }
    for url in test.others { #expect(try !bench.blocks(url), "\(test.filter) \(url)") }
  }

  @Test("hosts are written as the engine finds them fastest")
  func anchors() throws {
    #expect(
      try FilterBench(["||ads.test^$third-party", "||ads.test/x"]).patterns.prefix(3).contains(
        #"^[^:]+://+([^:/]+\.)?ads\.test[/:]"#
      )
    )
  }

  static let expressions: [Case] = [
    Case(
      filter: #"/^https?:\/\/(a|bb)\.test\/\d{2,3}\.js$/"#,
      matching: ["https://a.test/12.js", "http://bb.test/123.js"],
      others: ["https://a.test/1.js", "https://a.test/1234.js", "https://b.test/12.js"]
    ),
    Case(
      filter: #"/\/[a-f0-9]{4}\/(?:x|y(z)?)\?/"#,
      matching: ["https://a.test/12ab/x?", "https://a.test/12ab/yz?", "https://a.test/12ab/y?"],
      others: ["https://a.test/12ag/x?", "https://a.test/12ab/z?"]
    ),
    Case(
      filter: #"/^https?:\/\/.*\.(club|bid)\/.*/$script"#,
      matching: ["https://x.club/a", "https://x.bid/"],
      others: ["https://x.clubs/", "https://club/"]
    ),
    Case(
      filter: #"/a[^\s\/]b\w+c|d$/"#,
      matching: ["https://a.test/axb1c", "https://a.test/d"],
      others: ["https://a.test/a/b1c", "https://a.test/axbc", "https://a.test/de"]
    ),
    Case(
      filter: #"/(ab){2}x?/"#,
      matching: ["https://a.test/abab"],
      others: ["https://a.test/ab"]
    ),
    Case(
      filter: #"/\bad(?:x|yy)\.js\b/"#,
      matching: ["https://a.test/adx.js", "https://a.test/-adyy.js?b", "https://adx.js/"],
      others: ["https://a.test/badx.js", "https://a.test/adx.js2", "https://a.test/adx.json"]
    ),
    Case(
      filter: #"/\bhttps:\/\/a\b\.\w+\/\b/"#,
      matching: ["https://a.test/x", "https://b.test/?https://a.c/d"],
      others: ["https://a.test/", "https://b.test/xhttps://a.c/d", "https://a.test/-"]
    ),
    // What is nothing stays nothing.
    Case(filter: "/ad()+x/", matching: ["https://a.test/adx"], others: ["https://a.test/ad-x"]),
    Case(filter: "/ad(?:)*x/", matching: ["https://a.test/adx"], others: ["https://a.test/ad-x"]),
    Case(filter: "/ad(b{0})?x/", matching: ["https://a.test/adx"], others: ["https://a.test/ad-x"]),
    Case(
      filter: "/ad((b{0})+|())x/",
      matching: ["https://a.test/adx"],
      others: ["https://a.test/ad-x"]
    ),
    // No URL is empty.
    Case(filter: "/(ad|^$)/", matching: ["https://a.test/ad"], others: ["https://a.test/"]),
  ]

  @Test("regular expressions match as JavaScript's", arguments: expressions)
  func regexes(test: Case) throws {
    let bench = try FilterBench(test.filter)
    #expect(bench.outcome() == .converted, "\(bench.codes())")
    for url in test.matching { #expect(try bench.blocks(url), "\(test.filter) \(url)") }
    for url in test.others { #expect(try !bench.blocks(url), "\(test.filter) \(url)") }
  }

  @Test(
    "a long run is no obstacle where no further match comes as far while one is in it",
    arguments: [
      #"/com\/[0-9a-f]{12}\.js$/"#, #"/nyaa\.land\/static\/[a-z0-9]{32}\.jpg/"#,
      #"/[a-z]{40}\.js/"#,
      #"/idnes\.cz\/[-_a-zA-Z0-9]{20,}\/x/"#, #"/^https?:\/\/[^\/]+\/x\w{30}\//"#,
    ]
  )
  func longRuns(filter: String) throws {
    #expect(try FilterBench(filter).outcome() == .converted)
  }

  @Test(
    "what WebKit cannot express is impossible for a reason",
    arguments: [
      (#"/a(?!b)/"#, "regex-lookaround"), (#"/(?<=a)b/"#, "regex-lookaround"),
      (#"/(a)\1/"#, "regex-reference"), (#"/a\b.d/"#, "regex-word-boundary"),
      (#"/(a|bc)*d/"#, "regex-too-large"), (#"/[a-z]{2000}/"#, "regex-too-large"),
      (#"/((((a{60}){60}){60}){60})/"#, "regex-too-large"), (#"/(a/"#, "regex-syntax"),
      (#"/[a/"#, "regex-syntax"), (#"/a**/"#, "regex-syntax"), (#"/x^a/"#, "never-applies"),
      (#"/x\w{30}y\w{30}/"#, "regex-too-large"), ("|data:image", "no-such-address"),
      (#"/a.{9}a.{9}a.{9}b/"#, "regex-too-large"), (#"/\/x.*y\w{30}/"#, "regex-too-large"),
      (#"/^https?:\/\/a.test\/.*y\w{30}/"#, "regex-too-large"),
      ("|wss://$image", "no-such-address"), (".png#ad$image", "fragment-in-pattern"),
      (#"/\.png#/$image"#, "fragment-in-pattern"), (#"/(a\b|b)c/"#, "regex-word-boundary"),
      (#"/a\bx/"#, "never-applies"), (#"/ab?\b/"#, "regex-word-boundary"),
      ("||a.test/" + String(repeating: "^", count: 90_000), "pattern-too-long"),
      // WebKit takes a pattern that may be empty, between ^ and $, to match every URL.
      ("/^$/", "never-applies"), ("/^(a{0})*$/", "never-applies"), ("/^a?$/", "regex-syntax"),
      (#"/^(https?:\/\/a\.test\/)?$/"#, "regex-syntax"), ("|^", "no-filter"),
      ("|^|", "no-filter"), ("|^*", "never-applies"), ("|^$domain=x.test", "never-applies"),
      ("|||", "no-filter"),
      ("nijie.test/ad.php#@#.x", "no-filter"), (#"/^a\d\.test$/##.x"#, "no-filter"),
    ]
  )
  func impossible(filter: String, code: String) throws {
    let bench = try FilterBench(filter)
    #expect(bench.outcome() == .impossible)
    #expect(bench.codes() == [code])
    #expect(bench.rules.isEmpty)
  }

  @Test("an expression that would be too large anywhere is matched at a URL's start")
  func anchored() throws {
    let bench = try FilterBench(#"/(https?:\/\/)104\.154\..{100,}/"#)
    #expect(bench.outcome() == .approximated)
    #expect(bench.codes() == ["anchored-regex"])
    let long = String(repeating: "x", count: 100)
    #expect(try bench.blocks("https://104.154.1.1/\(long)"))
    #expect(try !bench.blocks("https://104.154.1.1/x"))
  }
}

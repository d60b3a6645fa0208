import DeclarativeRules
import Testing

@Suite("Patterns as declarative conditions")
struct PatternTests {
  /// The condition of the only rule that a pattern becomes.
  private func condition(
    _ pattern: String,
    more: String = ""
  ) throws -> DeclarativeRule.Condition {
    let bench = try Bench(rules: [("\"url-filter\": \"\(pattern)\"\(more)", "block")])
    #expect(bench.verdicts == [.exact])
    #expect(bench.translation.rules.count == 1)
    return try #require(bench.translation.rules.first).condition
  }

  @Test(
    "a whole host becomes a domain",
    arguments: [
      #"^[^:]+://+([^:/]+\\.)?ads\\.example[:/]"#, #"^[^:]+:(//)?([^/]+\\.)?ads\\.example[/:]"#,
      #"^[^:]+:(//)?([^/]+\\.)?ads\\.example([^-_.%a-z0-9].*)?$"#,
      #"^[a-z]+://([^/]*\\.)?ads\\.example([\\/:&\\?].*)?$"#,
    ]
  )
  func host(pattern: String) throws {
    let condition = try condition(pattern)
    #expect(condition.requestDomains == ["ads.example"])
    #expect(condition.urlFilter == nil && condition.regexFilter == nil)
    #expect(condition.types.contains("main_frame") && condition.types.contains("websocket"))
  }

  @Test("http and https alone leave WebSockets out")
  func schemes() throws {
    let condition = try condition(#"^https?:/+([^/:]+\\.)?ads\\.example[:/]"#)
    #expect(condition.requestDomains == ["ads.example"])
    #expect(!condition.types.contains("websocket"))
  }

  @Test(
    "hosts and paths become filters",
    arguments: [
      (#"^[^:]+://+([^:/]+\\.)?ads\\.example\\/a\\/.*\\.js"#, "||ads.example/a/*.js"),
      (#"^[^:]+:(//)?([^/]+\\.)?ads\\.exam"#, "||ads.exam"),
      (#"\\/banner_"#, "/banner_"), (#"ads.*track"#, "ads*track"),
      (#"\\/ad([^-_.%a-z0-9].*)?$"#, "/ad^"), (#"AdServer"#, "adserver"),
    ]
  )
  func filter(pattern: String, filter: String) throws {
    #expect(try condition(pattern).urlFilter == filter)
  }

  @Test(
    "any text behind the scheme needs no more than what follows, unless that can be in the scheme",
    arguments: [
      (#"^[^:]+:(//)?.*/ads\\."#, "/ads."), (#"^[^:]+:(//)?.*-ad-"#, "-ad-"),
      // “/ad” must follow both slashes: the second slash and a host “ad…” do not count.
      (#"^[^:]+://.*/ad"#, "://*/ad"), (#"^[^:]+:(//)?.*tp"#, ":*tp"), (#"^[^:]+:.*//x"#, "//x"),
      (#"^[a-z]+:/.*//x"#, ":/*//x"), (#"^https:.*ad"#, "|https:*ad"), (#"^https:"#, "|https:"),
    ]
  )
  func behindScheme(pattern: String, filter: String) throws {
    let condition = try condition(pattern)
    #expect(condition.urlFilter == filter)
    #expect(condition.types.contains("websocket"))
  }

  @Test("schemes are types where they can be")
  func schemeTypes() throws {
    let all = try condition("^https?://")
    #expect(all.urlFilter == nil && all.regexFilter == nil && !all.types.contains("websocket"))
    let some = try condition("^wss?:.*ad")
    #expect(some.urlFilter == "ad" && some.types == ["websocket"])
    let none = try Bench(rules: [(#""url-filter": "^ftp:.*ad""#, "block")])
    #expect(none.verdicts == [.exact] && none.translation.rules.isEmpty)
  }

  @Test("letters match only themselves where the list says so")
  func letters() throws {
    let condition = try condition("AdServer", more: ", \"url-filter-is-case-sensitive\": true")
    #expect(condition.urlFilter == "AdServer" && condition.isCaseSensitive)
  }

  @Test("what filters cannot say becomes a regular expression of the URL before its fragment")
  func regex() throws {
    #expect(try condition("a[0-9]+b").regexFilter == "^[^#]*a[0-9]+b")
    #expect(try condition("a[0-9]+$").regexFilter == "^[^#]*a[0-9]+(?:#|$)")
  }

  @Test("few alternatives become filters of their own")
  func alternatives() throws {
    let bench = try Bench(rules: [(#""url-filter": "a[12]bc?\\.js$""#, "block")])
    #expect(bench.verdicts == [.exact])
    #expect(
      Set(bench.translation.rules.compactMap(\.condition.urlFilter))
        == [
          "a1b.js|", "a2b.js|", "a1bc.js|", "a2bc.js|", "a1b.js#", "a2b.js#", "a1bc.js#",
          "a2bc.js#",
        ]
    )
  }

  @Test("a pattern that needs a fragment matches no load")
  func fragment() throws {
    let bench = try Bench(rules: [(#""url-filter": "a#b""#, "block")])
    #expect(bench.verdicts == [.exact] && bench.translation.rules.isEmpty)
  }

  @Test("one label before a host is said exactly while regular expressions last")
  func oneLabel() throws {
    let pattern = #""url-filter": "^[htpsw]+:\\/\\/([a-z0-9-]+\\.)?ads\\.example\\/x""#
    let bench = try Bench(rules: [(pattern, "block")])
    #expect(bench.verdicts == [.exact])
    #expect(try bench.blocks("https://a.ads.example/x"))
    #expect(try !bench.blocks("https://b.a.ads.example/x"))
    var few = DeclarativeBrowser.chromium
    few.dynamicRegexes = 0
    few.sessionRegexes = 0
    let loose = try Bench(rules: [(pattern, "block")], browser: few)
    #expect(loose.verdicts == [.approximated([.deeperSubdomains])])
    #expect(loose.translation.rules.map(\.condition.urlFilter) == ["||ads.example/x"])
  }

  @Test("one expression says of many hosts that they have one label more at most")
  func oneLabelOfMany() throws {
    let hosts = ["ads.example", "b.test", "c.b.test", "d.e.test"]
    let rules = hosts.map { host in
      let pattern = host.replacing(".", with: #"\\."#)
      return (#""url-filter": "^[htpsw]+://([a-z0-9-]+\\.)?\#(pattern)[:/]""#, "block")
    }
    var few = DeclarativeBrowser.chromium
    few.dynamicRegexes = 2
    let bench = try Bench(rules: rules, browser: few)
    #expect(bench.verdicts.allSatisfy { $0 == .exact })
    #expect(
      bench.translation.rules.map(\.condition.requestDomains)
        == [["ads.example", "b.test"], ["c.b.test", "d.e.test"]]
    )
    for (host, isBlocked) in [
      ("ads.example", true), ("x.ads.example", true), ("y.x.ads.example", false),
      ("x_y.ads.example", false), ("c.b.test", true), ("d.c.b.test", true),
      ("e.d.c.b.test", false), ("e.test", false), ("xads.example", false), ("b.test:8080", true),
    ] {
      #expect(try bench.blocks("https://\(host)/") == isBlocked, "\(host)")
    }
  }
}

import Foundation
import TestSupport
import Testing

/// What `explain` proposes is applied and held against the list as it was.
@Suite struct ExplainAdviceTests {
  private struct Advice: Decodable {
    struct Item: Decodable {
      var rule: Int
      var loads: [Int]
      var restriction: String?
      var restriction_safari: String?
      var exception: String?
      var exception_safari: String?
      var no_exception: String?
    }
    var advice: [Item]
  }

  private struct Decision: Decodable, Equatable {
    struct Action: Decodable, Equatable { var type: String }
    var blocked: Bool
    var cookies_blocked: Bool
    var url: String?
    var actions: [Action]
    var stylesheets: Int
  }

  private static func load(
    _ url: String,
    _ type: String,
    page: String = "https://shop.test/",
    frame: String? = nil
  ) -> String {
    let context = type == "child-document" || frame != nil ? "child-frame" : "top-frame"
    return #"{"url":"\#(url)","top_url":"\#(page)","frame_url":"\#(frame ?? page)","#
      + #""resource_type":"\#(type)","load_context":"\#(context)","method":"GET"}"#
  }

  private static func rule(_ trigger: String, _ action: String = #""type":"block""#) -> String {
    #"{"trigger":{\#(trigger)},"action":{\#(action)}}"#
  }

  private func advice(
    _ rules: [String],
    _ loads: [String],
    and otherList: [String]? = nil
  ) throws -> [Advice.Item] {
    let scratch = try Scratch()
    try scratch.file("list.json", "[\n" + rules.joined(separator: ",\n") + "\n]")
    try scratch.file("other.json", "[" + (otherList ?? []).joined(separator: ",") + "]")
    try scratch.file("loads.ndjson", loads.joined(separator: "\n"))
    let result = try Command.run(
      ["explain", "--list", "list.json"] + (otherList == nil ? [] : ["--list", "other.json"])
        + ["--summary", "--format", "json", "loads.ndjson"],
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result)")
    return try JSONDecoder().decode(Advice.self, from: Data(result.output.utf8)).advice
  }

  private func decisions(_ rules: [String], _ loads: [String]) throws -> [Decision] {
    let scratch = try Scratch()
    try scratch.file("list.json", "[" + rules.joined(separator: ",") + "]")
    try scratch.file("loads.ndjson", loads.joined(separator: "\n"))
    let result = try Command.run(
      ["match", "--list", "list.json", "loads.ndjson"],
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result)")
    return try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Decision.self, from: Data($0.utf8))
    }
  }

  // MARK: Real trackers

  private static let trackers = [
    "https://www.google-analytics.com/analytics.js",
    "https://www.google-analytics.com/j/collect?v=1&_v=j99&t=pageview",
    "https://stats.g.doubleclick.net/r/collect?t=dc&aip=1",
    "https://www.googletagmanager.com/gtm.js?id=GTM-ABCD",
    "https://connect.facebook.net/en_US/fbevents.js",
    "https://sb.scorecardresearch.com/beacon.js", "https://shop.test/analytics/collect?id=1",
    "https://shop.test/js/analytics.js",
    "https://cdn.segment.com/analytics.js/v1/k/analytics.min.js",
  ]
  private static let types = [
    "top-document", "child-document", "image", "style-sheet", "script", "font", "media", "ping",
    "fetch", "websocket", "other",
  ]
  private static let pages = [
    "https://shop.test/", "https://news.test/", "https://www.shop.test/a",
  ]

  private static let trackingRules = [
    rule(#""url-filter":".*""#, #""type":"css-display-none","selector":".ad""#),
    rule(#""url-filter":"^[^:]+://+([^:/]+\\.)?google-analytics\\.com[/:]""#),
    rule(#""url-filter":"^[^:]+://+([^:/]+\\.)?doubleclick\\.net[/:]""#),
    rule(#""url-filter":"^[^:]+://+([^:/]+\\.)?segment\\.com[/:]""#),
    rule(#""url-filter":"googletagmanager\\.com/gtm""#),
    rule(#""url-filter":"fbevents\\.js""#), rule(#""url-filter":"/beacon\\.js""#),
    rule(#""url-filter":"/analytics""#),
  ]

  private static let visit: [String] = [
    load("https://shop.test/", "top-document"),
    load("https://shop.test/css/analytics.css?v=3", "style-sheet"),
    load("https://shop.test/js/analytics.js", "script"),
    load("https://shop.test/analytics/collect?id=1", "fetch"),
    load("https://www.google-analytics.com/analytics.js", "script"),
    load("https://stats.g.doubleclick.net/r/collect?t=dc&aip=1", "image"),
    load("https://shop.test/logo.png", "image"),
  ]

  /// Every tracker as every type on every page, whether a log has them or not.
  private static var everywhere: [String] {
    pages.flatMap { page in
      trackers.flatMap { url in types.map { load(url, $0, page: page) } }
    }
  }

  @Test("an exception lets one load through and no tracker, on any page and as any type")
  func exceptionsNameHostPathAndPage() throws {
    let advice = try advice(Self.trackingRules, Self.visit)
    #expect(advice.map(\.rule) == [7])
    #expect(advice.first?.loads == [1])
    let exception = try #require(advice.first?.exception)
    // The rule is for all pages, so that no type is given up.
    #expect(advice.first?.restriction == nil)
    #expect(exception.contains(#"^https://shop\\.test/css/analytics\\.css\\?"#))
    #expect(exception.contains(#""if-domain":["shop.test"]"#))

    let loads = Self.visit + Self.everywhere
    let before = try decisions(Self.trackingRules, loads)
    let after = try decisions(Self.trackingRules + [exception], loads)
    let changed = loads.indices.filter { before[$0] != after[$0] }
    #expect(changed == [1])
    #expect(before[1].blocked && !after[1].blocked)
    #expect(before.count { $0.blocked } > 100)
  }

  @Test("a restriction gives up the broken types alone, and stands only at rules for certain pages")
  func restrictionsLeaveTrackersBlocked() throws {
    var rules = Self.trackingRules
    rules[7] = Self.rule(#""url-filter":"/analytics","if-domain":["shop.test"]"#)
    let advice = try advice(rules, Self.visit)
    let restriction = try #require(advice.first?.restriction)
    #expect(restriction.contains(#""script""#) && restriction.contains(#""fetch""#))
    #expect(!restriction.contains("style-sheet"))

    let loads = Self.visit + Self.everywhere
    let before = try decisions(rules, loads)
    rules[7] = Self.rule(#""url-filter":"/analytics","if-domain":["shop.test"],"# + restriction)
    let after = try decisions(rules, loads)
    let changed = loads.indices.filter { before[$0] != after[$0] }
    // Of what was not at hand, style sheets on the rule's own page may be let through.
    #expect(changed.first == 1)
    #expect(changed.allSatisfy { loads[$0].contains(#""style-sheet""#) })
    #expect(changed.allSatisfy { loads[$0].contains(#""top_url":"https://shop.test/""#) })
  }

  @Test("a proposal is written in words that old versions of Safari know, if it can be")
  func oldWords() throws {
    let block = Self.rule(#""url-filter":"/ad","if-domain":["shop.test"]"#)
    let image = Self.load("https://shop.test/ad.png", "image")
    let style = Self.load("https://shop.test/ad.css", "style-sheet")
    let sheet = try #require(try advice([block], [image, style]).first)
    #expect(
      sheet.restriction
        == #""resource-type": ["document", "image", "script", "font", "svg-document", "media", "#
        + #""popup", "fetch", "websocket", "other"]"#
    )
    #expect(sheet.restriction_safari == "15")
    #expect(sheet.exception_safari == nil)

    let page = Self.load("https://shop.test/ad/", "top-document", page: "https://shop.test/ad/")
    let document = try #require(try advice([block], [image, page]).first)
    #expect(
      document.restriction?.hasPrefix(#""resource-type": ["child-document", "image""#) == true
    )
    #expect(document.restriction_safari == "26")
    let exception = try #require(document.exception)
    #expect(exception.contains(#""resource-type":["document"],"load-context":["top-frame"]"#))
    #expect(document.exception_safari == "15")
  }

  @Test("the words of a proposal that not every Safari knows are named")
  func namedWords() throws {
    let scratch = try Scratch()
    let block = Self.rule(#""url-filter":"/ad","if-domain":["shop.test"]"#)
    try scratch.file("list.json", "[\(block)]")
    let page = Self.load("https://shop.test/ad/", "top-document", page: "https://shop.test/ad/")
    let result = try Command.run(
      ["explain", "--list", "list.json", "-"],
      input: Data(
        [page, Self.load("https://shop.test/ad.png", "image")].joined(separator: "\n").utf8
      ),
      in: scratch.folder
    )
    #expect(result.output.contains("    Safari before 26 does not know child-document.\n"))
    #expect(result.output.contains("    Safari before 15 does not know load-context.\n"))
  }

  @Test("first-party scripts are there to track, and no remedy is proposed for them")
  func scriptsAreNotSuspected() throws {
    let visit = Self.visit.filter { !$0.contains("style-sheet") }
    #expect(try advice(Self.trackingRules, visit).isEmpty)
  }

  // MARK: What is not proposed

  private static let styles = rule(#""url-filter":"/ad""#)
  private static let accident = [
    load("https://shop.test/", "top-document"), load("https://shop.test/ad.css", "style-sheet"),
  ]

  private func refusal(
    _ rules: [String],
    _ loads: [String] = accident,
    and other: [String]? = nil
  ) throws -> String? {
    let advice = try advice(rules, loads, and: other)
    #expect(advice.count == 1)
    #expect(advice.first?.exception == nil)
    return advice.first?.no_exception
  }

  @Test func whatAnotherListBlocksIsNotLetThrough() throws {
    let other = Self.rule(#""url-filter":"\\.css","resource-type":["style-sheet"]"#)
    let reason = try refusal([Self.styles], and: [other])
    #expect(reason == "the load would still be blocked")
  }

  @Test func cookiesStayBlocked() throws {
    let cookies = Self.rule(#""url-filter":"shop""#, #""type":"block-cookies""#)
    let reason = try refusal([cookies, Self.styles])
    #expect(reason == "it would undo what else rules do to the load")
  }

  @Test func whatIsHiddenStaysHidden() throws {
    let hide = Self.rule(
      #""url-filter":"ad\\.css""#,
      #""type":"css-display-none","selector":".ad""#
    )
    let reason = try refusal([hide, Self.styles])
    #expect(reason == "it would show what the lists hide on the page")
  }

  @Test func whatAnotherRuleBlocksElsewhereStaysBlocked() throws {
    let frames = Self.rule(
      #""url-filter":"/ad","load-context":["child-frame"],"resource-type":["style-sheet"]"#
    )
    let loads =
      Self.accident + [
        Self.load("https://shop.test/ad.css", "style-sheet", frame: "https://shop.test/frame")
      ]
    #expect(try refusal([frames, Self.styles], loads) == "it would change 1 other load")
  }

  @Test("a page is let through where nothing is hidden on it, and else stays as it is")
  func pages() throws {
    let block = Self.rule(#""url-filter":"/ad","if-domain":["shop.test"]"#)
    let page = [Self.load("https://shop.test/ad/", "top-document", page: "https://shop.test/ad/")]
    let found = try advice([block], page)
    #expect(found.first?.exception?.contains(#"^https://shop\\.test/ad/$"#) == true)
    let hide = Self.rule(
      #""url-filter":".*""#,
      #""type":"css-display-none","selector":".ad""#
    )
    let reason = try refusal([hide, block], page)
    #expect(reason == "it would show what the lists hide on the page")
  }

  @Test("no page is proposed that a rule for all pages takes, nor what a blocked page asks for")
  func pagesOfTrackers() throws {
    let page = "https://tracker.test/ad/frame.html"
    let loads = [
      Self.load(page, "top-document", page: page),
      Self.load("https://tracker.test/ad/style.css", "style-sheet", page: page),
      Self.load("https://tracker.test/", "top-document", page: "https://tracker.test/"),
    ]
    #expect(try advice([Self.styles], loads).isEmpty)
    #expect(try advice([Self.styles], Array(loads[1...])).count == 1)
  }

  @Test("what rules cannot say is not proposed: addresses in brackets, credentials")
  func pagesThatRulesCannotName() throws {
    let page = "http://[::1]:8080/"
    let loads = [Self.load("http://[::1]:8080/ad.css", "style-sheet", page: page)]
    #expect(try refusal([Self.styles], loads) == "the load would still be blocked")
    let secret = [Self.load("https://user:pw@shop.test/ad.css", "style-sheet")]
    #expect(
      try refusal([Self.styles], secret) == "its URL and page cannot be said by host and path"
    )
  }

  @Test func theReasonIsSaid() throws {
    let scratch = try Scratch()
    let cookies = Self.rule(#""url-filter":"shop""#, #""type":"block-cookies""#)
    try scratch.file("list.json", "[\(cookies),\n\(Self.styles)]")
    let result = try Command.run(
      ["explain", "--list", "list.json", "-"],
      input: Data(Self.accident.joined(separator: "\n").utf8),
      in: scratch.folder
    )
    #expect(result.output.contains("No exception is proposed for it: it would undo what else"))
    #expect(!result.output.contains("Tried on"))
  }
}

package import ContentRules
internal import ResourceLoads
package import RuleCompiler
internal import TestSupport

/// Lists that have every kind of record, table and program between them.
package enum SampleLists {
  /// One rule for nearly everything that the format can say.
  package static let small: [Rule] = [
    Rule(0, #"^[^:]+://+([^:/]+\.)?ads\.test[:/]"#),
    Rule(
      1,
      #"/banner/.*\.gif"#,
      flags: TriggerFlags(resourceTypes: .image, loadTypes: .thirdParty)
    ),
    Rule(2, #"tracker(s)?[0-9]+\.js$"#, action: .blockCookies),
    Rule(3, ".*", action: .cssDisplayNone(selector: ".advert")),
    Rule(
      4,
      ".*",
      condition: Condition(subject: .domain, isNegated: false, entries: ["*news.test"]),
      action: .cssDisplayNone(selector: "#side, .promo")
    ),
    Rule(
      5,
      #"^https?://([^/]+\.)?good\.test/"#,
      condition: Condition(
        subject: .topURL,
        isNegated: true,
        entries: ["^https://bad[.]test/", "x[0-9]y"]
      ),
      action: .ignorePreviousRules
    ),
    Rule(
      6,
      ".*",
      flags: TriggerFlags(loadContexts: .topFrame),
      condition: Condition(subject: .frameURL, isNegated: true, entries: ["frame[.]test"]),
      action: .makeHTTPS
    ),
    Rule(7, "a[0-9]z", isCaseSensitive: true, action: .notify("seen")),
    Rule(8, #"^https?://([^/]+\.)?cdn[0-9]+\.test/.+/x"#, identifier: RuleIdentifier(number: 7)),
    Rule(9, #"^https?://([^/]+\.)?verylonghostname"#, isCaseSensitive: false),
    Rule(10, "/Pixel/", isCaseSensitive: true),
    Rule(11, "/ad/", flags: TriggerFlags(requestMethod: .post)),
    Rule(12, ".*", action: .ignoreFollowingRules),
    Rule(
      13,
      "/old/",
      action: .redirect(.url("https://new.test/"))
    ),
  ]

  /// Many rules, most of them found by a key or a gram.
  package static func large(_ count: Int, seed: UInt64 = 1) -> [Rule] {
    var random = RandomSource(seed: seed)
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    func word(_ random: inout RandomSource) -> String {
      "w" + String(decoding: random.text(of: letters, upTo: 7), as: UTF8.self)
    }
    return (0..<count).map { index in
      let word = word(&random)
      let other = "\(index % 97)"
      let condition =
        index % 3 == 0
        ? Condition(
          subject: [.domain, .topURL, .frameURL][index / 3 % 3],
          isNegated: index % 2 == 0,
          entries: index / 3 % 3 == 0 ? ["*\(word).test", "top.test"] : ["//\(word)", "t[0-9]p"]
        ) : nil
      let action: Action =
        switch index % 11 {
        case 1: .cssDisplayNone(selector: "#\(word)")
        case 2: .blockCookies
        case 3: .ignorePreviousRules
        case 4: .makeHTTPS
        default: .block
        }
      let pattern =
        switch index % 7 {
        case 0: #"^[^:]+://+([^:/]+\.)?\#(word)\.test[:/]"#
        case 1: #"^https?://([^/]+\.)?\#(word)\#(other).*/x"#
        case 2: #"/\#(word)/\#(other)/"#
        case 3: #"\#(word)(er)?[0-9]+/\#(other)"#
        case 4: #"^[htpsw]+://\#(word)[./]"#
        case 5: #"[\#(other)x]\#(word)\.gif$"#
        default: "\(word).?"
        }
      return Rule(
        index,
        pattern,
        isCaseSensitive: index % 5 == 0,
        flags: TriggerFlags(packed: index % 4 == 0 ? UInt32(1 << (index % 20)) : 0),
        condition: condition,
        action: action
      )
    }
  }

  /// Limits under which every table runs as threads.
  package static var noTables: CompilerLimits {
    var limits = CompilerLimits()
    limits.statesPerFilter = 2
    return limits
  }

  /// Compiled lists that differ in what they hold.
  package static func compiled() throws -> [[UInt8]] {
    [
      try compile(small, source: Array("[{}]".utf8)), try compile(small, limits: noTables),
      try compile(large(300)), try compile(large(120, seed: 2), limits: noTables),
      try compile([]),
    ]
  }
}

/// URLs that lead into the records of the sample lists.
package let sampleURLs: [[UInt8]] = [
  "https://www.ads.test/x", "https://a.test/banner/a.b.gif", "https://b.test/trackers12.js",
  "http://sub.good.test/old/pixel/Pixel/ad/", "https://cdn12.test/a/x", "wss://verylonghostname9/",
  "https://top.test/a1z/ad/A1Z", "", ":", "a:", "https:", "https://", "http:///x://y.news.test/",
  "https://x.test/w/12/", "data:text/plain,a1z/ad//banner/", "https://\u{E9}.test/ad/",
].map { Array($0.utf8) }

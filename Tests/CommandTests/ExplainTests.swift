import Foundation
import TestSupport
import Testing

private let blockList =
  #"[{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}}]"#

@Suite struct ExplainTests {
  @Test func whyNotNamesTheFirstThingThatFails() throws {
    let scratch = try Scratch()
    try scratch.file(
      "a.json",
      #"[{"trigger":{"url-filter":"/ad","resource-type":["script"]},"action":{"type":"block"}}]"#
    )
    func run(_ more: [String]) throws -> Command.Result {
      try Command.run(
        ["explain", "--list", "a.json", "--page", "http://x.test/", "--url", "http://x.test/ad"]
          + more,
        in: scratch.folder
      )
    }
    let why = try run(["--type", "image", "--rule", "0"])
    #expect(why.status == 0)
    #expect(why.output.contains("not rule 0 (a.json:1:2): the load is of type image"))
    let blocked = try run(["--type", "script"])
    #expect(blocked.output.contains(#"rule 0 (a.json:1:2) block, matched "/ad" at 13-16"#))
    #expect(try run([]).error.contains("--type is missing"))
    #expect(try run(["--type", "scirpt"]).error.contains("did you mean script?"))
    #expect(try run(["--type", "script", "--rule", "7"]).error.contains("has no rule 7"))
    #expect(try run(["--type", "script", "--rule", "7"]).status == 2)
  }

  @Test(arguments: ["", "hello", "{", "{\"log\":{}}", "{\"log\":{\"entries\":[]}}"])
  func inputsThatAreNothingExplainableAreRefused(_ input: String) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let result = try Command.run(
      ["explain", "--list", "a.json", "-"],
      input: Data(input.utf8),
      in: scratch.folder
    )
    #expect(result.status == 2, "\(result)")
    #expect(result.error.hasPrefix("tickbird: error: standard input "))
  }

  // MARK: Long logs

  /// Rules in one line: 60 that block a host each, 2,000 that hide, an exception.
  private static let longList: String = {
    var rules = (0..<60).map {
      #"{"trigger":{"url-filter":"^https://tracker\#($0)\\.test/"},"action":{"type":"block"}}"#
    }
    rules += (0..<2_000).map {
      #"{"trigger":{"url-filter":".*","unless-domain":["other.test"]},"#
        + #""action":{"type":"css-display-none","selector":".ad\#($0)"}}"#
    }
    rules.append(
      #"{"trigger":{"url-filter":"/wanted"},"action":{"type":"ignore-previous-rules"}}"#
    )
    return "[" + rules.joined(separator: ",") + "]"
  }()

  private static func load(_ url: String, page: Int, type: String = "script") -> String {
    #"{"url":"\#(url)","top_url":"https://page\#(page).test/","resource_type":"\#(type)","#
      + #""load_context":"top-frame"}"#
  }

  /// Loads of five pages, a third of them blocked.
  private static func longLog(_ count: Int) -> String {
    (0..<count).map { number in
      let page = number % 5
      if number == 3 { return load("https://tracker9.test/wanted", page: page) }
      return number % 3 == 0
        ? load("https://tracker\(number % 60).test/\(number).js", page: page)
        : load("https://page\(page).test/\(number).png", page: page, type: "image")
    }.joined(separator: "\n")
  }

  private func explainLong(
    _ arguments: [String],
    count: Int = 315,
    list: String = longList
  ) throws -> [String] {
    let scratch = try Scratch()
    try scratch.file("list.json", list)
    try scratch.file("log.ndjson", Self.longLog(count))
    let result = try Command.run(
      ["explain", "--list", "list.json", "log.ndjson"] + arguments,
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result.error)")
    return result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test("a long log takes two screens: by page the rules that decide, hidden things as a count")
  func longLogsAreShort() throws {
    let lines = try explainLong([])
    #expect(lines.count < 100)
    #expect(lines.allSatisfy { $0.unicodeScalars.count <= 80 })
    #expect(lines.first == "315 loads on 5 pages: 104 blocked, 211 loaded (1 by exceptions)")
    #expect(lines.count { $0.hasPrefix("Page https://page") } == 5)
    // The rule has no line of its own, so its pattern is printed beside its number.
    #expect(lines.contains(#"  BLOCKED by rule 0  ^https://tracker0\.test/"#))
    #expect(lines.contains { $0.hasSuffix("elements are hidden by 2,000 rules") })
    #expect(lines.contains(#"  loaded by rule 2060  /wanted"#))
    #expect(!lines.contains { $0.contains(".ad7") })
  }

  @Test("rules of a list in many lines are named by their lines")
  func linesOfRules() throws {
    let lines = try explainLong(
      [],
      list: Self.longList.replacingOccurrences(of: "}},{", with: "}},\n{")
    )
    #expect(
      lines.contains { $0.hasPrefix(#"  BLOCKED by rule 9 (list.json:10:1)  ^https://tracker9"#) }
    )
  }

  @Test func hiddenListsWhatIsHidden() throws {
    let lines = try explainLong(["--hidden"], count: 30)
    #expect(lines.count { $0.contains("hides .ad7") } > 5)
    #expect(lines.contains("      rule 67 hides .ad7"))
  }

  @Test func loadsAreChosen() throws {
    func urls(_ arguments: [String]) throws -> [String] {
      try explainLong(arguments).filter { $0.hasPrefix("  BLOCKED") || $0.hasPrefix("  loaded") }
    }
    #expect(try urls(["--blocked"]).count == 104)
    #expect(try urls(["--loaded"]).count == 211)
    #expect(try urls(["--loaded", "--type", "script"]).count == 1)
    #expect(try urls(["--blocked", "--host", "tracker9.test"]).count == 6)
    #expect(try urls(["--host", "test"]).count == 315)
    #expect(try urls(["--matched"]).count == 105)
    #expect(
      try urls(["--host", "tracker9.test", "--loaded"])
        == ["  loaded      script          https://tracker9.test/wanted"]
    )
    let none = try explainLong(["--blocked", "--type", "font", "--type", "image"])
    #expect(none[1] == "No load of type image or font is blocked.")
    #expect(none.count == 3)
  }

  @Test func loadsAreCounted() throws {
    let rules = try explainLong(["--by", "rule"])
    #expect(rules[2] == "   loads   blocked  rule that decides")
    #expect(rules[3] == #"       6         6  block rule 0  ^https://tracker0\.test/"#)
    #expect(rules.contains("       1         0  ignore-previous-rules rule 2060  /wanted"))
    let hosts = try explainLong(["--by", "host", "--blocked"])
    #expect(hosts.contains("       6         6  tracker0.test"))
    #expect(!hosts.contains { $0.hasSuffix("page0.test") })
    let sites = try explainLong(["--by", "site", "--format", "json"])
    #expect(sites.contains(#"{"site":"page0.test","loads":63,"blocked":21,"prevented":0}"#))
    let summary = try explainLong(["--summary"])
    #expect(summary.contains("     210         0  image"))
    #expect(summary.contains("     105       104  script"))
  }

  @Test("JSON has a line for each load, with the rule that decides and hiding rules as a count")
  func jsonLines() throws {
    let lines = try explainLong(["--format", "json"], count: 30).dropLast()
    #expect(lines.count == 30)
    #expect(lines[0].contains(#""decided_by":{"list":0,"rule":0}"#))
    #expect(lines.indices.allSatisfy { lines[$0].hasPrefix(#"{"load":\#($0),"#) })
    #expect(lines.allSatisfy { $0.contains(#""hiding_rules":2000"#) == !$0.contains("wanted") })
    #expect(lines.allSatisfy { $0.utf8.count < 1_000 })
    let whole = try explainLong(["--format", "json", "--hidden"], count: 1)
    #expect(whole[0].contains(".ad1999"))
  }

  @Test func nothingToSayIsSaid() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    func explain(_ input: String) throws -> Command.Result {
      try Command.run(
        ["explain", "--list", "a.json", "-"],
        input: Data(input.utf8),
        in: scratch.folder
      )
    }
    let nothing = try explain(Self.load("https://a.test/x.png", page: 1))
    #expect(
      nothing.output.hasPrefix(
        "1 load on 1 page: 1 loaded\nNo rule blocks or changes any of them.\n"
      )
    )
    let bad = try explain(
      "{\"url\":1}\n\n{}\n" + Self.load("https://a.test/ad", page: 1) + "\n{\"url\":\"x\"}"
    )
    #expect(bad.status == 1)
    #expect(bad.error.contains("standard input, line 1: \"url\" must be a string"))
    #expect(bad.error.contains("standard input, line 5: "))
    #expect(bad.error.contains("3 bad lines of 4 left out"))
    #expect(bad.output.hasPrefix("1 load on 1 page: 1 blocked\n"))
    let many = try explain(String(repeating: "{}\n", count: 50))
    #expect(many.error.split(separator: "\n").count == 21)
    #expect(many.error.contains("50 bad lines of 50 left out; the first 20 are above"))
    #expect(many.output == "0 loads on 0 pages\nThere is nothing to explain.\n")
  }

  @Test(arguments: [
    ["--blocked", "--loaded"], ["--by", "rule", "--summary"], ["--hidden", "--by", "host"],
    ["--by", "color"], ["--type", "scirpt"], ["--host", "https://a.test/"],
  ])
  func optionsThatMakeNoSenseAreRefused(_ arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let result = try Command.run(
      ["explain", "--list", "a.json", "-"] + arguments,
      input: Data(Self.load("https://a.test/ad", page: 1).utf8),
      in: scratch.folder
    )
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(!result.error.isEmpty)
  }

  @Test("what follows from a blocked redirect is marked, as are guesses")
  func preventedLoadsAreMarked() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    func entry(_ url: String, _ type: String, to target: String? = nil) -> String {
      let answer = target.map { #""status":302,"redirectURL":"\#($0)""# } ?? #""status":200"#
      return #"{"pageref":"p","_resourceType":"\#(type)","response":{\#(answer)},"#
        + #""request":{"method":"GET","url":"\#(url)"}}"#
    }
    let entries = [
      entry("https://a.test/", "document"),
      entry("https://a.test/ad", "image", to: "https://b.test/pixel"),
      entry("https://b.test/pixel", "image"),
    ]
    try scratch.file("log.har", #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#)
    func run(_ more: [String]) throws -> String {
      try Command.run(
        ["explain", "--list", "a.json", "--har", "log.har"] + more,
        in: scratch.folder
      ).output
    }
    let text = try run([])
    #expect(
      text.hasPrefix(
        """
        3 loads on 1 page: 1 blocked, 2 loaded; 1 would not have happened, because what
        asks for it is blocked

        """
      )
    )
    #expect(
      text.contains(
        """
          loaded      image           https://b.test/pixel
              would not have happened: it is the target of the blocked https://a.test/ad

        """
      )
    )
    let lines = try run(["--format", "json"]).split(separator: "\n")
    #expect(
      lines[2].contains(#""prevented_by":{"cause":"redirect","load":1,"blocked_load":1}"#)
    )
    #expect(try run(["--summary", "--format", "json"]).contains(#""prevented":1"#))
    let table = try run(["--by", "host"])
    #expect(table.contains("   loads   blocked  prevented  host\n"))
    #expect(table.contains("       1         0          1  b.test\n"))

    let many =
      (0..<30).map { entry("https://a.test/\($0).png", "image") }
      + [
        entry("https://a.test/", "document"),
        entry("https://a.test/ad", "image", to: "https://b.test/ad"),
        entry("https://b.test/ad", "image"),
      ]
    try scratch.file("log.har", #"{"log":{"entries":[\#(many.joined(separator: ","))]}}"#)
    #expect(try run([]).contains("\n      2 images (1 would not have happened)  /ad …\n"))
  }

  // MARK: One rule

  @Test("who asks about a rule that hides among many is told that it does")
  func aHidingRuleThatIsAskedFor() throws {
    let scratch = try Scratch()
    try scratch.file("long.json", Self.longList)
    func run(_ more: [String]) throws -> String {
      try Command.run(
        [
          "explain", "--list", "long.json", "--page", "https://a.test/", "--url",
          "https://a.test/x", "--type", "image",
        ] + more,
        in: scratch.folder
      ).output
    }
    let sentence = "  on the page, rule 67 hides .ad7\n"
    #expect(try run(["--rule", "67"]).contains(sentence))
    #expect(try run(["--rule", "67", "--loaded"]).contains(sentence))
    #expect(try !run(["--rule", "0"]).contains("on the page, rule"))
    #expect(try !run([]).contains("on the page, rule"))
  }

  @Test("who asks about a rule that would hide is told what cancels it")
  func aHidingRuleThatIsCancelled() throws {
    let scratch = try Scratch()
    try scratch.file(
      "a.json",
      #"""
      [{"trigger":{"url-filter":".*","if-domain":["a.test"]},
        "action":{"type":"css-display-none","selector":".x"}},
       {"trigger":{"url-filter":"/x"},"action":{"type":"ignore-previous-rules"}}]
      """#
    )
    func run(_ url: String) throws -> String {
      try Command.run(
        [
          "explain", "--list", "a.json", "--page", "https://a.test/", "--url", url, "--type",
          "image", "--rule", "0",
        ],
        in: scratch.folder
      ).output
    }
    let cancelled = try run("https://a.test/x")
    #expect(cancelled.contains("rule 0 (a.json:1:2) hides .x, "), "\(cancelled)")
    #expect(cancelled.contains("rule 1 (a.json:3:2)"), "\(cancelled)")
    let applied = try run("https://a.test/y")
    #expect(applied.contains("on the page, rule 0 (a.json:1:2) hides .x\n"), "\(applied)")
  }

  @Test("tables keep the host of a pattern, and name the filter if a map has it")
  func tablesKeepHosts() throws {
    let scratch = try Scratch()
    let host = "a-host-with-a-name-that-is-long-enough.example"
    let pattern = #"^[^:]+://+([^:/]+\\.)?"# + host.replacing(".", with: #"\\."#)
    let rule =
      #"{"trigger":{"url-filter":"\#(pattern)","resource-type":["image"]},"action":{"type":"block"}}"#
    // In one line, so that rules are named by their patterns.
    try scratch.file("one.json", "[\(rule),\(rule)]")
    try scratch.file("two.json", "[\n\(rule),\n\(rule)\n]")
    let arguments = [
      "--page", "https://a.test/", "--url", "https://\(host)/x", "--type", "image", "--by", "rule",
    ]
    let table = try Command.run(
      ["explain", "--list", "one.json"] + arguments,
      in: scratch.folder
    ).output
    #expect(table.contains(#"block rule 0  ||a-host-with-a"#), "\(table)")
    // Rules of several lists have one way to be named.
    let both = try Command.run(
      ["explain", "--list", "two.json", "--list", "one.json"] + arguments,
      in: scratch.folder
    ).output
    #expect(both.contains("block rule 0 of two.json  "), "\(both)")

    try scratch.file("list.txt", "||\(host)^$image\n")
    let convert = ["convert", "list.txt", "-o", "made.json", "--map", "map.json"]
    #expect(try Command.run(convert, in: scratch.folder).status == 0)
    let named = try Command.run(
      ["explain", "--list", "made.json", "--map", "map.json"] + arguments,
      in: scratch.folder
    ).output
    #expect(named.contains("; list.txt:1)  ||a-host"), "\(named)")
    #expect(named.contains("image\n"), "\(named)")
  }

  @Test(arguments: [
    (["--blocked", "--host", "x.test"], "1 load to x.test is blocked."),
    (["--host", "x.test"], "1 load is to x.test."),
    (["--loaded", "--type", "image"], "No load of type image is not blocked."),
    (["--blocked", "--matched"], "1 load is blocked and matched by a rule."),
  ])
  func chosenLoadsAreCountedInASentence(options: [String], sentence: String) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let result = try Command.run(
      ["explain", "--list", "a.json", "-"] + options,
      input: Data("url\ttop_url\tresource_type\nhttps://x.test/ad\thttps://p.test/\timage\n".utf8),
      in: scratch.folder
    )
    #expect(result.output.contains(sentence), "\(result)")
  }
}

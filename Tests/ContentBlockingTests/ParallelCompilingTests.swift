import CaseGenerators
import ContentBlocking
import ContentRules
import ReferenceMatcher
import RuleCompiler
import TestSupport
import Testing

/// Compiling on several threads gives the bytes and the errors of compiling on one.
@Suite("Compiling on several threads") struct ParallelCompilingTests {
  /// What compiling ends with.
  private struct Outcome: Equatable, CustomTestStringConvertible {
    var file: [UInt8] = []
    var diagnostics: [Diagnostic] = []
    var ruleCount = 0
    var skippedRules: [Int] = []
    var cost = MatchingCost()
    var error: Diagnostic?
    var excess: CompileError?

    init(
      _ json: [UInt8],
      threads: Int,
      bytesPerThread: Int = 16,
      limits: CompilerLimits = CompilerLimits(),
      change: (inout ReadingOptions) -> Void = { _ in }
    ) {
      var options = ContentRuleList.readingOptions()
      options.limitFault = nil
      options.findsTraps = false
      change(&options)
      do throws(RuleListError) {
        let (file, report) = try ContentRuleList.compile(
          json,
          options: options,
          limits: limits,
          threads: threads,
          bytesPerThread: bytesPerThread
        )
        self.file = file
        note(report)
      } catch {
        switch error {
        case .refused(let report): note(report)
        case .exceedsLimits(let error): excess = error
        case .damaged: Issue.record("a list that was never compiled is damaged")
        }
      }
    }

    var testDescription: String {
      "a file of \(file.count) bytes, digest \(file.hashValue), of \(ruleCount) rules, \(cost);"
        + " \(diagnostics.count) diagnostics, digest \(diagnostics.hashValue);"
        + " skipped \(skippedRules.count); error \(error?.message ?? "none")"
        + " at \(error?.location.ruleIndex ?? -1); excess \(excess?.message ?? "none")"
    }

    private mutating func note(_ report: RuleListReport) {
      diagnostics = report.diagnostics
      ruleCount = report.ruleCount
      skippedRules = report.skippedRules
      cost = report.matchingCost
      error = report.webKitError
    }
  }

  /// Whether a list is compiled in pieces, and not in one go after all.
  private func isCompiledInPieces(_ json: [UInt8], threads: Int) -> Bool {
    var options = ContentRuleList.readingOptions()
    options.limitFault = nil
    options.findsTraps = false
    return ContentRuleList.compileInPieces(json, options, CompilerLimits(), threads) != nil
  }

  /// Compares the outcomes with one thread and with several.
  private func compare(
    _ json: [UInt8],
    threads: [Int] = [2, 3, 4],
    limits: CompilerLimits = CompilerLimits(),
    _ comment: @autoclosure () -> String,
    change: (inout ReadingOptions) -> Void = { _ in }
  ) {
    let expected = Outcome(json, threads: 1, limits: limits, change: change)
    for number in threads {
      let found = Outcome(json, threads: number, limits: limits, change: change)
      #expect(found == expected, "\(number) threads: \(comment())")
    }
  }

  // MARK: Real lists

  @Test(
    "real lists give the same bytes",
    .enabled(if: !SharedData.isAbsent, "The folder of real lists is not beside the package."),
    arguments: SharedData.listNames
  )
  func realLists(_ name: String) throws {
    let json = try SharedData.bytes("data/lists/\(name).json")
    compare(json, threads: [2, 3], name)
    // A list of one rule cannot be cut, and those of too many automata are compiled in order.
    if json.count > 4 << 20 { #expect(isCompiledInPieces(json, threads: 2)) }
  }

  @Test(
    "real lists with a fault somewhere give the same errors",
    .enabled(if: !SharedData.isAbsent, "The folder of real lists is not beside the package.")
  )
  func damagedRealLists() throws {
    let json = try SharedData.bytes("data/lists/den-easylist-germany.json")
    var random = RandomSource(seed: Effort.seed)
    for round in 0..<20 * Effort.factor {
      var text = json
      for _ in 0..<random.number(in: 1...3) { damage(&text, &random) }
      compare(text, threads: [random.number(in: 2...5)], "round \(round)")
    }
  }

  private func damage(_ text: inout [UInt8], _ random: inout RandomSource) {
    let place = random.number(below: text.count)
    switch random.number(below: 6) {
    case 0: text.remove(at: place)
    case 1: text[place] = UInt8(truncatingIfNeeded: random.next())
    case 2: text.insert(contentsOf: random.pick(Self.fragments).utf8, at: place)
    case 3: text.removeSubrange(place..<min(text.count, place + random.number(below: 400)))
    case 4: text.removeLast(min(text.count, random.number(below: 200)))
    default:
      // Between two rules, where pieces may be cut.
      let cut = text[place...].indices.first { text[$0...].starts(with: "},{".utf8) } ?? place
      text.insert(contentsOf: random.pick(Self.fragments).utf8, at: cut + 1)
    }
  }

  private static let fragments = [
    "\u{FEFF}", "\u{A0}", "//", "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", "},{", "]]", "[[",
    #"{"trigger":"#, #"{"trigger":{"url-filter":"x"},"action":{"type":"block"}},"#,
    #",{"trigger":{"url-filter":"x"},"action":{"type":"block"}}"#, " \n\t ", "null,", "\u{0}",
    #"{"trigger":{"url-filter":"(x"},"action":{"type":"block"}},"#,
  ]

  // MARK: Generated lists

  @Test("generated lists give the same bytes or errors")
  func generatedLists() throws {
    var inPieces = 0
    for round in 0..<40 * Effort.factor {
      let seed = Effort.seed &* 1_000 &+ UInt64(round)
      var random = RandomSource(seed: seed)
      var options = CaseOptions()
      if round % 4 == 3 { options = .large(ruleCount: 300) }
      let generated = CaseGenerator(options: options).makeCase(seed: seed)
      var rules = JSONValue.array(generated.rules)
      if random.chance(50) { rules = RuleListMutator().mutated(rules, using: &random) }
      var text = Array(RuleListSpeller().text(for: rules, using: &random).utf8)
      if random.chance(30) { damage(&text, &random) }
      compare(text, "seed \(seed)")
      if isCompiledInPieces(text, threads: 3) { inPieces += 1 }
    }
    #expect(inPieces > 3)
  }

  // MARK: Lists made for it

  private static let rule = #"{"trigger":{"url-filter":"a\\.b"},"action":{"type":"block"}}"#

  /// A list of many rules, each made of its number.
  private func list(_ count: Int, _ rule: (Int) -> String) -> [UInt8] {
    Array("[\((0..<count).map(rule).joined(separator: ","))]".utf8)
  }

  @Test(
    "texts that seem to have rules where there are none",
    arguments: [
      #"{"trigger":{"url-filter":"},{\"trigger\":"},"action":{"type":"block"}}"#,
      #"{"x":{"trigger":{"url-filter":"a"},"action":{"type":"block"}},"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#,
      #"{"trigger":{"url-filter":"a","x":[[{"action":1},{"trigger":2}]]},"action":{"type":"block"}}"#,
      #"{"trigger":{"url-filter":"a"},"trigger":{"url-filter":"b"},"action":{"type":"block"}}"#,
      #"{"action":{"type":"css-display-none","selector":"a[x='{\"trigger\"']"},"trigger":{"url-filter":"\u0061"}}"#,
      "\n { \t\"trigger\" : { \"url-filter\" : \"a\" } , \"action\" : { \"type\" : \"block\" } } \r\n",
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#,
      #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#,
      "null", #""{""#, "{", "",
    ]
  )
  func oddRules(_ odd: String) {
    for count in [1, 2, 7] {
      for place in 0...count {
        var rules = Array(repeating: Self.rule, count: count)
        rules.insert(odd, at: place)
        compare(Array("[\(rules.joined(separator: ","))]".utf8), odd)
        compare(Array("\u{FEFF}[\(rules.joined(separator: " , "))] ".utf8), odd)
      }
    }
    compare(list(9) { _ in odd }, odd)
  }

  @Test(
    "what stands between rules",
    arguments: ["\u{A0}", "\u{FEFF}", "//x\n", ",", "]", "}", "null,", " \r\n\t", "\u{0}"]
  )
  func betweenRules(_ odd: String) {
    for place in 0...10 {
      var parts = Array(
        "[\(Self.rule),\(Self.rule),\(Self.rule),\(Self.rule)]".split(separator: "{\"tri")
      )
      parts = Array([parts[0]] + parts.dropFirst().map { "{\"tri" + $0 })
      // In front of each rule, behind it, and behind the comma.
      let text = parts.enumerated().map { number, part -> String in
        guard place / 2 == number else { return String(part) }
        return place % 2 == 0
          ? odd + part : part.hasSuffix(",") ? part.dropLast() + odd + "," : part + odd
      }
      compare(Array(text.joined().utf8), threads: [2, 3, 9], "\(odd.debugDescription) at \(place)")
    }
  }

  @Test("each cut of a small list")
  func everyCut() {
    // With each length of its first string the cuts fall elsewhere.
    for length in 0..<80 {
      let text = String(repeating: "x", count: length)
      let json = list(5) {
        #"{"trigger":{"url-filter":"\#(text)\#($0)"},"action":{"type":"block"}}"#
      }
      compare(json, threads: [2, 3, 4, 5, 9], "\(length)")
      #expect(isCompiledInPieces(json, threads: 3))
    }
  }

  @Test("findings have their rules and places, and are counted")
  func findings() {
    let json = list(900) { number in
      let key = number % 3 == 0 ? #""typo":1,"# : ""
      let types = number % 5 == 0 ? #","resource-type":[]"# : ""
      return
        #"{"trigger":{\#(key)"url-filter":"a\#(number % 50)"\#(types)},"action":{"type":"block"}}"#
    }
    compare(json, "findings")
    compare(json, "few of each code") { $0.diagnosticsPerCode = 3 }
    #expect(Outcome(json, threads: 3).diagnostics.count > 100)
    #expect(isCompiledInPieces(json, threads: 3))
  }

  @Test("exceptions at every place keep their segments")
  func exceptions() {
    var random = RandomSource(seed: Effort.seed)
    for round in 0..<40 * Effort.factor {
      let density = random.number(in: 1...60)
      let json = list(random.number(in: 2...400)) { number in
        let type =
          random.chance(density)
          ? random.pick(["ignore-previous-rules", "ignore-following-rules"])
          : random.pick([
            "block", "block-cookies", "make-https", #"css-display-none","selector":".a"#,
          ])
        let types = random.pick(["image", "font", "script", "media"])
        let domain =
          random.chance(30) ? #","if-domain":["*a\#(random.number(below: 9)).test"]"# : ""
        let skipped = random.chance(5) ? #"css-display-none","selector":"%"# : type
        let identifier = random.chance(10) ? #","_identifier":\#(number)"# : ""
        return
          #"{"trigger":{"url-filter":"\#(number % 31)x","resource-type":["\#(types)"]\#(domain)},"action":{"type":"\#(skipped)"}\#(identifier)}"#
      }
      compare(json, "round \(round)")
    }
  }

  @Test("patterns of all kinds are found where they would be in one go")
  func patterns() {
    let kinds = [
      #"^[^:]+:(//)?([^/]+\\.)?host%\\.com[/:]"#, #"^https?://([^/]+\\.)?host%\\.com/path[^a-z]"#,
      "text%",
      "a%?bcd(ef)?gh", "[a-f]+%x[g-k]*y", "path%/.*\\\\.gif$", ".*", "^https?://", "x{2,%}",
    ]
    var random = RandomSource(seed: Effort.seed)
    for round in 0..<20 * Effort.factor {
      let json = list(300) { _ in
        let number = random.number(below: 60)
        let pattern = random.pick(kinds).replacing("%", with: "\(number)")
        let sensitive = random.chance(20) ? #","url-filter-is-case-sensitive":true"# : ""
        let subject = random.pick(["if-top-url", "unless-top-url", "if-frame-url"])
        let condition =
          random.chance(30)
          ? #","\#(subject)":["\#(random.pick(kinds).replacing("%", with: "\(number)"))"]"# : ""
        return
          #"{"trigger":{"url-filter":"\#(pattern)"\#(sensitive)\#(condition)},"action":{"type":"block"}}"#
      }
      compare(json, "round \(round)")
      if round == 0 { #expect(Outcome(json, threads: 1).excess == nil) }
    }
    // More endings than are kept.
    compare(
      list(1_500) {
        #"{"trigger":{"url-filter":"^https?://([^/]+\\.)?a\#($0 % 7)\\.com[^\#($0 % 700)x]"},"action":{"type":"block"}}"#
      },
      "many endings"
    )
  }

  @Test("limits are those of the whole list")
  func limits() {
    let json = list(200) {
      #"{"trigger":{"url-filter":"[a-f]+\#($0)x[g-k]*y(z\#($0))+"},"action":{"type":"block"}}"#
    }
    for states in [0, 10, 500, 1_000, 2_000, 200_000] {
      var limits = CompilerLimits()
      limits.statesPerList = states
      compare(json, limits: limits, "\(states) states")
    }
    var limits = CompilerLimits()
    limits.instructionsPerLongURL = 4
    compare(json, limits: limits, "steps")
    #expect(Outcome(json, threads: 2, limits: limits).excess != nil)
    compare(json, "rules") { $0.ruleLimit = 150 }
    #expect(Outcome(json, threads: 2) { $0.ruleLimit = 150 }.error != nil)
  }
}

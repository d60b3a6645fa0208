import ContentRules
import EngineTestSupport
import RuleCompiler
import RuleMatching
import TestSupport
import Testing

/// What compiling hostile patterns comes to: a sentence that names the rule and the limit.
@Suite("Limits of compiling")
struct LimitsTests {
  @Test("a pattern that needs too many instructions is refused by its rule")
  func patternTooLarge() throws {
    var limits = CompilerLimits()
    limits.instructionsPerFilter = 20
    limits.instructionsPerTable = 0
    let rules = [
      Rule(0, "short"), Rule(1, "x(ab?c?)+" + String(repeating: "(de?)*", count: 20) + "f"),
    ]
    let error = #expect(throws: CompileError.self) { try compile(rules, limits: limits) }
    #expect(error?.code == .patternTooLarge)
    #expect(error?.rule == 1)
    #expect(error?.message.contains("a pattern of rule 1 needs") == true)
    #expect(error?.message.contains("the limit is 20") == true)
  }

  @Test("a pattern of which a character may be compared with too many places is refused")
  func tooManyThreads() throws {
    var limits = CompilerLimits()
    limits.instructionsPerTable = 0
    limits.threadsPerFilter = 40
    func code(_ pattern: String) -> CompileError.Code? {
      do {
        _ = try compile([Rule(0, pattern)], limits: limits)
        return nil
      } catch {
        return error.code
      }
    }
    let optional = String(repeating: "a?", count: 41)
    let group = String(repeating: "(ab)?", count: 41)
    for slow in [optional + "b", group + "c", "x(\(optional)b)+y", "((\(optional))*b)*c"] {
      #expect(code(slow) == .patternTooLarge, "\(slow)")
    }
    // What must be there ends the places before it, however long the pattern.
    let half = String(repeating: "a?", count: 20)
    for quick in [half + "b" + half + "c", "[ab]+" + String(repeating: "[bc]", count: 500)] {
      #expect(code(quick) == nil, "\(quick)")
    }
    let deep = String(repeating: "(", count: 200) + "[ab]" + String(repeating: ")*", count: 200)
    #expect(code(deep + "c") == nil)
  }

  @Test(
    "patterns that nothing can look up are refused by the rule that exceeds the budget",
    arguments: [false, true]
  )
  func tooManyUnindexedPatterns(isCondition: Bool) throws {
    var limits = CompilerLimits()
    limits.instructionsPerLoad = 3
    let patterns = ["a.*b", "c.*d", "e.*f", "g.*h", "i.*j"]
    let rules = patterns.enumerated().map { index, pattern in
      isCondition
        ? Rule(
          index,
          ".*",
          condition: Condition(subject: .topURL, isNegated: false, entries: [pattern])
        )
        : Rule(index, pattern)
    }
    let error = #expect(throws: CompileError.self) { try compile(rules, limits: limits) }
    #expect(error?.code == .tooManyUnindexedPatterns)
    #expect(error?.rule == 3)
    #expect(error?.message.contains("rule 3") == true)
    #expect(error?.message.contains("the limit is 3") == true)
    // Within the budget the same list compiles.
    _ = try compile(Array(rules.prefix(3)), limits: limits)
  }

  @Test(
    "patterns are refused by the rule that makes a URL too slow; those before it compile",
    arguments: [
      // Tables, pieces and threads that run on every URL.
      Excess({ $0.instructionsPerLoad = $1 }, 4, .tooManyUnindexedPatterns) { "[a-m]\($0).*[cd]" },
      Excess({ $0.instructionsPerLoad = $1 }, 12, .tooManyUnindexedPatterns) { "[a-m][c-z]\($0)" },
      Excess({ $0.instructionsPerLoad = $1 }, 20, .tooManyUnindexedPatterns, noTables: true) {
        "[a-m]\($0)([c-z]+d)+e"
      },
      // A text or host leads to them.
      Excess({ $0.instructionsPerLongURL = $1 }, 4, .tooManyRepetitions) { "/text\($0)/.*[cd]" },
      Excess({ $0.instructionsPerLongURL = $1 }, 4, .tooManyRepetitions) { "[ab]+c?/text\($0)/" },
      Excess({ $0.instructionsPerLongURL = $1 }, 4, .tooManyRepetitions) {
        #"^https?://([^/]+\.)?host\#($0)\.test/.*x"#
      },
      // One text or host leads to all.
      Excess({ $0.instructionsPerText = $1 }, 400, .tooManyPatternsAlike) { "text[ab][cd]\($0)" },
      Excess({ $0.instructionsPerText = $1 }, 400, .tooManyPatternsAlike) { "text.*[ab][cd]\($0)" },
      Excess({ $0.instructionsPerHost = $1 }, 40, .tooManyPatternsAlike) {
        #"^https?://([^/]+\.)?host\.test/\#($0)"#
      },
    ]
  )
  func tooSlow(_ excess: Excess) throws {
    var limits = CompilerLimits()
    excess.limit(&limits, excess.most)
    if excess.noTables { limits.instructionsPerTable = 0 }
    // The words are of the same length, and so are their costs.
    let rules = (100..<400).map { Rule($0 - 100, excess.pattern($0)) }
    let error = #expect(throws: CompileError.self) { try compile(rules, limits: limits) }
    #expect(error?.code == excess.code)
    let rule = try #require(error?.rule)
    #expect(rule > 0)
    #expect(error?.message.contains("a pattern of rule \(rule),") == true)
    #expect(error?.message.contains("the limit is \(excess.most)") == true)
    // Without the rule the same list compiles. How crowded texts are also depends on the table's
    // size, and thus on the rules behind.
    let fewer = excess.code == .tooManyPatternsAlike ? rule / 2 : rule
    _ = try compile(Array(rules.prefix(fewer)), limits: limits)
    if fewer == rule {
      #expect(throws: CompileError.self) {
        try compile(Array(rules.prefix(rule + 1)), limits: limits)
      }
    }
  }

  struct Excess: Sendable, CustomTestStringConvertible {
    let limit: @Sendable (inout CompilerLimits, Int) -> Void
    let most: Int
    let code: CompileError.Code
    let noTables: Bool
    let pattern: @Sendable (Int) -> String

    init(
      _ limit: @escaping @Sendable (inout CompilerLimits, Int) -> Void,
      _ most: Int,
      _ code: CompileError.Code,
      noTables: Bool = false,
      pattern: @escaping @Sendable (Int) -> String
    ) {
      self.limit = limit
      self.most = most
      self.code = code
      self.noTables = noTables
      self.pattern = pattern
    }

    var testDescription: String { pattern(100) }
  }

  @Test("ten thousand patterns of single letters are found, unless a caller allows fewer")
  func manyShortPatterns() throws {
    let letters = Array("abcdefghijklmnopqrstuv")
    var rules: [Rule] = []
    for index in 0..<10_000 {
      let (a, b, c) = (index % 22, index / 22 % 22, index / 484)
      rules.append(Rule(index, "\(letters[a]).*\(letters[b]).*\(letters[c])"))
    }
    var limits = CompilerLimits()
    limits.instructionsPerLoad = 2_000
    let error = #expect(throws: CompileError.self) { try compile(rules, limits: limits) }
    #expect(error?.rule == limits.instructionsPerLoad)
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    let url = "https://x.test/abc"
    let expected = rules.filter { rule in
      // The three letters, one after the other.
      let wanted = rule.trigger.urlFilter.text.filter { $0.isLetter }
      var rest = url[...]
      for letter in wanted {
        guard let place = rest.firstIndex(of: letter) else { return false }
        rest = rest[rest.index(after: place)...]
      }
      return true
    }
    #expect(Set(decider.rules(Array(url.utf8)).map(Int.init)) == Set(expected.map(\.index)))
  }

  @Test("a long pattern that could be tried at every place of its text is searched for once")
  func longAttempts() throws {
    // Each of a URL's many texts would be followed for as long as the pattern reaches.
    let pattern = "abcd" + String(repeating: "[abcd]?", count: 150) + "x"
    let rules = [Rule(0, pattern), Rule(1, "abcdx")]
    var listing = ""
    try CompiledRuleList(validating: compile(rules)).disassemble(to: &listing)
    #expect(listing.contains("from the start"))
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    let long = "https://x.test/" + String(repeating: "abcd", count: 38)
    #expect(decider.rules(Array((long + "x").utf8)) == [0, 1])
    #expect(decider.rules(Array((long + "y").utf8)) == [])
    #expect(decider.rules(Array("https://x.test/abcdabx".utf8)) == [0])
  }

  // MARK: Colliding hosts

  /// Names of eight letters whose search begins in the first or last part of any table.
  private func names(_ count: Int, inPart part: UInt64, fromTheEnd: Bool = false) -> [String] {
    var random = RandomSource(seed: 7)
    var names: [String] = []
    var known: Set<String> = []
    while names.count < count {
      let name = (0..<8).map { _ in UInt8(ascii: "a") + UInt8(random.next() >> 32 % 26) }
      var hash = FilterIndex.hash(.prefix8, key: name.span) & 0xFFFF_FFFF
      if fromTheEnd { hash = 0xFFFF_FFFF - hash }
      if hash < (1 << 32) / part, known.insert(String(decoding: name, as: UTF8.self)).inserted {
        names.append(String(decoding: name, as: UTF8.self))
      }
    }
    return names
  }

  private func hosts(_ names: [String]) -> [Rule] {
    names.enumerated().map { Rule($0, "^https?://([^/]+\\.)?" + $1) }
  }

  @Test("a table whose searches are long grows, and everything is found in it")
  func growingTable() throws {
    let names = names(1_500, inPart: 4)
    let rules = hosts(names)
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    for (number, name) in names.enumerated() {
      #expect(decider.rules(Array("https://\(name).test/".utf8)) == [UInt32(number)])
    }
  }

  @Test("hosts that collide in every table are all found, up to a limit")
  func collidingHosts() throws {
    let names = names(1_500, inPart: 64)
    let rules = hosts(names)
    var decider = Decider(try CompiledRuleList(validating: compile(rules)))
    for (number, name) in names.enumerated() {
      #expect(decider.rules(Array("https://\(name).test/".utf8)) == [UInt32(number)])
    }
    #expect(decider.rules(Array("https://another.test/".utf8)) == [])
    var limits = CompilerLimits()
    limits.collidingHosts = 1_024
    let error = #expect(throws: CompileError.self) { try compile(rules, limits: limits) }
    #expect(error?.code == .collidingHosts)
    let rule = try #require(error?.rule)
    #expect(error?.message.contains("the host of rule \(rule) collides with 1024") == true)
  }

  @Test("hosts that collide at the end of every table are found at its beginning")
  func collidingAtTheEnd() throws {
    let names = names(1_500, inPart: 64, fromTheEnd: true)
    var decider = Decider(try CompiledRuleList(validating: compile(hosts(names))))
    for (number, name) in names.enumerated() {
      #expect(decider.rules(Array("https://\(name).test/".utf8)) == [UInt32(number)])
    }
  }
}

import ContentRules
import RuleCompiler
import RuleMatching
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

  @Test("ten thousand patterns of single letters compile and decide in linear time")
  func manyShortPatterns() throws {
    let letters = Array("abcdefghijklmnopqrstuv")
    var rules: [Rule] = []
    for index in 0..<10_000 {
      let (a, b, c) = (index % 22, index / 22 % 22, index / 484)
      rules.append(Rule(index, "\(letters[a]).*\(letters[b]).*\(letters[c])"))
    }
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
}

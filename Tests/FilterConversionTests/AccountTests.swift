import ContentBlocking
import ContentRules
import FilterConversion
import FilterLists
import ResourceLoads
import Testing

@Suite("Every source line is accounted for")
struct AccountTests {
  @Test("lines, their rules and reasons")
  func lines() throws {
    let bench = try FilterBench(
      [
        "! comment", "", "||a.test^", "/a(bb|c)d/", "||a.test^", "##.x", "##.y", "##+js(f)",
        "!#if env_chromium", "||b.test^", "!#endif", "!#safari_cb_affinity(x)", "@@||c.test^$ghide",
      ],
      .ubo
    )
    let conversion = bench.conversion
    #expect(
      conversion.outcomes == [
        .comment, .comment, .converted, .converted, .converted, .converted, .converted, .impossible,
        .comment, .comment, .comment, .comment, .converted,
      ]
    )
    // The same filter is one rule.
    #expect(Array(conversion.rules(ofLine: 2)) == Array(conversion.rules(ofLine: 4)))
    #expect(conversion.rules(ofLine: 3).count == 2)
    #expect(conversion.rules(ofLine: 5) == conversion.rules(ofLine: 6))
    #expect(conversion.rules(ofLine: 7).isEmpty)
    #expect(bench.codes(10) == ["switched-off"])
    #expect(bench.codes(12) == ["affinity"])
    #expect(bench.codes(1) == [])
    for (line, rules) in [(2, "block"), (5, "css-display-none"), (12, "ignore-previous-rules")] {
      for rule in conversion.rules(ofLine: line) {
        #expect(bench.rules[Int(rule)].action.word == rules)
      }
    }
  }

  @Test("every rule but the barrier has a line")
  func rules() throws {
    let bench = try FilterBench([
      "##.a", "x.test##.b", "||a.test^$popup", "||a.test^", "@@||a.test/x", "||b.test^$important",
      "@@||c.test^$document", "*$script,denyallow=x.test,domain=y.test", "@@||d.test^$elemhide",
    ])
    var seen: Set<Int32> = []
    for line in bench.conversion.outcomes.indices {
      let rules = bench.conversion.rules(ofLine: line)
      #expect(rules.elementsEqual(rules.sorted()))
      seen.formUnion(rules)
    }
    let others = bench.rules.indices.filter { !seen.contains(Int32($0)) }
    #expect(others.map { bench.rules[$0].action.word } == ["ignore-following-rules"])
  }

  @Test("every reason has a sentence of its own, without a full stop")
  func sentences() {
    for code in ConversionReason.Code.allCases {
      #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber })
      let sentence = code.sentence("x")
      #expect(!sentence.isEmpty && sentence.last != ".", "\(code)")
    }
  }

  @Test("hosts files block exactly the hosts that they name, pages included")
  func hosts() throws {
    let bench = try FilterBench(
      ["# x", "0.0.0.0 a.test b.test", "127.0.0.1 localhost", "c.test", "||d.test^"],
      .hosts
    )
    #expect(bench.conversion.outcomes == [.comment, .converted, .comment, .converted, .impossible])
    #expect(bench.conversion.rules(ofLine: 1).count == 2)
    #expect(try bench.blocks("https://a.test/x"))
    #expect(try bench.blocks("https://c.test/", on: "https://c.test/", .topDocument))
    #expect(try bench.blocks("wss://b.test:8080/", .webSocket))
    #expect(try !bench.blocks("https://x.a.test/"))
    #expect(try !bench.blocks("https://a.test.evil/"))
  }

  @Test("the same lists give the same bytes")
  func determinism() throws {
    let lines = (0..<400).map { "x\($0 % 37).test,y\($0 % 11).test##.a\($0)" }
    #expect(try FilterBench(lines).conversion.json == FilterBench(lines).conversion.json)
  }
}

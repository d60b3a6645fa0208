import DeclarativeRules
import TestSupport
import Testing

/// Verdicts of rules are true.
@Suite("Verdicts of rules that do not fit")
struct VerdictTests {
  private static func browser(rules: Int, regexes: Int, session: Int) -> DeclarativeBrowser {
    var browser = DeclarativeBrowser.chromium
    browser.dynamicRules = rules
    browser.dynamicRegexes = regexes
    browser.sessionRules = session
    browser.sessionRegexes = session
    return browser
  }

  @Test("a rule of which a part is kept acts, and says that it acts in part")
  func part() throws {
    let bench = try Bench(
      rules: [(#""url-filter": "x[12]y""#, "block"), (#""url-filter": "more""#, "block")],
      browser: Self.browser(rules: 1, regexes: 0, session: 0)
    )
    #expect(
      bench.verdicts == [.approximated([.onlyInPart]), .notExpressible(.ruleLimit)]
    )
    #expect(bench.translation.rules.map(\.condition.urlFilter) == ["x1y"])
  }

  @Test("expressions go first to rules that have no other way, then to those that they say most of")
  func expressions() throws {
    let label = #""url-filter": "^[htpsw]+://([a-z0-9-]+\\.)?"#
    let bench = try Bench(
      rules: [
        (label + #"a\\.test/x""#, "block"), (label + #"b\\.test[:/]""#, "block"),
        (label + #"c\\.test[:/]""#, "block"), (#""url-filter": "a[0-9]+b""#, "block"),
      ],
      browser: Self.browser(rules: 10, regexes: 2, session: 0)
    )
    #expect(bench.verdicts == [.approximated([.deeperSubdomains]), .exact, .exact, .exact])
  }

  @Test("a condition that the browser cannot ask of pages is not called exact")
  func previousPage() throws {
    let frame = #", "if-frame-url": ["^https?://([^:/]+\\.)?a\\.com[:/]"]"#
    let onPages = try Bench(rules: [
      (#""url-filter": ".*", "resource-type": ["top-document"]"# + frame, "block")
    ])
    #expect(onPages.verdicts == [.notExpressible(.previousPage)])
    let onAll = try Bench(rules: [(#""url-filter": "ad""# + frame, "block")])
    #expect(onAll.verdicts == [.approximated([.frameByOrigin, .previousPage])])
  }

  @Test("every rule has a verdict, and what is not expressible is in no rule of the browser's")
  func accounts() throws {
    var random = RandomSource(seed: 5)
    var seen = VerdictCounts([])
    for _ in 0..<300 {
      let texts = (0..<random.number(in: 1...2)).map { _ in
        let rules = (0..<random.number(in: 1...12)).map { _ in AgreementTests.rule(&random) }
        return "[" + rules.joined(separator: ",") + "]"
      }
      let browser = Self.browser(
        rules: random.number(in: 1...8),
        regexes: random.number(in: 0...3),
        session: random.number(in: 0...2)
      )
      guard let bench = try? Bench(texts, browser: browser) else { continue }
      let rules = bench.translation.rules
      let session = rules.filter(\.isForSession)
      #expect(session.count <= browser.sessionRules)
      #expect(rules.count - session.count <= browser.dynamicRules)
      let regexes = rules.filter { $0.condition.regexFilter != nil }
      #expect(regexes.count { !$0.isForSession } <= browser.dynamicRegexes)
      #expect(regexes.count(where: \.isForSession) <= browser.sessionRegexes)
      for (number, list) in bench.translation.lists.enumerated() {
        #expect(list.verdicts.count == bench.ruleCounts[number])
        let acting = Set(rules.filter { $0.list == number }.flatMap(\.sources))
        for (rule, verdict) in list.verdicts {
          if !verdict.isExpressible { #expect(!acting.contains(rule), "\(verdict)") }
          if case .approximated = verdict { #expect(acting.contains(rule), "\(verdict)") }
        }
        let counts = list.counts
        seen.exact += counts.exact
        seen.approximated += counts.approximated
        seen.notExpressible += counts.notExpressible
      }
    }
    // Else nothing would have been seen.
    #expect(seen.exact > 200 && seen.approximated > 50 && seen.notExpressible > 200, "\(seen)")
  }
}

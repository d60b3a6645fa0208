import ContentBlocking
import ContentRules
import RuleCompiler
import Testing
import WebURL

/// Where the library differs from WebKit on purpose; see `Documentation/Deviations.md`.
@Suite("Deviations")
struct DeviationTests {
  @Test(
    "a range of characters that reaches above 127 refuses the list",
    arguments: [#"[a-\\xe9]"#, #"[\\x7f-\\x80]"#, #"[^ -\\uffff]"#]
  )
  func rangeAbove127(_ pattern: String) throws {
    let report = RuleListReader.read(plainList((pattern, "block")))
    #expect(report.webKitError?.webKitError == .jsonInvalidRegex)
  }

  @Test("a label that is not ASCII may have 2,000 characters")
  func longLabel() {
    #expect(WebURL("http://" + String(repeating: "ü", count: 1_000) + "/") != nil)
    #expect(WebURL("http://" + String(repeating: "ü", count: 2_001) + "/") == nil)
    #expect(WebURL("http://" + String(repeating: "ü", count: 1_000_000) + "/") == nil)
    #expect(WebURL("http://" + String(repeating: "u", count: 100_000) + "/") != nil)
  }

  @Test("URLs are spelled as the standard says, where WebKit 2.50.6 spells them otherwise")
  func urlStandard() {
    for text in ["http://xn--a/", "foo://u@h?x", "foo://@h#x", "foo://a/.\\b", "foo://a/..\\b"] {
      #expect(WebURL(text)?.serialized == text.replacing("//@", with: "//"))
    }
  }

  @Test("a pattern beyond the limits is an error that names the rule")
  func expensivePattern() throws {
    var limits = CompilerLimits()
    limits.instructionsPerTable = 0
    limits.instructionsPerFilter = 10
    let json = plainList(("a", "block"), ("[ab]+[cd]+[ef]+[gh]+[ij]+[kl]+[mn]+[op]+", "block"))
    #expect(throws: RuleListError.self) {
      try ContentRuleList(identifier: "list", encodedContentRuleList: json, limits: limits)
    }
    do throws(RuleListError) {
      _ = try ContentRuleList.compile(json, limits: limits)
    } catch {
      guard case .exceedsLimits(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.code == .patternTooLarge)
      #expect(reason.rule == 1)
    }
  }

  @Test("patterns that nothing leads to are bounded all together")
  func unindexedPatterns() throws {
    var limits = CompilerLimits()
    limits.instructionsPerTable = 0
    limits.instructionsPerLoad = 10
    let rule = (pattern: "[ab]+.*[cd]+.*[ef]+", type: "block")
    _ = try ContentRuleList.compile(plainList(rule), limits: limits)
    do throws(RuleListError) {
      _ = try ContentRuleList.compile(
        plainList(rule, ("[gh]+.*[ij]+.*[kl]+", "block"), ("[mn]+.*[op]+.*[qr]+", "block")),
        limits: limits
      )
      Issue.record("nothing was thrown")
    } catch {
      guard case .exceedsLimits(let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(reason.code == .tooManyUnindexedPatterns)
    }
  }
}

import ContentRules
import Foundation
import ResourceLoads
import TestSupport
import Testing

@Suite struct RuleListReaderTests {
  @Test func everyKeyArrivesInTheModel() throws {
    let report = RuleListReader.read(RobustnessTests.list)
    let rules = try #require(report.ruleList?.rules)
    #expect(report.ruleCount == 5)
    #expect(
      rules[0].trigger
        == Trigger(
          urlFilter: URLFilter(
            #"^https?://ads\.example\.com/[^/]+\.js$"#,
            isCaseSensitive: true
          ),
          flags: TriggerFlags(
            resourceTypes: [.script, .fetch, .webSocket, .other, .ping],
            loadTypes: .thirdParty
          ),
          condition: Condition(
            subject: .domain,
            isNegated: false,
            entries: ["*example.org", "a.example"]
          )
        )
    )
    #expect(rules[0].action == .block)
    #expect(
      rules[1].trigger.condition
        == Condition(subject: .topURL, isNegated: true, entries: [#"^https://[a-z]*\.test/"#])
    )
    #expect(rules[1].action == .cssDisplayNone(selector: #".ad > [href*="x"], #b:not(.c)"#))
    #expect(rules[2].trigger.flags == TriggerFlags(loadContexts: .topFrame, requestMethod: .post))
    var transform = URLTransform()
    transform.port = .set(8080)
    transform.queryTransform = QueryTransform(
      removeParameters: ["utm"],
      addOrReplaceParameters: [QueryKeyValue(key: "k", value: "v")]
    )
    #expect(rules[2].action == .redirect(.transform(transform)))
    #expect(rules[2].identifier == RuleIdentifier(number: 7))
    #expect(
      rules[3].action
        == .modifyHeaders(
          ModifyHeaders(priority: 2, requestHeaders: [.set(header: "DNT", value: "1")])
        )
    )
    #expect(rules.map(\.index) == [0, 1, 2, 3, 4])
    let source = String(decoding: RobustnessTests.list[rules[4].sourceRange], as: UTF8.self)
    #expect(
      source == #"{"trigger": {"url-filter": "z"}, "action": {"type": "ignore-previous-rules"}}"#
    )
  }

  @Test func stringsKeepWhatWebKitReads() throws {
    let report = RuleListReader.read(
      acting(#""type":"notify","notification":"\x41\u0042\v\/\ud83d\ude00\ud800\#u{1}ü""#)
    )
    #expect(
      report.ruleList?.rules.first?.action
        == .notify("AB\u{0B}/\u{1F600}\u{FFFD}\u{1}ü")
    )
  }

  @Test func theLastOfEqualKeysCounts() throws {
    let report = RuleListReader.read(
      #"[{"action":5,"trigger":{},"action":{"type":"block"},"trigger":{"url-filter":"a"}}]"#
    )
    #expect(report.isAccepted)
    #expect(report.diagnostics.filter { $0.code == .duplicateKey }.count == 2)
  }

  @Test func keysMayBeWrittenWithEscapes() {
    #expect(RuleListReader.read(blocking(#""url\u002dfilter":"a""#)).isAccepted)
  }

  @Test func skippedRulesKeepTheirPlace() throws {
    let report = RuleListReader.read(
      #"[{"trigger":{"url-filter":"a"},"action":{"type":"css-display-none","selector":""}},"#
        + #"{"trigger":{"url-filter":"b"},"action":{"type":"block"}}]"#
    )
    #expect(report.skippedRules == [0])
    #expect(report.ruleList?.rules.map(\.index) == [1])
  }

  @Test func withoutSelectorsAllHidingRulesAreSkipped() {
    let report = RuleListReader.read(
      acting(#""type":"css-display-none","selector":"a""#),
      options: ReadingOptions(allowsSelectors: false)
    )
    #expect(report.skippedRules == [0])
    #expect(report.webKitError?.webKitError == .jsonContainsNoRules)
  }

  /// The order of WebKit's stages, and within a rule.
  @Test(arguments: [
    (#"[{"trigger":5}"#, WebKitError.jsonInvalid),
    (
      #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}},{"trigger":5}]"#,
      .jsonInvalidTrigger
    ),
    (
      #"[{"trigger":{"url-filter":"a","load-type":5,"resource-type":5},"action":5}]"#,
      .jsonInvalidTriggerFlagsArray
    ),
    (#"[{"action":5,"trigger":{"if-domain":5}}]"#, .jsonInvalidURLFilterInTrigger),
    (
      #"[{"trigger":{"url-filter":"a","if-domain":["A",5]},"action":5}]"#, .jsonInvalidConditionList
    ),
    (
      #"[{"trigger":{"url-filter":"a","if-domain":["A"],"if-top-url":["a"]},"action":5}]"#,
      .jsonDomainNotLowerCaseASCII
    ),
    (#"[{"trigger":{"url-filter":"a"},"action":5,"_identifier":"x"}]"#, .jsonInvalidAction),
    (
      #"[{"trigger":{"url-filter":"|"},"action":{"type":"modify-headers"}}]"#,
      .jsonModifyHeadersInvalidPriority
    ),
  ])
  func theFirstErrorIsWebKits(text: String, error: WebKitError) {
    #expect(RuleListReader.read(text).webKitError?.webKitError == error)
  }

  @Test func brokenRulesDoNotHideTheOthers() {
    let report = RuleListReader.read(
      #"[{"trigger":{"url-filter":"a"b"},"action":{"type":"block"}},"#
        + #"{"trigger":{"url-filter":"c"},"action":{"type":"blok"}},"#
        + #"{"trigger":{"url-filter":"d|e"} "action":{"type":"block"}}]"#
    )
    #expect(
      report.diagnostics.map(\.code) == [
        .jsonUnexpectedCharacter, .invalidActionType, .invalidPattern, .jsonMissingComma,
      ]
    )
    #expect(report.diagnostics.map(\.location.ruleIndex) == [0, 1, 2, 2])
    #expect(report.ruleCount == 3)
  }

  @Test func listsEndAtTheRuleLimit() throws {
    let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#
    let limit = RuleListReader.ruleLimit
    let text = "[" + String(repeating: rule + ",", count: limit) + rule + "]"
    let report = RuleListReader.read(text)
    #expect(report.ruleCount == limit + 1)
    let error = try #require(report.webKitError)
    #expect(error.code == .tooManyRules)
    #expect(error.message == "the list has 150,001 rules, and WebKit takes at most 150,000")
    #expect(error.hint == "tickbird split makes several lists of it that do the same")
  }

  @Test func scatteredExceptionsAreNoticed() {
    let block = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#
    let exception = #"{"trigger":{"url-filter":"a"},"action":{"type":"ignore-previous-rules"}}"#
    let pairs = Array(repeating: "\(block),\(exception)", count: 80).joined(separator: ",")
    let report = RuleListReader.read("[\(pairs)]")
    #expect(report.diagnostics.map(\.code) == [.scatteredExceptions])
    let blocks = (0..<80).map { block.replacing("\"a\"", with: "\"a\($0)\"") }
      .joined(separator: ",")
    #expect(RuleListReader.read("[\(blocks),\(exception)]").diagnostics.isEmpty)
  }

  @Test(arguments: [
    (
      #""url-filter":"a","request-method":"get""#, EngineRelease.webKitGTK2_48,
      "request-method appeared in April 2025; WebKitGTK 2.48 ignores it"
    ),
    (
      #""url-filter":"a","unless-frame-url":["a"]"#, .webKitGTK2_46,
      "unless-frame-url appeared in November 2024; WebKitGTK 2.46 ignores it"
    ),
    (
      #""url-filter":"a","resource-type":["fetch"]"#, EngineRelease(year: 2019, month: 6),
      "fetch appeared after 2019; WebKit of June 2019 refuses the list because of it"
    ),
    (
      #""url-filter":"a","resource-type":["top-document"]"#, .webKitGTK2_48,
      "top-document appeared in March 2025; WebKitGTK 2.48 refuses the list because of it"
    ),
  ])
  func whatTheTargetDoesNotKnowIsNamed(trigger: String, target: EngineRelease, message: String) {
    let text = blocking(trigger)
    let report = RuleListReader.read(text, options: ReadingOptions(target: target))
    #expect(report.isAccepted)
    #expect(report.diagnostics.map(\.code) == [.unknownToTarget])
    #expect(report.diagnostics.first?.message == message)
    let newest = RuleListReader.read(text, options: ReadingOptions(target: .webKitGTK2_52))
    #expect(newest.diagnostics.isEmpty)
    #expect(RuleListReader.read(text).diagnostics.isEmpty)
  }

  @Test func urlsAreJudgedByTheGivenParser() {
    let text = acting(#""type":"redirect","redirect":{"url":"x"}"#)
    #expect(!RuleListReader.read(text).isAccepted)
    #expect(
      RuleListReader.read(text, options: ReadingOptions(schemeOfURL: { _ in "http" })).isAccepted
    )
    let script = ReadingOptions(schemeOfURL: { _ in "javascript" })
    #expect(
      RuleListReader.read(text, options: script).webKitError?.webKitError
        == .jsonRedirectToJavaScriptURL
    )
  }

  @Test(arguments: [
    ("https://a.com/", true), ("HTTP:a", true), ("http://", false), ("about:blank", true),
    ("data:,x", true), ("https://127..1/", false), ("https://1.2.3.4.5/", false),
    ("https://0x7f.1/", true), ("https://1.2.3.256/", false), ("https://[::1]/", true),
    ("https://[1::2::3]/", false), ("https://[::1.2.3.4]/", true), ("http://a:65535/", true),
    ("http://a:65536/", false), ("http://a b/", false), ("http://a%20b/", false),
    ("//a/", false), ("a", false), ("1a:b", false), ("javascript://[", false),
    ("http://u:p@a/", true), ("http://u@/", false), (" https://a/ ", true), ("x://", true),
  ])
  func builtInURLCheckFollowsTheStandard(url: String, isValid: Bool) {
    let text = acting(#""type":"redirect","redirect":{"url":"\#(url)"}"#)
    #expect(RuleListReader.read(text).isAccepted == isValid)
  }

  @Test(
    .enabled(
      if: SharedData.item("data/lists") != nil,
      "needs the lists in a folder shared beside the package"
    )
  )
  func publishedListsAreAccepted() throws {
    let folder = try #require(SharedData.item("data/lists"))
    let files = try FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    )
    #expect(files.count >= 20)
    for file in files {
      let bytes = try SharedData.bytes(of: file)
      let report = RuleListReader.read(bytes)
      #expect(report.isAccepted, "\(file.lastPathComponent): \(report.webKitError)")
      let rules = try #require(report.ruleList?.rules)
      #expect(rules.count + report.skippedRules.count == report.ruleCount)
    }
  }
}

import ReferenceMatcher
import Testing

struct CollectionTests {
  @Test func equalActionsShareTheSlotOfTheFirst() throws {
    let list = try ruleList([
      (filter("a"), "block"), (filter("b"), "block-cookies"), (filter("c"), "block"),
    ])
    let result = list.evaluate(load("bc"))
    #expect(result.actions.map(\.action.type) == ["block", "block-cookies"])
    #expect(result.actions.map(\.rules) == [[2], [1]])
    #expect(
      list.evaluate(load("abc")).matched.map(\.outcome) == [
        .applied, .applied, .merged(into: 0),
      ]
    )
  }

  @Test func differentFlagsOrTextsOrConditionsKeepSlotsApart() throws {
    let list = try ruleList([
      (filter("a"), "block"), (filter("a", "'resource-type':['image']"), "block"),
      (filter("a", "'if-domain':['top.test']"), "block"),
      (filter("a", "'if-domain':['top.test']"), "block"), (filter("a"), notify("x")),
      (filter("a"), notify("y")), (filter("b?a"), notify("x")),
    ])
    #expect(list.words(load("a")) == ["block", "block", "block", "block", "notify:x", "notify:y"])
  }

  @Test func flagSetsAreComparedByMeaning() throws {
    let list = try ruleList([
      (filter("a", "'resource-type':['raw','csp-report']"), "block"),
      (filter("b", "'resource-type':['fetch','websocket','other']"), "block"),
      (filter("c", "'load-type':['first-party','third-party']"), "block"),
      (filter("d"), "block"),
    ])
    #expect(list.words(load("abcd", type: "fetch")) == ["block", "block", "block"])
    #expect(list.evaluate(load("abcd", type: "fetch")).actions[0].rules == [0, 1])
  }

  @Test func ignorePreviousDropsWhatStandsBefore() throws {
    let list = try ruleList([
      (filter("a"), "block"), (filter("i"), "ignore-previous-rules"), (filter("a"), "block"),
      (filter("b"), "make-https"),
    ])
    let result = list.evaluate(load("aib"))
    #expect(result.actions.map(\.action.type) == ["block", "make-https"])
    #expect(result.ignoredPreviousRules)
    #expect(result.matched.map(\.outcome) == [.cancelled(by: 1), .applied, .applied, .applied])
    #expect(!list.evaluate(load("ab")).ignoredPreviousRules)
  }

  @Test func ignoreFollowingDropsWhatStandsBehindEvenIgnorePrevious() throws {
    let list = try ruleList([
      (filter("a"), "block"), (filter("f"), "ignore-following-rules"), (filter("a"), "make-https"),
      (filter("p"), "ignore-previous-rules"),
    ])
    let result = list.evaluate(load("afp"))
    #expect(result.actions.map(\.action.type) == ["block"])
    #expect(!result.ignoredPreviousRules)
    #expect(
      result.matched.map(\.outcome) == [
        .applied, .applied, .swallowed(by: 1), .swallowed(by: 1),
      ]
    )
    #expect(list.words(load("ap")) == [])
  }

  @Test func ignorePreviousBeforeIgnoreFollowingStillCounts() throws {
    let list = try ruleList([
      (filter("a"), "block"), (filter("p"), "ignore-previous-rules"), (filter("a"), "make-https"),
      (filter("f"), "ignore-following-rules"), (filter("a"), "block-cookies"),
    ])
    #expect(list.words(load("apf")) == ["make-https"])
  }

  @Test func hidingRulesComeAtTheEndOfTheirSegmentJoinedByTrigger() throws {
    let list = try ruleList([
      (filter("a"), hide("x")), (filter("a"), "block"), (filter("b"), hide("z")),
      (filter("a"), hide("y")), (filter("a", "'if-domain':['top.test']"), hide("c")),
      (filter("a", "'url-filter-is-case-sensitive':true"), hide("s")),
      (filter("i"), "ignore-previous-rules"), (filter("a"), hide("w")), (filter("a"), "block"),
    ])
    let result = list.evaluate(load("ab"))
    #expect(
      list.words(load("ab")) == [
        "block", "css-display-none:c", "css-display-none:x,y", "css-display-none:z",
        "css-display-none:s", "block", "css-display-none:w",
      ]
    )
    #expect(result.hidingSelectors == ["c", "x,y", "z", "s", "w"])
    #expect(list.words(load("abi")) == ["block", "css-display-none:w"])
  }

  @Test func consecutiveIgnorePreviousRulesShareASlot() throws {
    let list = try ruleList([
      (filter("p"), "ignore-previous-rules"), (filter("q"), "ignore-previous-rules"),
      (filter("a"), hide("x")), (filter("q"), "ignore-previous-rules"),
    ])
    #expect(
      list.evaluate(load("pq")).matched.map(\.outcome) == [
        .cancelled(by: 3), .cancelled(by: 3), .applied,
      ]
    )
    #expect(list.words(load("pa")) == ["css-display-none:x"])
    #expect(list.words(load("qa")) == [])
  }

  @Test func redirectAndHeaderSlotsReachAcrossIgnoreRules() throws {
    let list = try ruleList([
      (filter("a"), redirect("http://r/")), (filter("i"), "ignore-previous-rules"),
      (filter("a"), redirect("http://r/")), (filter("b"), redirect("http://s/")),
    ])
    #expect(list.words(load("ai")) == [])
    #expect(
      list.evaluate(load("ai")).matched.map(\.outcome) == [
        .cancelled(by: 1), .applied, .cancelled(by: 1),
      ]
    )
    #expect(list.words(load("abi")) == ["redirect:http://s/"])
  }

  @Test func aSlotReachedInBothWaysIsListedTwice() throws {
    let list = try ruleList([
      (filter(".*"), notify("x")), (filter("a"), notify("x")), (filter("^$"), notify("x")),
    ])
    #expect(list.words(load("a")) == ["notify:x", "notify:x"])
    #expect(list.words(load("b")) == ["notify:x"])
  }

  @Test func identifierReportsFollowTheirRule() throws {
    let rule = "{'trigger':{'url-filter':'a'},'action':{'type':'block'},'_identifier':"
    let list = try ruleList(jsonText: "[\(rule)1.0},\(rule)2,'_rulesetIdentifier':'s'}]")
    let result = list.evaluate(load("a"))
    #expect(
      result.actions.map(\.action.type) == ["block", "report-identifier", "report-identifier"]
    )
    #expect(result.actions[2].action.fields == ["identifier": .number(2), "ruleset": .string("s")])
    #expect(result.matched.map(\.isIdentifierReport) == [false, true, false, true])
    #expect(throws: ReferenceRefusal(name: "JSONInvalidRuleIdentifier")) {
      try ruleList(jsonText: "[\(rule)null}]")
    }
  }

  @Test func globalSheetHoldsPlainHidingBeforeTheFirstIgnoreRule() throws {
    let list = try ruleList([
      (filter("^$"), hide("a")), (filter(".*"), hide("b")), (filter("."), hide("c")),
      (filter(".*", "'load-type':['first-party','third-party']"), hide("d")),
      (filter(".*", "'if-domain':['top.test']"), hide("e")), (filter(".*"), hide("f")),
      (filter("i"), "ignore-following-rules"), (filter(".*"), hide("g")),
    ])
    #expect(list.globalHidingSelectors == ["a", "b,f"])
    #expect(list.globalHidingRules == [0, 1, 5])
    #expect(list.evaluate(load("x")).hidingSelectors == ["e", "c", "d", "g"])
    #expect(list.evaluate(load("x")).matched.first?.outcome == .inGlobalSheet)
  }

  @Test func selectorsThatAreNotValidSkipTheirRule() throws {
    let bad = "{'trigger':{'url-filter':'('},'action':\(hide("##")),'_identifier':null}"
    let good = "{'trigger':{'url-filter':'a'},'action':{'type':'block'}}"
    #expect(try ruleList(jsonText: "[\(bad),\(good)]").evaluate(load("a")).actions[0].rules == [1])
    #expect(throws: ReferenceRefusal(name: "JSONContainsNoRules")) {
      try ruleList(jsonText: "[\(bad)]")
    }
  }

  @Test(arguments: [
    ("", "JSONInvalid"), ("[1,]", "JSONInvalid"), ("[01]", "JSONInvalid"),
    ("['\\q']", "JSONInvalid"),
    ("{}", "JSONTopLevelStructureNotAnArray"), ("[1]", "JSONInvalidRule"),
    ("[]", "JSONContainsNoRules"), ("[ '\\v\\x41\\ud800\n' , 1e400 ]", "JSONInvalidRule"),
  ])
  func malformedTextsAreRefused(_ text: String, _ name: String) {
    #expect(throws: ReferenceRefusal(name: name)) { try ruleList(jsonText: text) }
  }
}

import ReferenceMatcher
import Testing

struct TriggerTests {
  static let types = [
    "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
    "media", "popup", "ping", "fetch", "websocket", "csp-report", "other",
  ]

  @Test(arguments: [
    ("document", ["top-document", "child-document"]),
    ("raw", ["fetch", "websocket", "other", "ping"]),
    ("other", ["other", "ping", "csp-report"]),
    ("image", ["image"]),
    ("ping", ["ping"]),
  ])
  func resourceTypeWordsSelectEngineTypes(_ word: String, _ selected: [String]) throws {
    let list = try ruleList([(filter(".", "'resource-type':['\(word)']"), "block")])
    for type in Self.types {
      #expect(list.blocks(load("http://a/", type: type)) == selected.contains(type), "\(type)")
    }
  }

  @Test func emptyFlagArraysRestrictNothing() throws {
    let list = try ruleList([
      (filter(".", "'resource-type':[],'load-type':[],'load-context':[]"), "block")
    ])
    #expect(list.blocks(load("http://a/", method: nil)))
  }

  @Test func flagGroupsMustAllHold() throws {
    let list = try ruleList([
      (filter(".", "'load-type':['first-party'],'load-context':['child-frame']"), "block")
    ])
    #expect(list.blocks(load("http://a/", isFirstParty: true, context: "child-frame")))
    #expect(!list.blocks(load("http://a/", isFirstParty: true)))
    #expect(!list.blocks(load("http://a/", context: "child-frame")))
  }

  @Test func requestMethodIgnoresCaseAndNeedsAKnownMethod() throws {
    let list = try ruleList([(filter(".", "'request-method':'PoSt'"), "block")])
    #expect(list.blocks(load("http://a/", method: "POST")))
    #expect(!list.blocks(load("http://a/", method: "get")))
    #expect(!list.blocks(load("http://a/", method: nil)))
  }

  @Test func requestMethodBlindsConditions() throws {
    let hit = "'if-domain':['top.test'],'request-method':'get'"
    #expect(!(try ruleList([(filter(".", hit), "block")]).blocks(load("http://a/"))))
    let miss = "'unless-domain':['top.test'],'request-method':'get'"
    let unless = try ruleList([(filter(".", miss), "block")])
    #expect(unless.blocks(load("http://a/")))
    #expect(!unless.blocks(load("http://a/", method: "post")))
  }

  @Test(arguments: [
    // Entry, top URLs that it holds for, top URLs that it does not hold for.
    (
      "good.test",
      ["http://good.test/", "ws+x://good.test:8080/", "http://evil/?u=http://good.test/"],
      ["http://a.good.test/", "http://good.test./", "http://u@good.test/", "http://good.testx/"]
    ),
    (
      "*good.test", ["http://good.test/", "http://a.b.good.test/"],
      ["http://notgood.test/", "http://a/.good.test/"]
    ),
    ("*.good.test", [], ["http://good.test/", "http://a.good.test/"]),
    ("*", [], ["http://good.test/", "https://a.b/c"]),
    ("good.test:8080", ["http://good.test:8080/"], ["http://good.test/"]),
    ("10.0.0.9", ["http://10.0.0.9/"], ["http://10a0b0c9/"]),
    ("[::1]", [], ["http://[::1]/"]),
    ("goo+d", ["http://gooood/"], ["http://goo+d/"]),
    ("a-b_c", ["http://a-b_c/"], ["http://a.b_c/"]),
  ])
  func domainEntriesAreUnanchoredPatterns(
    _ entry: String,
    _ holding: [String],
    _ failing: [String]
  ) throws {
    let list = try ruleList([(filter(".", "'if-domain':['\(entry)']"), "block")])
    let unless = try ruleList([(filter(".", "'unless-domain':['\(entry)']"), "block")])
    for top in holding + failing {
      #expect(list.blocks(load("http://a/", top: top)) == holding.contains(top), "\(top)")
      #expect(unless.blocks(load("http://a/", top: top)) != holding.contains(top), "\(top)")
    }
  }

  @Test(arguments: ["a|b.com", "a(b", "^a", "a)"])
  func domainEntriesWithPatternSyntaxFailTheList(_ entry: String) {
    #expect(throws: ReferenceRefusal.self) {
      try ruleList([(filter(".", "'if-domain':['\(entry)']"), "block")])
    }
  }

  @Test func topAndFrameConditionsLookAtTheirOwnURL() throws {
    let top = try ruleList([(filter(".", "'if-top-url':['^http://A','^b']"), "block")])
    #expect(top.blocks(load("http://x/", top: "http://a/", frame: "http://f/")))
    #expect(top.blocks(load("http://x/", top: "b:c", frame: "http://f/")))
    #expect(!top.blocks(load("http://a/", top: "http://t/", frame: "http://a/")))
    let frame = try ruleList([(filter(".", "'unless-frame-url':['^about:blank$']"), "block")])
    #expect(!frame.blocks(load("http://x/", top: "http://t/", frame: "about:blank")))
    #expect(frame.blocks(load("http://x/", top: "about:blank", frame: "http://t/")))
  }

  @Test func caseFlagsReachOnlyTheirPatterns() throws {
    let flag = "'url-filter-is-case-sensitive':true"
    let topFlag = "'top-url-filter-is-case-sensitive':true"
    let frameFlag = "'frame-url-filter-is-case-sensitive':true"
    let upper = load("http://x/A", top: "http://t/A", frame: "http://f/A")
    func blocks(_ more: String, pattern: String = ".") throws -> Bool {
      try ruleList([(filter(pattern, more), "block")]).blocks(upper)
    }
    #expect(try !blocks(flag, pattern: "/a"))
    #expect(try blocks(topFlag + "," + frameFlag, pattern: "/a"))
    #expect(try blocks(flag + ",'if-top-url':['/a']", pattern: "/A"))
    #expect(try !blocks(topFlag + ",'if-top-url':['/a']"))
    #expect(try blocks(frameFlag + ",'if-top-url':['/a']"))
    #expect(try !blocks(frameFlag + ",'if-frame-url':['/a']"))
    #expect(try blocks(topFlag + ",'if-frame-url':['/a']"))
  }

  @Test(arguments: [
    ("{'url-filter':''}", "JSONInvalidURLFilterInTrigger"),
    (filter("a", "'resource-type':null"), "JSONInvalidTriggerFlagsArray"),
    (filter("a", "'resource-type':['Image']"), "JSONInvalidStringInTriggerFlagsArray"),
    (filter("a", "'request-method':['get']"), "JSONInvalidRequestMethod"),
    (filter("a", "'if-domain':[]"), "JSONInvalidConditionList"),
    (filter("a", "'if-domain':['A.b']"), "JSONDomainNotLowerCaseASCII"),
    (filter("a", "'if-domain':['a'],'if-top-url':7"), "JSONMultipleConditions"),
    (filter("a|b"), "JSONInvalidRegex"),
    ("[]", "JSONInvalidTrigger"),
  ])
  func malformedTriggersAreRefused(_ trigger: String, _ name: String) {
    let refusal = #expect(throws: ReferenceRefusal.self) {
      try ruleList([(trigger, "block")])
    }
    #expect(refusal?.name == name)
  }

  @Test func lastOfRepeatedKeysWins() throws {
    let list = try ruleList([("{'url-filter':'a','url-filter':'b'}", "block")])
    #expect(list.blocks(load("xb")))
    #expect(!list.blocks(load("xa")))
  }
}

import ContentBlocking
import ResourceLoads
import Testing

@Suite("Reasons why a rule does not act")
struct NonMatchTests {
  private func reason(
    _ trigger: String,
    _ load: ResourceLoad,
    action: String = #""type":"block""#,
    rule: Int = 0
  ) -> NonMatch {
    let rules = [(trigger, action), (#""url-filter":"never""#, #""type":"block""#)]
    return NonMatch(rule: rule, of: ListSource(listText(rules)), load: load)
  }

  @Test("a rule that matches has no reason")
  func none() throws {
    let load = try makeLoad("https://x.test/ads", method: .post)
    for trigger in [
      #""url-filter":"ads""#, #""url-filter":".*""#,
      #""url-filter":"ads","resource-type":["script","image"],"load-type":["third-party"]"#,
      #""url-filter":"ads","load-context":["top-frame"],"request-method":"post""#,
      #""url-filter":"ads","if-domain":["a.test","*page.test"]"#,
      #""url-filter":"ads","unless-top-url":["nowhere"]"#,
      #""url-filter":"ads","request-method":"post","unless-domain":["page.test"]"#,
    ] {
      #expect(reason(trigger, load) == .none, "\(trigger)")
    }
  }

  @Test("numbers of no rule give the count of rules")
  func noSuchRule() throws {
    let load = try makeLoad("https://x.test/")
    for number in [-1, 2, .max, .min] {
      #expect(reason(#""url-filter":"x""#, load, rule: number) == .noSuchRule(count: 2))
    }
  }

  @Test("a rule with an invalid selector was skipped")
  func skipped() throws {
    let load = try makeLoad("https://x.test/")
    let rules = [(#""url-filter":"x""#, #""type":"css-display-none","selector":"..""#)]
    let source = ListSource(listText(rules + [(#""url-filter":"x""#, #""type":"block""#)]))
    #expect(NonMatch(rule: 0, of: source, load: load) == .skipped)
    #expect(NonMatch(rule: 1, of: source, load: load) == .none)
    #expect(source.skippedRules == [0])
  }

  @Test("data: URLs are not checked")
  func unchecked() throws {
    #expect(reason(#""url-filter":".*""#, try makeLoad("data:,x")) == .unchecked)
  }

  @Test("a rule of the global sheet is in no load's result")
  func globalSheet() throws {
    let load = try makeLoad("https://x.test/")
    let hide = #""type":"css-display-none","selector":"a""#
    #expect(reason(#""url-filter":".*""#, load, action: hide) == .globalSheet)
    #expect(reason(#""url-filter":"x""#, load, action: hide) == .none)
    #expect(
      reason(#""url-filter":".*","load-type":["third-party"]"#, load, action: hide) == .none
    )
  }

  @Test("a pattern that is not found is given with the URL")
  func urlFilter() throws {
    let load = try makeLoad("https://x.test/ads")
    #expect(
      reason(#""url-filter":"^ads""#, load)
        == .urlFilter(pattern: "^ads", url: "https://x.test/ads")
    )
    #expect(
      reason(#""url-filter":"ADS","url-filter-is-case-sensitive":true"#, load)
        == .urlFilter(pattern: "ADS", url: "https://x.test/ads")
    )
  }

  @Test("flags that keep a load out are given in the order of type, party, frame, method")
  func flags() throws {
    let load = try makeLoad("https://x.test/", type: .font, context: .childFrame, method: .head)
    let types = #""resource-type":["script","image"]"#
    let party = #""load-type":["first-party"]"#
    let frame = #""load-context":["top-frame"]"#
    let method = #""request-method":"get""#
    let filter = #""url-filter":"x""#
    #expect(
      reason([filter, method, frame, party, types].joined(separator: ","), load)
        == .resourceType(load: "font", rule: ["image", "script"])
    )
    #expect(
      reason([filter, method, frame, party].joined(separator: ","), load)
        == .loadType(isFirstParty: false)
    )
    #expect(
      reason([filter, method, frame].joined(separator: ","), load)
        == .loadContext(isTopFrame: false)
    )
    #expect(
      reason([filter, method].joined(separator: ","), load)
        == .requestMethod(load: "head", rule: "get")
    )
    var unknown = load
    unknown.requestMethod = nil
    #expect(
      reason([filter, method].joined(separator: ","), unknown)
        == .requestMethod(load: nil, rule: "get")
    )
    let own = try makeLoad("https://page.test/x", context: .topFrame)
    #expect(
      reason(#""url-filter":"x","load-type":["third-party"]"#, own)
        == .loadType(isFirstParty: true)
    )
    #expect(
      reason(#""url-filter":"x","load-context":["child-frame"]"#, own)
        == .loadContext(isTopFrame: true)
    )
  }

  @Test("a condition with a method is never seen to match")
  func methodWithCondition() throws {
    let load = try makeLoad("https://x.test/")
    let trigger = #""url-filter":"x","request-method":"get","if-domain":["page.test"]"#
    #expect(reason(trigger, load) == .methodWithCondition)
  }

  @Test(
    "a condition is given with its key, its entries and the URL that it was tested with",
    arguments: ["domain", "top-url", "frame-url"]
  )
  func conditions(_ subject: String) throws {
    let load = try makeLoad(
      "https://x.test/",
      page: "https://page.test/p",
      frame: "https://frame.test/f"
    )
    let isFrame = subject == "frame-url"
    let url = isFrame ? "https://frame.test/f" : "https://page.test/p"
    let fitting = isFrame ? "frame.test" : "page.test"
    let filter = #""url-filter":"x""#
    #expect(
      reason(#"\#(filter),"if-\#(subject)":["a.test","b.test"]"#, load)
        == .conditionUnmet(key: "if-\(subject)", entries: ["a.test", "b.test"], url: url)
    )
    #expect(
      reason(#"\#(filter),"unless-\#(subject)":["a.test","\#(fitting)"]"#, load)
        == .conditionExcludes(key: "unless-\(subject)", entry: fitting, url: url)
    )
    #expect(reason(#"\#(filter),"if-\#(subject)":["\#(fitting)"]"#, load) == .none)
    #expect(reason(#"\#(filter),"unless-\#(subject)":["a.test"]"#, load) == .none)
  }
}

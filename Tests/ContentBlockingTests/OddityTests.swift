import ContentBlocking
import ContentRules
import ResourceLoads
import Testing

/// What WebKit does and nobody would guess; `Documentation/Deviations.md` gives the reasons.
@Suite("Oddities that are copied")
struct OddityTests {
  private let block = #""type":"block""#

  private func isBlocked(
    _ trigger: String,
    _ url: String = "https://x.test/",
    page: String = "https://page.test/",
    method: RequestMethod? = .get
  ) throws -> Bool {
    let list = try contentRuleList(listText([(trigger, block)]))
    var blocker = ContentBlocker(lists: [list])
    return blocker.decision(for: try makeLoad(url, page: page, method: method)).isBlocked
  }

  private func refusal(_ json: [UInt8]) -> WebKitError? {
    RuleListReader.read(json, options: ContentRuleList.readingOptions()).webKitError?.webKitError
  }

  @Test("a method blinds the condition: with if- the rule never acts, with unless- on every page")
  func methodWithCondition() throws {
    let rule = #""url-filter":"x","request-method":"get""#
    #expect(try !isBlocked(#"\#(rule),"if-domain":["page.test"]"#))
    #expect(try isBlocked(#"\#(rule),"unless-domain":["page.test"]"#))
    #expect(try !isBlocked(#"\#(rule),"unless-domain":["page.test"]"#, method: .post))
  }

  @Test(
    "domains are patterns that are searched anywhere in the top URL",
    arguments: [
      ("good.test", "http://evil.test/?u=http://good.test/", true),
      ("good.test", "blob:https://good.test/1", true),
      ("good.test", "http://good.test:81/", true), ("good.test:81", "http://good.test:81/", true),
      ("good.test:81", "http://good.test/", false), ("good.test", "http://good.test./", false),
      ("good.test", "http://u:p@good.test/", false), ("good.test", "http://a.good.test/", false),
      ("*good.test", "http://a.good.test/", true), ("*good.test", "http://notgood.test/", false),
      ("*.good.test", "http://a.good.test/", false), ("*.good.test", "http://good.test/", false),
      ("*", "http://good.test/", false), ("[::1]", "http://[::1]/", false),
      ("127.0.0.1", "http://127.0.0.1/", true), ("go+d.test", "http://good.test/", true),
    ]
  )
  func domains(_ entry: String, _ page: String, _ holds: Bool) throws {
    #expect(try isBlocked(#""url-filter":"x","if-domain":["\#(entry)"]"#, page: page) == holds)
  }

  @Test(
    "a pattern that only an empty text could match matches everything",
    arguments: ["^$", "^a*$"]
  )
  func emptyPatterns(_ pattern: String) throws {
    #expect(try isBlocked(#""url-filter":"\#(pattern)""#))
  }

  @Test("a NUL in a pattern is the end of the URL")
  func endMarker() throws {
    #expect(try isBlocked(#""url-filter":"end\\0""#, "https://x.test/end"))
    #expect(try !isBlocked(#""url-filter":"end\\0""#, "https://x.test/end/"))
    #expect(refusal(listText([(#""url-filter":"a[^\\0]b""#, block)])) == .jsonInvalidRegex)
  }

  @Test("a redirect that repeats behind an ignore rule is dropped with the one before it")
  func redirectSlots() throws {
    let redirect = (
      #""url-filter":"x""#, #""type":"redirect","redirect":{"url":"https://b.test/"}"#
    )
    let ignore = (#""url-filter":"x""#, #""type":"ignore-previous-rules""#)
    let list = try contentRuleList(listText([redirect, ignore, redirect]))
    var blocker = ContentBlocker(lists: [list])
    #expect(blocker.decision(for: try makeLoad("https://x.test/")).actions.isEmpty)
    let blocks = try contentRuleList(listText([(redirect.0, block), ignore, (redirect.0, block)]))
    var other = ContentBlocker(lists: [blocks])
    #expect(other.decision(for: try makeLoad("https://x.test/")).isBlocked)
  }

  @Test("1,001 open arrays are too many around a number, and not around nothing")
  func depth() {
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 1_001)
    let close = [UInt8](repeating: UInt8(ascii: "]"), count: 1_001)
    #expect(refusal(open + [UInt8(ascii: "1")] + close) == .jsonInvalid)
    #expect(refusal(open + close) == .jsonInvalidRule)
  }

  @Test("all entries of a condition are checked for their form before any for its letters")
  func conditionOrder() {
    func refused(_ entries: String) -> WebKitError? {
      refusal(listText([(#""url-filter":"x","if-domain":[\#(entries)]"#, block)]))
    }
    #expect(refused(#""A.test",5"#) == .jsonInvalidConditionList)
    #expect(refused(#""A.test","b""#) == .jsonDomainNotLowerCaseASCII)
  }

  @Test(
    "parts of a transform are checked in the order fragment, port, scheme, query",
    arguments: [
      (#""query":"q","scheme":"1","port":"x","fragment":"f""#, .jsonRedirectInvalidFragment),
      (#""query":"q","scheme":"1","port":"x""#, .jsonRedirectInvalidPort),
      (#""query":"q","scheme":"1""#, .jsonRedirectURLSchemeInvalid),
      (#""query":"q""#, .jsonRedirectInvalidQuery),
    ] as [(String, WebKitError)]
  )
  func transformOrder(_ parts: String, _ error: WebKitError) {
    let action = #""type":"redirect","redirect":{"transform":{\#(parts)}}"#
    #expect(refusal(listText([(#""url-filter":"x""#, action)])) == error)
  }

  @Test("a javascript: URL that is no URL is refused as such")
  func javaScriptURL() {
    func refused(_ url: String) -> WebKitError? {
      let action = #""type":"redirect","redirect":{"url":"\#(url)"}"#
      return refusal(listText([(#""url-filter":"x""#, action)]))
    }
    #expect(refused("javascript://[") == .jsonRedirectURLInvalid)
    #expect(refused("javascript:0") == .jsonRedirectToJavaScriptURL)
  }

  @Test(
    "a priority is refused below zero once it is cut off, and above 31 bits",
    arguments: [
      ("-0.5", true), ("-1", false), ("2147483647", true), ("2147483648", false), ("1.9", true),
    ]
  )
  func priority(_ number: String, _ isAccepted: Bool) {
    let action = #""type":"modify-headers","priority":\#(number)"#
    #expect((refusal(listText([(#""url-filter":"x""#, action)])) == nil) == isAccepted)
  }

  @Test("a text that is not UTF-8 is no JSON")
  func invalidUTF8() {
    #expect(refusal([UInt8(ascii: "["), 0xFF, UInt8(ascii: "]")]) == .jsonInvalid)
  }
}

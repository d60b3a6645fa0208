import ContentRules
import TestSupport
import Testing

@Suite("Selector lists")
struct SelectorListTests {
  @Test("what the engine keeps is valid", arguments: validSelectors)
  func valid(_ selector: String) {
    #expect(SelectorList.firstFault(in: selector) == nil)
  }

  @Test("what the engine skips has a fault at its place", arguments: invalidSelectors)
  func invalid(_ marked: String) throws {
    let before = try #require(marked.split(separator: "‸", omittingEmptySubsequences: false).first)
    let selector = marked.split(separator: "‸", omittingEmptySubsequences: false).joined()
    let fault = try #require(SelectorList.firstFault(in: selector))
    #expect(fault.position == before.utf8.count, "\(fault.message)")
    #expect(!fault.message.isEmpty && !fault.message.hasSuffix("."))
  }

  @Test(
    "the message names what is wrong",
    arguments: [
      ("a:has-text(b)", "the engine knows no pseudo-class 'has-text'"),
      ("a::nope", "the engine knows no pseudo-element 'nope'"),
      ("a:hover()", "'hover' takes no argument"),
      (":nth-child()", "'nth-child' needs another argument"),
      (":not", "an argument in parentheses must follow"),
      ("svg|a", "the namespace prefix is not declared; only *| and | alone are known"),
      ("a{b}", "a selector holds no braces"),
      ("a,", "a selector is missing"),
      (":not(a,)", "a selector is missing"),
      ("[a='\n']", "an attribute's value must be an identifier or a string"),
      (":has(:has(a))", ":has() cannot stand inside :has()"),
      ("#1", "the name behind # must be an identifier, which begins with no digit"),
    ]
  )
  func messages(_ selector: String, _ message: String) {
    #expect(SelectorList.firstFault(in: selector)?.message == message)
  }

  @Test("names compare in any letter case and with escapes resolved")
  func spellings() {
    for name in ["HOVER", #"h\6fver"#, #"h\00006F ver"#, #"\hover"#, #"hove\72"#, #"hove\72 "#] {
      #expect(SelectorList.firstFault(in: "a:" + name) == nil, "\(name)")
    }
    for name in [#"h\6f ve"#, #"hover\"#, #"hov\"#, #"h\0 over"#, "h\u{F6}ver"] {
      #expect(SelectorList.firstFault(in: "a:" + name) != nil, "\(name)")
    }
  }

  @Test("nesting is valid up to the limit, and a forgiving list does not hide what is beyond")
  func depth() throws {
    for name in ["is", "not"] {
      let deepest = String(repeating: ":\(name)(", count: SelectorList.maximumDepth)
      #expect(SelectorList.firstFault(in: deepest + "a") == nil)
      let fault = try #require(SelectorList.firstFault(in: deepest + ":\(name)(a"))
      #expect(fault.position == deepest.utf8.count)
      #expect(fault.message == "selectors are nested more than 100 deep")
    }
    #expect(SelectorList.firstFault(in: String(repeating: ":is(", count: 100_000)) != nil)
  }

  @Test("a long list is read in one pass")
  func longText() {
    let unit = #".ad:not([data-x="y" i]):is(a, ##) > b:nth-child(2n + 1), "#
    let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count) + "a"
    #expect(SelectorList.firstFault(in: text) == nil)
    for opening in ["(", "[", "{", ":is((", "a:host(", "url(", "\"\\", "/*", "\\", "#", ":", "&"] {
      let count = 200_000 / opening.utf8.count
      _ = SelectorList.firstFault(in: String(repeating: opening, count: count))
      _ = SelectorList.firstFault(in: "a:is(" + String(repeating: opening, count: count))
    }
  }

  @Test("any bytes are judged, and a fault lies within the text")
  func arbitraryBytes() {
    var random = RandomSource(seed: 0x5E1E_C702)
    let sources = (validSelectors + invalidSelectors).map { Array($0.utf8) }
    for _ in 0..<6_000 {
      let bytes = random.mutation(of: sources)
      if let fault = SelectorList.firstFault(in: bytes.span) {
        #expect((0...bytes.count).contains(fault.position))
      }
    }
  }
}

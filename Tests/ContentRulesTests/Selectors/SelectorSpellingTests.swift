import ContentRules
import Testing

@Suite("Spellings of selectors")
struct SelectorSpellingTests {
  private func spelling(_ text: String) -> String {
    String(decoding: SelectorList.canonicalText(of: text.utf8Span.span), as: UTF8.self)
  }

  @Test(
    "white space, comments and quotes make no difference",
    arguments: [
      ("a>b", ["a > b", " a> b ", "a >b", "a/* x */>b"]), ("a b", ["a  b", "a\tb", "a /* x */ b"]),
      ("a,b", ["a, b", "a ,b"]), ("a+b~c", ["a + b ~ c"]),
      (#"[a="b"]"#, ["[a=b]", "[a='b']", "[ a = b ]", #"[a="\62"]"#]),
      (#"[a^="b c"i]"#, ["[a^='b c' i]"]), (":not(.a)", [":not( .a )"]),
      (":nth-child(2n+1 of a)", [":nth-child( 2n + 1 of a )"]), (":has(>a)", [":has( > a )"]),
      (#"[a="\""]"#, [#"[a='"']"#]),
    ]
  )
  func same(text: String, others: [String]) {
    for other in [text] + others { #expect(spelling(other) == text) }
  }

  @Test(
    "what says something else is spelled otherwise",
    arguments: [
      ("a b", "a>b"), ("a.b", "a .b"), ("a[b]", "a [b]"), ("a:b", "a :b"), ("A", "a"),
      (":not(a) b", ":not(a)b"), ("[a=b]", "[a~=b]"), ("[a='b c']", "[a='b  c']"), ("*a", "* a"),
    ]
  )
  func different(text: String, other: String) { #expect(spelling(text) != spelling(other)) }
}

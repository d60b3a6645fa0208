import Testing
import WebURL

@Suite("Percent-encoded texts")
struct PercentEncodingTests {
  @Test(
    "letters, digits and what is named stay, every other byte is encoded",
    arguments: [
      ("", ""), ("aZ09", "aZ09"), ("a-b_c.d", "a-b_c.d"), ("a b/c", "a%20b%2Fc"), ("ä", "%C3%A4"),
      ("%41", "%2541"), ("\0\u{7F}😀", "%00%7F%F0%9F%98%80"), ("../x", "..%2Fx"),
    ]
  )
  func encoding(text: String, encoded: String) {
    #expect(PercentEncoding.encode(text, keeping: "-_.") == encoded)
    #expect(PercentEncoding.decodeStrictly(encoded) == text)
  }

  @Test(
    "what is not encoded well has no text",
    arguments: ["%", "a%2", "%zz", "%+1", "%ff", "%C3", "%C3%28", "%ED%A0%80"]
  )
  func refused(text: String) {
    #expect(PercentEncoding.decodeStrictly(text) == nil)
  }

  @Test("digits of both cases, and what was never encoded")
  func lenient() {
    #expect(PercentEncoding.decodeStrictly("%c3%A4 ä?") == "ä ä?")
  }
}

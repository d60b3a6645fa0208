import TestSupport
import Testing

@testable import ContentRules

/// What the quick look at selector lists takes for usual is valid, and closed at its end.
@Suite("The quick look at selectors")
struct SelectorGlanceTests {
  private func isUsual(_ selector: String) -> Bool {
    SelectorGlance.isUsual(selector.utf8Span.span)
  }

  private func check(_ selector: String) {
    guard isUsual(selector) else { return }
    #expect(SelectorList.firstFault(in: selector) == nil, "\(selector)")
    #expect(SelectorList.isClosed(selector), "\(selector)")
  }

  @Test("nothing that has a fault is usual, nor what is open at its end")
  func faults() {
    for selector in validSelectors { check(selector) }
    for selector in invalidSelectors { check(selector.replacing("‸", with: "")) }
  }

  @Test("selectors at random")
  func random() {
    var random = RandomSource(seed: Effort.seed)
    let pieces = [
      "a", "div", "Z", "_", "-", "--", "1", ".", "#", ".ad", "#ad-1",
      "[a]", "[a=\"b c\"]", "[href^=\"//x.test/\"]", ",", ", ", " ", ">", " > ", "+", " ~ ",
      "[", "]", "=", "^=", "*=", "~=", "|=", "|", "\"", "\"b\"", "'b'", "*", ":", "::", ":is(", ")",
      "\\", "/*", "*/", "\n", "\t", "é", "\u{0}", "\u{7F}", "{", "}", "@", "&", "!", "$",
    ]
    var usual = 0
    for _ in 0..<40_000 * Effort.factor {
      // Half are made of the usual ones' pieces, so that many are usual.
      let some = random.chance(50) ? Array(pieces.prefix(21)) : pieces
      let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in random.pick(some) }.joined()
      check(text)
      if isUsual(text) { usual += 1 }
    }
    #expect(usual > 2_000)
  }

  @Test(
    "selectors as lists have them are usual",
    arguments: [
      ".ad", "#ad_1", "div.ad, #b-c", "ad-slot", "body > #over[style=\"position:fixed;\"] ~ .x",
      "a[href^=\"http://x.test/?a=b\"], iframe[width=\"200\"][height=\"300\"]", "[data-ad]",
      " .a , .b ",
    ]
  )
  func usual(_ selector: String) {
    #expect(isUsual(selector))
  }
}

import Testing

@testable import ContentBlocking

/// A filter, a text, and what JavaScript's `match` gives: the match and its groups, `nil` for a
/// group that took no part; no captures at all for "no match".
struct PatternCase: Sendable, CustomTestStringConvertible {
  var filter: String
  var text: String
  var captures: [String?]?

  init(_ filter: String, _ text: String, _ captures: [String?]?) {
    self.filter = filter
    self.text = text
    self.captures = captures
  }

  var testDescription: String { "/\(filter)/ on \(text)" }
}

func captures(_ filter: String, _ text: String, steps: Int? = nil) -> [String?]? {
  guard let pattern = JavaScriptPattern(filter) else { return nil }
  let bytes = Array(text.utf8)
  let ranges = JavaScriptMatcher.firstMatch(
    of: pattern,
    in: bytes.span,
    maximumSteps: steps ?? JavaScriptMatcher.maximumSteps
  )
  return ranges?.map { range in range.map { String(decoding: bytes[$0], as: UTF8.self) } }
}

@Suite("Url filters as JavaScript's regular expressions")
struct JavaScriptPatternTests {
  static let plain: [PatternCase] = [
    .init("b", "abc", ["b"]),
    .init("B", "abc", nil),
    .init("^b", "abc", nil),
    .init("^a", "abc", ["a"]),
    .init("^^a", "abc", ["a"]),
    .init("c$", "abc", ["c"]),
    .init("b$", "abc", nil),
    .init("^$", "", [""]),
    .init("^$", "a", nil),
    .init("$", "ab", [""]),
    .init("a.c", "a/c", ["a/c"]),
    .init("a.c", "a\nc", nil),
    .init("a[^]c", "a\nc", ["a\nc"]),
    .init("a[]c", "ac", nil),
    .init("a\\.c", "abc a.c", ["a.c"]),
    .init("\\/\\?", "/?", ["/?"]),
    .init("a{", "a{", ["a{"]),
    .init("a{,1}", "a{,1}", ["a{,1}"]),
    .init("a{ 1}", "a{ 1}", ["a{ 1}"]),
    .init("{0", "{0", ["{0"]),
    .init("a]}", "a]}", ["a]}"]),
    .init("\\x41\\u0042", "AB", ["AB"]),
    .init("\\x4\\u004", "x4u004", ["x4u004"]),
    .init("\\cA", "\u{1}", ["\u{1}"]),
    .init("\\c1", "\\c1", ["\\c1"]),
    .init("[\\c1]", "\u{11}", ["\u{11}"]),
    .init("[\\c!]", "\\", ["\\"]),
    .init("[\\c!]", "c", ["c"]),
    .init("\\t\\n\\v\\f\\r", "\t\n\u{B}\u{C}\r", ["\t\n\u{B}\u{C}\r"]),
    .init("\\e\\p\\k\\-", "epk-", ["epk-"]),
    .init("a\\0", "a", nil),
    .init("[a\\0]", "a", ["a"]),
    .init("[a\\0]$", "b", nil),
  ]

  static let sets: [PatternCase] = [
    .init("[a-c]+", "xabcd", ["abc"]),
    .init("[^a-c]+", "abxyc", ["xy"]),
    .init("[a-]+", "b-a", ["-a"]),
    .init("[-a]+", "b-a", ["-a"]),
    .init("[--/]+", "x-./", ["-./"]),
    .init("[\\]a]+", "a]", ["a]"]),
    .init("[a^]+", "^a", ["^a"]),
    .init("[\\b]", "\u{8}", ["\u{8}"]),
    .init("[\\B]", "B", ["B"]),
    .init("[\\x41-\\x43]+", "ABCD", ["ABC"]),
    .init("[\\101]", "A", ["A"]),
    .init("[\\8]", "8", ["8"]),
    .init("[(]([)])", "()", ["()", ")"]),
    .init("[a.]", "b", nil),
    .init("[*+?{}|]+", "|{*}", ["|{*}"]),
  ]

  static let quantifiers: [PatternCase] = [
    .init("a*", "aaab", ["aaa"]),
    .init("a*?", "aaab", [""]),
    .init("a*?b", "aaab", ["aaab"]),
    .init("a+", "baa", ["aa"]),
    .init("a+?", "baa", ["a"]),
    .init("a?", "aa", ["a"]),
    .init("a??", "aa", [""]),
    .init("a??b", "ab", ["ab"]),
    .init("a{0,}b", "aab", ["aab"]),
    .init("a{1,}", "baa", ["aa"]),
    .init("a{0,1}?b", "aab", ["ab"]),
    .init("^https?://", "http://x", ["http://"]),
    .init("(.*)/(.*)", "a/b/c", ["a/b/c", "a/b", "c"]),
    .init("(.*?)/(.*)", "a/b/c", ["a/b/c", "a", "b/c"]),
    .init("[?&]id=([^&]*)", "x?a=1&id=42&b", ["&id=42", "42"]),
  ]

  static let groups: [PatternCase] = [
    .init("(a)(?:b)(?<n>c)", "abc", ["abc", "a", "c"]),
    .init("(a(b)?)+", "aba", ["aba", "a", nil]),
    .init("(?:(a)?(b)?)*", "aba", ["aba", "a", nil]),
    .init("(z)?a", "a", ["a", nil]),
    .init("(z*)a", "a", ["a", ""]),
    .init("(a*)*", "b", ["", nil]),
    .init("(a*)*", "aab", ["aa", "aa"]),
    .init("(a*)+", "b", ["", ""]),
    .init("(a?)?", "b", ["", nil]),
    .init("(a*)*?b", "aab", ["aab", "aa"]),
    .init("(a?)+?b", "aab", ["aab", "a"]),
    .init("(a+)+", "aaa", ["aaa", "aaa"]),
    .init("(a+?)+", "aaa", ["aaa", "a"]),
    .init("(a+?)+?", "aaa", ["a", "a"]),
    .init("()", "a", ["", ""]),
    .init("()*", "a", ["", nil]),
    .init("()+", "a", ["", ""]),
    .init("((a)b)?c", "abc", ["abc", "ab", "a"]),
    .init("(?:a(b)c)+", "abcabc", ["abcabc", "b"]),
    .init("(?:(a)b?)+", "abab", ["abab", "a"]),
    .init("((((x))))", "x", ["x", "x", "x", "x", "x"]),
    .init("(a?b??)*", "ab", ["ab", "b"]),
    .init("(?<\\u0061b>x)", "x", ["x", "x"]),
  ]

  static let references: [PatternCase] = [
    .init("(.)\\1", "abccd", ["cc", "c"]),
    .init("(a)\\1", "aba", nil),
    .init("(a*)b\\1", "aabaa", ["aabaa", "aa"]),
    .init("\\1(a)", "aa", ["a", "a"]),
    .init("(a\\1)", "aa", ["a", "a"]),
    .init("(z)?\\1a", "a", ["a", nil]),
    .init("(a)\\1*b", "aaaab", ["aaaab", "a"]),
    .init("(a?)\\1+b", "b", ["b", ""]),
    .init("\\1", "\u{1}", ["\u{1}"]),
    .init("(a)\\2", "a\u{2}", ["a\u{2}", "a"]),
    .init("(a)\\101", "aA", ["aA", "a"]),
    .init("(a)\\8", "a8", ["a8", "a"]),
    .init("(a)\\18", "a\u{1}8", ["a\u{1}8", "a"]),
    .init("\\08", "\u{0}8", nil),
    .init(
      "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10",
      "abcdefghijj",
      ["abcdefghijj", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    ),
  ]

  @Test(
    "match and captures are those of JavaScript",
    arguments: [
      plain, sets, quantifiers, groups, references,
    ].joined()
  )
  func captured(_ example: PatternCase) {
    #expect(captures(example.filter, example.text) == example.captures)
  }

  @Test(
    "what the rule language refuses is not read",
    arguments: [
      "", "a|b", "(?=a)", "(?!a)", "(?<=a)", "\\d", "[\\w]", "a\\b", "\\Bb", "a{2}", "a{1,1}", "(a",
      "a)", "[a", "a**", "*a", "a^", "$a", "ä", "\\xff", "[a-\\xff]", "[z-a]", "a\\", "(?i:a)",
      "(?<n>a)\\k<n>", "(?<n>a)(?<n>b)", "\\u{41}", "a\\u0100", "\\377",
    ]
  )
  func refused(_ filter: String) {
    #expect(JavaScriptPattern(filter) == nil)
  }

  @Test("a search that runs out of steps finds nothing")
  func stepLimit() {
    #expect(captures("a*b", "aab", steps: 1_000) == ["aab"])
    #expect(captures("a*b", "aab", steps: 5) == nil)
    #expect(captures("b", "aab", steps: 0) == nil)
  }
}

import ReferenceMatcher
import Testing

struct PatternTests {
  @Test(arguments: [
    // Pattern, texts it is found in, texts it is not found in.
    ("foo", ["xfoox", "FOO"], ["fo", "f-oo"]),
    ("^foo", ["foobar"], ["xfoo"]),
    ("^^foo", ["foo"], ["xfoo"]),
    ("foo$", ["xfoo"], ["foox"]),
    ("foo\\0", ["xfoo"], ["foox"]),
    ("foo[\\0/]", ["a/foo", "a/foo/b"], ["a/foobar"]),
    ("foo[^/]", ["foox"], ["foo", "foo/"]),
    ("foo.", ["foox", "foo\n"], ["foo"]),
    ("foo[]", [], ["foo", "foox"]),
    ("foo[]?x", ["foox"], ["foo"]),
    ("foo[^]", ["foox"], ["foo"]),
    ("a(b(c)?)+d", ["abd", "abcbd"], ["ad", "acd"]),
    ("a(?<n>b){0,1}c", ["ac", "abc"], ["abbc"]),
    ("a{0,}?b{1,}c", ["bc", "aabbc"], ["ac"]),
    ("a{", ["a{"], ["a"]),
    ("a{,1}]}", ["a{,1}]}"], ["a"]),
    ("[A-C]x", ["bx", "BX"], ["dx"]),
    ("[^A-C]x", ["dx"], ["bx", "BX", "x"]),
    ("[a\\-c]x", ["-x", "cx"], ["bx"]),
    ("[\\b]x", ["\u{8}x"], ["bx"]),
    ("\\x41\\u0062\\103", ["abc"], ["x41"]),
    ("\\xg\\u12\\q\\8", ["xgu12q8"], []),
    ("\\c!\\cA", ["\\c!\u{1}"], []),
    ("[\\c1]x", ["\u{11}x"], ["1x", "cx"]),
    ("\\400", [" 0"], ["400"]),
    ("a\\.b", ["a.b"], ["axb"]),
    ("é", [], []),
  ])
  func patternsAreFoundWhereTheyShould(
    _ pattern: String,
    _ found: [String],
    _ missed: [String]
  ) throws {
    guard let parsed = try? ReferencePattern(pattern) else {
      #expect(found.isEmpty && missed.isEmpty)
      return
    }
    for text in found { #expect(parsed.matches(text), "\(pattern) in \(text)") }
    for text in missed { #expect(!parsed.matches(text), "\(pattern) in \(text)") }
  }

  @Test func caseFlagReachesSetsRangesAndEscapes() throws {
    for pattern in ["a", "[a]", "[a-c]", "\\x61", "(a)", "[^A-Z]"] {
      #expect(try !ReferencePattern(pattern, isCaseSensitive: true).matches("A"), "\(pattern)")
    }
    #expect(try ReferencePattern("[^A-Z]", isCaseSensitive: true).matches("a"))
    #expect(try !ReferencePattern("[^A-Z]").matches("a"))
  }

  @Test(arguments: [
    ".*", "a*", "(foobar)?", "()", "^", "$", ".*$", "^$", "^a*$", "(.+)*", "(a*b?)+", "((a)?)",
  ])
  func piecesThatMayBeEmptyMatchEverything(_ pattern: String) throws {
    let parsed = try ReferencePattern(pattern)
    #expect(parsed.matchesEverything)
    #expect(parsed.matches("xyz"))
  }

  @Test(arguments: [".", ".+", "[^]", "a", "(a*b)+", "[]", "[\\0/]"])
  func piecesThatMustConsumeAreOrdinary(_ pattern: String) throws {
    #expect(try !ReferencePattern(pattern).matchesEverything)
  }

  @Test(arguments: [
    ("a|b", "Disjunction"), ("(?=a)", "Group"), ("(?i:a)", "Group"), ("a\\b", "WordBoundary"),
    ("\\d", "UnsupportedCharacterClass"), ("[\\d]", "AtomCharacter"), ("a{2}", "InvalidQuantifier"),
    ("a^", "MisplacedStartOfLine"), ("(^a)", "MisplacedStartOfLine"), ("$a", "MisplacedEndOfLine"),
    ("$$", "MisplacedEndOfLine"), ("(a$)", "MisplacedEndOfLine"), ("\\0a", "MisplacedEndOfLine"),
    ("[\\0]a", "MisplacedEndOfLine"), ("é", "NonASCII"), ("\\xff", "NonASCII"),
    ("[a-\\xff]", "NonASCII"), ("", "EmptyPattern"), ("(", "YarrError"), (")", "YarrError"),
    ("[a", "YarrError"), ("a**", "YarrError"), ("*a", "YarrError"), ("^*", "YarrError"),
    ("[z-a]", "YarrError"), ("a{2,1}", "YarrError"), ("a\\", "YarrError"), ("(?a)", "YarrError"),
    ("{1}", "YarrError"), ("(?<a>x)(?<a>y)", "YarrError"), ("(?<a>x)\\k<a>", "BackReference"),
    ("\\k<a>(?<a>x)", "YarrError"), ("a|(", "YarrError"), ("a|\\d", "Disjunction"),
  ])
  func refusedPatternsNameTheirStatus(_ pattern: String, _ status: String) {
    #expect(throws: ReferenceRefusal(name: "JSONInvalidRegex", patternStatus: status)) {
      try ReferencePattern(pattern)
    }
  }

  @Test func charactersAbove127EndTheSearch() throws {
    let pattern = try ReferencePattern("b$")
    #expect(pattern.matches("ab"))
    #expect(!pattern.matches("éab"))
    #expect(try ReferencePattern("a").matches("aé"))
    #expect(try !ReferencePattern("x$").matches("xé"))
  }

  @Test func deepNestingIsRefusedAndLongPatternsAreRead() throws {
    let deep = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    #expect(throws: ReferenceRefusal.self) { try ReferencePattern(deep) }
    let long = String(repeating: "a", count: 20_000)
    #expect(try ReferencePattern("^" + long).matches(long))
  }

  @Test func literalCheckChangesNothing() throws {
    let patterns = ["abc", "ab[cd]e", "A(bc)?d", "://a\\.b", "(a)bcd", "abc$", "ab?cde", "[\\0/]"]
    let rules = patterns.map { (filter($0.replacing("\\", with: "\\\\")), "block") }
    var list = try ruleList(rules)
    for text in ["abc", "ABCDE", "http://a.b/", "acdex", "abce", "xabcd", ""] {
      list.options.usesLiteralCheck = true
      let quick = list.evaluate(load(text))
      list.options.usesLiteralCheck = false
      #expect(list.evaluate(load(text)) == quick)
    }
  }
}

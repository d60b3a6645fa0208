import ContentRules
import Testing

/// A pattern with its expected outcome; `«»` marks the expected range of a fault.
struct PatternCase: CustomTestStringConvertible, Sendable {
  var pattern: String
  var status: URLFilterStatus
  var range: Range<Int>?
  var testDescription: String { "\(pattern.debugDescription) → \(status.rawValue)" }

  init(_ marked: String, _ status: URLFilterStatus) {
    var bytes: [UInt8] = []
    var start: Int?
    var end: Int?
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "«": start = bytes.count
      case "»": end = bytes.count
      default: bytes.append(contentsOf: String(scalar).utf8)
      }
    }
    pattern = String(decoding: bytes, as: UTF8.self)
    self.status = status
    if let start, let end { range = start..<end }
  }
}

/// What the parser makes of a pattern, in one value.
func outcome(of pattern: String) -> (status: URLFilterStatus, range: Range<Int>?) {
  switch URLFilterParser.parse(pattern, isCaseSensitive: false) {
  case .success(let parsed): (parsed.status, nil)
  case .failure(let fault): (fault.status, fault.range)
  }
}

@Suite("URL filter parser")
struct URLFilterParserTests {
  @Test("every case has its status and the fault its place", arguments: patternCases)
  func statusAndRange(_ example: PatternCase) {
    let found = outcome(of: example.pattern)
    #expect(found.status == example.status)
    #expect(found.range == example.range)
  }

  @Test("checking gives the same fault as parsing", arguments: patternCases)
  func checkingAgreesWithParsing(_ example: PatternCase) {
    var scratch: [Term] = []
    let bytes = Array(example.pattern.utf8)
    let fault = URLFilterParser.firstFault(in: bytes.span, scratch: &scratch)
    for isCaseSensitive in [false, true] {
      let parsed = URLFilterParser.parse(bytes.span, isCaseSensitive: isCaseSensitive)
      if case .failure(let other) = parsed {
        #expect(fault == other)
      } else {
        #expect(fault == nil)
      }
    }
  }

  @Test("terms are in reading order, groups flattened")
  func termsAreFlat() throws {
    let parsed = try URLFilterParser.parse("^a*(b(c)?)+[x-z]$", isCaseSensitive: true).get()
    func one(_ character: Character) throws -> CharacterSet {
      var set = CharacterSet()
      set.insert(try #require(character.asciiValue))
      return set
    }
    var xyz = CharacterSet()
    for character in "xyz".utf8 { xyz.insert(character) }
    #expect(
      parsed.terms == [
        Term(.characters(try one("a")), .zeroOrMore),
        Term(.group(count: 3), .oneOrMore),
        Term(.characters(try one("b"))),
        Term(.group(count: 1), .zeroOrOne),
        Term(.characters(try one("c"))),
        Term(.characters(xyz)),
        Term(.characters(.endOfURL)),
      ]
    )
    #expect(!parsed.matchesEverything)
  }

  @Test("letters are in their sets in both cases unless case-sensitive")
  func caseFolding() throws {
    for pattern in ["^k", "^K", "^[k]", "^[j-l]", #"^\x4b"#, #"^\113"#] {
      let folded = try URLFilterParser.parse(pattern, isCaseSensitive: false).get().terms
      guard case .characters(let set) = try #require(folded.first).kind else {
        Issue.record("not a set")
        continue
      }
      #expect(set.contains(UInt8(ascii: "k")) && set.contains(UInt8(ascii: "K")))
      let exact = try URLFilterParser.parse(pattern, isCaseSensitive: true).get().terms
      guard case .characters(let exactSet) = try #require(exact.first).kind else { continue }
      #expect(exactSet.contains(UInt8(ascii: "k")) != exactSet.contains(UInt8(ascii: "K")))
    }
    let inverted = try URLFilterParser.parse("^[^a]", isCaseSensitive: false).get().terms
    guard case .characters(let set) = try #require(inverted.first).kind else { return }
    #expect(!set.contains(UInt8(ascii: "a")) && !set.contains(UInt8(ascii: "A")))
    #expect(!set.contains(0) && set.contains(1) && set.contains(127))
  }

  @Test(
    "different spellings of one pattern become the same terms",
    arguments: [
      ("a", ".*a"), ("a", "(.*)a"), ("a", "(.+)*a"), ("a", "(.?)+a"), ("a", "((.)+)?a"),
      ("a", ".*.*a"), ("a", ".*(.*)*a"), ("a", "ab?"), ("a", "ab?.*"), ("a", "a.*$"),
      ("a", "a(b?c*)"), ("a", "a(b)?"), ("a", "a(b+)*"), ("^a", "^^a"), ("^a", "^^^a"),
      ("a+", "a+?"), ("a*b", "a{0,}b"), ("a+b", "a{1,}b"), ("a?b", "a{0,1}b"),
      ("a?b", "a{0,1}?b"), (".", "[^]"), (".", #"[\x01-\x7f]"#), ("(a)b", "(?:a)b"),
      ("(a)b", "(?<n>a)b"), ("a$", #"a\0"#), ("a$", #"a[\0]"#), ("a$", #"a\x00"#),
      ("a$", "a\0"), (#"\n"#, #"\x0a"#), (#"\n"#, #"\cj"#), (#"\n"#, #"\12"#),
      (#"\n"#, #"\u000a"#), ("x", #"\x"#), ("u", #"\u"#), ("p{L}", #"\p{L}"#), ("8", #"\8"#),
      ("/", #"\/"#), (#"\1a"#, #"\01a"#), ("a*b", "a{0,4294967295}b"),
      ("a.*b", "a.*(.*).*b"), ("^.*a", "^.*(.)*a"), ("[ab]", "[a-b]"), ("[-a]", "[a-]"),
      (#"[\-z]"#, "[-z]"), ("a{", "a\\{"), ("]", #"\]"#),
    ]
  )
  func spellings(_ first: String, _ second: String) throws {
    let parsed = try URLFilterParser.parse(first, isCaseSensitive: false).get()
    #expect(try URLFilterParser.parse(second, isCaseSensitive: false).get() == parsed)
  }

  @Test("the parser's buffer can be used again after any pattern")
  func bufferReuse() throws {
    var terms: [Term] = []
    for pattern in ["ab", "a|", "(((", "a*", "^x$", "(a(b(c)))d"] {
      let bytes = Array(pattern.utf8)
      let again = URLFilterParser.parse(bytes.span, isCaseSensitive: false, into: &terms)
      switch URLFilterParser.parse(pattern, isCaseSensitive: false) {
      case .success(let parsed):
        #expect(try again.get() == parsed.matchesEverything)
        #expect(terms == parsed.terms)
      case .failure(let fault):
        #expect(again == .failure(fault))
      }
    }
  }

  @Test("every fault has a message that names the thing and stays on one line")
  func messages() {
    for example in patternCases {
      guard
        case .failure(let fault) = URLFilterParser.parse(example.pattern, isCaseSensitive: false)
      else { continue }
      #expect(!fault.message.isEmpty && !fault.message.contains("\n"))
      #expect(!fault.message.hasSuffix("."))
    }
  }

  @Test(
    "refusals say what to write instead",
    arguments: [
      ("a|b", "[ab]"), (#"\d"#, "[0-9]"), (#"\w"#, "[A-Za-z0-9_]"), ("a{2,3}", "xxx?"),
      ("a{2,}", "xx+"), ("a{1,2}", "xx?"), ("a^", "[/:?&=]"), ("*a", ".*"), ("||a", "^[^:]+://"),
      ("(a", ")"), ("a(?!b)", "ignore-previous-rules"), (#"[\d]"#, "0-9"), ("é", "punycode"),
    ]
  )
  func hints(_ pattern: String, _ part: String) {
    guard case .failure(let fault) = URLFilterParser.parse(pattern, isCaseSensitive: false) else {
      Issue.record("accepted")
      return
    }
    #expect(fault.hint?.contains(part) == true, "\(fault.hint ?? "no hint")")
  }
}

@Suite("Domain entries as patterns")
struct DomainPatternTests {
  @Test(
    "an entry is rewritten exactly as the engine does it",
    arguments: [
      ("a.test", #"[a-z][a-z+.-]*:\/\/a\.test[:/]"#),
      ("*a.test", #"[a-z][a-z+.-]*:\/\/([^/]*\.)*a\.test[:/]"#),
      ("*", #"[a-z][a-z+.-]*:\/\/([^/]*\.)*[:/]"#),
      ("*.a", #"[a-z][a-z+.-]*:\/\/([^/]*\.)*\.a[:/]"#),
      ("a*", #"[a-z][a-z+.-]*:\/\/a\*[:/]"#),
      ("[::1]", #"[a-z][a-z+.-]*:\/\/\\[::1][:/]"#),
      (#"\{}.?*$"#, #"[a-z][a-z+.-]*:\/\/\\\{\}\.\?\*\$[:/]"#),
      ("a|b(^-]+)", #"[a-z][a-z+.-]*:\/\/a|b(^-]+)[:/]"#),
    ]
  )
  func rewriting(_ domain: String, _ pattern: String) {
    #expect(String(decoding: DomainPattern.pattern(forDomain: domain), as: UTF8.self) == pattern)
  }

  @Test(
    "an entry may make a pattern that is refused",
    arguments: [
      ("a|b.com", URLFilterStatus.disjunction), ("a(b", .yarrError), ("^a", .misplacedStartOfLine),
      ("a b", .ok), ("http://a.com", .ok), ("a]", .ok), ("[::1]", .ok), ("+", .ok), ("*", .ok),
    ]
  )
  func statuses(_ domain: String, _ status: URLFilterStatus) {
    let pattern = String(decoding: DomainPattern.pattern(forDomain: domain), as: UTF8.self)
    #expect(outcome(of: pattern).status == status)
  }
}

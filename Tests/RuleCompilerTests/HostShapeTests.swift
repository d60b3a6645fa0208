import ContentRules
import EngineTestSupport
import RuleMatching
import TestSupport
import Testing

@testable import RuleCompiler

/// Patterns whose shape is read from their text are compiled as the parser would have them.
///
/// A letter that is written as `\x61` makes the compiler parse the whole pattern, which means the
/// same; so both must give the same bytes.
@Suite("Host shapes")
struct HostShapeTests {
  private static let anchors = HostAnchor.allCases.flatMap { anchor in
    let plain = "\(anchor.pattern)"
    return [plain, String(plain.replacing("://", with: #":\/\/"#))]
  }

  private static let endings = [
    "", "$", ".", "[/:]", "[:/]", "[/:&?]", "[/:&?]?", "([/:&?].*)?$", "([^-_.%a-z0-9].*)?$",
    "([^/]*)", ".*", ".*$", ".*banner", "[/:].*/ad", "(ad)?s", "[0-9]+/", "+", "*", "?", "{2}",
    "{", "+?", "(", ")", "[", "]", "|b", "^", #"\d"#, #"\1"#, #"\k"#, #"\"#, #"\."#, #"\w+"#,
    "(?:)",
    "()", "(a)", "[a]", "[aA]", "[.]", "[/]", ".+", "..", "é", "\u{0}", "[^]", "[]", "(?=a)",
    #"\0"#,
  ]

  /// A pattern, and the same with an escape that only the parser reads.
  private struct Pair {
    var short: String
    var long: String

    init?(_ anchor: String, _ text: String, _ ending: String) {
      guard let first = text.utf8.first else { return nil }
      let code = String(first, radix: 16)
      short = anchor + text + ending
      long = anchor + #"\x"# + (code.count < 2 ? "0" : "") + code + text.dropFirst() + ending
    }
  }

  /// The bytes of a list of a rule for each pattern, once as its url filter and once as condition.
  private func bytes(_ patterns: [String], isCaseSensitive: Bool) throws -> [UInt8] {
    var rules: [Rule] = []
    for pattern in patterns {
      let condition = Condition(
        subject: .topURL,
        isNegated: false,
        entries: [pattern],
        isCaseSensitive: isCaseSensitive
      )
      rules.append(Rule(rules.count, pattern, isCaseSensitive: isCaseSensitive))
      rules.append(Rule(rules.count, "a", condition: condition))
    }
    return try compile(rules, source: [])
  }

  private func check(_ pairs: [Pair]) throws {
    for isCaseSensitive in [false, true] {
      func isAccepted(_ pattern: String) -> Bool {
        URLFilterParser.firstFault(in: pattern.utf8Span.span, scratch: &scratch) == nil
      }
      var scratch: [Term] = []
      let accepted = pairs.filter { isAccepted($0.short) }
      #expect(pairs.allSatisfy { isAccepted($0.short) == isAccepted($0.long) })
      let short = try bytes(accepted.map(\.short), isCaseSensitive: isCaseSensitive)
      let long = try bytes(accepted.map(\.long), isCaseSensitive: isCaseSensitive)
      if short == long { continue }
      // The pattern that differs; if none does alone, the difference is in their combination.
      let culprit = try accepted.first { pair in
        try bytes([pair.short], isCaseSensitive: isCaseSensitive)
          != bytes([pair.long], isCaseSensitive: isCaseSensitive)
      }
      Issue.record("\(culprit?.short ?? "patterns together"), case-sensitive: \(isCaseSensitive)")
    }
  }

  @Test("each anchor, ending and length of text", arguments: anchors)
  func combinations(_ anchor: String) throws {
    let texts = [
      "a", "abc", "a.b", "ads-1.test", "ads/x", "com/a/b/c", "aB.test", "longlabel.test/x",
    ]
    try check(
      Self.endings.flatMap { ending in
        texts.compactMap { Pair(anchor, $0.replacing(".", with: #"\."#), ending) }
      }
    )
  }

  @Test("texts at random")
  func random() throws {
    var random = RandomSource(seed: Effort.seed)
    let pieces = [
      "a", "b", "Z", "9", "-", "_", "/", ":", "%", "]", "}", "&", #"\."#, #"\/"#, #"\-"#, #"\?"#,
      #"\_"#,
      #"\n"#, #"\a"#, ".", "ads", "example", String(repeating: "x", count: 60),
    ]
    var pairs: [Pair] = []
    for _ in 0..<2_000 * Effort.factor {
      let text = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in
        pieces.randomElement(using: &random)
      }
      let anchor = Self.anchors.randomElement(using: &random) ?? ""
      let ending = Self.endings.randomElement(using: &random) ?? ""
      pairs += Pair(anchor, "h" + text.joined(), ending).map { [$0] } ?? []
    }
    try check(pairs)
  }

  @Test("a domain entry gives the bytes that its pattern gives", arguments: [false, true])
  func domains(isCaseSensitive: Bool) throws {
    var random = RandomSource(seed: Effort.seed)
    let pieces = [
      "a", "b", "9", "-", ".", "..", "ads", "example", ".test", "www.", "xn--p1ai", "*", ":80",
      "/x",
      "[", "]", "{", "$", "?", "\\", "_", "A", String(repeating: "x", count: 60),
    ]
    var entries = ["", "*", ".", "-", "*-", String(repeating: "a.", count: 2_000)]
    for _ in 0..<2_000 * Effort.factor {
      let isPlain = random.chance(70)
      let text = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        random.pick(isPlain ? Array(pieces.prefix(11)) : pieces)
      }
      entries.append((random.chance(50) ? "*" : "") + text.joined())
    }
    func pattern(_ entry: String) -> String {
      String(decoding: DomainPattern.pattern(forDomain: entry), as: UTF8.self)
    }
    var scratch: [Term] = []
    let accepted = entries.filter {
      URLFilterParser.firstFault(in: pattern($0).utf8Span.span, scratch: &scratch) == nil
    }
    func compiled(_ subject: Condition.Subject, _ entries: [String]) throws -> [UInt8] {
      let rules = entries.enumerated().map { index, entry in
        let condition = Condition(
          subject: subject,
          isNegated: false,
          entries: [entry],
          isCaseSensitive: isCaseSensitive
        )
        return Rule(index, "a", condition: condition)
      }
      return try compile(rules, source: [])
    }
    #expect(accepted.count > 1_000)
    let isSame = try compiled(.domain, accepted) == compiled(.topURL, accepted.map(pattern))
    #expect(isSame)
  }

  @Test("a plain domain entry needs no pattern")
  func plainDomains() throws {
    var shapes = FilterLowering().shapes
    for entry in ["*a.test", "b-1.example.com", "127.0.0.1"] {
      let match = shapes.match(domain: entry.utf8Span.span, isCaseSensitive: false)
      #expect(match != nil, "\(entry)")
      let pattern = DomainPattern.pattern(forDomain: entry)
      let other = shapes.match(pattern.span, isCaseSensitive: false)
      #expect(match?.anchor == other?.anchor && match?.keyLength == other?.keyLength, "\(entry)")
    }
    for entry in ["*", "", "a_b", "A.test", "[::1]", "*a.test:80"] {
      let match = shapes.match(domain: entry.utf8Span.span, isCaseSensitive: false)
      #expect(match == nil, "\(entry)")
    }
  }

  @Test("many endings, and long ones")
  func manyEndings() throws {
    let rules = (0..<1_500).map { index in
      let ending = index % 3 == 0 ? "[/:].*/\(index)" : index % 3 == 1 ? "[0-9]{0,}" : "[/:]"
      return "^https?://([^/]+\\.)?host\(index)\(ending)"
    }
    func compiled(_ patterns: [String]) throws -> [UInt8] {
      try compile(patterns.enumerated().map { Rule($0.offset, $0.element) }, source: [])
    }
    #expect(try compiled(rules) == compiled(rules.map { $0.replacing("host", with: #"\x68ost"#) }))
  }
}

import ContentRules
import TestSupport
import Testing

@Suite("URL filter parser on hostile input")
struct URLFilterRobustnessTests {
  @Test("any bytes are read, and a fault lies within the text")
  func arbitraryBytes() {
    var random = RandomSource(seed: 0x0F17_7E85)
    let sources = patternCases.map { Array($0.pattern.utf8) }
    var scratch: [Term] = []
    for _ in 0..<20_000 {
      let bytes = random.mutation(of: sources)
      switch URLFilterParser.parse(bytes.span, isCaseSensitive: false) {
      case .success(let parsed):
        #expect(isWellFormed(parsed.terms))
        #expect(parsed.matchesEverything == parsed.terms.isEmpty)
        #expect(URLFilterParser.firstFault(in: bytes.span, scratch: &scratch) == nil)
      case .failure(let fault):
        #expect(!fault.status.isAccepted)
        #expect(fault.range.lowerBound >= 0 && fault.range.upperBound <= bytes.count)
        #expect(URLFilterParser.firstFault(in: bytes.span, scratch: &scratch) == fault)
      }
      for finding in URLFilterLint.findings(bytes.span, isCaseSensitive: true) {
        #expect(finding.range.lowerBound >= 0 && finding.range.upperBound <= bytes.count)
      }
    }
  }

  /// Whether every group lies within the group around it.
  private func isWellFormed(_ terms: [Term]) -> Bool {
    var ends: [Int] = []
    for (index, term) in terms.enumerated() {
      while ends.last == index { ends.removeLast() }
      guard case .group(let count) = term.kind else { continue }
      let end = index + 1 + count
      guard count >= 0, end <= ends.last ?? terms.count else { return false }
      ends.append(end)
    }
    return true
  }

  @Test("groups nest up to the limit; deeper ones are refused, unless the syntax is wrong")
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    let limit = URLFilterParser.maximumGroupDepth
    #expect(outcome(of: nested(limit)).status == .ok)
    #expect(outcome(of: nested(limit + 1)) == (.tooDeep, limit..<limit + 1))
    #expect(outcome(of: nested(limit + 1) + "|").status == .tooDeep)
    #expect(outcome(of: nested(limit + 1) + ")").status == .yarrError)
    #expect(outcome(of: String(repeating: "(", count: 500_000)).status == .yarrError)
    #expect(outcome(of: nested(500_000)).status == .tooDeep)
    #expect(outcome(of: String(repeating: "()", count: 100_000) + "a").status == .ok)
  }

  @Test("the length limit is exact")
  func length() {
    let limit = URLFilterParser.maximumLength
    #expect(outcome(of: String(repeating: "a", count: limit)).status == .ok)
    let longer = String(repeating: "a", count: limit + 2)
    #expect(outcome(of: longer) == (.yarrError, limit..<limit + 2))
    #expect(outcome(of: longer + "é") == (.nonASCII, limit + 2..<limit + 4))
  }

  @Test(
    "a megabyte of anything is read in one pass",
    arguments: [
      "a", ".*", "(a)?", "(.*)", "a{", "{", "{1", "[", "[]", "[a", "[a-", "\\", "\\x", "\\k<",
      "(?<",
      "(?<a>", "(?<a>)", "(?<a>)|", "(?:", "(?i", "|", "(|", "$", "^", "\\1", "(a", "a|(", "\0",
      "((?<a>)|", "\\c", "a{1,2}", "a{99999999", "(?<a", "(?<\\u{", "(?=", "(?<=a)", "x*",
      "((a)*)*",
    ]
  )
  func longText(_ unit: String) {
    let bytes = Array(String(repeating: unit, count: 1_000_000 / unit.utf8.count).utf8)
    var scratch: [Term] = []
    let fault = URLFilterParser.firstFault(in: bytes.span, scratch: &scratch)
    if case .failure(let other) = URLFilterParser.parse(bytes.span, isCaseSensitive: false) {
      #expect(fault == other)
    } else {
      #expect(fault == nil)
    }
  }

  @Test("many names in many alternatives take one look each")
  func names() {
    var pattern = ""
    for number in 0..<20_000 { pattern += "(?<n>a)|(?<m\(number)>b)|((?<o>c)|(?<o>d))|" }
    #expect(outcome(of: pattern).status == .disjunction)
    #expect(outcome(of: pattern + "(?<n>a)(?<n>b)").status == .yarrError)
  }
}

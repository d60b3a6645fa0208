import ContentBlocking
import ContentRules
import EngineTestSupport
import FuzzTargets
import ReferenceMatcher
import ResourceLoads
import RuleCompiler
import RuleMatching

/// Parses patterns and searches texts for them in three ways, which must agree.
///
/// The input's first byte says how: bit 0 for case, bit 1 for patterns in conditions. The rest of
/// its first line are up to four patterns with spaces between them; the other lines are texts.
enum PatternBody: FuzzBody {
  static let name = "pattern"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let mode = reader.byte()
    let isCaseSensitive = mode & 1 != 0
    let patterns = reader.line().split(separator: 0x20, maxSplits: 3).map { Array($0) }
    var texts: [[UInt8]] = []
    while !reader.isEmpty, texts.count < 4 { texts.append(withoutZeros(reader.line())) }
    texts += patterns.map { withoutZeros($0) }
    texts += LoadSample.all.prefix(3).map(\.url)
    var searches: [Search] = []
    for pattern in patterns {
      if let search = try parsed(pattern, isCaseSensitive) { searches.append(search) }
    }
    guard !searches.isEmpty else { return }
    let list = try compiled(
      searches,
      isCaseSensitive,
      asConditions: mode & 2 != 0
    )
    guard let list else { return }
    var runner = ListRunner(list)
    for text in texts {
      var load = LoadSample("", on: "")
      load.url = text
      load.topURL = text
      load.frameURL = text
      let matched = Set(runner.answer(load).matched.map(\.rule))
      for (rule, search) in searches.enumerated() {
        try search.checkMatch(in: text, matched.contains(UInt32(rule)))
      }
    }
  }

  /// Serialised URLs hold no zeros, which stand for the end of the URL.
  private static func withoutZeros(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == 0 ? 1 : $0 }
  }

  // MARK: Parsing

  private static func parsed(
    _ pattern: [UInt8],
    _ isCaseSensitive: Bool
  ) throws(FuzzFinding) -> Search? {
    let outcome = URLFilterParser.parse(pattern.span, isCaseSensitive: isCaseSensitive)
    var scratch: [Term] = []
    let fault = URLFilterParser.firstFault(in: pattern.span, scratch: &scratch)
    let faults = URLFilterParser.faults(in: pattern.span)
    try require(faults.first == fault, "the first of all faults is not the one that decides")
    let findings = URLFilterLint.findings(pattern.span, isCaseSensitive: isCaseSensitive)
    for finding in findings {
      try require(
        finding.range.upperBound <= pattern.count && !finding.message.isEmpty,
        "the finding \(finding) lies outside of \(pattern.text)"
      )
    }
    let reference: Result<ReferencePattern, any Error> = Result {
      try ReferencePattern(pattern.text, isCaseSensitive: isCaseSensitive)
    }
    switch outcome {
    case .failure(let refusal):
      try require(fault == refusal, "\(pattern.text): parsing and checking say different things")
      try require(
        refusal.range.upperBound <= pattern.count && !refusal.status.isAccepted,
        "the fault \(refusal) lies outside of \(pattern.text)"
      )
      try require(findings.isEmpty, "\(pattern.text) is refused and has findings")
      if refusal.status == .tooDeep || isBeyondReference(pattern) { return nil }
      // Unlike the reference the engine takes `[^\0]` for an end of the URL.
      let hasInvertedSet = pattern.text.contains("[^")
      if refusal.status == .misplacedEndOfLine, hasInvertedSet { return nil }
      guard case .failure(let error) = reference else {
        throw FuzzFinding("\(pattern.text) is refused, but the reference accepts it")
      }
      let status = (error as? ReferenceRefusal)?.patternStatus
      // The reference notices what follows `$` one term earlier, when another fault may come
      // first.
      let names = [status, refusal.status.rawValue]
      try require(
        names[0] == names[1] || names.contains("MisplacedEndOfLine"),
        "\(pattern.text) is refused as \(refusal.status), the reference says \(status ?? "–")"
      )
      return nil
    case .success(let filter):
      try require(fault == nil, "\(pattern.text) is accepted and has a fault")
      try checkTerms(filter.terms)
      guard !isBeyondReference(pattern) else { return nil }
      do {
        return Search(text: pattern.text, filter: filter, reference: try reference.get())
      } catch {
        throw FuzzFinding("\(pattern.text) is accepted, but the reference refuses it: \(error)")
      }
    }
  }

  /// Whether a pattern may have more groups within each other than the reference walks through,
  /// numbers that it does not count to, a reference whose name breaks off, or a look-behind, which
  /// it lets be repeated.
  private static func isBeyondReference(_ pattern: [UInt8]) -> Bool {
    let text = pattern.text
    return pattern.count { $0 == UInt8(ascii: "(") } > 400
      || ["\\k<", "(?<=", "(?<!"].contains(where: text.contains)
      || pattern.split { !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }.contains { $0.count > 8 }
  }

  private static func checkTerms(_ terms: [Term]) throws(FuzzFinding) {
    var ends = [terms.count]
    for (index, term) in terms.enumerated() {
      while ends.count > 1, ends[ends.count - 1] <= index { ends.removeLast() }
      guard case .group(let count) = term.kind else { continue }
      try require(
        count >= 0 && index + 1 + count <= ends[ends.count - 1],
        "group \(index) of \(count) terms ends behind its parent"
      )
      ends.append(index + 1 + count)
    }
  }

  // MARK: Matching

  private static func compiled(
    _ searches: [Search],
    _ isCaseSensitive: Bool,
    asConditions: Bool
  ) throws(FuzzFinding) -> CompiledRuleList? {
    let rules = searches.enumerated().map { index, search in
      let filter = URLFilter(search.text, isCaseSensitive: isCaseSensitive)
      guard asConditions else {
        return Rule(
          index: index,
          trigger: Trigger(urlFilter: filter),
          action: .notify("\(index)")
        )
      }
      let condition = Condition(
        subject: index % 2 == 0 ? .topURL : .frameURL,
        isNegated: false,
        entries: [search.text],
        isCaseSensitive: isCaseSensitive
      )
      return Rule(
        index: index,
        trigger: Trigger(urlFilter: URLFilter(".*"), condition: condition),
        action: .notify("\(index)")
      )
    }
    let file: [UInt8]
    do throws(CompileError) {
      file = try compile(rules, source: [])
    } catch {
      return nil
    }
    do throws(ByteCodeError) {
      return try CompiledRuleList(validating: file)
    } catch {
      throw FuzzFinding("the compiled patterns are refused: \(error.message)")
    }
  }

  /// A pattern and two ways to search for it that know nothing of the compiled list.
  private struct Search {
    let text: String
    let filter: ParsedURLFilter
    let reference: ReferencePattern
    let search: PatternSearch

    init(text: String, filter: ParsedURLFilter, reference: ReferencePattern) {
      self.text = text
      self.filter = filter
      self.reference = reference
      search = PatternSearch(filter)
    }

    func checkMatch(in url: [UInt8], _ isMatched: Bool) throws(FuzzFinding) {
      let expected = reference.matches(url.text)
      try require(
        isMatched == expected,
        "\(text) in \(url.text): the compiled list says \(isMatched), the reference \(expected)"
      )
      guard !filter.matchesEverything else { return }
      let range = search.firstMatch(in: url)
      try require(
        (range != nil) == expected && range?.upperBound ?? 0 <= url.count,
        "\(text) in \(url.text) is found at \(range, default: "no place"), the reference says"
          + " \(expected)"
      )
    }
  }

  // MARK: Seeds

  static var seeds: [[UInt8]] {
    let patterns = [
      #"^https?://([^/]*\.)?b\.test[:/]"#, #"^[^:]+:(//)?([^/]+\.)?ads\.b\.test"#,
      #"/ad/banner_[0-9]+\.(js)?"#, "aaaa abcabc a+b+c* (ab)+c$", "(a(b(c)?)*d)+$ ^$ .*x",
      #"[^a-z]\x41B\cA\u0041\0 [\b\]-] \/\?"#, "(?:a)(?<n>b)c{1} a{0,}b{1,}c{0,1}",
      "a|b (?=a) \\1 \\d \\b [z-a] a{2}", "^.*banner.*\\.gif$ ban..r [^]x", "(((a*)*)*)*b",
    ]
    var seeds: [[UInt8]] = []
    for (index, pattern) in patterns.enumerated() {
      for mode in [index % 2, 2 + (index + 1) % 2] {
        let text =
          "\(pattern)\nhttps://ads.b.test/ad/banner_12.js\nabcabcABCaaaabd\nhttp://b.test:80/x"
        seeds.append([UInt8(ascii: "0") + UInt8(mode)] + Array(text.utf8))
      }
    }
    return seeds
  }
}

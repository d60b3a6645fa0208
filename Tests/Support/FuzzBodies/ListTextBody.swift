import CaseGenerators
import ContentBlocking
import ContentRules
import EngineTestSupport
import FuzzTargets
import ReferenceMatcher
import RuleCompiler
import RuleMatching

/// Reads a list, formats its diagnostics, and if it is accepted compiles it and decides loads.
enum ListTextBody: FuzzBody {
  static let name = "list-text"

  /// Longer texts are read, but neither compiled nor compared.
  private static let longestCompared = 8_192

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let report = RuleListReader.read(input, options: ContentRuleList.readingOptions())
    try checkReport(report, of: input)
    try AllFindings.check(report, of: input)
    let old = ContentRuleList.readingOptions(target: EngineRelease(year: 2015, month: 9))
    let judgedForOld = RuleListReader.read(input, options: old)
    try require(
      judgedForOld.ruleList == report.ruleList,
      "the rules depend on the release that gaps are reported for"
    )
    guard input.count <= longestCompared else { return }
    try checkPieces(input)
    guard let list = report.ruleList else { return }
    try checkCompiling(list, report, source: input)
  }

  /// What is compiled in pieces is what is compiled in one go.
  private static func checkPieces(_ input: [UInt8]) throws(FuzzFinding) {
    var options = ContentRuleList.readingOptions()
    options.limitFault = nil
    options.findsTraps = false
    let pieces = ContentRuleList.compileInPieces(input, options, CompilerLimits(), 3)
    guard let pieces else { return }
    let whole = try? ContentRuleList.compile(input, threads: 1)
    try require(whole?.file == pieces.file, "pieces make another file")
    try require(
      whole?.report.diagnostics == pieces.report.diagnostics
        && whole?.report.skippedRules == pieces.report.skippedRules,
      "pieces report something else"
    )
  }

  // MARK: Reading

  private static func checkReport(
    _ report: RuleListReport,
    of input: [UInt8]
  ) throws(FuzzFinding) {
    try require(
      report.isAccepted == (report.ruleList != nil),
      "accepted: \(report.isAccepted), but has rules: \(report.ruleList != nil)"
    )
    try require(
      report.diagnostics.count(where: \.isWebKitError) == (report.isAccepted ? 0 : 1),
      "not just one diagnostic is the engine's error"
    )
    try require(
      report.isAccepted == !report.diagnostics.contains { $0.severity == .error },
      "errors and acceptance do not go together"
    )
    if let rules = report.ruleList?.rules {
      try require(
        rules.count + report.skippedRules.count == report.ruleCount,
        "\(rules.count) rules and \(report.skippedRules.count) skipped of \(report.ruleCount)"
      )
      for rule in rules {
        try require(
          rule.sourceRange.upperBound <= input.count && 0..<report.ruleCount ~= rule.index,
          "rule \(rule.index) lies at \(rule.sourceRange) of \(input.count)"
        )
      }
    }
    let renderer = DiagnosticRenderer(fileName: "list.json", usesColor: input.count % 2 == 0)
    var places = PlaceTable(input)
    for diagnostic in report.diagnostics {
      let location = diagnostic.location
      try require(
        location.byteRange.upperBound <= input.count,
        "\(diagnostic.code.rawValue) lies at \(location.byteRange) of \(input.count)"
      )
      let place = places.place(of: location.byteRange.lowerBound)
      try require(
        location.line == place.line && location.column == place.column,
        "\(diagnostic.code.rawValue) at byte \(location.byteRange.lowerBound) is said to be at"
          + " \(location.line):\(location.column), and is at \(place.line):\(place.column)"
      )
      try require(
        location.ruleIndex.map { 0..<max(1, report.ruleCount) ~= $0 } ?? true,
        "\(diagnostic.code.rawValue) names rule \(location.ruleIndex ?? -1)"
      )
      let lines = renderer.render(diagnostic, in: input.span)
      try require(lines.hasSuffix("\n"), "a rendered diagnostic has no line break at its end")
    }
    _ = renderer.summary(report)
  }

  // MARK: Compiling

  private static func checkCompiling(
    _ list: RuleList,
    _ report: RuleListReport,
    source: [UInt8]
  ) throws(FuzzFinding) {
    let file: [UInt8]
    let again: [UInt8]
    do throws(CompileError) {
      file = try compile(list.rules, source: source, ruleCount: report.ruleCount)
      again = try compile(list.rules, source: source, ruleCount: report.ruleCount)
    } catch {
      try require(!error.message.isEmpty, "compiling failed without a word")
      return
    }
    try require(file == again, "compiling twice gives different bytes")
    let compiled: CompiledRuleList
    do throws(ByteCodeError) {
      compiled = try CompiledRuleList(validating: file)
    } catch {
      throw FuzzFinding("the compiled list is refused: \(error.message)")
    }
    try require(compiled.source == source, "the source is not what was compiled")
    try checkDecisions(compiled, source: source)
    try decideSamples(compiled)
  }

  /// Compares with the reference, which reads the text by itself.
  private static func checkDecisions(
    _ compiled: CompiledRuleList,
    source: [UInt8]
  ) throws(FuzzFinding) {
    let reference: ReferenceRuleList
    do {
      reference = try ReferenceRuleList(jsonText: source) {
        SelectorList.firstFault(in: $0) == nil
      }
    } catch {
      throw FuzzFinding("accepted, but the reference refuses it: \(error)")
    }
    var runner = ListRunner(compiled)
    for load in LoadSample.all {
      let answer = runner.answer(load)
      let expected = reference.evaluate(load.reference)
      let matched = Set(answer.matched.map(\.rule))
      let expectedMatched = Set(
        expected.matched.filter { $0.outcome != .inGlobalSheet }.map { UInt32($0.rule) }
      )
      try require(
        matched == expectedMatched,
        "on \(load.url.text) the rules \(matched.sorted()) match, and the reference says"
          + " \(expectedMatched.sorted())"
      )
      let applied = answer.actions.map { $0.rules.map { Int($0) } }
      try require(
        applied == expected.actions.map(\.rules),
        "on \(load.url.text) the rules \(applied) apply, and the reference says"
          + " \(expected.actions.map(\.rules))"
      )
    }
  }

  // MARK: Seeds

  static var seeds: [[UInt8]] {
    let generated = (0..<24).map { seed in
      let options: CaseOptions =
        switch seed % 4 {
        case 0: .init()
        case 1: .ignoring
        case 2: .hiding
        default: .hostile
        }
      return CaseGenerator(options: options).makeCase(seed: UInt64(seed)).jsonText
    }
    return (generated + written).map { Array($0.utf8) }
  }

  private static let written = [
    "[]",
    " \n[ {} , ] \r\n",
    #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#,
    """
    [{"trigger": {"url-filter": "^https?://([^/]*\\\\.)?ads\\\\.b\\\\.test[:/]",
      "url-filter-is-case-sensitive": true, "if-domain": ["*a.test", "b.test"],
      "resource-type": ["script", "image"], "load-type": ["third-party"],
      "load-context": ["top-frame"]}, "action": {"type": "block-cookies"}}]
    """,
    """
    [{"trigger": {"url-filter": ".*", "unless-top-url": ["^https://"],
      "top-url-filter-is-case-sensitive": true, "request-method": "get"},
      "action": {"type": "css-display-none", "selector": "a:has(> .\\u0061d), #x"},
      "_identifier": 7, "_rulesetIdentifier": "r"}]
    """,
    """
    [{"trigger": {"url-filter": "x", "if-frame-url": ["b\\\\.test"]}, "action": {"type": "redirect",
      "redirect": {"transform": {"scheme": "https", "host": "c.test", "port": "81", "path": "/p",
      "query-transform": {"remove-parameters": ["x"],
      "add-or-replace-parameters": [{"key": "k", "value": "v", "replace-only": true}]},
      "fragment": "#f", "username": "u", "password": "p"}}}},
     {"trigger": {"url-filter": "(a+)b"}, "action": {"type": "redirect", "redirect":
      {"regex-substitution": "https://c.test/\\\\1"}}},
     {"trigger": {"url-filter": "y"}, "action": {"type": "redirect", "redirect":
      {"extension-path": "/e.js"}}},
     {"trigger": {"url-filter": "z"}, "action": {"type": "redirect", "redirect":
      {"url": "https://d.test/"}}},
     {"trigger": {"url-filter": "w"}, "action": {"type": "modify-headers", "priority": 3,
      "request-headers": [{"operation": "set", "header": "DNT", "value": "1"},
      {"operation": "remove", "header": "Cookie"}],
      "response-headers": [{"operation": "append", "header": "X-A", "value": "é"}]}}]
    """,
    #"{"trigger":{"url-filter":"a|b"},"action":{"type":"blck"}}"#,
    #"[{"trigger":{"url-filter":"a|b",},"action":{'type':"blck"}} // c"#,
    "\u{FEFF}[null, 1e309, -0, \"\\ud800\", [[[[{}]]]], tru]",
  ]
}

/// Lines and columns, counted again.
private struct PlaceTable {
  private let lineStarts: [Int]

  init(_ text: [UInt8]) {
    var starts = [0]
    for index in text.indices
    where text[index] == 0x0A
      || text[index] == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
    {
      starts.append(index + 1)
    }
    lineStarts = starts
  }

  mutating func place(of offset: Int) -> (line: Int, column: Int) {
    let line = lineStarts.lastIndex { $0 <= offset } ?? 0
    return (line + 1, offset - lineStarts[line] + 1)
  }
}

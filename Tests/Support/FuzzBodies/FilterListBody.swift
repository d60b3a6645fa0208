import ContentRules
import FilterConversion
import FilterLists
import FuzzTargets

/// Reads filter lists of every dialect and converts them.
///
/// Whatever the bytes are, every line has an account, and WebKit takes the rules and all of their
/// selectors.
enum FilterListBody: FuzzBody {
  static let name = "filter-list"

  /// A folder in which every file has the list's own bytes.
  private struct SameFile: FilterIncluding {
    var text: [UInt8]
    var count = 0

    mutating func read(
      _ path: [String],
      limit: Int
    ) throws(FilterIncludeRefusal) -> [UInt8] {
      count += 1
      guard count <= 4, path.allSatisfy({ $0 != ".." && $0 != "." && !$0.contains("/") }) else {
        throw FilterIncludeRefusal("no more files")
      }
      return text
    }
  }

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let dialect = FilterDialect.recognize(input)
    for reading in FilterDialect.allCases where dialect == nil || reading != .hosts {
      try check(
        input,
        reading,
        target: reading == .adguard ? EngineRelease(safari: SafariVersion(12)) : nil
      )
    }
    try check(input, .hosts, target: nil)
  }

  private static func check(
    _ input: [UInt8],
    _ dialect: FilterDialect,
    target: EngineRelease?
  ) throws(FuzzFinding) {
    var reader = FilterCollectionReader()
    var folder = SameFile(text: input)
    reader.add(FilterSource(name: "x", dialect: dialect, text: input), including: &folder)
    let lines = reader.collection.lines
    let conversion = FilterConverter.convert(
      reader.collection,
      options: FilterConversionOptions(target: target)
    )
    try require(conversion.outcomes.count == lines.count, "not every line has an outcome")
    for (number, outcome) in conversion.outcomes.enumerated() {
      let rules = conversion.rules(ofLine: number)
      let reasons = conversion.reasons[number] ?? []
      try require(
        rules.allSatisfy { 0..<conversion.ruleCount ~= Int($0) },
        "line \(number) has a rule that there is not"
      )
      try require(
        outcome == .comment || !rules.isEmpty || !reasons.isEmpty,
        "line \(number) is \(outcome) without a rule or a reason"
      )
      try require(
        outcome != .impossible || rules.isEmpty,
        "line \(number) is impossible, and has rules"
      )
      try require(
        reasons.allSatisfy { !$0.sentence.isEmpty },
        "line \(number) has a reason without words"
      )
    }
    guard conversion.ruleCount > 0 else { return }
    var options = ReadingOptions()
    options.findsTraps = false
    let report = RuleListReader.read(conversion.json, options: options)
    try require(report.isAccepted, "WebKit refuses the rules: \(report.webKitError?.message ?? "")")
    try require(report.skippedRules.isEmpty, "WebKit skips the rules \(report.skippedRules)")
    try require(report.ruleCount == conversion.ruleCount, "the rules are counted wrongly")
  }

  static var seeds: [[UInt8]] {
    [
      "[Adblock Plus 2.0]\n||ads.test^$third-party,domain=a.test|~b.a.test\n@@||ads.test/x|\n",
      "##.ad, #x\na.test,~b.a.test##.c:has(> d)\nb.a.test#@#.ad\n#@#.c\n",
      "!#if env_safari && !(adguard || ext_ublock)\n!#include more.txt\n!#else\nx\n!#endif\n",
      "/^https?:\\/\\/(a|b{2,3})[^c-e\\d]\\.test\\/.*$/$script,match-case\n",
      "*$denyallow=a.test|b.test,script,domain=c.*|~d.c.test\n||x^$badfilter\n||x^\n",
      "@@||a.test^$generichide\n@@$elemhide,domain=a.test\n@@||b.test/x$document,subdocument\n",
      "0.0.0.0 a.test b.test # x\n127.0.0.1 localhost\nc.test\n",
      "[$domain=a.test|b.test,path=/x]##.y\na.test#$#.z { display: none !important; }\n",
      "!+ NOT_PLATFORM(ext_safari)\n||a^\n!#safari_cb_affinity(all)\n||*^$all,important\n",
      "||\u{FC}\u{F6}.test^$domain=\u{F6}.test\n/\u{E9}*\n##.\u{E9}\n|wss://$websocket\n",
      "a.test##+js(x)\na.test#%#y\na.test$$script\n##^meta\n$removeparam=/x$y/\n||a$to=b|~c\n",
    ].map { Array($0.utf8) }
  }
}

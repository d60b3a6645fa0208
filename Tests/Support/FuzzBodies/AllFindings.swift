import ContentBlocking
import ContentRules
import FuzzTargets

/// Checks the diagnostics that are passed on while a list is read against those that are kept, and
/// their corrections.
enum AllFindings {
  /// Longer texts are not corrected, because each correction means another reading.
  private static let longestCorrected = 2_048
  private static let correctionLimit = 20

  static func check(_ report: RuleListReport, of input: [UInt8]) throws(FuzzFinding) {
    var counts: [DiagnosticCode: Int] = [:]
    var corrections: [Correction] = []
    let options = ContentRuleList.readingOptions()
    let streamed = RuleListReader.read(input.span, options: options) { diagnostic, _ in
      counts[diagnostic.code, default: 0] += 1
      if let correction = diagnostic.correction { corrections.append(correction) }
    }
    try require(streamed.webKitError == report.webKitError, "the engine's error differs")
    try require(streamed.ruleCount == report.ruleCount, "the number of rules differs")
    var kept: [DiagnosticCode: Int] = [:]
    for diagnostic in report.diagnostics where diagnostic.code != .moreOfTheSame {
      kept[diagnostic.code, default: 0] += 1
    }
    for (code, count) in counts {
      let expected = min(count, options.diagnosticsPerCode)
      let found = kept[code, default: 0]
      // The engine's error is kept beyond the limit.
      try require(
        expected...max(expected, expected + 6) ~= found,
        "\(code.rawValue): \(count) handed on, \(found) kept"
      )
    }
    for correction in corrections {
      var end = 0
      for edit in correction.edits {
        try require(
          edit.byteRange.lowerBound >= end && edit.byteRange.upperBound <= input.count,
          "an edit lies at \(edit.byteRange) of \(input.count), behind \(end)"
        )
        end = edit.byteRange.upperBound
      }
    }
    guard report.isAccepted, input.count <= longestCorrected else { return }
    for correction in corrections.filter(\.keepsMeaning).prefix(correctionLimit) {
      var mended = input
      for edit in correction.edits.reversed() {
        mended.replaceSubrange(edit.byteRange, with: edit.replacement.utf8)
      }
      let after = RuleListReader.read(mended, options: options)
      try require(
        after.isAccepted,
        "a correction that keeps the meaning makes the engine refuse it"
      )
      try require(
        after.ruleList.map { $0.rules.map(meaning) }
          == report.ruleList.map { $0.rules.map(meaning) },
        "a correction that keeps the meaning changes a rule"
      )
    }
  }

  /// Returns a rule without what corrections may change: its place, and duplicate entries.
  private static func meaning(_ rule: Rule) -> Rule {
    var rule = rule
    rule.sourceRange = 0..<0
    if var condition = rule.trigger.condition {
      var seen: Set<String> = []
      condition.entries = condition.entries.filter { seen.insert($0).inserted }
      rule.trigger.condition = condition
    }
    return rule
  }
}

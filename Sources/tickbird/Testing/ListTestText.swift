internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListTesting

/// The results of tests as text.
struct ListTestText {
  let report: ListTestReport
  let paint: Paint
  let width: Int

  /// The most rules without an expectation to name.
  private static let namedLimit = 10

  func text() -> String {
    var text = ""
    for file in report.files {
      for outcome in file.outcomes where !outcome.holds { text += failure(outcome, file.name) }
    }
    if report.files.count > 1 {
      for file in report.files { text += line(file) }
    }
    text += paintedSummary + "\n"
    for list in report.coverage ?? [] { text += coverage(list) }
    return text
  }

  private var paintedSummary: String {
    report.failedCount > 0 ? paint.red(report.summary) : paint.green(report.summary)
  }

  private func line(_ file: ListTestReport.TestFile) -> String {
    let held = file.outcomes.count - file.failedCount
    let text =
      "\(Shown.line(file.name)): \(Shown.grouped(held)) of \(Shown.grouped(file.outcomes.count)) "
      + "hold"
    return (file.failedCount > 0 ? paint.red(text) : text) + "\n"
  }

  private func failure(_ outcome: ListTestReport.Outcome, _ name: String) -> String {
    let expectation = outcome.expectation
    var text = paint.red("FAILED")
    text += " \(Shown.line(name)):\(expectation.line):\(expectation.column)\n"
    text += Shown.wrapped(Shown.line(expectation.text), width: width, indent: 2)
    if let section = expectation.section {
      text += Shown.wrapped("in [\(Shown.line(section))]", width: width, indent: 2)
    }
    for reason in outcome.reasons {
      text +=
        reason.isQuote
        ? Shown.wrapped(reason.text, width: width, indent: 8, limit: 3)
        : Shown.wrapped(reason.text, width: width, indent: 4)
    }
    return text + "\n"
  }

  // MARK: Coverage

  private func coverage(_ list: ListTestReport.ListCoverage) -> String {
    let count = list.coverage.count
    var text = Shown.wrapped(
      "\(Shown.line(list.path)): \(Shown.grouped(count.exercised)) of "
        + "\(Shown.count(count.total, "rule")) exercised",
      width: width,
      indent: 0
    )
    for group in list.coverage.groups(list.source) {
      text +=
        "  \(Shown.padded(group.action, to: 22))"
        + "\(Shown.grouped(group.count.exercised)) of \(Shown.grouped(group.count.total))\n"
    }
    if let lines = SourceLineCoverage(list) {
      text += "  \(Shown.padded("source lines", to: 22))"
      text += "\(Shown.grouped(lines.exercisedCount)) of \(Shown.grouped(lines.count))\n"
    }
    let missing = CoverageGap.all(of: list)
    guard !missing.isEmpty else { return text }
    text += "  not exercised:\n"
    for gap in missing.prefix(Self.namedLimit) {
      text += "    " + Shown.shortened(gap.line, to: max(40, width - 4)) + "\n"
    }
    if missing.count > Self.namedLimit {
      let rest = Shown.grouped(missing.count - Self.namedLimit)
      text += "    and \(rest) more; --coverage-file FILE lists all\n"
    }
    return text
  }
}

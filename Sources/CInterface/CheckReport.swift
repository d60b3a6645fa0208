internal import CommandOutput
internal import ContentBlocking
internal import ContentRules

/// The verdict about a list as JSON, as `tickbird check --format json` prints it.
enum CheckReport {
  /// The most findings in a report.
  ///
  /// A list of garbage has one for every three bytes, and a finding takes hundreds.
  static let limit = 100_000

  /// Checks a list's text.
  ///
  /// - Returns: The object with a line break. It says under `omitted` how many findings are left out,
  ///   if any are.
  static func of(_ text: [UInt8], named name: String) -> [UInt8] {
    var found: [Diagnostic] = []
    var omitted = 0
    let options = ContentRuleList.readingOptions()
    let report = RuleListReader.read(text.span, options: options) { diagnostic, _ in
      if found.count < limit { found.append(diagnostic) } else { omitted += 1 }
    }
    return of(report, found, omitted: omitted, named: name)
  }

  /// Writes the report about a list that was read.
  static func of(
    _ report: RuleListReport,
    _ found: [Diagnostic],
    omitted: Int = 0,
    named name: String
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginReport(report, file: name, mended: nil, ignored: IgnoredFindings())
    for diagnostic in found { json.diagnostic(diagnostic) }
    guard omitted > 0 else {
      json.endReport()
      return json.bytes
    }
    json.close("]")
    json.field("omitted", omitted)
    json.close("}")
    json.endLine()
    return json.bytes
  }
}

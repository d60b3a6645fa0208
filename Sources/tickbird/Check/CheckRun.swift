internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// Checks several lists, one after the other, and writes the results.
struct CheckRun: ~Copyable {
  private let isQuiet: Bool
  private var settings: CheckSettingsReader
  private let format: Check.Format
  private let paint: Paint
  private let fixes: Bool
  private let findsRequirements: Bool
  private var out = OutputStream.standardOutput()
  private var log = SARIFLog()
  private var status = ExitStatus.fine
  private var progress = Progress()
  private var total = CheckTotal()
  private var newBaseline: NewBaseline?
  /// The filters that the rules of the present list were converted from.
  private var origins = RuleSources.none

  /// The most diagnostics to keep between reading and writing; with more, the list is read twice.
  private static let keptLimit = 2_000

  init(
    choice: CheckChoice,
    format: Check.Format,
    paint: Paint,
    fixes: Bool,
    findsRequirements: Bool,
    newBaseline: NewBaseline?
  ) throws {
    isQuiet = choice.quiet
    settings = try CheckSettingsReader(choice, readsBaselines: newBaseline == nil)
    self.format = format
    self.paint = paint
    self.fixes = fixes
    self.findsRequirements = findsRequirements
    self.newBaseline = newBaseline
  }

  /// Checks a list and writes its findings.
  ///
  /// - Parameters:
  ///   - path: The list.
  ///   - map: The map that names the filters of its rules, if there is one.
  /// - Throws: ``OutputError`` if the findings cannot be written.
  mutating func check(_ path: String, map: String?) throws {
    do {
      origins = .none
      progress.show("checking \(path) …")
      let settings = try settings.settings(for: path)
      var source = try ListFile.source(path: path)
      let reading = reading(settings)
      var mended: Int?
      if fixes {
        let outcome = try ListCorrection(settings: settings).correct(path, &source)
        progress.end()
        for note in outcome.notes { ConsoleMessage.warning(note) }
        status = status | outcome.status
        total.correctedCount += outcome.correctedCount
        mended = outcome.correctedCount
        if format == .sarif { log.addMended(outcome.correctedCount, file: source.name) }
        if format == .text, outcome.correctedCount > 0 {
          try out.write(
            "\(path: source.name): \(Shown.count(outcome.correctedCount, "finding")) mended\n"
          )
        }
      }
      let findings = reading.findings(in: source.text)
      progress.end()
      if let map {
        let count = findings.report.isAccepted ? findings.report.ruleCount : nil
        origins = try RuleSources(map, list: source.name, ruleCount: count)
      }
      if findsRequirements { return try write(requirements: findings.report, source) }
      let warnings = findings.count(.warning)
      total.add(findings)
      if !fixes, ListCorrection.obstacle(path, source) == nil {
        total.mendableCount += findings.mendableCount
      }
      newBaseline?.add(path, source.text, settings: settings, options: reading.options)
      let hasTooMany = newBaseline == nil && warnings > settings.maxFindings
      if !findings.report.isAccepted || hasTooMany { status = status | .refused }
      try write(findings, reading, source, mended: mended)
    } catch let error as InputError {
      try tell(unreadable: path, error)
    }
  }

  /// Reports why a list cannot be read; the others are checked nevertheless.
  mutating func tell(unreadable path: String, _ error: InputError) throws {
    progress.end()
    ConsoleMessage.error(error.message)
    status = .wrongUse
    total.unreadableCount += 1
    try write(unreadable: path, error.message)
  }

  private func reading(_ settings: CheckSettings) -> ListReading {
    ListReading(
      settings: settings,
      options: ContentRuleList.readingOptions(
        target: settings.target,
        findsRequirements: findsRequirements
      ),
      limitPerCode: format == .text ? settings.limit : Self.keptLimit,
      limit: format == .text ? .max : Self.keptLimit
    )
  }

  /// Writes the new baseline.
  mutating func writeBaseline() throws {
    guard let newBaseline else { return }
    guard status != .wrongUse else {
      return ConsoleMessage.error(
        "\(newBaseline.path) was not written, because of what went wrong before"
      )
    }
    let (accepted, kept) = try newBaseline.write()
    guard format == .text, !isQuiet else { return }
    let others = kept > 0 ? "; \(Shown.grouped(kept)) in other lists stay accepted" : ""
    try out.write(
      "\(path: newBaseline.path): \(Shown.count(accepted, "finding")) accepted\(others)\n"
    )
  }

  /// Ends the output and the command.
  mutating func finish(showsTotal: Bool) throws {
    switch format {
    case .text:
      if !isQuiet, !findsRequirements {
        if showsTotal { try out.write("\(total.line)\n") }
        if total.mendableCount > 0 {
          try out.write(
            "tickbird check --fix can mend \(Shown.count(total.mendableCount, "finding"))\n"
          )
        }
      }
    case .json: break
    case .sarif:
      log.end(ignored: total.ignored, isWhole: status != .wrongUse)
      try out.write(log.take())
    }
    try out.flush()
    try status.finish()
  }
}

// MARK: Writing

extension CheckRun {
  private mutating func write(
    _ findings: CheckFindings,
    _ reading: ListReading,
    _ source: ListFile.Source,
    mended: Int?
  ) throws {
    switch format {
    case .text: try write(text: findings, source)
    case .json:
      var json = JSONWriter()
      json.beginReport(
        findings.report,
        file: source.name,
        mended: mended,
        ignored: findings.ignored
      )
      let origins = origins
      try writeAll(of: findings, reading, source) { finding in
        json.diagnostic(finding.diagnostic) { origins.write(of: finding.diagnostic, to: &$0) }
        return json.take()
      }
      json.endReport()
      try out.write(json.take())
    case .sarif:
      var columns = ColumnCounter()
      let origins = origins
      var keys = FindingKeys()
      var log = SARIFLog()
      swap(&log, &self.log)
      defer { swap(&log, &self.log) }
      try writeAll(of: findings, reading, source) { finding in
        let key = keys.key(of: finding.diagnostic, in: finding.rule, source.text.span)
        log.add(
          finding.diagnostic,
          fingerprint: key.fingerprint,
          file: source.name,
          &columns,
          source.text.span
        ) { origins.write(of: finding.diagnostic, to: &$0) }
        return log.take()
      }
    }
  }

  /// Writes each finding as it comes, and stops at the first write that fails.
  private mutating func writeAll(
    of findings: CheckFindings,
    _ reading: ListReading,
    _ source: ListFile.Source,
    _ bytes: (CheckFinding) -> [UInt8]
  ) throws(OutputError) {
    var failure: OutputError?
    reading.forEach(of: findings, in: source.text) { finding in
      guard failure == nil else { return }
      do throws(OutputError) { try out.write(bytes(finding)) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private mutating func write(text findings: CheckFindings, _ source: ListFile.Source) throws {
    let renderer = DiagnosticRenderer(
      fileName: source.name,
      usesColor: paint.isOn,
      lineWidth: Terminal.width - 12
    )
    if source.isCompiled, !isQuiet {
      try out.write("\(path: source.name) is compiled; this is about the source that it keeps\n")
    }
    let inOrder = findings.kept.map(\.diagnostic).enumerated().sorted {
      ($0.element.location.byteRange.lowerBound, $0.offset)
        < ($1.element.location.byteRange.lowerBound, $1.offset)
    }
    for (_, diagnostic) in inOrder {
      let text = renderer.render(diagnostic, in: source.text.span) + origin(of: diagnostic)
      try out.write(OutputText(painted: text))
    }
    for (code, count) in findings.folded.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try out.write(
        "\(path: source.name): and \(Shown.grouped(count)) more \(code.rawValue); --limit shows more\n"
      )
    }
    guard !isQuiet else { return }
    var line = renderer.summary(findings.report, counts: findings.counts)
    if let ignored = findings.ignored.text { line += "; \(Shown.line(ignored))" }
    try out.write(OutputText(painted: line + "\n"))
  }

  /// Returns the line below a finding that names the filter of its rule; empty if that is unknown.
  private func origin(of diagnostic: Diagnostic) -> String {
    guard let rule = diagnostic.location.ruleIndex,
      let label = origins.label(list: 0, rule: rule)
    else { return "" }
    let filter = origins.filter(list: 0, rule: rule).map { ": \($0)" } ?? ""
    let margin = String(repeating: " ", count: max(5, "\(diagnostic.location.line)".count))
    return " \(margin) = rule \(rule) is from \(Shown.shortened(label + filter, to: 200))\n"
  }

  private mutating func write(unreadable path: String, _ message: String) throws {
    let name = path == "-" ? "standard input" : path
    switch format {
    case .text: break
    case .json:
      var json = JSONWriter()
      json.unreadable(file: name, message: message)
      json.endLine()
      try out.write(json.bytes)
    case .sarif:
      log.addUnreadable(file: name, message: message)
      try out.write(log.take())
    }
  }

  private mutating func write(
    requirements report: RuleListReport,
    _ source: ListFile.Source
  ) throws {
    if !report.isAccepted { status = status | .refused }
    if format == .json { return try out.write(RequirementText.json(report, source.name)) }
    try out.write(RequirementText.text(report, source.name))
  }
}

/// The totals over all lists.
private struct CheckTotal {
  private var acceptedCount = 0
  private var refusedCount = 0
  private var counts: [Diagnostic.Severity: Int] = [:]
  private(set) var ignored = IgnoredFindings()
  var unreadableCount = 0
  var correctedCount = 0
  /// The findings that `--fix` can mend, if it was not given.
  var mendableCount = 0

  mutating func add(_ findings: CheckFindings) {
    if findings.report.isAccepted { acceptedCount += 1 } else { refusedCount += 1 }
    counts.merge(findings.counts, uniquingKeysWith: +)
    ignored.add(findings.ignored)
  }

  var line: OutputText {
    var parts = ["\(Shown.grouped(acceptedCount)) accepted"]
    if refusedCount > 0 { parts.append("\(Shown.grouped(refusedCount)) refused") }
    if unreadableCount > 0 { parts.append("\(Shown.grouped(unreadableCount)) unreadable") }
    var found: [String] = []
    for (severity, word) in [
      (Diagnostic.Severity.error, "error"), (.warning, "warning"), (.note, "note"),
    ] {
      if let count = counts[severity], count > 0 { found.append(Shown.count(count, word)) }
    }
    if correctedCount > 0 { found.append("\(Shown.grouped(correctedCount)) mended") }
    let lists = Shown.count(acceptedCount + refusedCount + unreadableCount, "list")
    let text =
      "\(lists): \(parts.joined(separator: ", "))"
      + (found.isEmpty ? "" : "; \(found.joined(separator: ", "))")
      + (ignored.text.map { "; \($0)" } ?? "")
    return "\(text)"
  }
}

extension RuleSources {
  /// Writes where the rule of a finding comes from, if that is known.
  fileprivate func write(of diagnostic: Diagnostic, to json: inout JSONWriter) {
    guard let rule = diagnostic.location.ruleIndex else { return }
    write(list: 0, rule: rule, to: &json)
  }
}

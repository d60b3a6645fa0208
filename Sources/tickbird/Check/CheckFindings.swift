internal import CommandOutput
internal import ContentRules

/// The findings in one list, without those that the settings hide.
struct CheckFindings {
  /// The verdict, without diagnostics.
  var report: RuleListReport
  /// The number of diagnostics of each severity.
  var counts: [Diagnostic.Severity: Int] = [:]
  /// The number of diagnostics that `--fix` can mend.
  var mendableCount = 0
  /// The suppressed findings.
  var ignored = IgnoredFindings()
  /// The first diagnostics.
  var kept: [CheckFinding] = []
  /// The number of diagnostics of each code beyond those.
  var folded: [DiagnosticCode: Int] = [:]

  /// Whether all diagnostics were kept.
  var isComplete: Bool { folded.isEmpty }

  /// Returns the number of diagnostics of a severity.
  func count(_ severity: Diagnostic.Severity) -> Int { counts[severity] ?? 0 }
}

/// A diagnostic with its rule.
struct CheckFinding {
  var diagnostic: Diagnostic
  /// The bytes of the rule; `nil` for a finding about the list as a whole.
  var rule: Range<Int>?
}

/// Computes the keys of findings, in the order of the text.
///
/// The digest of a rule costs more than everything else about a finding, so keys are computed only
/// on demand.
struct FindingKeys {
  /// The rule of the last finding, cached because one rule may be long and have many.
  private var last = (range: 0..<0, digest: UInt64(0))

  /// Returns the key of a finding.
  mutating func key(
    of diagnostic: Diagnostic,
    in rule: Range<Int>?,
    _ text: Span<UInt8>
  ) -> FindingKey {
    guard let rule else { return FindingKey(diagnostic, rule: 0) }
    if rule != last.range { last = (rule, FindingKey.digest(text, rule)) }
    return FindingKey(diagnostic, rule: last.digest)
  }
}

/// Reads lists and collects their findings.
struct ListReading {
  let settings: CheckSettings
  let options: ReadingOptions
  /// The most diagnostics to keep of each code, and in all.
  var limitPerCode: Int
  var limit: Int

  /// Reads a list.
  ///
  /// Memory is that of the diagnostics kept, whatever the list's length.
  func findings(in text: [UInt8]) -> CheckFindings {
    var findings = CheckFindings(report: RuleListReport(ruleList: nil, ruleCount: 0))
    var keptCounts: [DiagnosticCode: Int] = [:]
    var filter = FindingFilter(settings: settings)
    findings.report = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard filter.admits(diagnostic, rule, text.span) else { return }
      findings.counts[diagnostic.severity, default: 0] += 1
      if diagnostic.correction?.keepsMeaning ?? false { findings.mendableCount += 1 }
      let count = keptCounts[diagnostic.code, default: 0] + 1
      guard count <= limitPerCode, findings.kept.count < limit else {
        findings.folded[diagnostic.code, default: 0] += 1
        return
      }
      keptCounts[diagnostic.code] = count
      findings.kept.append(CheckFinding(diagnostic: diagnostic, rule: rule))
    }
    findings.ignored = filter.ignored
    findings.markWebKitError()
    return findings
  }

  /// Reads a list once more and passes on every finding to report.
  ///
  /// - Parameters:
  ///   - findings: The result of the first reading.
  ///   - text: The list.
  ///   - body: Receives the findings, in the order of the text.
  func forEach(of findings: CheckFindings, in text: [UInt8], _ body: (CheckFinding) -> Void) {
    if findings.isComplete { return findings.kept.forEach(body) }
    var filter = FindingFilter(settings: settings)
    let error = findings.report.webKitError
    _ = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard filter.admits(diagnostic, rule, text.span) else { return }
      var diagnostic = diagnostic
      diagnostic.isWebKitError =
        error?.code == diagnostic.code && error?.location == diagnostic.location
      body(CheckFinding(diagnostic: diagnostic, rule: rule))
    }
  }
}

extension CheckFindings {
  /// Marks the error that WebKit would report, and keeps it even if it was beyond the limit.
  fileprivate mutating func markWebKitError() {
    guard let error = report.webKitError else { return }
    let place = kept.firstIndex {
      $0.diagnostic.code == error.code && $0.diagnostic.location == error.location
    }
    if let place { return kept[place].diagnostic.isWebKitError = true }
    kept.insert(CheckFinding(diagnostic: error, rule: nil), at: 0)
    if let count = folded[error.code] { folded[error.code] = count > 1 ? count - 1 : nil }
  }
}

/// Filters out suppressed findings.
struct FindingFilter {
  private let settings: CheckSettings
  private var baseline: [FindingKey: Int]
  private(set) var ignored = IgnoredFindings()
  private var keys = FindingKeys()

  init(settings: CheckSettings) {
    self.settings = settings
    baseline = settings.baseline
  }

  /// Whether to report a diagnostic.
  mutating func admits(
    _ diagnostic: Diagnostic,
    _ rule: Range<Int>?,
    _ text: Span<UInt8>
  ) -> Bool {
    // Errors are always reported: WebKit refuses the list, whoever has accepted them.
    guard diagnostic.severity < .error else { return true }
    if let silencer = settings.ignoredCodes[diagnostic.code] {
      ignored.add(silencer)
      return false
    }
    if diagnostic.severity < settings.severity {
      ignored.add(settings.severitySilencer)
      return false
    }
    guard !baseline.isEmpty else { return true }
    let key = keys.key(of: diagnostic, in: rule, text)
    if let left = baseline[key], left > 0 {
      baseline[key] = left - 1
      ignored.add(settings.baselineSilencer)
      return false
    }
    return true
  }
}

internal import ContentRules

/// What was found in one list, without what the settings hide.
struct ListFindings {
  /// The verdict; its diagnostics are left out.
  var report: RuleListReport
  /// How many diagnostics there are of each severity.
  var counts: [Diagnostic.Severity: Int] = [:]
  /// How many were not to be told, and how many the baseline holds.
  var ignored = 0
  var accepted = 0
  /// The first diagnostics.
  var kept: [Finding] = []
  /// How many of each code are not among them.
  var folded: [DiagnosticCode: Int] = [:]

  /// Whether all diagnostics are kept.
  var isComplete: Bool { folded.isEmpty }

  /// The number of diagnostics of a severity.
  func count(_ severity: Diagnostic.Severity) -> Int { counts[severity] ?? 0 }
}

/// A diagnostic and the rule that it was found in.
struct Finding {
  var diagnostic: Diagnostic
  /// What tells the finding from others, however rules move.
  var key: FindingKey
}

/// Reads lists and tells what is found in them.
struct ListReading {
  let settings: CheckSettings
  let options: ReadingOptions
  /// How many diagnostics of each code are kept, and how many of all codes together.
  var limitPerCode: Int
  var limit: Int

  /// Reads a list.
  ///
  /// Memory is that of the diagnostics that are kept, whatever the list's length.
  func findings(in text: [UInt8]) -> ListFindings {
    var findings = ListFindings(report: RuleListReport(ruleList: nil, ruleCount: 0))
    var keptCounts: [DiagnosticCode: Int] = [:]
    var filter = FindingFilter(settings: settings)
    findings.report = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard let key = filter.admit(diagnostic, rule, text.span) else { return }
      findings.counts[diagnostic.severity, default: 0] += 1
      let count = keptCounts[diagnostic.code, default: 0] + 1
      guard count <= limitPerCode, findings.kept.count < limit else {
        findings.folded[diagnostic.code, default: 0] += 1
        return
      }
      keptCounts[diagnostic.code] = count
      findings.kept.append(Finding(diagnostic: diagnostic, key: key))
    }
    findings.ignored = filter.ignored
    findings.accepted = filter.accepted
    findings.markWebKitError()
    return findings
  }

  /// Reads a list once more and hands on everything that is to be told of it.
  ///
  /// - Parameters:
  ///   - findings: What the first reading came to.
  ///   - text: The list.
  ///   - body: What takes the findings, in the order of the text.
  func forEach(of findings: ListFindings, in text: [UInt8], _ body: (Finding) -> Void) {
    if findings.isComplete { return findings.kept.forEach(body) }
    var filter = FindingFilter(settings: settings)
    let error = findings.report.webKitError
    _ = RuleListReader.read(text.span, options: options) { diagnostic, rule in
      guard let key = filter.admit(diagnostic, rule, text.span) else { return }
      var diagnostic = diagnostic
      diagnostic.isWebKitError =
        error?.code == diagnostic.code && error?.location == diagnostic.location
      body(Finding(diagnostic: diagnostic, key: key))
    }
  }
}

extension ListFindings {
  /// Marks the error that WebKit would report, and keeps it if it was folded away.
  fileprivate mutating func markWebKitError() {
    guard let error = report.webKitError else { return }
    let place = kept.firstIndex {
      $0.diagnostic.code == error.code && $0.diagnostic.location == error.location
    }
    if let place { return kept[place].diagnostic.isWebKitError = true }
    kept.insert(Finding(diagnostic: error, key: FindingKey(error, rule: 0)), at: 0)
    if let count = folded[error.code] { folded[error.code] = count > 1 ? count - 1 : nil }
  }
}

/// Holds back what is not to be told.
struct FindingFilter {
  private let settings: CheckSettings
  private var baseline: [FindingKey: Int]
  private(set) var ignored = 0
  private(set) var accepted = 0
  /// The rule of the last finding; one rule may be long and have many.
  private var rule = (range: 0..<0, digest: UInt64(0))

  init(settings: CheckSettings) {
    self.settings = settings
    baseline = settings.baseline
  }

  /// What a diagnostic is known by; `nil` for one that is not to be told.
  mutating func admit(
    _ diagnostic: Diagnostic,
    _ rule: Range<Int>?,
    _ text: Span<UInt8>
  ) -> FindingKey? {
    if let rule, rule != self.rule.range {
      self.rule = (rule, FindingKey.digest(text, rule))
    }
    let key = FindingKey(diagnostic, rule: rule == nil ? 0 : self.rule.digest)
    // Errors are always told: WebKit refuses the list, whoever has accepted them.
    guard diagnostic.severity < .error else { return key }
    if settings.ignoredCodes.contains(diagnostic.code) || diagnostic.severity < settings.severity {
      ignored += 1
      return nil
    }
    if let left = baseline[key], left > 0 {
      baseline[key] = left - 1
      accepted += 1
      return nil
    }
    return key
  }
}

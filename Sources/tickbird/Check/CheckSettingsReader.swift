internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// Provides the settings of one list after the other, from the command line and from files that are
/// read once.
struct CheckSettingsReader {
  private struct File {
    var path: String
    var configuration: CheckConfiguration
  }

  private let choice: CheckChoice
  /// The file that the command line names.
  private let given: File?
  private let baseline: AcceptedFindings?
  /// The last configuration found beside a list; lists come folder by folder.
  private var beside: (path: String, file: File?)?
  private var baselineOfFile: (path: String, findings: AcceptedFindings)?
  private let readsBaselines: Bool

  /// A baseline, and the names of lists in it.
  private struct AcceptedFindings {
    private let baseline: Baseline
    private let names: ListNames

    init(_ path: String) throws(InputError) {
      baseline = try Baseline(path: path)
      names = ListNames(baseline: path)
    }

    func findings(in list: String) -> [FindingKey: Int] {
      baseline.lists[names.name(of: list)] ?? [:]
    }
  }

  /// Reads the files that the command line names.
  ///
  /// A run that writes a baseline reads none: it accepts what was accepted before, and the file may
  /// not exist yet.
  ///
  /// - Throws: ``InputError`` that names the file.
  init(_ choice: CheckChoice, readsBaselines: Bool) throws(InputError) {
    self.choice = choice
    self.readsBaselines = readsBaselines
    var given: File?
    if let path = choice.config {
      given = File(path: path, configuration: try CheckConfiguration(path: path))
    }
    self.given = given
    var baseline: AcceptedFindings?
    if readsBaselines, let path = choice.baseline { baseline = try AcceptedFindings(path) }
    self.baseline = baseline
  }

  /// Returns the settings for a list: the command line's and, where it says nothing, the file's.
  ///
  /// - Throws: ``InputError`` that names the file.
  mutating func settings(for list: String) throws(InputError) -> CheckSettings {
    let file = try file(for: list)
    let configuration = file?.configuration
    var settings = CheckSettings()
    for code in configuration?.ignoredCodes ?? [] {
      settings.ignoredCodes[code] = Silencer(.ignore, file: file?.path)
    }
    for word in choice.ignore {
      settings.ignoredCodes[try CheckSettings.ignorableCode(word)] = Silencer(.ignore)
    }
    if let severity = choice.severity.flatMap({ Diagnostic.Severity(word: $0.rawValue) }) {
      settings.severity = severity
    } else if let severity = configuration?.severity {
      settings.severity = severity
      settings.severitySilencer.file = file?.path
    }
    settings.acceptedSeverity = settings.severity
    if choice.quiet, settings.severity < .warning {
      settings.severity = .warning
      settings.severitySilencer = Silencer(.quiet)
    }
    settings.target = choice.target?.release ?? configuration?.target
    settings.limit = choice.limit ?? configuration?.limit ?? settings.limit
    settings.maxFindings = choice.maxFindings ?? configuration?.maxFindings ?? 0
    if let baseline {
      settings.baseline = baseline.findings(in: list)
    } else if readsBaselines, let path = configuration?.baseline {
      settings.baseline = try accepted(path).findings(in: list)
      settings.baselineSilencer.file = file?.path
    }
    return settings
  }

  private mutating func file(for list: String) throws(InputError) -> File? {
    if let given { return given }
    guard !choice.noConfig, let path = CheckConfiguration.path(beside: list) else { return nil }
    if let beside, beside.path == path { return beside.file }
    let configuration = try CheckConfiguration.found(at: path)
    let file = configuration.map { File(path: path, configuration: $0) }
    beside = (path, file)
    return file
  }

  private mutating func accepted(_ path: String) throws(InputError) -> AcceptedFindings {
    if let baselineOfFile, baselineOfFile.path == path { return baselineOfFile.findings }
    let findings = try AcceptedFindings(path)
    baselineOfFile = (path, findings)
    return findings
  }
}

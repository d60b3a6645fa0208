internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// What to report of a list: from the command line or, where that says nothing, from
/// `tickbird.toml`.
struct CheckSettings {
  /// The ignored codes, each with the option or file that ignores it.
  var ignoredCodes: [DiagnosticCode: Silencer] = [:]
  /// The least severity to report, and what sets it.
  var severity = Diagnostic.Severity.note
  var severitySilencer = Silencer(.severity)
  /// The least severity that a new baseline accepts; `--quiet` affects only what is printed.
  var acceptedSeverity = Diagnostic.Severity.note
  var target: EngineRelease?
  var limit = 20
  var maxFindings = 0
  /// The accepted findings of this list, and what names their file.
  var baseline: [FindingKey: Int] = [:]
  var baselineSilencer = Silencer(.baseline)

  /// Returns the code of the given name.
  ///
  /// - Throws: ``InputError`` for a code that does not exist or cannot be ignored.
  static func ignorableCode(_ word: String) throws(InputError) -> DiagnosticCode {
    let code = DiagnosticCode(rawValue: word)
    guard DiagnosticCode.all.contains(code) else {
      let nearest = Suggestion.nearest(to: word, among: DiagnosticCode.all.map(\.rawValue))
      throw InputError(
        "there is no code \(word); "
          + (nearest.map { "did you mean \($0)?" } ?? "tickbird check --list-codes has them all")
      )
    }
    guard code.severity < .error else {
      throw InputError("\(word) is an error: WebKit refuses the list, so it cannot be ignored")
    }
    return code
  }
}

extension Diagnostic.Severity {
  /// Creates the severity of the given word.
  init?(word: String) {
    switch word {
    case "note": self = .note
    case "warning": self = .warning
    case "error": self = .error
    default: return nil
    }
  }
}

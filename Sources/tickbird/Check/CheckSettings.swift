internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// What is told of a list: from the command line, or where that says nothing, from `tickbird.toml`.
struct CheckSettings {
  /// The codes that are not told, and who says so.
  var ignoredCodes: [DiagnosticCode: Silencer] = [:]
  /// The least severity that is told, and who says so.
  var severity = Diagnostic.Severity.note
  var severitySilencer = Silencer(.severity)
  /// The least severity that a new baseline accepts: `--quiet` is about what is written now.
  var acceptedSeverity = Diagnostic.Severity.note
  var target: EngineRelease?
  var limit = 20
  var maxFindings = 0
  /// The findings that are accepted in this list, and who names their file.
  var baseline: [FindingKey: Int] = [:]
  var baselineSilencer = Silencer(.baseline)

  /// The code of the given words.
  ///
  /// - Throws: ``InputError`` for a code that there is not, or that cannot be ignored.
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
  /// The severity of the given word.
  init?(word: String) {
    switch word {
    case "note": self = .note
    case "warning": self = .warning
    case "error": self = .error
    default: return nil
    }
  }
}

package import ContentRules

/// Checks lists as `tickbird check` does; the command provides it, which knows the settings.
package protocol ListChecking: Sendable {
  /// Checks a list.
  ///
  /// - Parameters:
  ///   - text: The list's text.
  ///   - path: Its file, beside which there may be settings; `nil` if it has none.
  /// - Returns: What was found.
  func check(_ text: [UInt8], path: String?) -> DocumentFindings

  /// Returns a list with all corrections that keep the meaning of rules, as `tickbird check --fix`
  /// makes them; `nil` if there is none.
  func corrected(_ text: [UInt8], path: String?) -> [UInt8]?
}

/// The findings in a list.
package struct DocumentFindings: Sendable {
  /// The findings to show, in the order of the text.
  package var diagnostics: [Diagnostic]
  /// The number of further findings of each code.
  package var omitted: [DiagnosticCode: Int]
  /// Why the settings beside the list cannot be used, if so.
  package var settingsFault: String?

  /// Creates findings from their parts.
  package init(
    diagnostics: [Diagnostic],
    omitted: [DiagnosticCode: Int] = [:],
    settingsFault: String? = nil
  ) {
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.settingsFault = settingsFault
  }
}

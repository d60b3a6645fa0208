package import ContentRules

extension JSONWriter {
  /// Writes the start of a list's object, up to its diagnostics, as `tickbird check` prints it.
  ///
  /// ``diagnostic(_:)`` adds each of them, and ``endReport()`` ends the line.
  ///
  /// - Parameters:
  ///   - report: The verdict.
  ///   - file: The list's path.
  ///   - mended: The number of findings that were corrected before; `nil` if that was not
  ///     requested.
  ///   - ignored: The findings that are left out.
  package mutating func beginReport(
    _ report: RuleListReport,
    file: String,
    mended: Int?,
    ignored: IgnoredFindings
  ) {
    object { json in
      json.field("file", file)
      json.field("accepted", report.isAccepted)
      json.field("error") { json in
        if let error = report.limitError { return json.error("ExceedsLimits", error.message) }
        guard let error = report.webKitError?.webKitError else { return json.null() }
        json.error(error.rawValue, error.message)
      }
      json.field("rules", report.ruleCount)
      json.field("skipped", report.skippedRules.count)
      if let mended { json.field("mended", mended) }
      json.field("ignored") { $0.ignored(ignored) }
      json.field("diagnostics") { $0.array { _ in } }
    }
    // The array and the object stay open.
    reopen(2)
  }

  /// Ends what ``beginReport(_:file:mended:ignored:)`` began.
  package mutating func endReport() {
    close("]}")
    endLine()
  }

  /// Writes the object of a file that cannot be checked, in the same form.
  package mutating func unreadable(file: String, message: String) {
    object { json in
      json.field("file", file)
      json.field("accepted", false)
      json.field("error") { $0.error("Unreadable", message) }
      json.field("rules", 0)
      json.field("skipped", 0)
      json.field("ignored") { $0.array { _ in } }
      json.field("diagnostics") { $0.array { _ in } }
    }
  }

  private mutating func error(_ code: String, _ message: String) {
    object { json in
      json.field("code", code)
      json.field("message", message)
    }
  }

  /// Writes a diagnostic, and further fields of its object.
  package mutating func diagnostic(
    _ diagnostic: Diagnostic,
    further: (inout JSONWriter) -> Void = { _ in }
  ) {
    object { json in
      json.field("severity", diagnostic.severity.word)
      json.field("code", diagnostic.code.rawValue)
      json.field("message", diagnostic.message)
      if let reason = diagnostic.reason { json.field("reason", reason) }
      json.field("rule") { json in
        if let rule = diagnostic.location.ruleIndex { json.number(rule) } else { json.null() }
      }
      json.field("path", diagnostic.location.jsonPath)
      json.field("line", diagnostic.location.line)
      json.field("column", diagnostic.location.column)
      json.field("offset", diagnostic.location.byteRange.lowerBound)
      json.field("length", diagnostic.location.byteRange.count)
      if let hint = diagnostic.hint { json.field("hint", hint) }
      if let correction = diagnostic.correction { json.correction(correction) }
      further(&json)
    }
  }

  private mutating func correction(_ correction: Correction) {
    field("correction") { json in
      json.object { json in
        json.field("keepsMeaning", correction.keepsMeaning)
        json.field("edits") { json in
          json.array(of: correction.edits) { json, edit in
            json.object { json in
              json.field("offset", edit.byteRange.lowerBound)
              json.field("length", edit.byteRange.count)
              json.field("replacement", edit.replacement)
            }
          }
        }
      }
    }
  }
}

extension Diagnostic.Severity {
  /// The severity in one word, as in SARIF.
  package var word: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .note: "note"
    }
  }
}

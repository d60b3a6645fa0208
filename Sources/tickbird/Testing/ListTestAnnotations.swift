internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import ListTesting

/// The results of tests as annotations of GitHub's workflows, which it shows beside the lines.
struct ListTestAnnotations {
  let report: ListTestReport

  func text() -> String {
    var text = ""
    for file in report.files {
      for fault in file.faults {
        text += Self.error(file.name, fault.line, fault.column, "Invalid test", fault.message)
      }
      if let trouble = file.trouble {
        text += Self.error(file.name, nil, nil, "Test cannot run", trouble)
      }
      for outcome in file.outcomes where !outcome.holds {
        let expectation = outcome.expectation
        let reasons = outcome.sentences.map { Shown.line($0) }
        text += Self.error(
          file.name,
          expectation.line,
          expectation.column,
          "Failed: \(Shown.shortened(Shown.line(expectation.title), to: 120))",
          reasons.joined(separator: "\n")
        )
      }
    }
    return text + report.summary + "\n"
  }

  private static func error(
    _ file: String,
    _ line: Int?,
    _ column: Int?,
    _ title: String,
    _ message: String
  ) -> String {
    var text = "::error file=\(property(file))"
    if let line { text += ",line=\(line)" }
    if let column { text += ",col=\(column)" }
    return text + ",title=\(property(title))::\(data(message))\n"
  }

  /// Escapes what a command's data must not have.
  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// Escapes what a command's property must not have.
  private static func property(_ text: String) -> String {
    data(Shown.line(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

/// The results of tests for code-scanning services.
enum ListTestSARIF {
  static func bytes(_ report: ListTestReport) -> [UInt8] {
    var log = SARIFLog()
    var bytes: [UInt8] = []
    for file in report.files {
      var columns = ColumnCounter()
      let text = file.text.span
      for fault in file.faults {
        let start = lineStart(fault.line, file.text) + fault.column - 1
        let diagnostic = Diagnostic(
          SARIFLog.invalidTest,
          severity: .error,
          message: fault.message,
          location: SourceLocation(
            byteRange: start..<start,
            line: fault.line,
            column: fault.column
          )
        )
        let key = fingerprint("\(file.name) \(fault.message)")
        log.add(diagnostic, fingerprint: key, file: file.name, &columns, text)
      }
      if let trouble = file.trouble { log.addUnreadable(file: file.name, message: trouble) }
      for outcome in file.outcomes where !outcome.holds {
        let expectation = outcome.expectation
        let diagnostic = Diagnostic(
          SARIFLog.failedExpectation,
          severity: .error,
          message: outcome.sentences.map { Shown.line($0) }.joined(separator: "; "),
          location: SourceLocation(
            byteRange: expectation.byteRange,
            line: expectation.line,
            column: expectation.column
          )
        )
        let key = fingerprint("\(file.name) \(expectation.title)")
        log.add(diagnostic, fingerprint: key, file: file.name, &columns, text)
      }
      bytes += log.take()
    }
    log.end(ignored: IgnoredFindings(), isWhole: !report.hasTrouble)
    return bytes + log.take()
  }

  /// Returns a number that is the same for the same text in every run.
  private static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return String(hash, radix: 16)
  }

  /// Returns the place of a line's first byte.
  private static func lineStart(_ line: Int, _ text: [UInt8]) -> Int {
    var place = 0
    var number = 1
    while number < line, place < text.count {
      if text[place] == 0x0A || text[place] == 0x0D {
        number += 1
        if text[place] == 0x0D, place + 1 < text.count, text[place + 1] == 0x0A { place += 1 }
      }
      place += 1
    }
    return place
  }
}

/// Formats diagnostics for people: place, message, the source line with the spot marked, hint.
///
///     ads.json:3:29: error: url-filter is refused: '|' is not supported [invalid-pattern]
///         3 |   {"trigger": {"url-filter": "ad|banner"}, "action": {"type": "block"}}
///           |                                 ^
///           = hint: write one rule for each alternative
///           = at [0].trigger.url-filter
///           = WebKit reports: Invalid or unsupported regular expression. (JSONInvalidRegex)
///
/// Lists are often a single line of many megabytes; no more of it is read than ``lineWidth`` asks
/// for.
public struct DiagnosticRenderer: Sendable {
  /// The text before line and column, such as the file's name.
  public var fileName: String
  /// Whether to colour the text with ANSI escape sequences.
  public var usesColor: Bool
  /// The most characters of a source line to show, at least 20.
  public var lineWidth: Int

  /// Creates a renderer for the text of the given name.
  public init(fileName: String, usesColor: Bool = false, lineWidth: Int = 100) {
    self.fileName = fileName
    self.usesColor = usesColor
    self.lineWidth = max(20, lineWidth)
  }

  /// Returns a diagnostic as lines of text, each with its line break.
  ///
  /// - Parameters:
  ///   - diagnostic: The diagnostic.
  ///   - text: The text that was read; places outside of it show no source line.
  /// - Returns: The lines.
  public func render(_ diagnostic: Diagnostic, in text: Span<UInt8>) -> String {
    let location = diagnostic.location
    let severity = label(diagnostic.severity)
    var lines = [
      bold("\(printable(fileName)):\(location.line):\(location.column):") + " \(severity) "
        + bold(printable(diagnostic.message)) + " [\(diagnostic.code.rawValue)]"
    ]
    let number = String(location.line)
    let margin = String(repeating: " ", count: max(5, number.utf8.count))
    if diagnostic.code != .moreOfTheSame, let window = window(around: location, in: text) {
      lines.append(" " + margin.dropLast(number.utf8.count) + number + " | " + window.source)
      lines.append(" \(margin) | \(paint(window.mark, "32;1"))")
    }
    for detail in details(diagnostic) { lines.append(" \(margin) = \(detail)") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns all diagnostics of a report, followed by a summary line.
  public func render(_ report: RuleListReport, in text: Span<UInt8>) -> String {
    var output = ""
    for diagnostic in report.diagnostics { output += render(diagnostic, in: text) }
    return output + summary(report) + "\n"
  }

  /// Returns one line that says whether the list is accepted, and counts what was found.
  public func summary(_ report: RuleListReport) -> String {
    var counts: [Diagnostic.Severity: Int] = [:]
    for diagnostic in report.diagnostics where diagnostic.code != .moreOfTheSame {
      counts[diagnostic.severity, default: 0] += 1
    }
    return summary(report, counts: counts)
  }

  /// Returns the same line for the given counts.
  public func summary(_ report: RuleListReport, counts: [Diagnostic.Severity: Int]) -> String {
    let counts = [(Diagnostic.Severity.error, "error"), (.warning, "warning"), (.note, "note")]
      .compactMap { severity, word -> String? in
        guard let count = counts[severity], count > 0 else { return nil }
        return "\(count.grouped) \(word)\(count == 1 ? "" : "s")"
      }
    let rules = "\(report.ruleCount.grouped) \(report.ruleCount == 1 ? "rule" : "rules")"
    let skipped =
      report.skippedRules.isEmpty ? "" : ", of which \(report.skippedRules.count.grouped) skipped"
    let verdict = report.isAccepted ? "accepted" : "refused"
    return "\(printable(fileName)): \(verdict), \(rules)\(skipped)"
      + (counts.isEmpty ? "" : "; " + counts.joined(separator: ", "))
  }

  private func details(_ diagnostic: Diagnostic) -> [String] {
    var details: [String] = []
    if let hint = diagnostic.hint { details.append("hint: \(printable(hint))") }
    if !diagnostic.location.jsonPath.isEmpty, diagnostic.code != .moreOfTheSame {
      details.append("at \(printable(diagnostic.location.jsonPath))")
    }
    if diagnostic.isWebKitError, let error = diagnostic.webKitError {
      let reason = diagnostic.reason.map { ", \($0)" } ?? ""
      details.append("WebKit reports: \(error.message) (\(error.rawValue)\(reason))")
    }
    return details
  }

  private func label(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: paint("error:", "31;1")
    case .warning: paint("warning:", "35;1")
    case .note: paint("note:", "36;1")
    }
  }

  private func bold(_ text: String) -> String { paint(text, "1") }

  private func paint(_ text: String, _ style: String) -> String {
    usesColor ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
  }
}

// MARK: The source line

extension DiagnosticRenderer {
  /// A part of a source line, with the spot of a diagnostic.
  public struct Excerpt: Hashable, Sendable {
    /// The text before the spot, from the line's start or an ellipsis on.
    public var before = ""
    /// The spot; empty where something is missing.
    public var spot = ""
    /// What follows, up to the line's end or an ellipsis.
    public var after = ""
  }

  /// Returns the part of the line around a place, in printable characters.
  ///
  /// - Returns: `nil` for a place outside of the text.
  /// - Complexity: O(``lineWidth``).
  public func excerpt(around location: SourceLocation, in text: Span<UInt8>) -> Excerpt? {
    let spot = location.byteRange
    guard spot.upperBound <= text.count, !text.isEmpty else { return nil }
    let lineStart = max(0, spot.lowerBound - (location.column - 1))
    let shown = min(max(1, spot.count), lineWidth / 2)
    // At least a third of the remaining width goes before the spot, which shows what it belongs to.
    let before = max(lineWidth / 3, lineWidth - shown - lineWidth / 3)
    var start = max(lineStart, spot.lowerBound - before)
    while start > lineStart, text[start] & 0xC0 == 0x80 { start -= 1 }
    var excerpt = Excerpt(before: start > lineStart ? "…" : "")
    var position = start
    var width = 0
    while position < text.count, width < lineWidth {
      let byte = text[position]
      guard byte != 0x0A, byte != 0x0D else { break }
      let length = max(1, text.lengthOfCharacter(at: position))
      let character = printable(text, position..<position + length)
      if position < spot.lowerBound {
        excerpt.before += character
      } else if position == spot.lowerBound || position < spot.upperBound {
        excerpt.spot += character
      } else {
        excerpt.after += character
      }
      position += length
      width += 1
    }
    if position < text.count, text[position] != 0x0A, text[position] != 0x0D {
      excerpt.after += "…"
    }
    return excerpt
  }

  /// The excerpt as one line, and the line that marks the spot.
  private func window(
    around location: SourceLocation,
    in text: Span<UInt8>
  ) -> (source: String, mark: String)? {
    guard let excerpt = excerpt(around: location, in: text) else { return nil }
    let margin = String(repeating: " ", count: excerpt.before.unicodeScalars.count)
    let tail = String(repeating: "~", count: max(0, excerpt.spot.unicodeScalars.count - 1))
    return (excerpt.before + excerpt.spot + excerpt.after, "\(margin)^\(tail)")
  }

  /// Returns a character in a form that takes one column.
  private func printable(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
    if text[range.lowerBound] == 0x09 { return " " }
    return printable(JSONText.string(text.extracting(range)))
  }

  private func printable(_ text: String) -> String { DisplayText.path(text) }
}

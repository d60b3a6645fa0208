internal import CommandOutput
internal import ContentRules
internal import TextOutput

/// The codes of all findings of `tickbird check`, with their meanings.
enum CodeTable {
  /// Warnings and notes first, since these can be ignored.
  static let codes = DiagnosticCode.all.filter { $0 != .moreOfTheSame }.sorted {
    (order($0.severity), $0.rawValue) < (order($1.severity), $1.rawValue)
  }

  private static func order(_ severity: Diagnostic.Severity) -> Int {
    switch severity {
    case .warning: 0
    case .note: 1
    case .error: 2
    }
  }

  /// The table as text: at least two lines per code, with a blank line and a title before each
  /// severity.
  static var text: String {
    var text = ""
    var severity: Diagnostic.Severity?
    for code in codes {
      if code.severity != severity {
        severity = code.severity
        let title =
          switch code.severity {
          case .warning: "Warnings, which --ignore takes:"
          case .note: "Notes, which --ignore takes:"
          case .error: "Errors, which are always told:"
          }
        text += (text.isEmpty ? "" : "\n") + title + "\n\n"
      }
      text += "  \(code.rawValue)\n" + Shown.wrapped(code.meaning, width: Terminal.width, indent: 6)
    }
    return text
  }

  /// The table as JSON, one code per line.
  static var json: [UInt8] {
    var json = JSONWriter()
    for code in codes {
      json.object { json in
        json.field("code", code.rawValue)
        json.field("severity", code.severity.word)
        json.field("meaning", code.meaning)
      }
      json.endLine()
    }
    return json.bytes
  }
}

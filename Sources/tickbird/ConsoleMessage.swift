internal import CommandOutput
internal import TextOutput

/// Writes messages to standard error.
enum ConsoleMessage {
  static func error(_ message: String) { labelled("error", message, "31;1") }

  static func warning(_ message: String) { labelled("warning", message, "35;1") }

  static func plain(_ text: String) { StandardError.line(OutputText(painted: text)) }

  private static func labelled(_ label: String, _ message: String, _ style: String) {
    let painted =
      Terminal.usesColor(.auto, descriptor: 2) ? "\u{1B}[\(style)m\(label):\u{1B}[0m" : "\(label):"
    plain("tickbird: \(painted) \(Shown.line(message))")
  }
}

internal import CLibrary
internal import ContentRules

/// The command's version.
package enum CommandVersion {
  /// The version as text.
  package static let text = "0.1.0"
}

/// When text is coloured.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// What is known of where the output goes.
package enum Terminal {
  /// Whether to colour what goes to standard output (1) or standard error (2).
  package static func usesColor(_ choice: ColorChoice, descriptor: Int32 = 1) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isatty(descriptor) == 1 && (environment("NO_COLOR") ?? "").isEmpty
        && environment("TERM") != "dumb"
    }
  }

  /// Whether standard output (1) or standard error (2) is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal, at least 40; 80 when the output is no terminal.
  package static var width: Int {
    var size = winsize()
    guard isatty(1) == 1, unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return max(40, Int(size.ws_col))
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}

/// Paints text for a terminal.
package struct Paint: Sendable {
  /// Whether it paints at all.
  package let isOn: Bool

  /// Creates a painter.
  package init(_ isOn: Bool) { self.isOn = isOn }

  package func bold(_ text: String) -> String { style(text, "1") }
  package func red(_ text: String) -> String { style(text, "31;1") }
  package func green(_ text: String) -> String { style(text, "32") }
  package func yellow(_ text: String) -> String { style(text, "33") }
  package func cyan(_ text: String) -> String { style(text, "36") }
  package func dim(_ text: String) -> String { style(text, "2") }

  private func style(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Makes foreign text fit to be shown.
package enum Shown {
  /// The text on one line: runs of white space become one space, and characters that would falsify
  /// what is shown, such as escapes or changes of direction, become U+FFFD.
  package static func line(_ text: String) -> String { DisplayText.line(text) }

  /// The text shortened in its middle to so many characters.
  package static func shortened(_ text: String, to width: Int) -> String {
    DisplayText.shortened(text, to: width)
  }

  /// The text filled up with spaces to so many characters.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
  }

  /// A number with commas between groups of three digits.
  package static func grouped(_ number: Int) -> String { DisplayText.grouped(number) }

  /// A number and its noun.
  package static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}

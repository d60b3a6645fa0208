internal import CLibrary
internal import ContentRules

/// When to colour text.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
  case auto
  /// Always.
  case always
  /// Never.
  case never
}

/// Properties of the terminal.
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

  /// The width of the terminal in columns, at least 40; 80 if the output is not a terminal.
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

internal import ContentRules

/// Text that is safe to display: the program's literals, and foreign text made printable by
/// ``DisplayText``.
///
///     let text: OutputText = "Subscribed to \(feed.title)."
///
/// Interpolated values become printable and single-line automatically. Interpolate text with line
/// breaks as `\(lines: note.text)`, a path that others may parse as `\(path: file.path)`, and what
/// is known to be harmless, such as colours, as `\(asIs: text)`.
public struct OutputText: ExpressibleByStringInterpolation, Sendable {
  /// The printable text.
  public let text: String

  /// Creates text from a literal.
  public init(stringLiteral value: String) { text = value }

  /// Creates text from an interpolated literal.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Creates text from a string that is printable already, or is the program's own.
  public init(asIs text: String) { self.text = text }

  /// Makes text printable, with its line ends.
  public init(lines text: String) { self.text = DisplayText.lines(text) }

  /// Creates text from a message of several lines about arguments, each of which stays within its
  /// line.
  public init(_ message: String, about arguments: [String]) {
    var message = message
    for argument in arguments where argument.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      message = message.replacing(argument, with: DisplayText.path(argument))
    }
    text = DisplayText.lines(message)
  }

  /// Joins lines.
  public init(joining lines: [OutputText]) { text = lines.map(\.text).joined(separator: "\n") }

  /// Creates text from lines with the program's own colours; every other control becomes printable.
  ///
  /// A last defence: if one of a table's many parts was left unsanitised, it is caught here.
  public init(painted text: String) {
    guard text.utf8.contains(0x1B) else {
      self.text = DisplayText.lines(text)
      return
    }
    var parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)[...]
    var output = DisplayText.lines(String(parts.removeFirst()))
    for part in parts {
      if let style = Self.styles.first(where: { part.hasPrefix($0) }) {
        output += "\u{1B}" + style + DisplayText.lines(String(part.dropFirst(style.count)))
      } else {
        output += "\u{FFFD}" + DisplayText.lines(String(part))
      }
    }
    self.text = output
  }

  /// The ANSI styles that the programs use.
  private static let styles = ["0", "1", "2", "31;1", "32", "32;1", "33", "35;1", "36", "36;1"]
    .map { "[\($0)m" }

  /// Concatenates two texts.
  public static func + (first: OutputText, second: OutputText) -> OutputText {
    OutputText(asIs: first.text + second.text)
  }

  /// Collects an interpolation.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Creates an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    /// Appends a literal.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Appends a value on one line.
    ///
    /// Keeps one space at either end: the value may be part of a sentence.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let value = value.description
      let line = DisplayText.line(value)
      guard !line.isEmpty else { return }
      if value.utf8.first == 0x20 { text += " " }
      text += line
      if value.utf8.last == 0x20 { text += " " }
    }

    /// Adds an error's description on one line.
    public mutating func appendInterpolation(_ error: any Error) {
      text += DisplayText.line("\(error)")
    }

    /// Appends printable text.
    public mutating func appendInterpolation(_ output: OutputText) { text += output.text }

    /// Adds text with its line ends.
    public mutating func appendInterpolation(lines: String) { text += DisplayText.lines(lines) }

    /// Adds a path, with each of its spaces.
    public mutating func appendInterpolation(path: String) { text += DisplayText.path(path) }

    /// Appends text that is the program's own.
    public mutating func appendInterpolation(asIs own: String) { text += own }
  }
}

internal import ContentRules

/// Text that may be shown to people: what is written out in the program, and foreign text made
/// printable by ``DisplayText``.
///
///     let text: OutputText = "Subscribed to \(feed.title)."
///
/// Whatever stands in an interpolation becomes printable and one line; nothing has to be remembered.
/// Text with lines of its own is given as `\(lines: note.text)`, a path that others may read again as
/// `\(path: file.path)`, and what is known to be harmless, such as colours, as `\(asIs: text)`.
public struct OutputText: ExpressibleByStringInterpolation, Sendable {
  /// The text, which can be printed.
  public let text: String

  /// Takes what is written in the program.
  public init(stringLiteral value: String) { text = value }

  /// Takes text with its interpolations.
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// Takes text that was made printable already, or that is the program's own.
  public init(asIs text: String) { self.text = text }

  /// Makes text printable, with its line ends.
  public init(lines text: String) { self.text = DisplayText.lines(text) }

  /// Takes a message of several lines about arguments, each of which stays within its line.
  public init(_ message: String, about arguments: [String]) {
    var message = message
    for argument in arguments where argument.unicodeScalars.contains(where: { $0.value < 0x20 }) {
      message = message.replacing(argument, with: DisplayText.path(argument))
    }
    text = DisplayText.lines(message)
  }

  /// Takes several lines.
  public init(joining lines: [OutputText]) { text = lines.map(\.text).joined(separator: "\n") }

  /// Takes text with line ends in which the program's own colours stand; every other control becomes
  /// printable.
  ///
  /// A table is made of many parts; should one of them have been left as it came, it ends here.
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

  /// What the programs paint with.
  private static let styles = ["0", "1", "2", "31;1", "32", "32;1", "33", "35;1", "36", "36;1"]
    .map { "[\($0)m" }

  /// Both texts, one behind the other.
  public static func + (first: OutputText, second: OutputText) -> OutputText {
    OutputText(asIs: first.text + second.text)
  }

  /// What an interpolation is made of.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    /// Begins.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    /// Adds what is written in the program.
    public mutating func appendLiteral(_ literal: String) { text += literal }

    /// Adds a value on one line.
    ///
    /// A space at either end stays, as one: the value may be a part of a sentence.
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

    /// Adds what was made printable before.
    public mutating func appendInterpolation(_ output: OutputText) { text += output.text }

    /// Adds text with its line ends.
    public mutating func appendInterpolation(lines: String) { text += DisplayText.lines(lines) }

    /// Adds a path, with each of its spaces.
    public mutating func appendInterpolation(path: String) { text += DisplayText.path(path) }

    /// Adds text that is the program's own.
    public mutating func appendInterpolation(asIs own: String) { text += own }
  }
}

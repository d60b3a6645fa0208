public import ArgumentParser

/// An output format.
public enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For programs.
  case json
}

/// The option of commands that once had `--json` in its place.
public struct FormatOption: ParsableArguments {
  @Option(help: "The output format; by default text.")
  private var format: TextFormat?

  @Flag(help: .hidden)
  private var json = false

  /// Creates the option as ArgumentParser fills it.
  public init() {}

  /// Whether JSON is wanted.
  public var isJSON: Bool { json || format == .json }
  /// Whether a format is named.
  public var isGiven: Bool { json || format != nil }

  /// Refuses two formats at once.
  ///
  /// - Throws: `ValidationError`.
  public func validate() throws {
    if json, format == .text {
      throw ValidationError("--json and --format text exclude each other; leave one out.")
    }
  }
}

internal import ArgumentParser

/// An output format.
enum TextFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

/// The option of commands that once had `--json` in its place.
struct FormatOption: ParsableArguments {
  @Option(help: "The output format; by default text.")
  var format: TextFormat?

  @Flag(help: .hidden)
  var json = false

  /// Whether JSON is wanted.
  var isJSON: Bool { json || format == .json }
  /// Whether a format is named.
  var isGiven: Bool { json || format != nil }

  func validate() throws {
    if json, format == .text {
      throw ValidationError("--json and --format text exclude each other; leave one out.")
    }
  }
}

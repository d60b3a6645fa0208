import ArgumentParser

/// Compares the engine with others: the reference, and WebKit itself.
@main
struct CompareEngines: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare-engines",
    abstract: "Compare the engine with the reference, or with WebKit.",
    subcommands: [DifferentialCommand.self, WebKitCommand.self]
  )
}

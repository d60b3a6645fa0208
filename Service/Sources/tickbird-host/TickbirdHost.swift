internal import ArgumentParser

/// The service's command; each subcommand has a file of its own.
@main
struct TickbirdHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tickbird-host",
    abstract: "Runs app extensions, keeps Shared Links, and installs from galleries.",
    subcommands: [Notes.self, BrowserCommand.self]
  )

  /// Browsers start the program as well, in their own way.
  static func main() async {
    await main(BrowserHost.arguments(Array(CommandLine.arguments.dropFirst())))
  }
}

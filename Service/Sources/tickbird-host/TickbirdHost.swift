internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation

/// The service's command; each subcommand has a file of its own.
@main
struct TickbirdHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Runs app extensions, keeps Shared Links and notes, and installs from galleries.",
    subcommands: [
      Run.self, Serve.self, Extensions.self, LinksCommand.self, Notes.self, PackageCommand.self,
      GalleryCommand.self, InstallCommand.self, UpdateCommand.self, BrowserCommand.self,
    ]
  )

  /// What the user called: this program, or `tickbird`, which passes on what it does not do itself.
  static let name =
    CommandLine.arguments.first?.split(separator: "/").last == "tickbird"
    ? "tickbird" : "tickbird-host"

  /// Browsers start the program as well, in their own way.
  static func main() async {
    await main(BrowserHost.arguments(Array(CommandLine.arguments.dropFirst())))
  }
}

/// How a command ends that could not do what it was asked for.
enum Report {
  /// Says what went wrong on standard error, and gives the status to end with.
  ///
  /// - Returns: 2 for wrong use, 1 for all else.
  static func failure(_ error: any Error) -> ExitCode {
    switch error {
    case let code as ExitCode: return code
    case let error as HostError:
      complain(error.description)
      return error.code == .badArgument ? ExitCode(2) : ExitCode(1)
    case let error as ErrorReport:
      let isHostsOwn = [HostError.domain, ErrorReport.runtimeDomain].contains(error.domain)
      // The domain and code are what an app would see.
      let source = isHostsOwn ? "" : " (\(error.domain) \(error.code))"
      complain(error.description + source)
      if let place = error.userInfo[ErrorReport.placeKey]?.string { complain("it is at \(place)") }
      return ExitCode(1)
    default:
      complain("\(error)")
      return ExitCode(1)
    }
  }

  /// Writes a sentence to standard error.
  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(TickbirdHost.name): \(text)\n".utf8))
  }
}

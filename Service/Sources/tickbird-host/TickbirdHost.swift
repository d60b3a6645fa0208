internal import ArgumentParser
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

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
    StandardDescriptors.prepare()
    do {
      var command = try parseAsRoot(
        BrowserHost.arguments(Array(CommandLine.arguments.dropFirst()))
      )
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      end(.success)
    } catch {
      let code = exitCode(for: error)
      let message = OutputText(fullMessage(for: error), about: CommandLine.arguments)
      if !message.text.isEmpty {
        if code.isSuccess {
          // Help.
          StandardOutput.line(message)
        } else {
          StandardError.line(message)
        }
      }
      end(code)
    }
  }

  /// Ends the program; never well where output is lost.
  private static func end(_ code: ExitCode) -> Never {
    let lost = StandardOutput.flush()
    // A reader who has had enough need not be told, but whoever waits for the status does.
    if let lost, !lost.isClosedPipe { Report.complain("\(lost.message)") }
    Foundation.exit(lost != nil && code.isSuccess ? ExitCode.failure.rawValue : code.rawValue)
  }
}

/// Printing goes through ``StandardOutput``, which checks each write and lets no foreign text through
/// as it is.
@available(*, unavailable, message: "use StandardOutput.line")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}

/// How a command ends that could not do what it was asked for.
enum Report {
  /// Says what went wrong on standard error, and gives the status to end with.
  ///
  /// - Returns: 2 for wrong use, 1 for all else.
  static func failure(_ error: any Error) -> ExitCode {
    switch error {
    case let code as ExitCode: return code
    case let error as HostError:
      complain("\(error.description)")
      return error.code == .badArgument ? ExitCode(2) : ExitCode(1)
    case let error as ErrorReport:
      let isHostsOwn = [HostError.domain, ErrorReport.runtimeDomain].contains(error.domain)
      // The domain and code are what an app would see.
      let source = isHostsOwn ? "" : " (\(error.domain) \(error.code))"
      complain("\(error.description)\(source)")
      if let place = error.userInfo[ErrorReport.placeKey]?.string { complain("it is at \(place)") }
      return ExitCode(1)
    default:
      complain("\(error)")
      return ExitCode(1)
    }
  }

  /// Writes a sentence to standard error.
  static func complain(_ text: OutputText) {
    StandardError.line("\(TickbirdHost.name): \(text)")
  }
}

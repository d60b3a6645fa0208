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
    discussion: exitStatusHelp,
    version: ProductVersion.text,
    subcommands: [
      Run.self, Serve.self, Extensions.self, LinksCommand.self, Notes.self, PackageCommand.self,
      GalleryCommand.self, InstallCommand.self, UpdateCommand.self, BrowserCommand.self,
    ]
  )

  /// What every group of commands says of the status that its commands end with.
  static let exitStatusHelp = """
    Exit status: 0 all is well; 1 something was refused, failed or was not found; 2 wrong use.
    """

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
      end(.fine)
    } catch let status as ExitStatus {
      end(status)
    } catch {
      // ArgumentParser has a number of its own for wrong use.
      let status: ExitStatus =
        switch exitCode(for: error) {
        case .success: .fine
        case .validationFailure: .wrongUse
        default: .refused
        }
      let message = OutputText(fullMessage(for: error), about: CommandLine.arguments)
      if !message.text.isEmpty {
        if status == .fine {
          // Help.
          StandardOutput.line(message)
        } else {
          StandardError.line(message)
        }
      }
      end(status)
    }
  }

  /// Ends the program; never well where output is lost.
  private static func end(_ status: ExitStatus) -> Never {
    let lost = StandardOutput.flush()
    // A closed pipe needs no message, but the status must say that output is missing.
    if let lost, !lost.isClosedPipe { Report.complain("\(lost.message)") }
    Foundation.exit((lost == nil ? status : status | .refused).rawValue)
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
  /// - Returns: Wrong use for an argument that is no good, else refused.
  static func failure(_ error: any Error) -> ExitStatus {
    switch error {
    case let status as ExitStatus: return status
    case let error as HostError:
      complain("\(error.message)")
      return error.code == .badArgument ? .wrongUse : .refused
    case let error as ErrorReport:
      let isHostsOwn = [HostError.domain, ErrorReport.runtimeDomain].contains(error.domain)
      // The domain and code are what an app would see.
      let source = isHostsOwn ? "" : " (\(error.domain) \(error.code))"
      complain("\(error.description)\(source)")
      if let place = error.userInfo[ErrorReport.placeKey]?.string { complain("it is at \(place)") }
      return .refused
    default:
      complain("\(error)")
      return .refused
    }
  }

  /// Writes a sentence to standard error.
  static func complain(_ text: OutputText) {
    StandardError.line("\(TickbirdHost.name): \(text)")
  }
}

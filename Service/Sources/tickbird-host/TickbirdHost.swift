internal import ArgumentParser
internal import BlockingWork
internal import CodedErrors
internal import CommandArguments
internal import DurableFiles
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import ServiceFolders
internal import TextOutput
internal import UserDatabase

/// The service's command line; each subcommand has its own file.
@main
struct TickbirdHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: name,
    abstract:
      "Runs app extensions, keeps lists, Shared Links and notes, and installs from galleries.",
    discussion: exitStatusHelp,
    version: ProductVersion.text,
    subcommands: [
      Run.self, Serve.self, Extensions.self, ListsCommand.self, LinksCommand.self, Notes.self,
      PackageCommand.self,
      GalleryCommand.self, InstallCommand.self, UpdateCommand.self, BrowserCommand.self,
      SetupCommand.self,
    ]
  )

  /// The part about exit statuses in the help of every command group.
  static let exitStatusHelp = """
    Exit status: 0 all is well; 1 something was refused, failed or was not found; 2 wrong use, or \
    a file that cannot be read or written.
    """

  /// The name that the user called: this program, or `tickbird`, which forwards commands to it.
  static let name =
    CommandLine.arguments.first?.split(separator: "/").last == "tickbird"
    ? "tickbird" : "tickbird-host"

  private static let arguments = BrowserHost.arguments(Array(CommandLine.arguments.dropFirst()))

  /// Handles the arguments with which browsers start the program, too.
  static func main() async {
    StandardDescriptors.prepare()
    if let fault = GivenNames.faultOfArguments() {
      Report.complain("\(fault)")
      end(.wrongUse)
    }
    // Some commands run for as long as a browser or a session.
    Task.detached { await returnIdleMemory() }
    if let hint = misspelling() {
      Report.complain("\(hint)")
      end(.wrongUse)
    }
    var running: (any ParsableCommand.Type)?
    do {
      var command = try parseAsRoot(arguments)
      running = type(of: command)
      try ServiceFolders.check()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      end(.fine)
    } catch let status as ExitStatus {
      end(status)
    } catch {
      // ArgumentParser has its own status for wrong use.
      let status: ExitStatus =
        switch exitCode(for: error) {
        case .success: .fine
        case .validationFailure: .wrongUse
        default: .refused
        }
      // What it parsed has no unknown word.
      if running == nil, status != .fine, let hint = misspelling(isRefused: true) {
        Report.complain("\(hint)")
        end(status)
      }
      guard status != .refused else { end(Report.failure(error)) }
      let message = OutputText(words(error, of: running), about: CommandLine.arguments)
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

  /// Returns the message for a subcommand, or in refused arguments also an option, that there is not.
  static func misspelling(isRefused: Bool = false) -> String? {
    let command = CommandNames.misspelling(
      in: arguments,
      of: Self.self,
      named: name,
      isRefused: isRefused
    )
    guard command == nil, isRefused else { return command }
    return OptionNames.misspelling(in: arguments, of: Self.self, named: name)
  }

  /// An error with the usage of the command that it is of.
  ///
  /// ArgumentParser knows that of an argument it could not parse; of what a command finds wrong once it runs, it
  /// would show this program's.
  private static func words(
    _ error: any Error,
    of command: (any ParsableCommand.Type)?
  ) -> String {
    guard let command, let error = error as? ValidationError else { return fullMessage(for: error) }
    let usage = usageString(for: command)
    let names = usage.split(separator: " ").prefix { !"[<-".contains($0.first ?? "[") }
    return "Error: \(error.message)\nUsage: \(usage)\n"
      + "  See '\(names.joined(separator: " ")) --help' for more information."
  }

  /// Exits; never with success if output was lost.
  static func end(_ status: ExitStatus) -> Never {
    UserDatabase.emptyLogs()
    let lost = StandardOutput.flush()
    // A closed pipe needs no message, but the status must say that output is missing.
    if let lost, !lost.isClosedPipe { Report.complain("\(lost.message)") }
    Foundation.exit((lost == nil ? status : status | .wrongUse).rawValue)
  }
}

/// All output goes through ``StandardOutput``, which checks each write and escapes untrusted text.
@available(*, unavailable, message: "use StandardOutput.line")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}

/// Reports a command's failure.
enum Report {
  /// Prints an error on standard error, and returns the exit status.
  ///
  /// - Returns: Wrong use for an invalid argument, and for a file that cannot be read or written; otherwise
  ///   refused.
  static func failure(_ error: any Error) -> ExitStatus {
    switch error {
    case let status as ExitStatus: return status
    case let error as ValidationError:
      complain("\(error.message)")
      return .wrongUse
    case let error as any CodedError:
      complain("\(error.message)")
      return status(of: error.code)
    case let error as ErrorReport:
      let isHostsOwn = [HostError.domain, ErrorReport.runtimeDomain].contains(error.domain)
      // Domain and code are what an app would see.
      let source = isHostsOwn ? "" : " (\(error.domain) \(error.code))"
      complain("\(error.description)\(source)")
      if let place = error.userInfo[ErrorReport.placeKey]?.string { complain("it is at \(place)") }
      return HostError.Code(error).map { status(of: $0) } ?? .refused
    case is FileFailure, is GivenFile.Unreadable:
      complain("\(error)")
      return .wrongUse
    default:
      complain("\(FileFailure.reason(of: error))")
      return .refused
    }
  }

  private static func status(of code: some ErrorCode) -> ExitStatus {
    code.isWrongUse ? .wrongUse : .refused
  }

  /// Prints a sentence on standard error.
  static func complain(_ text: OutputText) {
    StandardError.line("\(TickbirdHost.name): \(text)")
  }
}

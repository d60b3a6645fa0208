internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import Foundation
internal import TextOutput

/// The command; each subcommand has a file of its own.
struct Tickbird: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tickbird",
    abstract: "Runs Safari's extensions: checks, compiles, applies and explains rule lists.",
    discussion: """
      A rule list is the JSON array that Safari and WebKit take (often called blockerList.json), \
      or a file that tickbird compile wrote, plain or compressed by gzip.

      Exit status: 0 all is well; 1 a list was refused, or there are findings or bad lines; \
      2 wrong use, or a file that cannot be read or written. tickbird help SUBCOMMAND has the \
      details.
      """,
    version: ProductVersion.text,
    subcommands: [
      Check.self, Compile.self, Dump.self, Match.self, Explain.self, AuditCommand.self,
      AuditMerge.self, TestCommand.self, Reduce.self, Analyze.self, Diff.self, Optimize.self,
      Split.self, Merge.self, Convert.self, Translate.self, Preview.self,
      LanguageServerCommand.self, Extension.self,
    ] + serviceCommands
  )

  /// The subcommands that `tickbird-host` executes.
  static let serviceCommands: [any ServiceCommand.Type] = [
    ServiceCommands.Extensions.self, ServiceCommands.Lists.self, ServiceCommands.Links.self,
    ServiceCommands.Notes.self,
    ServiceCommands.Package.self, ServiceCommands.Gallery.self, ServiceCommands.Install.self,
    ServiceCommands.Update.self,
    ServiceCommands.Setup.self, ServiceCommands.Browser.self, ServiceCommands.Run.self,
    ServiceCommands.Serve.self,
  ]
}

@main
enum Main {
  static func main() {
    StandardDescriptors.prepare()
    if let fault = GivenNames.faultOfArguments() {
      ConsoleMessage.error(fault)
      exit(.wrongUse)
    }
    let arguments = arguments()
    if let hint = CommandNames.misspelling(
      in: arguments,
      of: Tickbird.self,
      named: "tickbird"
    ) {
      ConsoleMessage.error(hint)
      exit(.wrongUse)
    }
    do {
      var command = try Tickbird.parseAsRoot(arguments)
      try command.run()
    } catch let error as ExitStatus {
      exit(error)
    } catch let error as OutputError {
      // A closed pipe is not reported, but the exit status must show that output is missing.
      if !error.isClosedPipe { ConsoleMessage.error(error.message) }
      exit(.wrongUse)
    } catch let error as InputError {
      ConsoleMessage.error(error.message)
      exit(.wrongUse)
    } catch {
      let code = Tickbird.exitCode(for: error)
      if code != .success, let hint = misspeltOption(arguments) {
        ConsoleMessage.error(hint)
        exit(.wrongUse)
      }
      let message = OutputText(
        Tickbird.fullMessage(for: error),
        about: CommandLine.arguments
      )
      guard code == .success else {
        StandardError.line(message)
        exit(.wrongUse)
      }
      // Help and version.
      StandardOutput.line(message)
      if let error = StandardOutput.flush() {
        if !error.isClosedPipe { ConsoleMessage.error(error.message) }
        exit(.wrongUse)
      }
      exit(.fine)
    }
  }

  /// Returns the arguments in a form that ArgumentParser can parse.
  ///
  /// `audit merge` becomes one word: in ArgumentParser, a command with file arguments cannot have
  /// subcommands, since their names would be taken for files. Help for subcommands that
  /// `tickbird-host` executes is requested from it.
  private static func arguments() -> [String] {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if let place = arguments.firstIndex(of: "audit"), place < 2,
      place == 0 || arguments[0] == "help", place + 1 < arguments.count,
      arguments[place + 1] == "merge"
    {
      arguments[place] = AuditMerge.name
      arguments.remove(at: place + 1)
    }
    if arguments.count >= 2, arguments[0] == "help",
      Tickbird.serviceCommands.contains(where: { $0._commandName == arguments[1] })
    {
      arguments = arguments.dropFirst() + ["--help"]
    }
    return arguments
  }

  private static func misspeltOption(_ arguments: [String]) -> String? {
    OptionNames.misspelling(
      in: arguments,
      of: Tickbird.self,
      named: "tickbird",
      shownNames: [AuditMerge.name: "audit merge"],
      isElsewhere: { $0 is any ServiceCommand.Type }
    )
  }

  private static func exit(_ status: ExitStatus) -> Never {
    Foundation.exit(status.rawValue)
  }
}

/// Use `OutputStream` instead: it checks each write and escapes foreign text.
@available(*, unavailable, message: "use OutputStream")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}

internal import ArgumentParser
internal import CLibrary
internal import CommandArguments
internal import Foundation
internal import TextOutput

/// A subcommand that `tickbird-host` executes, because it has the libraries for it.
///
/// So `tickbird` can be built and run without those libraries.
protocol ServiceCommand: ParsableCommand {
  /// All arguments behind the subcommand's name, including `--help`.
  var passedOn: [String] { get }
}

extension ServiceCommand {
  func run() throws {
    let arguments = [Self._commandName] + passedOn
    for place in ServiceProgram.places() { ServiceProgram.become(place, arguments) }
    ConsoleMessage.error(
      """
      \(ServiceProgram.name), which carries out this subcommand, is neither beside tickbird nor in \
      PATH. Debian's package tickbird-service has it, and Scripts/install puts both programs into one \
      folder; \(ServiceProgram.variable) names another place.
      """
    )
    throw ExitStatus.wrongUse
  }
}

/// The program that executes the service's subcommands.
private enum ServiceProgram {
  static let name = "tickbird-host"
  static let variable = "TICKBIRD_HOST_PROGRAM"

  /// Returns its possible paths, the likeliest first.
  static func places() -> [String] {
    let environment = ProcessInfo.processInfo.environment
    if let named = environment[variable], !named.isEmpty { return [named] }
    var folders: [String] = []
    if let own = ownProgram() {
      folders.append(URL(fileURLWithPath: own).deletingLastPathComponent().path)
    }
    folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.filter { $0.hasPrefix("/") }.map { $0 + "/" + name }
  }

  /// Replaces this process by the program; returns only if that fails.
  static func become(_ program: String, _ arguments: [String]) {
    guard FileManager.default.isExecutableFile(atPath: program) else { return }
    // It names itself in messages as it was called.
    var words = unsafe (["tickbird"] + arguments).map { unsafe strdup($0) }
    unsafe words.append(nil)
    _ = unsafe execv(program, words)
    unsafe words.forEach { unsafe free($0) }
  }
}

/// The subcommands, each under the name that it has in `tickbird-host` as well.
enum ServiceCommands {
  /// `tickbird lists`.
  struct Lists: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "lists",
      abstract: CommandAbstract.lists
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird links`.
  struct Links: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "links",
      abstract: CommandAbstract.links
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird package`.
  struct Package: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "package",
      abstract: CommandAbstract.package
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird gallery`.
  struct Gallery: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "gallery",
      abstract: CommandAbstract.gallery
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird install`.
  struct Install: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: CommandAbstract.install
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird update`.
  struct Update: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: CommandAbstract.update
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird notes`.
  struct Notes: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "notes",
      abstract: CommandAbstract.notes
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird setup`.
  struct Setup: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "setup",
      abstract: CommandAbstract.setup
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird browser`.
  struct Browser: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "browser",
      abstract: CommandAbstract.browser
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird extensions`.
  struct Extensions: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "extensions",
      abstract: CommandAbstract.extensions
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird serve`.
  struct Serve: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: CommandAbstract.serve
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird run`.
  struct Run: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: CommandAbstract.run
    )

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }
}

internal import ArgumentParser
internal import CLibrary
internal import Foundation
internal import TextOutput

/// A subcommand that `tickbird-host` executes, because it has the libraries for it.
///
/// So `tickbird` can be built and run without those libraries.
protocol ServiceCommand: ParsableCommand {
  /// The subcommand's name in `tickbird-host`.
  static var hostName: [String] { get }
  /// All arguments behind the subcommand's name, including `--help`.
  var passedOn: [String] { get }
}

extension ServiceCommand {
  func run() throws {
    let arguments = Self.hostName + passedOn
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
      abstract: "Subscribes to filter lists and rule lists, and keeps them up to date."
    )
    static let hostName = ["lists"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird links`.
  struct Links: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "links",
      abstract: "Keeps Shared Links: one stream of links from feeds and extensions."
    )
    static let hostName = ["links"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird package`.
  struct Package: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "package",
      abstract: "Makes and checks signed packages of extensions."
    )
    static let hostName = ["package"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird gallery`.
  struct Gallery: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "gallery",
      abstract: "Builds galleries of packages, and adds those that you install from."
    )
    static let hostName = ["gallery"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird install`.
  struct Install: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Installs an extension from a gallery, an address or a file."
    )
    static let hostName = ["install"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird update`.
  struct Update: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Updates the installed extensions from their galleries."
    )
    static let hostName = ["update"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird notes`.
  struct Notes: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "notes",
      abstract: "Keeps notes on sites and pages."
    )
    static let hostName = ["notes"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird setup`.
  struct Setup: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "setup",
      abstract: "Installs the extension in your browsers, and takes everything back with --undo."
    )
    static let hostName = ["setup"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird browser`.
  struct Browser: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "browser",
      abstract: "Registers Tickbird with Chromium- and Firefox-based browsers."
    )
    static let hostName = ["browser"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird extensions`.
  struct Extensions: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "extensions",
      abstract: "Installs extensions, turns them on and off, and sends them messages."
    )
    static let hostName = ["extensions"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird serve`.
  struct Serve: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Shows extensions, lists, rules, the stream and notes in your browser."
    )
    static let hostName = ["serve"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }

  /// `tickbird run`.
  struct Run: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Runs the service that the subcommands for extensions share."
    )
    static let hostName = ["run"]

    @Argument(parsing: .captureForPassthrough)
    var passedOn: [String] = []
  }
}

internal import ArgumentParser
internal import CommandArguments
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders
internal import TextOutput

/// Runs the service.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: CommandAbstract.run,
    discussion: """
      Listens on the socket that apps and commands use, until Ctrl-C, SIGINT, SIGTERM or SIGHUP. A user \
      has one service at a time; a second one reports that and ends with status 1.

      \(TickbirdHost.exitStatusHelp)
      """
  )

  func run() async throws {
    // First, so that anybody who finds the service listening can end it.
    let ending = Ending()
    let signals = Signals { ending.ask() }
    defer { withExtendedLifetime(signals) {} }
    StandardError.dropWhereFull()
    do {
      let folders = ServiceFolders()
      // A command that holds the folder ends soon.
      let service = try await RunningService(folders, waiting: 5)
      ending.whenAsked { service.stop() }
      Report.complain("listening at \(folders.hostSocket.path)")
      await service.run()
    } catch {
      throw Report.failure(error)
    }
  }
}

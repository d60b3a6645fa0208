internal import ArgumentParser
internal import CommandArguments
internal import ExtensionHost
internal import Foundation
internal import ServiceFolders
internal import TextOutput

/// The installed extensions.
struct Extensions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extensions",
    abstract: CommandAbstract.extensions,
    discussion: """
      Uses the running service; if none runs, the command does the work itself.

      For example:
        tickbird extensions install blockerList.json --on
        tickbird extensions state list.blockerList

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [
      ExtensionsList.self, ExtensionsInstall.self, ExtensionsRemove.self, ExtensionsOn.self,
      ExtensionsOff.self, ExtensionsReload.self, ExtensionsState.self, ExtensionsLog.self,
      ExtensionsAsk.self, ExtensionsLinks.self, ExtensionsSetList.self, ExtensionsGoBack.self,
      ExtensionsGrant.self, ExtensionsRevoke.self, ExtensionsClear.self, ExtensionsGroup.self,
      ExtensionsForgetGroup.self,
    ]
  )

  /// Runs a body with the host, and reports its error as a sentence.
  static func withHost(
    _ body: (HostAccess) async throws -> Void
  ) async throws {
    do {
      let host = try await HostCaller.access(
        ServiceFolders(),
        onSilence: HostCaller.complainOfSilence
      )
      let result: Result<Void, any Error>
      do { result = .success(try await body(host)) } catch { result = .failure(error) }
      await host.close()
      try result.get()
    } catch {
      throw Report.failure(error)
    }
  }
}

/// The identifier on the command line.
struct IdentifierArgument: ParsableArguments {
  @Argument(help: "The extension's bundle identifier, such as com.example.blocker.")
  var identifier: String
}

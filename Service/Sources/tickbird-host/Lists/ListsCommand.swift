internal import ArgumentParser
internal import CommandArguments
internal import CLibrary
internal import Foundation
internal import ListSubscriptions
internal import ServiceFolders
internal import TextOutput

/// `lists`; each subcommand has a file of its own.
struct ListsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lists",
    abstract: CommandAbstract.lists,
    discussion: """
      Begin with `tickbird lists catalogue`, which shows well-known lists; nothing is fetched \
      before you add one:

        tickbird lists add easylist
        tickbird lists add https://lists.example/ads.txt \\
          --mirror https://mirror.example/ads.txt
        tickbird lists add my-rules.json
        tickbird lists

      A list is a file or an address, in the syntax of Adblock Plus, AdGuard or uBlock Origin, a \
      hosts file, or WebKit's JSON, plain or compressed by gzip. Browsers with Tickbird's extension \
      use it at once. It is updated as often as it asks (`! Expires`) while a browser or \
      `tickbird run` runs; if that fails, the previous version stays in use.

      Lists are named as `tickbird lists` shows them, or by their address.

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [
      ListsShow.self, ListsAdd.self, ListsRemove.self, ListsUpdate.self, ListsOn.self,
      ListsOff.self, ListsOwn.self, ListsCatalogue.self, ListsPrepare.self,
    ],
    defaultSubcommand: ListsShow.self
  )
}

/// The user's lists, and what keeps them up to date.
enum ListsAccess {
  static func store(_ folders: ServiceFolders = ServiceFolders()) -> SubscriptionStore {
    SubscriptionStore(data: folders.data)
  }

  /// The updater, which converts lists in processes of this program.
  static func updater(_ folders: ServiceFolders = ServiceFolders()) -> ListUpdater {
    let program = Bundle.main.executableURL ?? URL(filePath: "/proc/self/exe")
    return ListUpdater(
      store: store(folders),
      preparation: .process(
        program.resolvingSymlinksInPath(),
        arguments: ["lists", "prepare"]
      )
    )
  }

  /// Runs a body, and reports its error.
  static func reporting(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let error as ValidationError {
      throw error
    } catch {
      throw Report.failure(error)
    }
  }
}

/// A line on standard error that says what is being waited for, only on a terminal.
enum ListsProgress {
  private static let clearLine: OutputText = "\(asIs: "\r\u{1B}[K")"
  private static var isOn: Bool { isatty(2) != 0 }

  static func show(_ text: OutputText) {
    if isOn { StandardError.write("\(clearLine)\(text)") }
  }

  static func end() {
    if isOn { StandardError.write(clearLine) }
  }
}

internal import ArgumentParser
internal import BlockingWork
internal import BrowserAnswering
internal import ExtensionGallery
internal import Foundation
internal import NativeMessaging
internal import PageNotes
internal import ServiceFolders
internal import TextOutput
internal import UserDatabase

/// `tickbird-host browser host`: started by browsers, which talk to it by native messaging.
///
/// Browsers cannot pass a subcommand; ``arguments(_:)`` recognises them by the arguments that they
/// pass.
struct BrowserHost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "host",
    abstract: "Answers a browser; started by browsers alone.",
    shouldDisplay: false
  )
  @Argument(parsing: .captureForPassthrough) var caller: [String] = []

  /// Returns this program's arguments, with the subcommand added if a browser started it.
  static func arguments(_ arguments: [String]) -> [String] {
    NativeCaller(arguments: arguments) == nil ? arguments : ["browser", "host"] + arguments
  }

  func run() async throws {
    guard let caller = NativeCaller(arguments: caller) else {
      throw ValidationError(
        """
        Browsers start this with their extension's id. “tickbird browser install” lets them.
        """
      )
    }
    let ending = Ending()
    let signals = Signals { ending.ask() }
    defer { withExtendedLifetime(signals) {} }
    let wire = try StandardStreams.takeWire()
    StandardError.dropWhereFull()
    let port = MessagePort(input: wire.input, output: wire.output)
    let folders = ServiceFolders()
    let use = try DataRemoval.exclude(folders)
    defer { withExtendedLifetime(use) {} }
    let gate = BrowserGate(caller, folders)
    let host = HostCaller.command(folders)
    let handler =
      gate.isOwn ? nil : HandlerPort(port) { try await HandlerLinks.link(folders) }
    let app = OnDemandApp(folders, host: host)
    let answers = BrowserAnswers(
      gate,
      folders,
      host: host,
      extensions: HostLinkSource(host: host),
      gallery: ExtensionInstaller(folders: folders, store: HostBundleStore(host: host)),
      updater: ListsAccess.updater(folders),
      localApp: { try await app.address() },
      handler: handler
    )
    // Only Tickbird's own extension receives unsolicited messages.
    let work: [@Sendable () async -> Void] = [
      { await Self.synchronize(answers.notes) }, { await answers.tellOfChanges(on: port) },
      { await answers.tellOfNotes(on: port) }, { await Self.updateLists(folders) },
    ]
    let tasks = gate.isOwn ? work.map { body in Task.detached { await body() } } : []
    // The end of a session, or a browser that does not wait for its port to be closed.
    ending.whenAsked {
      UserDatabase.emptyLogs()
      Task.detached {
        await app.end()
        await handler?.end()
        TickbirdHost.end(.fine)
      }
    }
    let end = await blocking { MessageLoop(port).run { answers.reply($0) } }
    for task in tasks { task.cancel() }
    await app.end()
    await handler?.end()
    if case .failed(let error) = end {
      Report.complain("\(error)")
      throw ExitStatus.refused
    }
  }

  /// Updates lists when they are due, since a user may run no service but what browsers start.
  ///
  /// Delayed, since most processes live for one message.
  private static func updateLists(_ folders: ServiceFolders) async {
    do { try await Task.sleep(for: .seconds(10)) } catch { return }
    await BackgroundWork.updateLists(folders)
  }

  /// Synchronises notes with other devices.
  ///
  /// Delayed, since most processes live for one message.
  private static func synchronize(_ notes: NoteStore) async {
    do { try await Task.sleep(for: .seconds(5)) } catch { return }
    await BackgroundWork.synchronize(notes)
  }
}

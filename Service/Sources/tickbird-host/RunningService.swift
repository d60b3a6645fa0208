internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import ServiceFolders
internal import TextOutput
internal import WebExtensionInstalling

/// The service in this process: the socket, lists to reload, updates, links.
struct RunningService: Sendable {
  let host: AppExtensionHost
  let folders: ServiceFolders
  private let server: HostServer
  private let reloads: [String]

  /// Starts the service.
  ///
  /// - Parameters:
  ///   - folders: The service's folders.
  ///   - waiting: For how many seconds to wait for a command that holds the data folder.
  /// - Throws: `HostError` with code `.locked` if another process holds the folder, `.file` or
  ///   `.system`.
  init(_ folders: ServiceFolders, waiting: Int) async throws(HostError) {
    self.folders = folders
    // A browser's process may be in its place, which makes way; a service says that it runs.
    var patience = waiting
    if let client = try? HostClient(
      socket: folders.hostSocket.path,
      onSilence: HostCaller.complainOfSilence
    ),
      (try? await client.call(HandOver())) != nil
    {
      patience += 30
    }
    host = try AppExtensionHost(
      data: folders.data,
      launcher: SandboxedLauncher(),
      holder: "a service",
      waiting: patience,
      olderSigner: GalleryEnvironment.olderSigner(folders),
      observer: .halves(folders)
    )
    reloads = await host.start()
    for sentence in await host.adoptions { Report.complain("\(sentence)") }
    for (identifier, error) in await host.unread.sorted(by: { $0.key < $1.key }) {
      let name = identifier.isEmpty ? "the installed extensions are" : "\(identifier) is"
      Report.complain("\(name) not in use: \(error.message); it is tried again every minute")
    }
    server = try HostServer(host, socket: folders.hostSocket)
  }

  /// Serves until ``stop()`` is called.
  func run() async {
    // After listening has begun, since a handler may be slow.
    let reloading = Task {
      for identifier in reloads { try? await host.reload(identifier) }
    }
    let updating = Task { await BackgroundWork.update(host, folders) }
    let takingUp = Task { await BackgroundWork.takeUpUnread(host) }
    let refreshing = Task { await BackgroundWork.refreshLinks(host, folders) }
    let updatingLists = Task { await BackgroundWork.updateLists(folders) }
    await server.run()
    reloading.cancel()
    updating.cancel()
    refreshing.cancel()
    updatingLists.cancel()
    takingUp.cancel()
    await host.stop()
  }

  /// Ends ``run()``; may be called from any thread.
  func stop() { server.stop() }
}

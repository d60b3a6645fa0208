internal import ExtensionGallery
internal import ExtensionHost
internal import Foundation
internal import LocalApp
internal import PageNotes
internal import ServiceFolders
internal import SharedLinks

/// The local app in the process of a browser's host: started when a person asks for it, and gone with the
/// browser.
///
/// Nothing listens before, and the address, with its secret, is told to Tickbird's own extension alone.
actor OnDemandApp {
  private let folders: ServiceFolders
  private let host: HostCaller
  /// The app that is starting or serving, and its address; nil if there is none.
  private var running: (serving: Task<Void, any Error>, address: Task<URL, any Error>)?

  init(_ folders: ServiceFolders, host: HostCaller) {
    self.folders = folders
    self.host = host
  }

  /// Returns the address that lets a browser in, once the app is serving.
  ///
  /// - Throws: Errors of opening what the pages show, or of listening; the next call tries again.
  func address() async throws -> URL {
    let app = try running ?? start()
    running = app
    do {
      return try await app.address.value
    } catch {
      running = nil
      throw error
    }
  }

  /// Ends the app.
  func end() async {
    running?.serving.cancel()
    _ = await running?.serving.result
    running = nil
  }

  private func start() throws -> (Task<Void, any Error>, Task<URL, any Error>) {
    let store = try LinkStore(folder: folders.data)
    let app = LocalApp(
      extensions: host,
      gallery: ExtensionInstaller(folders: folders, store: HostBundleStore(host: host)),
      lists: ListsInForce(data: folders.data),
      subscriptions: ListsAccess.updater(folders),
      store: store,
      refresher: LinkRefresher(
        store: store,
        transport: CurlTransport(),
        extensions: HostLinkSource(host: host)
      ),
      notes: try NoteStore(folders: folders)
    )
    let (addresses, address) = AsyncThrowingStream<URL, any Error>.makeStream()
    let serving = Task {
      do {
        try await app.run(port: 0) { address.yield($0) }
        address.finish()
      } catch {
        address.finish(throwing: error)
        throw error
      }
    }
    let first = Task {
      for try await address in addresses { return address }
      throw CancellationError()
    }
    return (serving, first)
  }
}

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
/// Nothing listens before, and the address, with its secret, is told to Tickbird's own extension alone. After
/// the app has ended, for whatever reason, the next question starts another.
struct OnDemandApp: Sendable {
  private let serving: OnDemandServing

  init(_ folders: ServiceFolders, host: HostCaller) {
    serving = OnDemandServing {
      let store = LinkStore(openedWhenUsed: folders.data)
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
        notes: NoteStore(openedWhenUsed: folders)
      )
      return { onStart in try await app.run(port: 0, onStart: onStart) }
    }
  }

  /// Returns the address that lets a browser in, once the app is serving.
  ///
  /// - Throws: Errors of listening; the next call tries again.
  func address() async throws -> URL { try await serving.address() }

  /// Ends the app.
  func end() async { await serving.end() }
}

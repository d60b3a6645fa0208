public import ExtensionGallery
public import ExtensionHost
public import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
public import ListSubscriptions
internal import LoopbackServing
internal import NIOCore
public import PageNotes
public import SharedLinks

/// The local app: pages on loopback for extensions, galleries, lists, rules, the stream and notes.
///
///     let app = LocalApp(extensions: calls, lists: lists, links: refresher, notes: notes)
///     try await app.run(port: 0) { address in print(address) }
///
/// The app listens only on 127.0.0.1, and answers only a browser that has opened the address passed
/// to `onStart`; `Documentation/LocalApp.md` says what keeps others out.
public struct LocalApp: Sendable {
  /// The default port.
  public static let defaultPort = 4780

  /// Why the server could not be started.
  public enum StartError: Error {
    /// Another program is listening on the port.
    case portTaken(Int)
  }

  let extensions: any HostCalling
  let gallery: ExtensionInstaller
  let lists: ListsInForce
  let subscriptions: ListUpdater
  let store: LinkStore
  let refresher: LinkRefresher
  let notes: NoteStore
  /// The limits on connections and their timeouts.
  var bounds = ConnectionLimits.Bounds()

  /// Creates an app; its secrets are created when it runs.
  ///
  /// - Parameters:
  ///   - extensions: The host of extensions.
  ///   - gallery: Installs extensions from galleries.
  ///   - lists: The active lists.
  ///   - subscriptions: Adds lists and keeps them up to date.
  ///   - store: The stream.
  ///   - refresher: Fetches links into the stream.
  ///   - notes: The notes.
  public init(
    extensions: any HostCalling,
    gallery: ExtensionInstaller,
    lists: ListsInForce,
    subscriptions: ListUpdater,
    store: LinkStore,
    refresher: LinkRefresher,
    notes: NoteStore
  ) {
    self.extensions = extensions
    self.gallery = gallery
    self.lists = lists
    self.subscriptions = subscriptions
    self.store = store
    self.refresher = refresher
    self.notes = notes
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free one.
  ///   - onStart: Called with the address to open as soon as the server listens. Anybody who knows
  ///     the address is let in.
  /// - Throws: ``StartError``.
  public func run(port: Int, onStart: @escaping @Sendable (URL) async -> Void) async throws {
    let secrets = Secrets()
    let gate = Gate(secrets)
    let site = Site(secrets)
    let router = Router(context: Routes.Context.self, options: .autoGenerateHeadEndpoints)
    let routes = Routes(site: site, router: router)
    Assets.add(to: routes)
    LanguageChoice(site: site).add(to: routes)
    ExtensionsPage(site: site, extensions: extensions).add(to: routes)
    GalleryPage(site: site, installer: gallery, extensions: extensions).add(to: routes)
    ListsPage(site: site, updater: subscriptions).add(to: routes)
    RulesPage(site: site, extensions: extensions, lists: lists).add(to: routes)
    StreamPage(site: site, store: store, refresher: refresher).add(to: routes)
    NotesPage(site: site, store: notes).add(to: routes)
    let pages = router.buildResponder()
    let limits = ConnectionLimits(bounds)
    var logger = Logger(label: "serve")
    // Errors are shown on the pages.
    logger.logLevel = .critical
    let application = Application(
      responder: CallbackResponder { (request: Request, context: Routes.Context) in
        try await gate.respond(to: request) {
          let response = try await pages.respond(to: request, context: context)
          guard response.status == .notFound, response.body.contentLength == 0 else {
            return response
          }
          return RefusalPage.page(
            request,
            status: .notFound,
            title: "refusal_missing_title",
            link: ("\(site.base)/extensions", "refusal_missing_link")
          )
        }
      },
      server: .loopback(limits),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        serverName: nil
      ),
      onServerRunning: { channel in
        guard let port = channel.localAddress?.port,
          let address = URL(
            string: "http://127.0.0.1:\(port)\(Gate.openingPath)?token=\(secrets.opening.text)"
          )
        else { return }
        gate.setPort(port)
        await onStart(address)
      },
      logger: logger
    )
    do {
      try await application.runService(gracefulShutdownSignals: [])
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw StartError.portTaken(port)
    }
  }
}

public import ExtensionHost
public import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import LoopbackServing
internal import NIOCore
public import PageNotes
public import SharedLinks

/// The local app: pages on loopback for extensions, rules, the stream and notes.
///
///     let app = LocalApp(extensions: calls, lists: lists, links: refresher, notes: notes)
///     try await app.run(port: 0) { address in print(address) }
///
/// Only 127.0.0.1 is listened on, and only a browser that has opened the address that is given to
/// `onStart` is answered; see `Documentation/LocalApp.md` for what keeps others out.
public struct LocalApp: Sendable {
  /// The port that is used unless another is given.
  public static let defaultPort = 4780

  /// Why the server cannot be started.
  public enum StartError: Error {
    /// Another program listens on the port.
    case portTaken(Int)
  }

  let extensions: any HostCalling
  let lists: ListsInForce
  let store: LinkStore
  let refresher: LinkRefresher
  let notes: NoteStore
  /// How many connections there are, and how long they may take.
  var bounds = ConnectionLimits.Bounds()

  /// Makes an app, whose secrets are made when it runs.
  ///
  /// - Parameters:
  ///   - extensions: The host of extensions.
  ///   - lists: The lists that are active.
  ///   - store: The stream.
  ///   - refresher: What fetches links into the stream.
  ///   - notes: The notes.
  public init(
    extensions: any HostCalling,
    lists: ListsInForce,
    store: LinkStore,
    refresher: LinkRefresher,
    notes: NoteStore
  ) {
    self.extensions = extensions
    self.lists = lists
    self.store = store
    self.refresher = refresher
    self.notes = notes
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any that is free.
  ///   - onStart: Told the address to open as soon as connections are taken. It lets whoever knows
  ///     it in.
  /// - Throws: ``StartError``.
  public func run(port: Int, onStart: @escaping @Sendable (URL) async -> Void) async throws {
    let secrets = Secrets()
    let gate = Gate(secrets)
    let site = Site(secrets)
    let router = Router(context: Routes.Context.self, options: .autoGenerateHeadEndpoints)
    let routes = Routes(site: site, router: router)
    Assets.add(to: routes)
    ExtensionsPage(site: site, extensions: extensions).add(to: routes)
    RulesPage(site: site, extensions: extensions, lists: lists).add(to: routes)
    StreamPage(site: site, store: store, refresher: refresher).add(to: routes)
    NotesPage(site: site, store: notes).add(to: routes)
    let pages = router.buildResponder()
    let limits = ConnectionLimits(bounds)
    var logger = Logger(label: "serve")
    // What goes wrong is said on the pages.
    logger.logLevel = .critical
    let application = Application(
      responder: CallbackResponder { (request: Request, context: Routes.Context) in
        try await gate.respond(to: request) {
          let response = try await pages.respond(to: request, context: context)
          guard response.status == .notFound, response.body.contentLength == 0 else {
            return response
          }
          return RefusalPage.page(
            status: .notFound,
            title: "There is no such page",
            link: ("\(site.base)/extensions", "To the extensions")
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

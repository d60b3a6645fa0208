internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
public import LoopbackServing
internal import NIOCore
public import SharedLinks

/// Publishes the merged stream on this machine's loopback address.
///
///     try await LinkServer(store: store, secret: secret, port: 7311).run { print($0) }
///
/// `/SECRET/links.atom` and `/SECRET/links.json` are the stream, `?page=2` its older parts,
/// `/SECRET/icons/DIGEST` an icon. The server listens only on 127.0.0.1, and answers only requests
/// whose Host is this machine and whose path begins with the secret. So other users and programs of
/// the machine learn nothing, and neither do web pages that use DNS rebinding. The server is
/// read-only.
public struct LinkServer: Sendable {
  /// The default port.
  public static let defaultPort = 7311

  let store: LinkStore
  let secret: Secret
  let port: Int
  /// The limits on connections and their timeouts.
  var bounds = ConnectionLimits.Bounds()

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - store: The links.
  ///   - secret: The secret in a reader's address.
  ///   - port: The port; 0 for any free one.
  public init(store: LinkStore, secret: Secret, port: Int = LinkServer.defaultPort) {
    self.store = store
    self.secret = secret
    self.port = port
  }

  /// Serves until the task is cancelled or the process receives SIGINT or SIGTERM.
  ///
  /// - Parameter onStart: Called with the address, without a final slash, as soon as the server
  ///   listens.
  /// - Throws: ``LinkError`` if the port is in use.
  public func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
    let router = Router(options: .autoGenerateHeadEndpoints)
    let store = self.store
    let secret = self.secret
    let limits = ConnectionLimits(bounds)
    router.add(middleware: ReadersOnly(secret: secret))
    router.get(":secret/links.atom") { request, _ in
      try Self.document(request, store, secret, type: "application/atom+xml; charset=utf-8") {
        $0.atom()
      }
    }
    router.get(":secret/links.json") { request, _ in
      try Self.document(request, store, secret, type: "application/feed+json; charset=utf-8") {
        try $0.jsonFeed()
      }
    }
    router.get(":secret/icons/:digest") { request, context in
      try Self.icon(request, store, digest: context.parameters.get("digest") ?? "")
    }
    var logger = Logger(label: "links")
    // Errors are thrown; a connection that breaks off during shutdown is not worth logging.
    logger.logLevel = .critical
    let application = Application(
      router: router,
      server: .loopback(limits),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        serverName: "Tickbird"
      ),
      onServerRunning: { channel in
        await onStart("http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(secret.text)")
      },
      logger: logger
    )
    do {
      try await application.runService()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw LinkError(
        .badArgument,
        "port \(port) is taken on 127.0.0.1; give another with --port, or 0 for any"
      )
    }
  }

  private static func document(
    _ request: Request,
    _ store: LinkStore,
    _ secret: Secret,
    type: String,
    make: (StreamPublication) throws -> String
  ) throws -> Response {
    let page = request.uri.queryParameters.get("page").flatMap { Int($0) } ?? 1
    // Links in the document use the same host name as the request.
    guard let authority = LoopbackAuthority(request.head.authority) else {
      return ReadersOnly.misdirected
    }
    let publication = try StreamPublication(
      store: store,
      page: page,
      base: "http://\(authority)/\(secret.text)"
    )
    let text = try make(publication)
    return answer(
      request,
      ByteBuffer(string: text),
      type: type,
      tag: StreamPublication.entityTag(text)
    )
  }

  private static func icon(
    _ request: Request,
    _ store: LinkStore,
    digest: String
  ) throws -> Response {
    guard let icon = try store.icon(digest: digest) else { return Response(status: .notFound) }
    return answer(
      request,
      ByteBuffer(bytes: icon.bytes),
      type: icon.mediaType,
      tag: "\"\(icon.digest)\""
    )
  }

  private static func answer(
    _ request: Request,
    _ body: ByteBuffer,
    type: String,
    tag: String
  ) -> Response {
    var headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache"]
    // Keeps the browser from running a stranger's content as a page.
    headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
    headers[.xContentTypeOptions] = "nosniff"
    let known = request.headers[.ifNoneMatch].map { field in
      field.split(separator: ",").map { part in
        let part = part.drop { $0 == " " }
        return part.hasPrefix("W/") ? String(part.dropFirst(2)) : String(part)
      }
    }
    if let known, known.contains(tag) || known.contains("*") {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = type
    return Response(status: .ok, headers: headers, body: .init(byteBuffer: body))
  }
}

/// Rejects requests with another host than this machine, or without the secret.
private struct ReadersOnly: RouterMiddleware {
  typealias Context = BasicRequestContext

  let secret: Secret

  /// The answer to a request that names another host, or no port behind the colon.
  static var misdirected: Response {
    Response(
      status: .misdirectedRequest,
      headers: [.contentType: "text/plain; charset=utf-8"],
      body: .init(
        byteBuffer: ByteBuffer(string: "only 127.0.0.1 and localhost are answered here\n")
      )
    )
  }

  // The protocol comes from a module without NonisolatedNonsendingByDefault, so it must be
  // concurrent.
  @concurrent func handle(
    _ request: Request,
    context: BasicRequestContext,
    next: @concurrent (Request, BasicRequestContext) async throws -> Response
  ) async throws -> Response {
    guard LoopbackAuthority(request.head.authority) != nil else { return Self.misdirected }
    let first = request.uri.path.split(separator: "/", maxSplits: 1).first ?? ""
    guard secret.matches(first) else {
      // The same answer for everything, so that it reveals nothing.
      return Response(
        status: .notFound,
        headers: [.contentType: "text/plain; charset=utf-8"],
        body: .init(
          byteBuffer: ByteBuffer(string: "open the address that tickbird links serve printed\n")
        )
      )
    }
    return try await next(request, context)
  }
}

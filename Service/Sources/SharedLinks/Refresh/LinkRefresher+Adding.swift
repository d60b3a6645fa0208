internal import CurlTransfers
internal import Foundation

/// The outcome of subscribing to an address.
public enum AddOutcome: Equatable, Sendable {
  /// The feed was subscribed to, and its items were stored.
  case added(LinkSource)
  /// The page names several feeds, one of which has to be chosen.
  case several([FeedCandidate])
}

extension LinkRefresher {
  /// Subscribes to the feed at an address, or to the only feed that the page there names.
  ///
  /// - Parameters:
  ///   - typed: An address as a person types it.
  ///   - customTitle: The user's title for the feed.
  ///   - folder: The folders to put it in, outermost first.
  ///   - page: The page that offered the address, if nobody typed it. A page of the web must not
  ///     lead into the local network.
  /// - Returns: The feed, or the feeds to choose from.
  /// - Throws: ``LinkError``: `.badAddress`, `.fetchFailed`, `.notAFeed`, `.duplicate`.
  public func add(
    _ typed: String,
    customTitle: String? = nil,
    folder: [String] = [],
    namedBy page: String? = nil
  ) async throws -> AddOutcome {
    let address = try LinkAddress.typed(typed)
    // A typed address may be in the local network.
    let localHost =
      page.map { LinkAddress.isLocal($0) && LinkAddress.haveSameHost($0, address) } ?? true
      ? NetworkHost.of(address) : nil
    if localHost == nil, LinkAddress.isLocal(address) {
      throw LinkError(
        .badAddress,
        "\(address) is an address of the local network, which only a page of the same host can offer; "
          + "if you know it, give it yourself"
      )
    }
    if let other = try store.read({ try LinkStore.feed(at: address, $0) }) {
      throw LinkError(.duplicate, "\(address) is already subscribed to, as feed \(other.id)")
    }
    let hasScheme = typed.contains("://")
    let first = try await fetchPage(address, localHost, orPlain: !hasScheme)
    switch try await reader.feedOrPage(first, limits: store.limits) {
    case .feed(let document):
      return .added(try await subscribe(first, document, customTitle, folder))
    case .refused(let error): throw error
    case .subscriptions: throw LinkError(.notAFeed, "\(first.address) is a list of subscriptions")
    case .page(let head, _):
      let feeds = head.feeds.filter {
        !LinkAddress.isLocal($0.address) || NetworkHost.of($0.address) == localHost
      }
      guard let only = feeds.first else {
        throw LinkError(
          .notAFeed,
          "\(first.address) is a page that names no feed; if the site has one, give its address"
        )
      }
      guard feeds.count == 1 else { return .several(feeds) }
      let feed = try await fetchPage(only.address, localHost, orPlain: false)
      let document = try await reader.feed(feed, limits: store.limits)
      return .added(
        try await subscribe(feed, document, customTitle, folder, pageIcons: head.icons)
      )
    }
  }

  private func fetchPage(
    _ address: String,
    _ localHost: String?,
    orPlain: Bool
  ) async throws -> LinkFetcher.Document {
    do {
      let answer = try await fetcher.fetch(address, localHost: localHost, now: clock())
      guard case .document(let document) = answer else {
        throw LinkError(.fetchFailed, "\(address): the server sent no document (304)")
      }
      return document
    } catch let failure as FetchFailure {
      // Retry with http if no scheme was typed and nothing answers on https.
      if orPlain, failure.status == nil, address.hasPrefix("https://") {
        return try await fetchPage(
          "http://" + address.dropFirst("https://".count),
          localHost,
          orPlain: false
        )
      }
      throw LinkError(.fetchFailed, "\(address): \(failure.message)")
    }
  }

  private func subscribe(
    _ fetched: LinkFetcher.Document,
    _ document: FeedDocument,
    _ customTitle: String?,
    _ folder: [String],
    pageIcons: [String] = []
  ) async throws -> LinkSource {
    let address = fetched.newAddress ?? fetched.requested
    let source = try store.subscribe(
      to: address,
      title: document.title,
      customTitle: customTitle,
      pageAddress: document.pageAddress,
      folder: folder,
      isLocal: LinkAddress.isLocal(address)
        || fetched.isLocal && LinkAddress.haveSameHost(address, fetched.requested),
      now: clock()
    )
    var fetched = fetched
    fetched.newAddress = nil
    _ = try await keep(document, fetched, source, pageIcons: pageIcons)
    return try store.sources().first { $0.id == source.id } ?? source
  }
}

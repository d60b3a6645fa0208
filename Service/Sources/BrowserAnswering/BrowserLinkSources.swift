internal import Foundation
internal import SharedLinks

/// Questions about the sources of links: subscribing, refreshing, and their state.
extension BrowserLinkAnswers {
  struct SourcesQuestion: Decodable {
    /// Addresses that a page offers, to find those that are subscribed to.
    var addresses: [String]?
  }

  struct Sources: Encodable {
    var sources: [Source]
    /// The numbers of the feeds among these addresses that are subscribed to.
    var subscribed: [String: Int64]
  }

  struct Source: Encodable {
    var id: Int64
    /// `feed` or `extension`.
    var kind: String
    var title: String
    /// The feed's address, or the extension's identifier.
    var address: String
    var page: String?
    var icon: String?
    var links: Int
    var unread: Int
    /// When it was last fetched successfully, in seconds since 1970.
    var succeeded: Double?
    /// Why it could not be fetched last time.
    var fault: String?
    /// When it is retried after an error, in seconds since 1970.
    var retry: Double?
    /// Whether its server says that it is gone for good.
    var isGone: Bool

    init(_ source: LinkSource) {
      id = source.id
      kind = source.kind.rawValue
      title = source.title
      address = source.key
      page = source.pageAddress
      icon = source.icon
      links = source.itemCount
      unread = source.unreadCount
      succeeded = source.state.succeeded?.timeIntervalSince1970
      fault = source.state.lastError
      isGone = source.state.isGone
      if fault != nil, !isGone { retry = source.state.nextFetch?.timeIntervalSince1970 }
    }
  }

  /// Returns all sources that fit into a message, which is thousands.
  func sources(_ question: SourcesQuestion) throws -> Sources {
    Sources(
      sources: try Self.fitting(store.sources().map(Source.init)).0,
      subscribed: try store.feeds(at: Array((question.addresses ?? []).prefix(100)))
    )
  }

  // MARK: Subscribing

  struct Subscription: Decodable {
    /// The address of a feed, or of a page with one.
    var address: String
    /// The page that offers it; nil if a person typed the address.
    var page: String?
  }

  struct Subscribed: Encodable {
    var source: Source
  }

  struct Choice: Encodable {
    var feeds: [Feed]

    struct Feed: Encodable {
      var address: String
      var title: String
      var mediaType: String
    }
  }

  func subscribe(_ subscription: Subscription) async throws -> Answer {
    let refresher = LinkRefresher(store: store, transport: CurlTransport())
    switch try await refresher.add(subscription.address, namedBy: subscription.page) {
    case .added(let source): return .subscribed(Subscribed(source: Source(source)))
    case .several(let feeds):
      return .feeds(
        Choice(
          feeds: feeds.map {
            Choice.Feed(address: $0.address, title: $0.title, mediaType: $0.mediaType)
          }
        )
      )
    }
  }

  struct Unsubscription: Decodable {
    var source: Int64
  }

  struct Unsubscribed: Encodable {
    /// How many links were removed with it.
    var links: Int
  }

  func unsubscribe(_ question: Unsubscription) throws -> Unsubscribed {
    guard let source = try store.source(id: question.source) else {
      throw LinkError(.notFound, "this feed is not subscribed to any more")
    }
    guard source.kind == .feed else {
      throw LinkError(
        .badArgument,
        "\(source.title) is an extension; `tickbird extensions off \(source.key)` turns it off"
      )
    }
    return Unsubscribed(links: try store.remove(sourceID: source.id))
  }

  // MARK: Refreshing

  struct Refreshing: Decodable {
    /// Whether to fetch only sources that are due.
    var isDue: Bool?
  }

  struct Refreshed: Encodable {
    var new = 0
    var failed: [Failure] = []

    struct Failure: Encodable {
      var source: Int64
      var title: String
      var message: String
    }

    init(_ reports: [RefreshReport]) {
      for report in reports {
        switch report.outcome {
        case .fetched(let counts): new += counts.new
        case .failed(let message) where failed.count < 100:
          failed.append(
            Failure(source: report.source.id, title: report.source.title, message: message)
          )
        default: break
        }
      }
    }
  }
}

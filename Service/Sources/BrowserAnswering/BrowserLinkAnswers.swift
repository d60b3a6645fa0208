internal import Foundation
internal import SharedLinks

/// Answers questions about Shared Links.
struct BrowserLinkAnswers {
  let store: LinkStore

  /// How many bytes of an answer its list may have; a browser accepts messages of 1 MiB.
  private static let listBytes = 900_000
  private static let mostLinks = 500

  // MARK: Links

  struct LinksQuestion: Decodable {
    var words: String?
    var isUnread: Bool?
    var source: Int64?
    var after: LinkPosition?
    var limit: Int?
  }

  struct Links: Encodable {
    /// The time of the query, in seconds since 1970.
    let time = Date().timeIntervalSince1970
    var items: [Link] = []
    var hasMore = false
    /// The number of matching links, ignoring the limit.
    var count: Int
    /// The number of unread links in the whole stream.
    var unread: Int
  }

  struct Link: Encodable {
    var id: Int64
    var url: String
    var title: String
    var text: String
    var date: Double
    var isDated: Bool
    var name: String
    var source: Int64
    var icon: String?
    var isRead: Bool

    init(_ item: LinkItem) {
      id = item.id
      url = item.address
      // Without a title the text is shown as the title, and not repeated.
      let hasTitle = !item.fullTitle.isEmpty
      title = hasTitle || item.fullText.isEmpty ? item.title : item.text
      text = hasTitle && item.text != item.title ? item.text : ""
      date = item.date.timeIntervalSince1970
      isDated = item.isDated
      name = item.displayName
      source = item.sourceID
      icon = item.icon
      isRead = item.isRead
    }
  }

  func links(_ question: LinksQuestion) throws -> Links {
    var query = LinkQuery()
    let words = question.words?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    query.words = words.isEmpty ? nil : words
    query.isUnread = question.isUnread ?? false
    query.sourceID = question.source
    let limit = min(max(question.limit ?? 50, 1), Self.mostLinks)
    var answer = Links(count: try store.count(query), unread: try unread())
    query.after = question.after
    query.limit = limit + 1
    let items = try store.items(query).map(Link.init)
    (answer.items, answer.hasMore) = try Self.fitting(items.prefix(limit))
    answer.hasMore = answer.hasMore || items.count > limit
    return answer
  }

  private func unread() throws -> Int {
    var query = LinkQuery()
    query.isUnread = true
    return try store.count(query)
  }

  /// Returns as many of the first values as fit into one message, and whether some are left.
  static func fitting<Value: Encodable>(
    _ values: some Sequence<Value>
  ) throws -> ([Value], Bool) {
    var fitting: [Value] = []
    var size = 0
    for value in values {
      size += try value.json().count + 1
      guard size <= listBytes else { return (fitting, true) }
      fitting.append(value)
    }
    return (fitting, false)
  }

  // MARK: Icons

  struct IconsQuestion: Decodable {
    var digests: [String]
  }

  struct Icons: Encodable {
    var icons: [Icon]
    /// Whether icons were left out for lack of room.
    var hasMore: Bool
  }

  struct Icon: Encodable {
    var digest: String
    var mediaType: String
    var bytes: String
  }

  func icons(_ question: IconsQuestion) throws -> Icons {
    // Lazily, so that no more icons are in memory than fit into a message.
    let icons = question.digests.prefix(Self.mostLinks).lazy.compactMap { digest in
      (try? store.icon(digest: digest)).map {
        Icon(
          digest: digest,
          mediaType: $0.mediaType,
          bytes: Data($0.bytes).base64EncodedString()
        )
      }
    }
    let (fitting, hasMore) = try Self.fitting(icons)
    return Icons(icons: fitting, hasMore: hasMore)
  }

  // MARK: Read and unread

  struct Marking: Decodable {
    var isRead: Bool
    /// These links; nil for all.
    var ids: [Int64]?
    /// Restricts all links to those that existed at this time, in seconds since 1970.
    var through: Double?
  }

  func mark(_ marking: Marking) throws {
    if let ids = marking.ids {
      try store.mark(ids, isRead: marking.isRead, skippingMissing: true)
    } else {
      try store.markAll(
        isRead: marking.isRead,
        firstSeenThrough: marking.through.map(Date.init(timeIntervalSince1970:))
      )
    }
  }
}

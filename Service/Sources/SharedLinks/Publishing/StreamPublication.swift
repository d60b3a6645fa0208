internal import Foundation

/// A page of the merged stream as a feed for any reader: Atom and JSON Feed 1.1.
///
/// The same items always give the same bytes, so that their digest can serve as the validator.
/// Links that the user's rules block are left out.
public struct StreamPublication: Equatable, Sendable {
  /// Items on one page.
  public static let pageSize = 100
  /// The identifier of the published feed itself.
  static let identifier = "tag:localhost,2026:tickbird:links"
  static let title = "Shared Links"

  /// The items, newest first.
  public var items: [LinkItem]
  /// The page's number, from 1.
  public var page: Int
  /// Whether another page follows.
  public var hasNext: Bool
  /// The server's address, such as `http://127.0.0.1:7311`.
  public var base: String

  /// Reads a page of a store's stream.
  ///
  /// - Throws: ``LinkError`` if the store fails.
  public init(store: LinkStore, page: Int, base: String) throws {
    var query = LinkQuery()
    let page = max(1, min(page, 10_000))
    query.offset = (page - 1) * Self.pageSize
    query.limit = Self.pageSize + 1
    let items = try store.items(query)
    let feeds = try store.sources().filter { $0.kind == .feed }
    let keys = Dictionary(feeds.map { ($0.id, $0.key) }) { first, _ in first }
    self.items = items.prefix(Self.pageSize).map { Self.withoutAddress(of: keys[$0.sourceID], $0) }
    hasNext = items.count > Self.pageSize
    self.page = page
    self.base = base
  }

  /// Returns an item without its feed's address.
  ///
  /// A private feed's address may be the secret that grants access, and an item without a link or a
  /// feed without a title would show it to every reader of the stream.
  private static func withoutAddress(of feed: String?, _ item: LinkItem) -> LinkItem {
    guard let feed else { return item }
    var item = item
    if LinkAddress.key(item.address) == LinkAddress.key(feed) {
      item.address = LinkAddress.site(feed)
    }
    if item.sourceTitle.contains(feed) { item.sourceTitle = LinkAddress.host(feed) }
    return item
  }

  /// Returns the validator of a document, as the value of an `ETag` header.
  public static func entityTag(_ document: String) -> String {
    "\"\(ItemIdentity.digest(document))\""
  }

  // MARK: Atom

  /// Returns the page as Atom (RFC 4287), with paging links (RFC 5005).
  public func atom() -> String {
    var text = """
      <?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
        <id>\(Self.identifier)</id>
        <title>\(Self.title)</title>
        <updated>\(Self.time(items.map(\.changed).max() ?? Date(timeIntervalSince1970: 0)))</updated>
        <generator>Tickbird</generator>
        <link rel="self" type="application/atom+xml" href="\(link(page))"/>
        <link rel="first" type="application/atom+xml" href="\(link(1))"/>

      """
    if hasNext {
      text += "  <link rel=\"next\" type=\"application/atom+xml\" "
      text += "href=\"\(link(page + 1))\"/>\n"
    }
    if page > 1 {
      text += "  <link rel=\"previous\" type=\"application/atom+xml\" "
      text += "href=\"\(link(page - 1))\"/>\n"
    }
    for item in items { text += atom(item) }
    return text + "</feed>\n"
  }

  /// The address of a page, as a value of an attribute.
  private func link(_ page: Int) -> String { XMLText.escape(address("links.atom", page)) }

  private func atom(_ item: LinkItem) -> String {
    var text = """
        <entry>
          <id>\(XMLText.escape(item.tag))</id>
          <title>\(XMLText.escape(item.title))</title>
          <link rel="alternate" href="\(XMLText.escape(item.address))"/>
          <published>\(Self.time(item.date))</published>
          <updated>\(Self.time(max(item.changed, item.date)))</updated>
          <author><name>\(XMLText.escape(item.displayName))</name></author>

      """
    if !item.text.isEmpty { text += "    <summary>\(XMLText.escape(item.text))</summary>\n" }
    if let icon = item.icon {
      text += "    <media:thumbnail url=\"\(XMLText.escape(iconAddress(icon)))\"/>\n"
    }
    return text + "  </entry>\n"
  }

  // MARK: JSON Feed

  /// Returns the page as JSON Feed 1.1.
  public func jsonFeed() throws -> String {
    let feed = JSONFeed(
      version: "https://jsonfeed.org/version/1.1",
      title: Self.title,
      feed_url: address("links.json", page),
      next_url: hasNext ? address("links.json", page + 1) : nil,
      items: items.map { item in
        JSONFeed.Item(
          id: item.tag,
          url: item.address,
          title: item.title,
          content_text: item.text,
          image: item.imageAddress,
          date_published: Self.time(item.date),
          date_modified: Self.time(max(item.changed, item.date)),
          authors: [.init(name: item.displayName, avatar: item.icon.map(iconAddress))]
        )
      }
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(feed), as: UTF8.self)
  }

  /// The document, with the format's member names.
  private struct JSONFeed: Encodable {
    struct Author: Encodable {
      var name: String
      var avatar: String?
    }
    struct Item: Encodable {
      var id: String
      var url: String
      var title: String
      var content_text: String
      var image: String?
      var date_published: String
      var date_modified: String
      var authors: [Author]
    }
    var version: String
    var title: String
    var feed_url: String
    var next_url: String?
    var items: [Item]
  }

  // MARK: Parts

  private func address(_ name: String, _ page: Int) -> String {
    page == 1 ? "\(base)/\(name)" : "\(base)/\(name)?page=\(page)"
  }

  private func iconAddress(_ digest: String) -> String { "\(base)/icons/\(digest)" }

  private static func time(_ date: Date) -> String {
    date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: false))
  }
}

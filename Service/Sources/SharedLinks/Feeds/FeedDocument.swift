public import Foundation

/// The contents of a feed, whatever its format.
public struct FeedDocument: Equatable, Sendable {
  /// The supported feed formats.
  public enum Format: String, Equatable, Sendable {
    /// RSS 0.9x and 2.0.
    case rss
    /// RSS 0.9 and 1.0, which are RDF.
    case rdf
    /// Atom 0.3 and 1.0.
    case atom
    /// JSON Feed 1 and 1.1.
    case jsonFeed = "json-feed"
  }

  /// The format.
  public var format: Format
  /// The feed's title as plain text; empty if it has none.
  public var title = ""
  /// The address of the page that the feed belongs to.
  public var pageAddress: String?
  /// The addresses of images that represent the feed, small ones first.
  public var iconAddresses: [String] = []
  /// The minutes between fetches that the feed asks for.
  public var minutesToLive: Int?
  /// The items, in the document's order.
  public var entries: [FeedEntry] = []
  /// What is wrong with the document, for whoever runs the feed.
  public var notes: [String] = []

  /// Makes an empty document.
  public init(format: Format) { self.format = format }
}

/// One item of a feed.
///
/// Texts are plain; addresses are absolute, and http or https.
public struct FeedEntry: Equatable, Sendable {
  /// The identifier that the feed gives it: `guid`, `id` or `rdf:about`.
  public var identifier: String?
  /// The page that it links to.
  public var address: String?
  /// Its title; empty if it has none.
  public var title = ""
  /// Its summary, or its content if it has none, without markup.
  public var text = ""
  /// When it was published, or last updated if it does not say.
  public var date: Date?
  /// The author, if that differs from the feed's title.
  public var author: String?
  /// The address of an image that represents it.
  public var imageAddress: String?

  /// Makes an empty item.
  public init() {}
}

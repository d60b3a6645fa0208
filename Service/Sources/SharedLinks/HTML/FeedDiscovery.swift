/// A feed that a page links to.
public struct FeedCandidate: Equatable, Sendable {
  /// The feed's address.
  public var address: String
  /// The title of the link; empty if it has none.
  public var title: String
  /// The media type.
  public var mediaType: String
}

/// The feeds and icons that the head of a page names.
package struct PageHead: Equatable {
  /// The feeds, in the page's order, without duplicates.
  package var feeds: [FeedCandidate] = []
  /// The addresses of icons, in the page's order.
  package var icons: [String] = []

  private static let feedTypes: Set = [
    "application/rss+xml", "application/atom+xml", "application/feed+json",
  ]
  /// The limit on feeds, and on icons.
  static let most = 50

  /// Creates an empty head.
  init() {}

  /// Reads a page's `link` and `base` elements; relative addresses are resolved against `base` or
  /// the page.
  package init(page: String, address: String) {
    var tokenizer = HTMLTokenizer(page)
    var base = address
    var hasBase = false
    var links: [[String: String]] = []
    while links.count < 500, let token = tokenizer.next() {
      guard case .start(let name, let attributes) = token else { continue }
      switch name {
      case "script", "style", "textarea", "noscript", "template":
        tokenizer.skipRawText(of: name)
      case "base" where !hasBase:
        // The first `base` applies to the whole page, wherever it is.
        if let href = attributes["href"], let url = LinkAddress.resolve(href, base: address) {
          base = url
          hasBase = true
        }
      case "link":
        links.append(attributes)
      default:
        continue
      }
    }
    for link in links { add(link, base: base) }
  }

  private mutating func add(_ link: [String: String], base: String) {
    guard let href = link["href"], let address = LinkAddress.resolve(href, base: base) else {
      return
    }
    let relations = Set((link["rel"] ?? "").lowercased().split { $0.isWhitespace }.map(String.init))
    let type = mediaType(link["type"] ?? "")
    if relations.contains("alternate"), Self.feedTypes.contains(type), feeds.count < Self.most,
      !feeds.contains(where: { $0.address == address })
    {
      let title = PlainText.collapsed(link["title"] ?? "", limit: 200)
      feeds.append(FeedCandidate(address: address, title: title, mediaType: type))
    }
    let isIcon = !relations.isDisjoint(with: ["icon", "apple-touch-icon"])
    if isIcon, icons.count < Self.most, !icons.contains(address) { icons.append(address) }
  }
}

/// Returns the media type without its parameters, in lower case.
func mediaType(_ header: String) -> String {
  String(header.prefix { $0 != ";" }).trimmingWhitespace().lowercased()
}

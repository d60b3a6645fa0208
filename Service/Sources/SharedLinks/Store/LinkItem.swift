public import Foundation

/// One link of the stream.
public struct LinkItem: Equatable, Sendable, Identifiable {
  /// The number by which commands name the item.
  public var id: Int64
  /// The source that it came from.
  public var sourceID: Int64
  /// The title of the source.
  public var sourceTitle: String
  /// A `tag:` URI that stays the same as long as the item is kept.
  public var tag: String
  /// The page that it links to.
  public var address: String
  /// The sort key of the stream: when it was published, or first seen if it does not say.
  public var date: Date
  /// Whether ``date`` is the publisher's.
  public var isDated: Bool
  /// The stored title, plain text.
  public var fullTitle: String
  /// The stored text, plain text.
  public var fullText: String
  /// The author, if that differs from the source's title.
  public var author: String?
  /// The digest of its own icon, else of its source's.
  public var icon: String?
  /// The digest of its source's icon.
  public var sourceIcon: String?
  /// The address of an image that represents it; Tickbird never fetches it.
  public var imageAddress: String?
  /// Whether the user has read it.
  public var isRead: Bool
  /// When it was first seen.
  public var firstSeen: Date
  /// When its title, text or link last changed, or when it was first seen.
  public var changed: Date
  /// The rule that blocks its link.
  public var blocked: BlockingRule?

  /// The name shown as its source: the item's author, or the source's title.
  public var displayName: String { author ?? sourceTitle }

  /// The title to show, of at most ``LinkLimits/shownTitleCharacters``: without a title the
  /// beginning of the text, or else the address.
  public var title: String {
    let title = [fullTitle, fullText, address].first { !$0.isEmpty } ?? ""
    return PlainText.shortened(title, to: LinkLimits.shownTitleCharacters)
  }

  /// The text to show, of at most ``LinkLimits/shownTextCharacters``.
  public var text: String {
    PlainText.shortened(fullText, to: LinkLimits.shownTextCharacters)
  }
}

/// The rule that blocks a link.
public struct BlockingRule: Equatable, Sendable {
  /// The list's name.
  public var list: String
  /// The rule's position in the list, from 0.
  public var rule: Int
}

/// A position in the stream, which stays valid when newer items arrive.
public struct LinkPosition: Codable, Equatable, Sendable {
  /// An item's time, in seconds since 1970.
  public var date: Double
  /// The item's number.
  public var id: Int64

  /// Creates a position.
  public init(date: Double, id: Int64) {
    self.date = date
    self.id = id
  }
}

/// A query for items.
public struct LinkQuery: Sendable {
  /// What to do with links that the user's rules block.
  public enum Blocked: Sendable {
    /// Leave them out.
    case hidden
    /// Include them.
    case shown
    /// Return only them.
    case only
  }

  /// Only items of this source.
  public var sourceID: Int64?
  /// Only items of sources in this folder.
  public var folder: String?
  /// Only unread items.
  public var isUnread = false
  /// How blocked links are treated.
  public var blocked = Blocked.hidden
  /// Only items with all these words in title, text, author or link; a prefix of a word matches.
  public var words: String?
  /// The maximum number of items, newest first.
  public var limit = 50
  /// How many of the newest items to skip.
  public var offset = 0
  /// Only items after this position in the stream.
  public var after: LinkPosition?

  /// Creates a query for the newest fifty items that are not blocked.
  public init() {}
}

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
  /// The page that it leads to.
  public var address: String
  /// What places it in the stream: when it was published, else when it was first seen.
  public var date: Date
  /// Whether ``date`` is the publisher's.
  public var isDated: Bool
  /// The title as it is kept, plain text.
  public var fullTitle: String
  /// The text as it is kept, plain text.
  public var fullText: String
  /// Whose it is, where that differs from the source's title.
  public var author: String?
  /// The digest of its own icon, else of its source's.
  public var icon: String?
  /// The digest of its source's icon.
  public var sourceIcon: String?
  /// The address of an image that stands for it; never fetched here.
  public var imageAddress: String?
  /// Whether the user has read it.
  public var isRead: Bool
  /// When it was first seen.
  public var firstSeen: Date
  /// When its title, text or link last changed, or else first seen.
  public var changed: Date
  /// The rule that blocks its link.
  public var blocked: BlockingRule?

  /// The source line: the item's own display name, else the source's title.
  public var displayName: String { author ?? sourceTitle }

  /// The title as it is shown, of at most ``LinkLimits/shownTitleCharacters``; without a title the
  /// text's beginning, else the address.
  public var title: String {
    let title = [fullTitle, fullText, address].first { !$0.isEmpty } ?? ""
    return PlainText.shortened(title, to: LinkLimits.shownTitleCharacters)
  }

  /// The text as it is shown, of at most ``LinkLimits/shownTextCharacters``.
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

/// A place in the stream, which stays the same when newer items come.
public struct LinkPosition: Codable, Equatable, Sendable {
  /// An item's time, in seconds since 1970.
  public var date: Double
  /// The item's number.
  public var id: Int64

  /// Takes a time and a number.
  public init(date: Double, id: Int64) {
    self.date = date
    self.id = id
  }
}

/// Which items are asked for.
public struct LinkQuery: Sendable {
  /// How links are treated that the user's rules block.
  public enum Blocked: Sendable {
    /// They are left out.
    case hidden
    /// They are among the others.
    case shown
    /// Only they are asked for.
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
  /// Only items with all these words in title, text, author or link; a word may be a beginning.
  public var words: String?
  /// The most items, newest first.
  public var limit = 50
  /// How many of the newest are skipped.
  public var offset = 0
  /// Only items that come after this place in the stream.
  public var after: LinkPosition?

  /// Asks for the newest fifty that are not blocked.
  public init() {}
}

public import Foundation

/// A source of links: a feed, or a Shared Links extension.
public struct LinkSource: Equatable, Sendable, Identifiable {
  /// The kinds of sources.
  public enum Kind: String, Equatable, Sendable {
    /// A feed that the user subscribes to.
    case feed
    /// An extension that is turned on.
    case `extension`
  }

  /// How the items of a feed are told apart.
  public enum IdentityRule: String, CaseIterable, Equatable, Sendable {
    /// The identifier, else the link, else title and date; see ``ItemIdentity``.
    case automatic = "auto"
    /// The link alone: for feeds whose identifiers change.
    case link
    /// The identifier alone, even if items with different links share it.
    case guid
    /// The title alone: for feeds whose links carry session numbers.
    case title
  }

  /// The number by which commands name the source.
  public var id: Int64
  /// The kind.
  public var kind: Kind
  /// The feed's address, or the extension's bundle identifier.
  public var key: String
  /// The source's own title; for a feed never fetched, the one given at subscription.
  public var ownTitle: String
  /// The title that the user gave it.
  public var customTitle: String?
  /// The page that a feed belongs to.
  public var pageAddress: String?
  /// The folders it is in, outermost first.
  public var folder: [String]
  /// How its items are told apart.
  public var identityRule: IdentityRule
  /// Whether the user's block rules apply to its links.
  public var appliesRules: Bool
  /// Whether it may be fetched from this machine or a private network, because the user named its
  /// host.
  public var isLocal = false
  /// When it was added.
  public var added: Date
  /// The digest of its icon.
  public var icon: String?
  /// The outcome of past fetches.
  public var state: FetchState
  /// How many of its items are stored.
  public var itemCount = 0
  /// How many of them are unread.
  public var unreadCount = 0

  /// The title to show.
  public var title: String {
    customTitle ?? (ownTitle.isEmpty ? key : ownTitle)
  }
}

/// The outcome of a source's past fetches, and the time of the next.
public struct FetchState: Equatable, Sendable {
  /// The validator of the last full answer (`ETag`).
  public var entityTag: String?
  /// The other validator (`Last-Modified`), as the server wrote it.
  public var lastModified: String?
  /// The digest of the last document.
  public var documentDigest: String?
  /// When it was last fetched, with or without success.
  public var tried: Date?
  /// When it was last fetched successfully.
  public var succeeded: Date?
  /// The time before which it is not due.
  public var nextFetch: Date?
  /// Whether ``nextFetch`` comes from the server's request or from failures, so that an explicit
  /// refresh respects it too.
  public var isHeldBack = false
  /// The number of consecutive failures.
  public var failures = 0
  /// Why the last fetch failed.
  public var lastError: String?
  /// Whether the server said that the feed is gone for good (410).
  public var isGone = false
  /// What was wrong with the last document or answer, for whoever makes it.
  public var notes: [String] = []

  /// Creates the state of a source that was never fetched.
  public init() {}
}

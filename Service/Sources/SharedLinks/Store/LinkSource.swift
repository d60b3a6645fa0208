public import Foundation

/// Something that links come from: a feed, or a Shared Links extension.
public struct LinkSource: Equatable, Sendable, Identifiable {
  /// The kinds of sources.
  public enum Kind: String, Equatable, Sendable {
    /// A feed that the user subscribes to.
    case feed
    /// An extension that is on.
    case `extension`
  }

  /// What distinguishes the items of a feed.
  public enum IdentityRule: String, CaseIterable, Equatable, Sendable {
    /// The identifier, else the link, else title and date; see ``ItemIdentity``.
    case automatic = "auto"
    /// The link alone: for feeds whose identifiers change.
    case link
    /// The identifier alone, also where it stands on items with different links.
    case guid
    /// The title alone: for feeds whose links carry session numbers.
    case title
  }

  /// The number by which commands name the source.
  public var id: Int64
  /// The kind.
  public var kind: Kind
  /// A feed's address, an extension's bundle identifier.
  public var key: String
  /// The title that the source gives itself; for a feed never fetched what its subscriber knew.
  public var ownTitle: String
  /// The title that the user gave it.
  public var customTitle: String?
  /// The page that a feed belongs to.
  public var pageAddress: String?
  /// The folders it is in, outermost first.
  public var folder: [String]
  /// What tells its items apart.
  public var identityRule: IdentityRule
  /// Whether the user's block rules are asked about its links.
  public var appliesRules: Bool
  /// Whether the user named its host, and that is in a private network or this machine: the feed may
  /// be fetched from there.
  public var isLocal = false
  /// When it was added.
  public var added: Date
  /// The digest of its icon.
  public var icon: String?
  /// How fetching it went.
  public var state: FetchState
  /// How many items of it are kept.
  public var itemCount = 0
  /// How many of them are unread.
  public var unreadCount = 0

  /// The title that is shown.
  public var title: String {
    customTitle ?? (ownTitle.isEmpty ? key : ownTitle)
  }
}

/// How fetching a source went, and when it is next.
public struct FetchState: Equatable, Sendable {
  /// The validator of the last full answer (`ETag`).
  public var entityTag: String?
  /// The other validator (`Last-Modified`), as the server wrote it.
  public var lastModified: String?
  /// The digest of the last document.
  public var documentDigest: String?
  /// When it was last tried.
  public var tried: Date?
  /// When it last went well.
  public var succeeded: Date?
  /// Before this time it is not due.
  public var nextFetch: Date?
  /// Whether ``nextFetch`` is a wish of the server or the result of failures, which `refresh`
  /// respects, and not only the usual interval.
  public var isHeldBack = false
  /// How many tries have failed in a row.
  public var failures = 0
  /// Why the last try failed.
  public var lastError: String?
  /// Whether the server said that the feed is gone for good (410).
  public var isGone = false
  /// What was wrong with the last document or answer, for whoever makes it.
  public var notes: [String] = []

  /// Makes the state of a source that was never fetched.
  public init() {}
}

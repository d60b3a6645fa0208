public import CodedErrors
public import Foundation

/// Why something about subscriptions could not be done.
public struct SubscriptionError: CodedError, Equatable {
  /// What kind of failure it is; the set may grow.
  public struct Code: ErrorCode, Codable {
    /// The code's word, as `--format json` shows it.
    public let rawValue: String

    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An address or a file that can be no source of a list.
    public static let badSource = Code(rawValue: "bad-source")
    /// There is no such list.
    public static let notFound = Code(rawValue: "not-found")
    /// A name or a source that several lists have.
    public static let ambiguous = Code(rawValue: "ambiguous")
    /// The list is there already.
    public static let duplicate = Code(rawValue: "duplicate")
    /// There are as many lists as there may be.
    public static let tooMany = Code(rawValue: "too-many")
    /// No address gave an answer that can be used.
    public static let fetchFailed = Code(rawValue: "fetch-failed")
    /// What came is no list, or a list that cannot be used.
    public static let listRefused = Code(rawValue: "list-refused")
    /// A list came that has lost most of its rules.
    public static let suspiciouslyShort = Code(rawValue: "suspiciously-short")
    /// A text was changed elsewhere meanwhile.
    public static let stale = Code(rawValue: "stale")
    /// The process that converts and compiles lists did not get through.
    public static let notPrepared = Code(rawValue: "not-prepared")
    /// Another process changes the list at the moment.
    public static let busy = Code(rawValue: "busy")
    /// The file that keeps the subscriptions cannot be used.
    public static let stateUnusable = Code(rawValue: "state-unusable")
    /// Another file cannot be read or written.
    public static let file = Code(rawValue: "file")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [badSource, file, stateUnusable]
  }

  /// The kind of failure.
  public var code: Code
  /// What failed, on which thing, and the way out, without a full stop.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension SubscriptionError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}

/// The limits on subscriptions.
public struct SubscriptionLimits: Hashable, Sendable {
  /// How many lists there may be.
  public var lists = 100
  /// How many mirrors a list may have.
  public var mirrors = 4
  /// The most bytes to fetch or read, and of a list once it is decompressed.
  public var bytes = 64 << 20
  /// How many redirects are followed.
  public var redirects = 5
  /// The timeout of one request until its last byte, in seconds.
  public var fetchSeconds = 300.0
  /// How many lists are fetched at a time.
  public var concurrentFetches = 3

  /// Creates the documented limits.
  public init() {}
}

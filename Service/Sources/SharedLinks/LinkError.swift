public import CodedErrors
public import Foundation

/// Why something about links could not be done.
public struct LinkError: CodedError, Equatable {
  /// What kind of failure it is; the set may grow.
  public struct Code: ErrorCode {
    /// The code's word, as `--format json` shows it.
    public let rawValue: String

    /// Takes a word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An address that is none, or of another scheme than http and https.
    public static let badAddress = Code(rawValue: "bad-address")
    /// A document that is no feed that can be read.
    public static let notAFeed = Code(rawValue: "not-a-feed")
    /// A document that the process which reads documents did not get through.
    public static let notRead = Code(rawValue: "not-read")
    /// There is no process that reads documents, or no sandbox for it.
    public static let readerMissing = Code(rawValue: "reader-missing")
    /// The server could not be reached, or what it sent exceeds a limit.
    public static let fetchFailed = Code(rawValue: "fetch-failed")
    /// The host could not ask an extension, or failed while it did.
    public static let notAsked = Code(rawValue: "not-asked")
    /// There is no such feed, item or list.
    public static let notFound = Code(rawValue: "not-found")
    /// It is there already.
    public static let duplicate = Code(rawValue: "duplicate")
    /// The database cannot be used.
    public static let storeUnusable = Code(rawValue: "store-unusable")
    /// A rule list is refused.
    public static let badRules = Code(rawValue: "bad-rules")
    /// A subscription list cannot be read.
    public static let badSubscriptions = Code(rawValue: "bad-subscriptions")
    /// An argument that cannot be used.
    public static let badArgument = Code(rawValue: "bad-argument")

    /// The kinds of an argument, and of a file or folder that cannot be read or written.
    public static let wrongUse: Set = [badAddress, badArgument, storeUnusable]
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence: what failed, on which thing, and the way out.
  public var message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension LinkError: CustomStringConvertible, LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}

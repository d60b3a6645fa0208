internal import CurlTransfers
public import Foundation
public import ListIngestion

/// A list that the user chose: where it comes from, what of it acts, and how its last update went.
public struct Subscription: Codable, Equatable, Sendable {
  /// Why the last update failed.
  public struct Fault: Codable, Equatable, Sendable {
    /// The error's code.
    public var code: SubscriptionError.Code
    /// What failed, without a full stop.
    public var message: String
    /// When.
    public var date: Date
  }

  /// What a server said of the answer that acts, to be asked whether there is a newer one.
  struct Validators: Codable, Equatable {
    /// The address that gave them.
    var address: String
    var entityTag: String?
    var lastModified: String?
  }

  /// The name under which commands and browsers know it: small letters, digits and hyphens.
  public let id: String
  /// Where it comes from.
  public internal(set) var source: SubscriptionSource
  /// Addresses that are tried after the source.
  public internal(set) var mirrors: [String] = []
  /// The addresses that may be on this machine or in its network, because the user named them; nil for
  /// a list that was added before this was kept, all of whose addresses the user named.
  var localAddresses: [String]?
  /// The name that the user gave.
  public internal(set) var givenName: String?
  /// Whether it is used.
  public internal(set) var isOn = true
  /// When it was added.
  public internal(set) var added: Date
  /// The address before the server said that the list has moved for good.
  public internal(set) var formerAddress: String?

  /// Whether it is the list of the user's own rules, as it was written; ``SubscriptionStore/isOwn(_:)`` tells.
  var isOwn: Bool?
  /// The folder of the compiled list that acts.
  var generation: String?
  /// The folder of the list that acted before, which a browser's process may be about to read.
  var previous: String?
  /// When the list was switched.
  var switched: Date?
  /// The version of the program that compiled it.
  var builtBy: String?
  /// The SHA-256 of the bytes that it was made of.
  var digest: String?
  /// The compiled list as it was written; nil for a list of an older version.
  var compiled: FileMark?
  /// The text that it was compiled of, as it was written.
  var text: FileMark?
  var validators: Validators?
  /// What changes when the source's file does.
  var fileStamp: String?

  /// Where the list that acts came from: the source, or a mirror.
  public internal(set) var fetchedFrom: String?
  /// When the last update was tried.
  public internal(set) var checked: Date?
  /// When an update last succeeded, whether or not there was anything new.
  public internal(set) var succeeded: Date?
  /// When the list that acts came.
  public internal(set) var changed: Date?
  /// When the next update is due; nil for at once.
  public internal(set) var next: Date?
  /// The consecutive failures.
  public internal(set) var failures = 0
  /// Why the last update failed; nil if it did not.
  public internal(set) var fault: Fault?
  /// How often in a row the same suspiciously short list came.
  private(set) var shortAnswers = 0
  /// The SHA-256 of its bytes.
  private var shortDigest: String?
  /// When it was last counted.
  private var shortCounted: Date?
  /// What is known of the list that acts.
  public internal(set) var summary: ListSummary?

  /// The name for people.
  public var name: String { givenName ?? summary?.header.title ?? id }
  /// The identifier among active lists, which no extension can have.
  public var listIdentifier: String { Self.listIdentifier(of: id) }

  static func listIdentifier(of id: String) -> String { "list:\(id)" }
  /// Whether a compiled list is used.
  public var acts: Bool { isOn && generation != nil }
  /// The addresses to try, in order; empty for a file.
  var addresses: [String] {
    if case .address(let address) = source { [address] + mirrors } else { [] }
  }

  /// Returns whether an address may be on this machine or in its network.
  func mayBeLocal(_ address: String) -> Bool {
    if let localAddresses { return localAddresses.contains(address) }
    // Where a list moved to was named by its server.
    guard let formerAddress, address == source.text, !mirrors.contains(address) else { return true }
    return NetworkHost.of(address) == NetworkHost.of(formerAddress)
  }

  /// Takes the address to which a list has moved for good.
  ///
  /// A server moves its list to another place of a host that may be local, but not to another such host.
  mutating func move(from old: String, to new: String) {
    let isLocal = mayBeLocal(old) && NetworkHost.of(old) == NetworkHost.of(new)
    localAddresses = (mirrors + [old]).filter(mayBeLocal) + (isLocal ? [new] : [])
    formerAddress = old
    source = .address(new)
    if validators?.address == old { validators?.address = new }
  }

  /// Counts a list that came suspiciously short; nil for anything else that came, which ends a row.
  ///
  /// What comes again before a failed update would be repeated counts once: a server has one fault for
  /// a while, however often it is asked meanwhile.
  mutating func countShort(_ digest: String?, at now: Date) {
    guard let digest, digest == shortDigest, let shortCounted else {
      (shortAnswers, shortDigest) = (digest == nil ? 0 : 1, digest)
      shortCounted = digest == nil ? nil : now
      return
    }
    let waited = now.timeIntervalSince(shortCounted)
    if waited >= ListSchedule.firstDelay { shortAnswers += 1 }
    // A clock that was set back would be waited for.
    if waited >= ListSchedule.firstDelay || waited < 0 { self.shortCounted = now }
  }

  init(id: String, source: SubscriptionSource, added: Date) {
    self.id = id
    self.source = source
    self.added = added
  }
}

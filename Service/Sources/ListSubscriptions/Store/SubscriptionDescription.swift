public import Foundation
public import ListIngestion

/// A subscription as commands and browsers show it.
public struct SubscriptionDescription: Encodable, Equatable, Sendable {
  /// The id, by which commands name it.
  public let id: String
  /// The identifier among active lists.
  public let identifier: String
  /// The name for people.
  public let name: String
  /// Whether it is on.
  public let isOn: Bool
  /// The address that it comes from; nil for a file.
  public let address: String?
  /// The file that it comes from; nil for an address.
  public let file: String?
  /// Addresses that are tried after that.
  public let mirrors: [String]
  /// The address before the list moved for good.
  public let formerAddress: String?
  /// Where the list that acts came from.
  public let fetchedFrom: String?
  /// The syntax of the list that acts.
  public let format: ListSummary.Format?
  /// How many rules act.
  public let rules: Int?
  /// What became of the lines; nil for WebKit's JSON.
  public let lines: ListSummary.LineCounts?
  /// The page that the list names.
  public let homepage: String?
  /// The licence that the list names.
  public let licence: String?
  /// The version that the list names.
  public let version: String?
  /// When it was added.
  public let added: Date
  /// When the list that acts came.
  public let changed: Date?
  /// When an update last succeeded.
  public let succeeded: Date?
  /// When an update was last tried.
  public let checked: Date?
  /// When the next update is due; nil for at once.
  public let next: Date?
  /// The consecutive failures.
  public let failures: Int
  /// Why the last update failed.
  public let fault: Subscription.Fault?
  /// What is wrong with the compiled list; nil if nothing is, or nobody has looked.
  public let damage: String?

  /// Describes a subscription, with what ``SubscriptionStore/damage(of:)`` has found.
  public init(_ subscription: Subscription, damage: String? = nil) {
    self.damage = damage
    id = subscription.id
    identifier = subscription.listIdentifier
    name = subscription.name
    isOn = subscription.isOn
    switch subscription.source {
    case .address(let text): (address, file) = (text, nil)
    case .file(let path): (address, file) = (nil, path)
    }
    mirrors = subscription.mirrors
    formerAddress = subscription.formerAddress
    fetchedFrom = subscription.fetchedFrom
    format = subscription.summary?.format
    rules = subscription.summary?.rules
    lines = subscription.summary?.lines
    homepage = subscription.summary?.header.homepage
    licence = subscription.summary?.header.licence
    version = subscription.summary?.header.version
    added = subscription.added
    changed = subscription.changed
    succeeded = subscription.succeeded
    checked = subscription.checked
    next = subscription.next
    failures = subscription.failures
    fault = subscription.fault
  }
}

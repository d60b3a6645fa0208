public import ExtensionBundles
public import ExtensionMessages
public import Foundation

/// A bundle in the store.
public struct InstalledBundle: Equatable, Sendable {
  /// The bundle's identifier, unique in the store.
  public let identifier: String
  /// The kind of extension.
  public let extensionPoint: ExtensionPoint
  /// The display name.
  public let displayName: String
  /// `CFBundleShortVersionString`, the version for display.
  public let version: BundleVersion
  /// `CFBundleVersion`, which tells builds of one version apart.
  public let build: BundleVersion
  /// The folder `NAME.appex`.
  public let location: URL
  /// The executable; nil if the bundle contains only a list, or an older folder of Safari's.
  public let executable: URL?
  /// The folder `NAME.safariextension` in a bundle without a handler; nil for all others.
  public let olderFolder: URL?
  /// Whether it answers with a rule list: a content blocker, or an older folder with a list.
  public let hasList: Bool
  /// The bundle's entitlements; nil if it has none.
  public let entitlements: Entitlements?
  /// The version that ``BundleStore/goBack(_:)`` restores; nil if there is none.
  public internal(set) var previousVersion: BundleVersion?
  /// Who signed it; nil only if an older version installed it and the host does not know yet.
  public internal(set) var signer: Signer?
  /// An id that later versions keep and a new installation after a removal does not; nil if an
  /// older version installed it.
  public internal(set) var installation: String?

  /// Returns why a caller who was let in for one developer's extension must not reach this bundle; nil
  /// if it is that developer's.
  public func refusal(of owner: ExtensionOwner) -> String? {
    guard let signer else { return "belongs to nobody known; install it again" }
    if signer.fingerprint != owner.signer, !signer.replaced.contains(owner.signer ?? "") {
      return "is another developer's now"
    }
    if signer.isUnsigned, installation != owner.installation {
      return "was removed and installed again since, and nobody signed it"
    }
    return nil
  }

  /// Returns whether this bundle is newer than another: by version, then by build.
  public func isNewer(than other: InstalledBundle) -> Bool {
    version == other.version ? build > other.build : version > other.version
  }
}

/// The entitlements that Tickbird supports.
public struct Entitlements: Equatable, Sendable {
  /// Whether it may make connections: `com.apple.security.network.client`.
  public let allowsNetwork: Bool
  /// The application groups it belongs to, sorted: `com.apple.security.application-groups`.
  public let groups: [String]

  init(allowsNetwork: Bool = false, groups: [String] = []) {
    self.allowsNetwork = allowsNetwork
    self.groups = groups
  }

  /// Reads the property list in the bundle.
  init(contentsOf url: URL) throws(HostError) {
    let values: [String: Any]
    do {
      values = try InformationPropertyList(contentsOf: url).values
    } catch {
      let error = error as? BundleError
      throw HostError(
        error?.code == .unreadable ? .file : .badBundle,
        error?.message ?? "\(url.path) cannot be understood"
      )
    }
    allowsNetwork = values["com.apple.security.network.client"] as? Bool ?? false
    let groups = values["com.apple.security.application-groups"] as? [String] ?? []
    for group in groups where !Self.isGroup(group) {
      throw HostError(
        .badBundle,
        "\(url.lastPathComponent) names the application group \"\(group)\"; a group's name has "
          + "letters, digits, hyphens, low lines and dots, such as group.com.example"
      )
    }
    guard groups.count <= Self.mostGroups else {
      throw HostError(
        .badBundle,
        "\(url.lastPathComponent) names \(groups.count) application groups; at most "
          + "\(Self.mostGroups) are possible"
      )
    }
    self.groups = Set(groups).sorted()
  }

  private static let mostGroups = 50

  /// Returns whether a text is an application group's name: `group.NAME`, or `TEAM.NAME` as on
  /// macOS.
  static func isGroup(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count >= 2 && text.utf8.count <= 150
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
              true
            default: false
            }
          }
      }
  }
}

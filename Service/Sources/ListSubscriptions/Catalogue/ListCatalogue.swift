internal import Foundation

/// Well-known lists that a user may choose from; naming them here fetches nothing.
public enum ListCatalogue {
  /// A list of the catalogue.
  public struct Entry: Codable, Equatable, Sendable {
    /// The name under which `tickbird lists add` takes it, which becomes the subscription's id.
    public let id: String
    /// The list's own name.
    public let name: String
    /// Where it is fetched.
    public let address: String
    /// Addresses of its publisher that are tried after that.
    public let mirrors: [String]
    /// The page of those who make it.
    public let homepage: String
    /// Its licence, as an SPDX expression.
    public let licence: String
    /// The languages of the sites that it is for, by BCP 47; empty for sites of all languages.
    public let languages: [String]
    /// What it is for, in one sentence.
    public let purpose: String
    /// Whether it is among those that a newcomer is offered first.
    public let isRecommended: Bool
  }

  /// All entries, those that a newcomer is offered first in front.
  public static let entries: [Entry] = {
    let bytes = Data(PackageResources.catalogue_json)
    // A test reads the file; a fault of it can be nothing but a programmer's.
    return (try? JSONDecoder().decode([Entry].self, from: bytes)) ?? []
  }()

  /// Returns the entry of a name, whatever its case; nil if there is none.
  public static func entry(_ name: String) -> Entry? {
    let name = name.lowercased()
    return entries.first { $0.id == name || $0.name.lowercased() == name }
  }
}

extension ListUpdater.Request {
  /// Asks for a list of the catalogue.
  ///
  /// - Throws: ``SubscriptionError`` with code `.badSource`, which a test of the catalogue excludes.
  public init(_ entry: ListCatalogue.Entry) throws(SubscriptionError) {
    self.init(
      .address(try SubscriptionSource.address(entry.address)),
      mirrors: entry.mirrors,
      id: entry.id
    )
  }
}

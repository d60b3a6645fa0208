public import ExtensionBundles
public import Foundation

/// The property list in which a self-hosted extension's developer names newer versions.
///
/// It is not signed. The package that it leads to has to be signed by the pinned key, and higher
/// than the installed version.
///
/// > Source: Safari's extension development guide, "Updating Extensions"; the keys as public
/// > extensions used them.
public struct UpdateManifest: Equatable, Sendable {
  /// The size limit of a manifest, in bytes.
  static let sizeLimit = 1 << 20

  /// The entry of one extension.
  public struct Entry: Equatable, Sendable {
    /// `CFBundleIdentifier`.
    public let identifier: String
    /// `Developer Identifier`.
    public let developer: String?
    /// `CFBundleVersion`.
    public let version: BundleVersion?
    /// `URL` of the package.
    public let url: URL?
    /// `Update From Gallery`: the gallery's version is to be used from now on.
    public let isFromGallery: Bool
  }

  /// Everything under `Extension Updates`.
  public let entries: [Entry]

  /// Parses a manifest, in XML or binary form.
  ///
  /// - Throws: ``GalleryError`` with code `.bundle`.
  public init(_ data: Data, from what: String) throws {
    let values = try StrangersPropertyList.dictionary(data, what: what)
    guard let updates = values["Extension Updates"]?.array else {
      throw GalleryError(.bundle, "\(what) has no array \"Extension Updates\"")
    }
    entries = updates.compactMap { update in
      guard let identifier = update["CFBundleIdentifier"]?.string,
        BundleInformation.isIdentifier(identifier)
      else { return nil }
      return Entry(
        identifier: identifier,
        developer: update["Developer Identifier"]?.string,
        version: update["CFBundleVersion"]?.string.flatMap { BundleVersion(published: $0) },
        url: update["URL"]?.string.flatMap { URL(string: $0) },
        isFromGallery: update["Update From Gallery"]?.boolean ?? false
      )
    }
  }

  /// Returns the entry for a bundle: by identifier, and by developer if both name one.
  public func entry(for bundle: BundleInformation) -> Entry? {
    let own = entries.filter { entry in
      entry.identifier == bundle.identifier
        && (entry.developer == nil || bundle.developerIdentifier == nil
          || entry.developer == bundle.developerIdentifier)
    }
    return own.first(where: \.isFromGallery)
      ?? own.max { one, other in
        guard let left = one.version else { return other.version != nil }
        guard let right = other.version else { return false }
        return left < right
      }
  }
}

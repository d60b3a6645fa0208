public import Foundation

/// A packed extension for Firefox: a ZIP archive, unsigned.
public struct FirefoxPackage: Sendable {
  /// The file's bytes.
  public let data: Data
  /// The extension's id.
  public let id: String
  /// The extension's version.
  public let version: String

  /// Packs a folder.
  ///
  /// - Throws: ``PackingError``.
  public init(_ folder: ExtensionFolder) throws {
    guard folder.family == .firefox, let id = folder.geckoID else {
      throw PackingError(.folder, "\(folder.url.path) was not built for Firefox")
    }
    data = try folder.archive()
    self.id = id
    version = folder.version
  }
}

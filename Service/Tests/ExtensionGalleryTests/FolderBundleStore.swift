import ExtensionBundles
import Foundation

@testable import ExtensionGallery

/// Installed bundles in plain folders, without a host that runs them.
///
///     IDENTIFIER/current        the name of a folder beside it
///     IDENTIFIER/previous       the one before; absent where there was none
///     IDENTIFIER/UUID/NAME.appex
///     IDENTIFIER/UUID/signer    the fingerprint of the key; absent where nobody signed
struct FolderBundleStore: BundleInstalling {
  private let folder: URL
  private let start: (@Sendable (InstalledExtension) async throws -> FirstStart)?

  /// Takes a folder, which is made with the first bundle, and what a first start does.
  ///
  /// Where that is nil, all extensions are off.
  init(
    folder: URL,
    start: (@Sendable (InstalledExtension) async throws -> FirstStart)? = nil
  ) {
    self.folder = folder
    self.start = start
  }

  /// The identifiers of all installed extensions, sorted.
  func installedIdentifiers() async throws -> [String] {
    guard FileSystem.exists(folder) else { return [] }
    let names = try FileSystem.attempt("\(folder.path) cannot be read") {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    return names.filter { BundleInformation.isIdentifier($0) && name("current", $0) != nil }
      .sorted()
  }

  /// The bundle that is installed.
  func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
    guard BundleInformation.isIdentifier(identifier), let current = name("current", identifier)
    else { return nil }
    let place = folder.appending(path: "\(identifier)/\(current)")
    let names = try FileSystem.attempt("\(place.path) cannot be read") {
      try FileManager.default.contentsOfDirectory(atPath: place.path)
    }
    guard let name = names.first(where: BundleInformation.isBundleName) else {
      throw GalleryError(.file, "\(place.path) has no bundle")
    }
    let bundle = place.appending(path: name, directoryHint: .isDirectory)
    return InstalledExtension(
      bundle: bundle,
      version: try BundleInformation(bundle: bundle).version.description,
      signer: (try? InputFile(place.appending(path: "signer")).readAll(limit: 100, what: "signer"))
        .flatMap { KeyFingerprint(String(decoding: $0, as: UTF8.self)) }
    )
  }

  /// Moves a bundle that is signed into its place.
  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
    try await install(bundle, signedBy: pin.key.fingerprint)
  }

  /// Moves a bundle that may be unsigned into its place.
  func install(_ bundle: URL, signedBy signer: KeyFingerprint?) async throws {
    let identifier = try BundleInformation(bundle: bundle).identifier
    let own = folder.appending(path: identifier, directoryHint: .isDirectory)
    let new = UUID().uuidString
    let place = own.appending(path: new, directoryHint: .isDirectory)
    try FileSystem.makeFolder(place, mode: 0o700)
    try FileSystem.rename(bundle, to: place.appending(path: bundle.lastPathComponent))
    if let signer {
      try FileSystem.replace(place.appending(path: "signer"), with: Data(signer.description.utf8))
    }
    let current = name("current", identifier)
    if let current {
      try FileSystem.replace(own.appending(path: "previous"), with: Data(current.utf8))
    }
    try FileSystem.replace(own.appending(path: "current"), with: Data(new.utf8))
    try clean(own, keeping: [new, current])
  }

  /// Whether there is anything that starts extensions.
  func isOn(_ identifier: String) async throws -> Bool { start != nil }

  /// Starts what is installed, as the closure that the store was made with does it.
  func firstStart(_ identifier: String) async throws -> FirstStart {
    guard let installed = try await installedExtension(identifier) else {
      throw GalleryError(.notFound, "\(identifier) is not installed")
    }
    return try await start?(installed) ?? .waiting
  }

  /// Brings the version before back, or removes the extension.
  func goBack(_ identifier: String) async throws {
    let own = folder.appending(path: identifier, directoryHint: .isDirectory)
    let current = name("current", identifier)
    guard let previous = name("previous", identifier), previous != current else {
      try FileSystem.remove(own)
      return
    }
    try FileSystem.replace(own.appending(path: "current"), with: Data(previous.utf8))
    try clean(own, keeping: [previous])
  }

  private func name(_ file: String, _ identifier: String) -> String? {
    let url = folder.appending(path: "\(identifier)/\(file)")
    guard let data = try? InputFile(url).readAll(limit: 100, what: url.path) else { return nil }
    return UUID(uuidString: String(decoding: data, as: UTF8.self))?.uuidString
  }

  private func clean(_ own: URL, keeping kept: [String?]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: own.path)
    where UUID(uuidString: name) != nil && !kept.contains(name) {
      try FileSystem.remove(own.appending(path: name))
    }
  }
}

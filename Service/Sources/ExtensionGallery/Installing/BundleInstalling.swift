internal import ExtensionBundles
public import Foundation

/// Where extensions are installed, and what starts them.
///
/// The gallery decides which bundle may come in the place of which; the other side puts it there.
public protocol BundleInstalling: Sendable {
  /// Returns the identifiers of all installed extensions that can be read.
  func installedIdentifiers() async throws -> [String]

  /// Returns an installed extension; nil if it is not installed.
  func installedExtension(_ identifier: String) async throws -> InstalledExtension?

  /// Returns the identifiers of installed extensions that cannot be read, as damaged ones, each with the reason.
  ///
  /// Their data are still there.
  func unreadable() async throws -> [String: String]

  /// Installs a copy of a verified bundle, and keeps the bundle that it replaces.
  ///
  /// If the process is killed at any time, either the old or the new bundle is installed. A new
  /// extension starts out turned off.
  ///
  /// - Parameters:
  ///   - bundle: A folder `NAME.appex`, which is not used afterwards.
  ///   - pin: The key that signed it, with the keys that it replaced.
  /// - Throws: The store's errors; then nothing has changed.
  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws

  /// Returns whether an extension is turned on, and can therefore be started.
  func isOn(_ identifier: String) async throws -> Bool

  /// Starts a newly installed extension for the first time.
  func firstStart(_ identifier: String) async throws -> FirstStart

  /// Turns an extension off, and leaves it installed with its data.
  func turnOff(_ identifier: String) async throws

  /// Restores the previous version; if there was none, removes the extension.
  ///
  /// A second call must not undo the first. An implementation that keeps only one previous version
  /// needs no check for this, since the gallery compares versions before it calls.
  func goBack(_ identifier: String) async throws
}

extension BundleInstalling {
  /// None is, where that cannot be told.
  public func unreadable() async throws -> [String: String] { [:] }

  /// Does nothing, where nothing is damaged.
  public func turnOff(_ identifier: String) async throws {}
}

/// An installed extension.
public struct InstalledExtension: Equatable, Sendable {
  /// Its bundle, which must not be changed.
  public let bundle: URL
  /// `CFBundleVersion`, verbatim.
  public let version: String
  /// The fingerprint of the key that signed it; nil if it did not come from a package.
  public let signer: KeyFingerprint?

  /// Creates a description.
  public init(bundle: URL, version: String, signer: KeyFingerprint?) {
    self.bundle = bundle
    self.version = version
    self.signer = signer
  }

  /// The version; nil for what nobody signed, which every package may replace, for anybody may write a
  /// version into it.
  var comparable: BundleVersion? { signer == nil ? nil : BundleVersion(version) }

  /// Whether this is a version of a package that a key signed.
  func isVersion(_ version: BundleVersion, signedBy key: PublicKey) -> Bool {
    self.version == version.description && signer == key.fingerprint
  }
}

/// The result of a first start.
public enum FirstStart: Equatable, Sendable {
  /// The extension answered.
  case succeeded
  /// It was not started, since it is turned off, or gone; it is tried when it is turned on.
  case waiting
  /// It did not start or answer, for the given reason.
  case failed(String)
}

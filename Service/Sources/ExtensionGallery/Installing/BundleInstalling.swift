internal import ExtensionBundles
public import Foundation

/// Where extensions are installed, and what starts them.
///
/// The gallery decides which bundle may come in the place of which; the other side puts it there.
public protocol BundleInstalling: Sendable {
  /// The identifiers of all installed extensions.
  func installedIdentifiers() async throws -> [String]

  /// The bundle of an extension that is installed now; nil where there is none.
  func installedExtension(_ identifier: String) async throws -> InstalledExtension?

  /// Copies a bundle that was checked, in place of one with its identifier, which is kept.
  ///
  /// Whenever the process ends, either the old or the new one is installed. A first installation
  /// leaves the extension off.
  ///
  /// - Parameters:
  ///   - bundle: A folder `NAME.appex`, which is not used afterwards.
  ///   - pin: The key that signed it, with those whose place it took.
  /// - Throws: What the store says; what was installed is untouched.
  func install(_ bundle: URL, signedBy pin: PinnedKey) async throws

  /// Whether an extension is on, so that it can be started.
  func isOn(_ identifier: String) async throws -> Bool

  /// Starts an extension that was just installed for the first time.
  func firstStart(_ identifier: String) async throws -> FirstStart

  /// Makes the version before the current one again; where there was none, removes the extension.
  ///
  /// Calling it a second time must not take away the version that it brought back: an
  /// implementation that keeps a single version before needs nothing for that, since the gallery
  /// compares versions before it calls.
  func goBack(_ identifier: String) async throws
}

/// An extension that is installed.
public struct InstalledExtension: Equatable, Sendable {
  /// Its bundle; nothing in it is changed.
  public let bundle: URL
  /// `CFBundleVersion`, as it is written.
  public let version: String
  /// The fingerprint of the key that signed it; nil for what did not come from a package.
  public let signer: KeyFingerprint?

  /// Names a bundle, its version and who signed it.
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

/// How a first start went.
public enum FirstStart: Equatable, Sendable {
  /// The extension answered.
  case succeeded
  /// It was not started, since it is off; it is tried when it is turned on.
  case waiting
  /// It did not start or answer; the reason is a sentence.
  case failed(String)
}

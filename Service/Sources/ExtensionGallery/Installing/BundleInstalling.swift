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
  /// - Parameter bundle: A folder `NAME.appex`, which is not used afterwards.
  /// - Throws: What the store says; what was installed is untouched.
  func install(_ bundle: URL) async throws

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

  /// Names a bundle and its version.
  public init(bundle: URL, version: String) {
    self.bundle = bundle
    self.version = version
  }

  /// The version; one that is not numbers with dots is lower than all others.
  var comparable: BundleVersion? { BundleVersion(version) }
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

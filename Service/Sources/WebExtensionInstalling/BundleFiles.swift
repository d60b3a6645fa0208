internal import BrowserHalves
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import WebExtensions

/// The browser half of an installed bundle, read from the host's own copy, which nothing changes.
struct BundleFiles {
  private let half: BrowserHalf

  /// Finds the half of a bundle; `nil` if it has none.
  init?(_ bundle: InstalledBundle) {
    let name = bundle.executable?.lastPathComponent
    guard
      let half = BrowserHalf(of: bundle.location, bundle.extensionPoint, executable: name)
    else { return nil }
    self.half = half
  }

  /// Translates the half for all families of browsers.
  ///
  /// - Throws: ``WebExtensionError``.
  func translations(
    as identity: ExtensionTranslation.Identity
  ) throws(WebExtensionError) -> [(family: BrowserFamily, translation: ExtensionTranslation)] {
    [
      (.chromium, try half.translation(for: .chromium, as: identity)),
      (.firefox, try half.translation(for: .firefox, as: identity)),
    ]
  }

  /// Reads at most so many first bytes of a file.
  func read(_ path: String, _ count: Int) throws(WebExtensionError) -> [UInt8] {
    try half.read(path, count)
  }
}

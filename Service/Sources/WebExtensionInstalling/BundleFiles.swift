internal import ExtensionBundles
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging
internal import WebExtensions

/// The browser half of an installed bundle: everything but what the handler is made of, or an older
/// folder of Safari's.
struct BundleFiles {
  private let bundle: InstalledBundle
  private let root: String

  init(_ bundle: InstalledBundle) {
    self.bundle = bundle
    root = (bundle.olderFolder ?? bundle.location).resolvingSymlinksInPath().path
  }

  /// The files, read from the host's own copy of the bundle, which nothing changes.
  ///
  /// - Throws: ``WebExtensionError`` for too many or too large files, ``WebExtensionInstallError``
  ///   if the bundle cannot be read.
  func source() throws -> WebExtensionSource {
    var sizes: [String: Int] = [:]
    let handlers: Set = ["Info.plist", ExtensionProject.entitlementsName]
    var folders = [""]
    while let folder = folders.popLast() {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      } catch {
        throw WebExtensionInstallError(
          .file,
          "\(root)/\(folder) cannot be read: \(error.localizedDescription)"
        )
      }
      for name in names {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        guard !handlers.contains(path), path != bundle.executable?.lastPathComponent else {
          continue
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: folders.append(path)
        case .typeRegular?: sizes[path] = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        // The host copies nothing else.
        default:
          throw WebExtensionInstallError(.file, "\(root)/\(path) is neither a file nor a folder")
        }
        guard sizes.count <= WebExtensionSource.fileLimit else { break }
      }
    }
    return try WebExtensionSource(sizes: sizes) { path, count throws(WebExtensionError) in
      try read(path, count)
    }
  }

  /// Whether it is an extension of before web extensions, which has property lists and no manifest.
  private var isOlder: Bool {
    bundle.extensionPoint == .appExtension || bundle.olderFolder != nil
  }

  /// Translates the half for all families of browsers.
  ///
  /// - Throws: ``WebExtensionError``, ``WebExtensionInstallError``.
  func translations(
    as identity: ExtensionTranslation.Identity
  ) throws -> [(family: BrowserFamily, translation: ExtensionTranslation)] {
    let families: [(BrowserFamily, TargetBrowser)] = [
      (.chromium, .chromium), (.firefox, .firefox),
    ]
    return try families.map { family, browser in
      (family, try translation(for: browser, as: identity))
    }
  }

  /// Translates the half for a browser.
  ///
  /// - Throws: ``WebExtensionError``, ``WebExtensionInstallError``.
  func translation(
    for browser: TargetBrowser,
    as identity: ExtensionTranslation.Identity
  ) throws -> ExtensionTranslation {
    guard isOlder else {
      return try ExtensionTranslation(try source(), for: browser, as: identity)
    }
    return try ExtensionTranslation(
      legacy: try source(),
      information: try read("Info.plist", Self.informationLimit),
      for: browser,
      as: identity
    )
  }

  /// The most bytes of a property list, and one more.
  private static let informationLimit = (1 << 20) + 1

  /// Reads at most so many first bytes of a file.
  func read(_ path: String, _ count: Int) throws(WebExtensionError) -> [UInt8] {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: "\(root)/\(path)"))
      defer { try? handle.close() }
      return [UInt8](try handle.read(upToCount: count) ?? Data())
    } catch {
      throw WebExtensionError(.file, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}

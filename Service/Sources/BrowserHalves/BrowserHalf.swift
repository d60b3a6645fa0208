public import ExtensionBundles
public import Foundation
public import WebExtensions

/// The half of an extension's bundle that browsers run: everything but what the handler is made of, or
/// an older folder of Safari's.
///
/// It is the one reader of what an extension gets in browsers: what is installed there and what a
/// question to the user says come from the same translation.
///
///     let half = BrowserHalf(of: bundle, .webExtension, executable: "Notes")
///     try half?.requests().sentences  // what the question says
public struct BrowserHalf {
  private enum Kind { case webExtension, appExtension, olderFolder }

  private let root: String
  private let kind: Kind
  /// The names at the top that are the handler's.
  private let handlers: Set<String>

  /// Finds the half of a bundle; `nil` if bundles of this kind have none.
  ///
  /// - Parameters:
  ///   - bundle: The folder `NAME.appex`.
  ///   - point: The kind of extension.
  ///   - executable: `CFBundleExecutable`; nil for a bundle without a handler.
  public init?(of bundle: URL, _ point: ExtensionPoint, executable: String?) {
    var location = bundle
    switch point {
    case .webExtension where executable == nil:
      kind = .olderFolder
      location = bundle.appending(path: SafariExtensionFolder.folderName)
    case .webExtension: kind = .webExtension
    case .appExtension: kind = .appExtension
    case .contentBlocker, .sharedLinks: return nil
    }
    root = location.resolvingSymlinksInPath().path
    var handlers: Set = ["Info.plist", ExtensionProject.entitlementsName]
    if let executable { handlers.insert(executable) }
    self.handlers = handlers
  }

  /// Whether bundles of a kind have a half for browsers.
  public static func exists(in point: ExtensionPoint) -> Bool {
    switch point {
    case .webExtension, .appExtension: true
    case .contentBlocker, .sharedLinks: false
    }
  }

  /// Whether the file is there that says what it is: `manifest.json`, or `Info.plist`.
  public var isDescribed: Bool {
    let name = kind == .webExtension ? WebExtensionSource.manifestName : "Info.plist"
    return FileManager.default.fileExists(atPath: "\(root)/\(name)")
  }

  /// The bytes of the manifest that the extension brings; nil for one of before web extensions, where a
  /// file of that name says nothing, and for a web extension that lacks it.
  ///
  /// - Throws: ``WebExtensionError`` with code `.file`.
  public func manifest() throws(WebExtensionError) -> [UInt8]? {
    guard kind == .webExtension, isDescribed else { return nil }
    return try read(WebExtensionSource.manifestName, ManifestReader.sizeLimit + 1)
  }

  // MARK: Translating

  /// Translates the half for a browser.
  ///
  /// - Throws: ``WebExtensionError``: `.file` if the bundle cannot be read, or lacks the manifest, and
  ///   those of ``ExtensionTranslation``.
  public func translation(
    for browser: TargetBrowser,
    as identity: ExtensionTranslation.Identity
  ) throws(WebExtensionError) -> ExtensionTranslation {
    guard kind != .webExtension else {
      return try ExtensionTranslation(try source(), for: browser, as: identity)
    }
    return try ExtensionTranslation(
      legacy: try source(),
      information: try read("Info.plist", Self.informationLimit),
      for: browser,
      as: identity
    )
  }

  /// Returns what the half may do in browsers, those of all families together.
  ///
  /// - Throws: ``WebExtensionError`` as ``translation(for:as:)``.
  /// - Complexity: O(*n*) in the bytes of its scripts, pages and manifests.
  public func requests() throws(WebExtensionError) -> WebExtensionRequests {
    // Who it is changes nothing of what it may do.
    let anybody = ExtensionTranslation.Identity(chromiumKey: "", geckoID: "", hostName: "")
    var requests = WebExtensionRequests.nothing
    for browser in TargetBrowser.allCases {
      requests = requests.union(try translation(for: browser, as: anybody).requests)
    }
    return requests
  }

  /// The most bytes of a property list, and one more.
  private static let informationLimit = (1 << 20) + 1

  // MARK: Files

  /// The files; nothing may change them meanwhile.
  ///
  /// - Throws: ``WebExtensionError`` for too many or too large files, and with code `.file` if the bundle
  ///   cannot be read.
  private func source() throws(WebExtensionError) -> WebExtensionSource {
    var sizes: [String: Int] = [:]
    var folders = [""]
    while let folder = folders.popLast() {
      for name in try names(in: folder) {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        guard !handlers.contains(path) else { continue }
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
        switch attributes?[.type] as? FileAttributeType {
        case .typeDirectory?: folders.append(path)
        case .typeRegular?: sizes[path] = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        // Neither packages nor the host's copies have anything else.
        default:
          throw WebExtensionError(.file, "\(root)/\(path) is neither a file nor a folder")
        }
        guard sizes.count <= WebExtensionSource.fileLimit else { break }
      }
    }
    return try WebExtensionSource(sizes: sizes) { path, count throws(WebExtensionError) in
      try read(path, count)
    }
  }

  private func names(in folder: String) throws(WebExtensionError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
    } catch {
      throw WebExtensionError(
        .file,
        "\(root)/\(folder) cannot be read: \(error.localizedDescription)"
      )
    }
  }

  /// Reads at most so many first bytes of a file.
  ///
  /// - Throws: ``WebExtensionError`` with code `.file`.
  public func read(_ path: String, _ count: Int) throws(WebExtensionError) -> [UInt8] {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: "\(root)/\(path)"))
      defer { try? handle.close() }
      return [UInt8](try handle.read(upToCount: count) ?? Data())
    } catch {
      throw WebExtensionError(.file, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}

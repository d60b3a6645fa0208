public import ExtensionBundles
public import Foundation
public import WebExtensions

/// The parts of a bundle's `Info.plist` and entitlements that matter for installing.
public struct BundleInformation: Equatable, Sendable {
  static let fileName = "Info.plist"
  static let entitlementsName = "Entitlements.plist"

  /// `CFBundleIdentifier`.
  public let identifier: String
  /// `CFBundleVersion`.
  public let version: BundleVersion
  /// `CFBundleShortVersionString`, or the version.
  public let shortVersion: String
  /// `CFBundleDisplayName` or `CFBundleName`, or the identifier.
  public let name: String
  /// `NSExtensionPointIdentifier`.
  public let extensionPoint: String
  /// `CFBundleExecutable`; nil for a bundle that contains only data.
  public let executable: String?
  /// `Update Manifest URL`, if there is one.
  public let updateManifest: URL?
  /// `DeveloperIdentifier`, if there is one.
  public let developerIdentifier: String?
  /// The permissions that the bundle requests.
  public let requests: BundleRequests

  /// Reads a bundle.
  ///
  /// - Throws: ``GalleryError`` with code `.file` or `.bundle`, naming the invalid key.
  public init(bundle: URL) throws {
    let file = bundle.appending(path: Self.fileName)
    let values = try StrangersPropertyList.dictionary(file)
    func text(_ key: String) throws -> String? {
      guard let value = values[key] else { return nil }
      guard let text = value.string, Self.isShownText(text) else {
        throw GalleryError(
          .bundle,
          "\(file.path): \(key) has to be a text of 1 to 200 bytes in one line"
        )
      }
      return text
    }
    guard let identifier = try text("CFBundleIdentifier"), Self.isIdentifier(identifier) else {
      throw GalleryError(
        .bundle,
        "\(file.path): CFBundleIdentifier has to be letters, digits, hyphens and dots"
      )
    }
    guard let written = try text("CFBundleVersion"),
      let version = BundleVersion(published: written)
    else {
      throw GalleryError(
        .bundle,
        "\(file.path): CFBundleVersion has to be whole numbers with dots between them, as 1.2.3"
      )
    }
    guard let point = values["NSExtension"]?["NSExtensionPointIdentifier"]?.string,
      Self.isIdentifier(point)
    else {
      throw GalleryError(.bundle, "\(file.path): NSExtension has no NSExtensionPointIdentifier")
    }
    self.identifier = identifier
    self.version = version
    shortVersion = try text("CFBundleShortVersionString") ?? written
    name = try text("CFBundleDisplayName") ?? text("CFBundleName") ?? identifier
    extensionPoint = point
    executable = try text("CFBundleExecutable")
    if let executable, PackagePath.fault(executable) != nil || executable.contains("/") {
      throw GalleryError(.bundle, "\(file.path): CFBundleExecutable is not the name of a file")
    }
    updateManifest = try text("Update Manifest URL").flatMap { URL(string: $0) }
    developerIdentifier = try text("DeveloperIdentifier")
    requests = try BundleRequests(bundle: bundle)
  }

  static func isIdentifier(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= 155
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { unit in
            switch unit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
              UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
              true
            default: false
            }
          }
      }
  }

  static func isShownText(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count) && PackagePath.isPlain(text)
  }

  static func isBundleName(_ text: String) -> Bool {
    PackagePath.fault(text) == nil && !text.contains("/") && text.hasSuffix(".appex")
      && !text.hasPrefix(".")
  }
}

/// The permissions that a bundle's entitlements request, and those of a web extension's manifest.
public struct BundleRequests: Equatable, Sendable {
  /// Whether there are entitlements at all; projects created for iOS have none and still expect the
  /// network.
  public let hasEntitlements: Bool
  /// Outgoing connections.
  public let isNetworkClient: Bool
  /// Incoming connections.
  public let isNetworkServer: Bool
  /// Groups whose container and defaults are shared.
  public let groups: [String]
  /// What the half of a web extension that browsers run requests there; nil for other bundles.
  public let web: WebExtensionRequests?

  init(bundle: URL) throws {
    web = try Self.web(bundle)
    let file = bundle.appending(path: BundleInformation.entitlementsName)
    hasEntitlements = FileSystem.exists(file)
    guard hasEntitlements else {
      isNetworkClient = false
      isNetworkServer = false
      groups = []
      return
    }
    let values = try StrangersPropertyList.dictionary(file)
    isNetworkClient = values["com.apple.security.network.client"]?.boolean ?? false
    isNetworkServer = values["com.apple.security.network.server"]?.boolean ?? false
    groups = values["com.apple.security.application-groups"]?.strings ?? []
    guard groups.allSatisfy(BundleInformation.isShownText) else {
      throw GalleryError(.bundle, "\(file.path) names an application group that cannot be shown")
    }
  }

  private static func web(_ bundle: URL) throws -> WebExtensionRequests? {
    let file = bundle.appending(path: WebExtensionSource.manifestName)
    guard FileSystem.exists(file) else { return try websites(bundle) }
    let text = try InputFile(file, followingLinks: false)
      .readAll(limit: ManifestReader.sizeLimit, what: file.path)
    do {
      return try WebExtensionRequests(manifest: [UInt8](text))
    } catch {
      // Who cannot say what it asks for is told before anything is installed.
      throw GalleryError(.bundle, "\(file.path): \(error.message)")
    }
  }

  /// The pages of an extension of before web extensions, which says them in a property list: its own,
  /// or that of the folder `NAME.safariextension` in its bundle.
  private static func websites(_ bundle: URL) throws -> WebExtensionRequests? {
    let file = bundle.appending(path: BundleInformation.fileName)
    let older = bundle.appending(path: SafariExtensionFolder.folderName)
      .appending(path: BundleInformation.fileName)
    var access = try StrangersPropertyList.dictionary(file)["NSExtension"]?["SFSafariWebsiteAccess"]
    if access == nil, FileSystem.exists(older) {
      access = try StrangersPropertyList.dictionary(older)["Permissions"]?["Website Access"]
    }
    switch access?["Level"]?.string {
    case "All": return WebExtensionRequests(hosts: ["<all_urls>"])
    case "Some":
      return WebExtensionRequests(
        hosts: (access?["Allowed Domains"]?.strings ?? []).map { "*://\($0)/*" }
      )
    default: return nil
    }
  }

  /// The requests, one line each; empty if there are none.
  public var sentences: [String] {
    var result: [String] = web?.sentences ?? []
    if isNetworkClient { result.append("connections to the network") }
    if isNetworkServer { result.append("to be reached from the network") }
    if !groups.isEmpty { result.append("data shared in \(groups.joined(separator: ", "))") }
    if !hasEntitlements {
      result.append("nothing (no entitlements; no network unless you grant it)")
    }
    return result.isEmpty ? ["nothing"] : result
  }
}

/// Reads property lists of strangers, with the gallery's errors.
enum StrangersPropertyList {
  /// Reads a file of a bundle, without following links.
  static func dictionary(_ file: URL) throws -> [String: PropertyListValue] {
    let limit = PropertyListLimits().bytes
    return try dictionary(
      try InputFile(file, followingLinks: false).readAll(limit: limit, what: file.path),
      what: file.path
    )
  }

  static func dictionary(_ data: Data, what: String) throws -> [String: PropertyListValue] {
    do {
      return try PropertyListFile.dictionary([UInt8](data), what: what)
    } catch {
      throw GalleryError(.bundle, error.message)
    }
  }
}

internal import BrowserHalves
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
  }

  /// Returns what browsers run of the bundle that this was read from; nil if there is nothing.
  func half(of bundle: URL) -> BrowserHalf? {
    ExtensionPoint(rawValue: extensionPoint).flatMap {
      BrowserHalf(of: bundle, $0, executable: executable)
    }
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
  public private(set) var web: WebExtensionRequests?

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

  /// What browsers will give it: by the manifests that they will really have.
  private static func web(_ bundle: URL) throws -> WebExtensionRequests? {
    guard let half = try BundleInformation(bundle: bundle).half(of: bundle) else { return nil }
    do {
      if let manifest = try half.manifest() { _ = try CheckedManifest(manifest) }
    } catch {
      // Who cannot say what it asks for is told before anything is installed.
      let file = bundle.appending(path: WebExtensionSource.manifestName)
      throw GalleryError(.bundle, "\(file.path): \(error.message)")
    }
    do {
      return try half.requests()
    } catch {
      // No browser gets what cannot be translated. What cannot be read now may be there later.
      if error.code == .file, half.isDescribed { throw GalleryError(.file, error.message) }
      return nil
    }
  }

  /// Returns the requests of an installed bundle about which the user was asked.
  ///
  /// What the bundle does not request any more, after a return to an older version, is asked for again.
  ///
  /// - Parameters:
  ///   - installed: The bundle.
  ///   - asked: What the question said of browsers, if that is known: older versions did not keep it.
  /// - Returns: The requests; nil if the bundle cannot be read.
  static func agreed(
    _ installed: URL,
    _ asked: WebExtensionRequests?
  ) -> BundleRequests? {
    guard var requests = try? BundleRequests(bundle: installed) else { return nil }
    let asked = asked ?? formerlyAsked(installed)
    requests.web = requests.web?.intersection(asked)
    return requests
  }

  /// What older versions certainly asked about: what a web extension's own manifest says.
  ///
  /// Of extensions of before those, their questions said less than what browsers then gave.
  private static func formerlyAsked(_ installed: URL) -> WebExtensionRequests {
    guard let half = try? BundleInformation(bundle: installed).half(of: installed),
      let manifest = try? half.manifest(),
      let requests = try? WebExtensionRequests(manifest: manifest)
    else { return .nothing }
    return requests.withoutChanges
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

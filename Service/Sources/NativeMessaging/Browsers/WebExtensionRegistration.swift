public import Foundation

/// An installed web extension whose browser half was added to browsers.
public struct WebExtensionRegistration: Codable, Equatable, Sendable {
  /// The bundle identifier.
  public var identifier: String
  /// The fingerprint of the key that signed the bundle when it was added; nil for unsigned.
  public var signer: String?
  /// The installation of an unsigned bundle when it was added.
  public var installation: String?
  /// The extension's id in Chromium.
  public var chromiumID: String
  /// The extension's id in Firefox.
  public var geckoID: String
  /// The browsers in which it may start its host.
  public var browsers: [String]
  /// The host's manifests that were written, as absolute paths.
  public var manifests: [String]
  /// The version that browsers find; nil for what an older Tickbird has added.
  public var version: String?
  /// The digests of the folders as they were made, by family; nil for what an older Tickbird has added.
  public var digests: [String: String]?
  /// Why what browsers find is not of the installed version; nil if it is.
  public var problem: String?
  /// When the version took the place of another version; nil if it is the first.
  public var renewed: Date?

  /// Creates a registration.
  public init(
    identifier: String,
    signer: String?,
    installation: String?,
    chromiumID: String,
    browsers: [String] = [],
    manifests: [String] = []
  ) {
    self.identifier = identifier
    self.signer = signer
    self.installation = installation
    self.chromiumID = chromiumID
    geckoID = Self.geckoID(chromiumID: chromiumID)
    self.browsers = browsers
    self.manifests = manifests
  }

  /// The name of the extension's native messaging host.
  public var hostName: String { Self.hostName(of: identifier) }

  /// Returns the host's name for an extension, which both browsers take.
  ///
  /// Bundle identifiers have no low lines, and no two that are installed differ in case alone, so no
  /// two extensions have one name.
  public static func hostName(of identifier: String) -> String {
    "tickbird.web." + identifier.lowercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Returns the id in Firefox that goes with one in Chromium.
  public static func geckoID(chromiumID: String) -> String { "\(chromiumID)@web.tickbird.example" }

  /// Returns the extension's id in browsers of a family.
  public func id(in family: BrowserFamily) -> String {
    switch family {
    case .chromium: chromiumID
    case .firefox: geckoID
    }
  }

  /// Returns whether a browser has started the host for this extension.
  public func isStarted(by caller: NativeCaller) -> Bool {
    guard caller.extensionID == id(in: caller.family) else { return false }
    // Firefox also says by which manifest it found the host.
    guard let manifest = caller.manifest else { return true }
    return manifest.split(separator: "/").last == "\(hostName).json"
  }
}

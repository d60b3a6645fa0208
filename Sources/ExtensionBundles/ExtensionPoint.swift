/// A kind of extension.
public enum ExtensionPoint: String, CaseIterable, Sendable {
  case contentBlocker = "com.apple.Safari.content-blocker"
  case sharedLinks = "com.apple.Safari.sharedlinks-service"
  case webExtension = "com.apple.Safari.web-extension"
  /// A Safari app extension of macOS, with an `SFSafariExtensionHandler`.
  case appExtension = "com.apple.Safari.extension"

  /// The name on the command line.
  public var templateName: String {
    switch self {
    case .contentBlocker: "content-blocker"
    case .sharedLinks: "shared-links"
    case .webExtension: "web-extension"
    case .appExtension: "app-extension"
    }
  }

  /// The principal class of Xcode's template.
  public var principalClass: String {
    switch self {
    case .contentBlocker: "ContentBlockerRequestHandler"
    case .sharedLinks: "RequestHandler"
    case .webExtension: "SafariWebExtensionHandler"
    case .appExtension: "SafariExtensionHandler"
    }
  }
}

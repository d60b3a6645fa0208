import ExtensionMessages
public import ExtensionRuntime

/// The user's applications, of which an extension sees the browser alone.
///
/// Web pages are opened in the browser that the extension serves. Everything else is refused, with a
/// line in the log that says what.
open class NSWorkspace: NSObject, @unchecked Sendable {
  // @unchecked: it has no state.

  /// How an application is opened.
  open class OpenConfiguration: NSObject {
    /// Whether it comes to the front.
    open var activates = true
  }

  /// The only one.
  public static let shared = NSWorkspace()

  /// Opens a web page in a tab of the browser.
  ///
  /// - Returns: Whether the browser was asked.
  @discardableResult
  open func open(_ url: URL) -> Bool {
    let scheme = url.scheme?.lowercased()
    guard scheme == "http" || scheme == "https" else {
      return refuse("\(scheme ?? "this") URLs belong to an application, and none is opened")
    }
    guard BrowserConnection.isOpen else { return refuse("no browser is served") }
    return BrowserConnection.tell("openURL", ["url": .string(url.absoluteString)])
  }

  /// Opens a web page in a tab of the browser; the completion gets an error for anything else.
  open func open(
    _ url: URL,
    configuration: OpenConfiguration,
    completionHandler: (@Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
  ) {
    let isOpened = open(url)
    completionHandler?(
      isOpened ? NSRunningApplication.browser : nil,
      isOpened ? nil : CocoaError(.featureUnsupported)
    )
  }

  /// Opens nothing, and says so.
  open func open(
    _ urls: [URL],
    withApplicationAt applicationURL: URL,
    configuration: OpenConfiguration,
    completionHandler: (@Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
  ) {
    _ = refuse("no application is opened")
    completionHandler?(nil, CocoaError(.featureUnsupported))
  }

  /// Opens nothing, and says so.
  open func openApplication(
    at applicationURL: URL,
    configuration: OpenConfiguration,
    completionHandler: (@Sendable (NSRunningApplication?, (any Error)?) -> Void)? = nil
  ) {
    _ = refuse("no application is opened")
    completionHandler?(nil, CocoaError(.featureUnsupported))
  }

  /// Opens nothing, and says so.
  ///
  /// - Returns: false.
  @discardableResult
  open func openFile(_ fullPath: String) -> Bool { refuse("no file is opened") }

  /// Opens nothing, and says so.
  ///
  /// - Returns: false.
  @discardableResult
  open func openFile(_ fullPath: String, withApplication appName: String?) -> Bool {
    refuse("no file is opened")
  }

  /// Opens nothing, and says so.
  ///
  /// - Returns: false.
  @discardableResult
  open func launchApplication(_ appName: String) -> Bool {
    refuse("\(appName) is not opened, since it is no application of this system")
  }

  /// The application of an identifier: none.
  open func urlForApplication(withBundleIdentifier bundleIdentifier: String) -> URL? { nil }

  /// The application for a URL: none.
  open func urlForApplication(toOpen url: URL) -> URL? { nil }

  /// The running applications: none that an extension sees.
  open var runningApplications: [NSRunningApplication] { [] }

  private func refuse(_ reason: String) -> Bool {
    HandlerOutput.tell("NSWorkspace: \(reason)")
    return false
  }
}

/// An application that runs; the only one that an extension sees is the browser.
open class NSRunningApplication: NSObject, @unchecked Sendable {
  // @unchecked: immutable.

  package static let browser = NSRunningApplication(name: "Browser")

  private let name: String

  private init(name: String) { self.name = name }

  /// Its name.
  open var localizedName: String? { name }
  /// It has no identifier here.
  open var bundleIdentifier: String? { nil }
  /// It is no bundle here.
  open var bundleURL: URL? { nil }
  /// Its process is not the extension's concern.
  open var processIdentifier: Int32 { -1 }
  /// Whether it is in front.
  open var isActive: Bool { true }

  /// The applications of an identifier: none.
  public class func runningApplications(
    withBundleIdentifier bundleIdentifier: String
  ) -> [NSRunningApplication] { [] }
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
public import AppKitCore
import ExtensionMessages

/// The browser, and what an app may ask of it.
///
/// An extension reaches the browser whose session its process serves. In every other process there is
/// no window.
public final class SFSafariApplication: NSObject {
  @available(*, unavailable)
  private override init() {}

  // MARK: Windows

  /// Gets the window in front.
  @preconcurrency
  public class func getActiveWindow(
    completionHandler: @escaping @Sendable (SFSafariWindow?) -> Void
  ) {
    BrowserConnection.call("activeWindow") { completionHandler(SFSafariWindow($0)) }
  }

  /// The window in front.
  public class func activeWindow() async -> SFSafariWindow? {
    SFSafariWindow(await BrowserConnection.call("activeWindow"))
  }

  /// Gets all windows, the front one first.
  @preconcurrency
  public class func getAllWindows(
    completionHandler: @escaping @Sendable ([SFSafariWindow]) -> Void
  ) {
    BrowserConnection.call("allWindows") { completionHandler($0.objects()) }
  }

  /// All windows, the front one first.
  public class func allWindows() async -> [SFSafariWindow] {
    await BrowserConnection.call("allWindows").objects()
  }

  /// Opens a web page in a new window.
  @preconcurrency
  public class func openWindow(
    with url: URL,
    completionHandler: (@Sendable (SFSafariWindow?) -> Void)? = nil
  ) {
    BrowserConnection.call("openWindow", ["url": .string(url.absoluteString)]) {
      completionHandler?(SFSafariWindow($0))
    }
  }

  /// Opens a web page in a new window.
  @discardableResult
  public class func openWindow(with url: URL) async -> SFSafariWindow? {
    SFSafariWindow(
      await BrowserConnection.call("openWindow", ["url": .string(url.absoluteString)])
    )
  }

  /// Has the toolbar item of each window validated.
  public class func setToolbarItemsNeedUpdate() { BrowserConnection.tell("toolbarItemsNeedUpdate") }

  /// Gets the browser as an application.
  @preconcurrency
  public class func getHostApplication(
    completionHandler: @escaping @Sendable (NSRunningApplication) -> Void
  ) {
    CallbackQueue.run { completionHandler(.browser) }
  }

  /// The browser as an application.
  public class func hostApplication() async -> NSRunningApplication { .browser }

  // MARK: Extensions

  /// Sends a message to an extension: to the script of a web extension, which receives it by a port's
  /// `onMessage`, or to the handler of a Safari app extension.
  @preconcurrency
  public class func dispatchMessage(
    withName messageName: String,
    toExtensionWithIdentifier identifier: String,
    userInfo: [String: Any]? = nil,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    var coding = ValueCoding()
    let message = DispatchMessage(
      identifier: identifier,
      name: messageName,
      userInfo: userInfo.map { coding.value(of: $0, at: "userInfo") } ?? .null
    )
    HostConnection.call(message) { completionHandler?($0.appError) }
  }

  /// Sends a message to an extension.
  ///
  /// - Throws: ``SFError`` with code `noExtensionFound` for an unknown identifier, or an extension that is
  ///   off.
  public class func dispatchMessage(
    withName messageName: String,
    toExtensionWithIdentifier identifier: String,
    userInfo: [String: Any]? = nil
  ) async throws {
    let _: Void = try await withCheckedThrowingContinuation { continuation in
      dispatchMessage(
        withName: messageName,
        toExtensionWithIdentifier: identifier,
        userInfo: userInfo
      ) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Shows the settings of an extension.
  @preconcurrency
  public class func showPreferencesForExtension(
    withIdentifier identifier: String,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    HostConnection.call(ShowPreferences(identifier: identifier)) {
      completionHandler?($0.appError)
    }
  }

  /// Shows the settings of an extension.
  ///
  /// - Throws: Always: no extension has settings to show. The error says what to do instead.
  public class func showPreferencesForExtension(withIdentifier identifier: String) async throws {
    let _: Void = try await withCheckedThrowingContinuation { continuation in
      showPreferencesForExtension(withIdentifier: identifier) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }
}

/// A release of Safari's extension interface.
public enum SFSafariServicesVersion: Int, Sendable {
  case version10_0, version10_1, version11_0, version12_0, version12_1, version13_0
}

/// Whether a release of Safari's extension interface is there: all are.
public func SFSafariServicesAvailable(
  _ version: SFSafariServicesVersion = .version10_0
) -> Bool { true }

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
import ExtensionMessages
public import ExtensionRuntime

/// A tab of the browser.
public final class SFSafariTab: BrowserObject, @unchecked Sendable {
  /// Gets the page that the tab shows.
  @preconcurrency
  public func getActivePage(completionHandler: @escaping @Sendable (SFSafariPage?) -> Void) {
    BrowserConnection.call("activePage", ["tab": value]) { completionHandler(SFSafariPage($0)) }
  }

  /// The page that the tab shows.
  public func activePage() async -> SFSafariPage? {
    SFSafariPage(await BrowserConnection.call("activePage", ["tab": value]))
  }

  /// Gets the pages of the tab.
  @preconcurrency
  public func getPagesWithCompletionHandler(
    _ completionHandler: @escaping @Sendable ([SFSafariPage]?) -> Void
  ) {
    BrowserConnection.call("pages", ["tab": value]) { completionHandler($0.objects()) }
  }

  /// The pages of the tab.
  public func pages() async -> [SFSafariPage]? {
    await BrowserConnection.call("pages", ["tab": value]).objects()
  }

  /// Shows the tab.
  @preconcurrency
  public func activate(completionHandler: (@Sendable () -> Void)? = nil) {
    BrowserConnection.call("activateTab", ["tab": value]) { _ in completionHandler?() }
  }

  /// Shows the tab.
  public func activate() async { _ = await BrowserConnection.call("activateTab", ["tab": value]) }

  /// Gets the tab's window; `nil` for a pinned tab.
  @preconcurrency
  public func getContainingWindow(
    completionHandler: @escaping @Sendable (SFSafariWindow?) -> Void
  ) {
    BrowserConnection.call("containingWindow", ["tab": value]) {
      completionHandler(SFSafariWindow($0))
    }
  }

  /// The tab's window; `nil` for a pinned tab.
  public func containingWindow() async -> SFSafariWindow? {
    SFSafariWindow(await BrowserConnection.call("containingWindow", ["tab": value]))
  }

  /// Opens a web page in the tab.
  public func navigate(to url: URL) {
    BrowserConnection.tell("navigateTab", ["tab": value, "url": .string(url.absoluteString)])
  }

  /// Closes the tab.
  public func close() { BrowserConnection.tell("closeTab", ["tab": value]) }
}

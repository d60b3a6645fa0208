// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
import ExtensionMessages
public import ExtensionRuntime

/// A window of the browser.
public final class SFSafariWindow: BrowserObject, @unchecked Sendable {
  /// Gets the tab that the window shows.
  @preconcurrency
  public func getActiveTab(completionHandler: @escaping @Sendable (SFSafariTab?) -> Void) {
    BrowserConnection.call("activeTab", ["window": value]) { completionHandler(SFSafariTab($0)) }
  }

  /// The tab that the window shows.
  public func activeTab() async -> SFSafariTab? {
    SFSafariTab(await BrowserConnection.call("activeTab", ["window": value]))
  }

  /// Gets the tabs from left to right.
  @preconcurrency
  public func getAllTabs(completionHandler: @escaping @Sendable ([SFSafariTab]) -> Void) {
    BrowserConnection.call("allTabs", ["window": value]) { completionHandler($0.objects()) }
  }

  /// The tabs from left to right.
  public func allTabs() async -> [SFSafariTab] {
    await BrowserConnection.call("allTabs", ["window": value]).objects()
  }

  /// Opens a page in a new tab, behind the others.
  ///
  /// There is no tab if the extension has no access to the page.
  @preconcurrency
  public func openTab(
    with url: URL,
    makeActiveIfPossible activateTab: Bool,
    completionHandler: (@Sendable (SFSafariTab?) -> Void)? = nil
  ) {
    BrowserConnection.call("openTab", opening(url, activateTab)) {
      completionHandler?(SFSafariTab($0))
    }
  }

  /// Opens a page in a new tab, behind the others; `nil` without access to the page.
  @discardableResult
  public func openTab(with url: URL, makeActiveIfPossible activateTab: Bool) async -> SFSafariTab? {
    SFSafariTab(await BrowserConnection.call("openTab", opening(url, activateTab)))
  }

  private func opening(_ url: URL, _ isActive: Bool) -> [String: MessageValue] {
    ["window": value, "url": .string(url.absoluteString), "active": .bool(isActive)]
  }

  /// Gets the extension's toolbar item.
  @preconcurrency
  public func getToolbarItem(
    completionHandler: @escaping @Sendable (SFSafariToolbarItem?) -> Void
  ) {
    let item = SFSafariToolbarItem(id: id)
    CallbackQueue.run { completionHandler(item) }
  }

  /// The extension's toolbar item.
  public func toolbarItem() async -> SFSafariToolbarItem? { SFSafariToolbarItem(id: id) }

  /// Closes the window.
  public func close() { BrowserConnection.tell("closeWindow", ["window": value]) }
}

/// The extension's toolbar item in one window.
public final class SFSafariToolbarItem: BrowserObject, @unchecked Sendable {
  private func set(_ name: String, _ new: MessageValue) {
    BrowserConnection.tell("toolbarItem", ["window": value, name: new])
  }

  /// Sets whether it can be clicked.
  public func setEnabled(_ enabled: Bool) { set("enabled", .bool(enabled)) }

  /// Sets whether it can be clicked, and its badge.
  public func setEnabled(_ enabled: Bool, withBadgeText badgeText: String?) {
    setEnabled(enabled)
    setBadgeText(badgeText)
  }

  /// Sets its badge; `nil` removes it.
  public func setBadgeText(_ badgeText: String?) {
    set("badge", badgeText.map(MessageValue.string) ?? .null)
  }

  /// Sets its image, which has to be a PNG; `nil` restores that of `Info.plist`.
  public func setImage(_ image: ImageFile?) {
    guard let image else { return set("image", .null) }
    guard let png = image.pngData() else {
      return HandlerOutput.tell("an image for the toolbar item is no PNG, and is not shown")
    }
    set("image", .string(png.base64EncodedString()))
  }

  /// Sets its label; `nil` restores that of `Info.plist`.
  public func setLabel(_ label: String?) {
    set("label", label.map(MessageValue.string) ?? .null)
  }

  /// Shows the popover, if the extension has one that is no view.
  public func showPopover() { BrowserConnection.tell("showPopover", ["window": value]) }
}

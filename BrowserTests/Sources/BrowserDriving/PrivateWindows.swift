internal import Foundation

// Private windows, in which an extension is only if the browser's user lets it in.

extension Chromium {
  func allowPrivateWindows(to identifier: String) throws {
    let tab = try openTab()
    defer { try? closeTab(tab) }
    try load("chrome://extensions/", in: tab)
    // What is loaded from a folder is started again only where developers are at home.
    _ = try evaluate(
      """
      (async () => {
        await chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true });
        await chrome.developerPrivate.updateExtensionConfiguration(
          { extensionId: "\(identifier)", incognitoAccess: true });
      })()
      """,
      in: tab
    )
  }
}

extension Firefox {
  func allowPrivateWindows(to identifier: String) throws {
    let answer = try evaluateInWindow(
      """
      (async () => {
        const { ExtensionPermissions } =
          ChromeUtils.importESModule("resource://gre/modules/ExtensionPermissions.sys.mjs");
        const addon = await AddonManager.getAddonByID("\(identifier)");
        const { extension } = WebExtensionPolicy.getByID("\(identifier)");
        await ExtensionPermissions.add(
          addon.id, { permissions: ["internal:privateBrowsingAllowed"], origins: [] }, extension);
        await addon.reload();
        return WebExtensionPolicy.getByID(addon.id).privateBrowsingAllowed;
      })()
      """
    )
    guard (answer["result"] as? [String: Any])?["value"] as? Bool == true else {
      throw DrivingError("Firefox lets \(identifier) into no private windows: \(answer)")
    }
    // Its pages were closed.
    try openExtensionTab()
  }
}

internal import Foundation

// The extension's items in the toolbar and in the menu over a page.

extension Chromium {
  func clickToolbarItem(of identifier: String) throws {
    _ = try evaluateInWorker("(tab) => void chrome.action.onClicked.dispatch(tab)")
  }

  func toolbarBadge(of identifier: String) throws -> String? {
    try evaluateInWorker("(tab) => chrome.action.getBadgeText({ tabId: tab.id })") as? String
  }

  func chooseMenuItem(_ label: String, id: String, of identifier: String) throws -> Bool {
    _ = try evaluateInWorker(
      "(tab) => void chrome.contextMenus.onClicked.dispatch({ menuItemId: '\(id)' }, tab)"
    )
    return true
  }

  /// Calls a function with the tab that is shown.
  private func evaluateInWorker(_ function: String) throws -> JSONValue? {
    let session = try attachToWorker()
    defer { detach(session) }
    return try evaluate(
      "chrome.tabs.query({ active: true, lastFocusedWindow: true }).then(([tab]) => (\(function))(tab))",
      session: session
    )
  }
}

extension Firefox {
  func clickToolbarItem(of identifier: String) throws {
    _ = try evaluateWithItem(of: identifier, "(await item.triggerAction(window), '')")
  }

  func toolbarBadge(of identifier: String) throws -> String? {
    try evaluateWithItem(
      of: identifier,
      "item.action.getContextData(window.gBrowser.selectedTab).badgeText ?? ''"
    )
  }

  func chooseMenuItem(_ label: String, id: String, of identifier: String) throws -> Bool {
    let answer = try evaluateInWindow(
      """
      (() => {
        const menu = window.document.getElementById("contentAreaContextMenu");
        const item = [...menu.querySelectorAll("menuitem")]
          .find((item) => item.label === "\(label)" && !item.hidden);
        if (!item || menu.state !== "open") return false;
        // Several items of an extension are in a menu of their own.
        const own = item.closest("menupopup");
        if (own.state !== "open") {
          own.parentNode.openMenu(true);
          return false;
        }
        // Where nothing is drawn, an item that is activated need not act.
        item.doCommand();
        menu.hidePopup();
        return true;
      })()
      """
    )
    return (answer["result"] as? [String: Any])?["value"] as? Bool == true
  }

  private func evaluateWithItem(of identifier: String, _ expression: String) throws -> String? {
    let answer = try evaluateInWindow(
      """
      (async () => {
        const { Management } = ChromeUtils.importESModule("resource://gre/modules/Extension.sys.mjs");
        const { extension } = WebExtensionPolicy.getByID("\(identifier)");
        const item = Management.global.browserActionFor(extension);
        return (\(expression));
      })()
      """
    )
    guard let value = (answer["result"] as? [String: Any])?["value"] as? String else {
      throw DrivingError("the item in the toolbar: \(answer)")
    }
    return value
  }
}

internal import Foundation

// Panels beside the page.

extension Chromium {
  func panel(_ page: String) throws -> BrowserTab {
    try eventually("the side panel is open") { try tab(at: extensionURL + page) }
  }
}

extension Firefox {
  /// What stands for the sidebar, which is no tab.
  static let sidebar = BrowserTab(identifier: "sidebar", session: "")

  func panel(_ page: String) throws -> BrowserTab {
    _ = try eventually("the sidebar is open") {
      try evaluateInSidebar("location.href") as? String == extensionURL + page ? true : nil
    }
    return Self.sidebar
  }

  /// Evaluates in the sidebar, whose window other pages of the extension can reach.
  ///
  /// - Returns: `nil` also if the sidebar is not open.
  func evaluateInSidebar(_ expression: String) throws -> JSONValue? {
    guard let extensionTab else { throw DrivingError("the extension is not installed") }
    return try evaluate(
      """
      (async (window) => {
        if (!window) return null;
        const { document, location } = window;
        return (\(expression));
      })(browser.extension.getViews({ type: "sidebar" })[0])
      """,
      in: extensionTab
    )
  }

  /// A picture of the browser's window, as PNG.
  func pictureOfWindow() throws -> Data {
    let answer = try evaluateInWindow(
      """
      (async () => {
        const image = await window.browsingContext.currentWindowGlobal
          .drawSnapshot(null, 1, "rgb(255,255,255)");
        const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        canvas.getContext("2d").drawImage(image, 0, 0);
        return canvas.toDataURL("image/png").split(",")[1];
      })()
      """
    )
    guard let text = (answer["result"] as? [String: Any])?["value"] as? String,
      let picture = Data(base64Encoded: text)
    else { throw DrivingError("Firefox has made no picture of its window: \(answer)") }
    return picture
  }

  func setForcedColors(_ isForced: Bool) throws {
    // 2: always the user's colours, 0: as the system says.
    let answer = try evaluateInWindow(
      """
      (() => {
        Services.prefs.setIntPref("browser.display.document_color_use", \(isForced ? 2 : 0));
        return true;
      })()
      """
    )
    guard answer["exceptionDetails"] == nil else { throw DrivingError("colours: \(answer)") }
  }

  func setDark(_ isDark: Bool) throws {
    // What the system would say, for the window and for pages.
    let answer = try evaluateInWindow(
      """
      (() => {
        Services.prefs.setIntPref("ui.systemUsesDarkTheme", \(isDark ? 1 : 0));
        Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", \(isDark ? 0 : 1));
        return true;
      })()
      """
    )
    guard answer["type"] as? String == "success" else {
      throw DrivingError("Firefox is not made dark: \(answer)")
    }
  }

  /// Evaluates in the window that is around all pages.
  func evaluateInWindow(_ expression: String) throws -> [String: Any] {
    let tree = try call("browsingContext.getTree", ["moz:scope": "chrome", "maxDepth": 0])
    guard let window = (tree["contexts"] as? [[String: Any]])?.first?["context"] as? String else {
      throw DrivingError("Firefox has no window")
    }
    return try call(
      "script.evaluate",
      ["expression": expression, "awaitPromise": true, "target": ["context": window]]
    )
  }
}

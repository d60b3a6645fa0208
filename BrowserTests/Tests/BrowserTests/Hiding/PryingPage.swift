import BrowserDriving
import Foundation
import Testing

/// A page that would speak to the extension, or find out about it.
struct PryingPage {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// A page finds neither the extension's files nor a way to speak to it.
  func isToldNothing() throws {
    try session.use(
      json: #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#
    )
    session.server.answer { _ in .page("<p>Hostile") }
    let base = session.browser.extensionURL
    try session.visit("http://hostile.test/") { tab in
      let found = try session.browser.evaluate(
        """
        Promise.all(["manifest.json", "popup/popup.html", "matcher.wasm", "icons/icon.svg",
          "deciding/engine.js"]
          .flatMap((path) => [
            fetch("\(base)" + path).then(() => path, () => null),
            new Promise((resolve) => {
              const image = new Image();
              image.onload = () => resolve(path);
              image.onerror = () => resolve(null);
              image.src = "\(base)" + path;
            }),
            import("\(base)" + path).then(() => path, () => null),
          ])).then((paths) => paths.filter((path) => path))
        """,
        in: tab
      )
      #expect(found as? [String] == [])
      let ways = try session.browser.evaluate(
        """
        [typeof globalThis.browser, typeof globalThis.chrome?.runtime?.sendMessage,
         typeof globalThis.chrome?.runtime?.connectNative, typeof globalThis.tickbird]
        """,
        in: tab
      )
      #expect(ways as? [String] == ["undefined", "undefined", "undefined", "undefined"])
    }
    // What scripts in documents may say is one word, whoever has taken them over.
    let refused = try session.browser.evaluateInBackground(
      "tickbird.answerFromPage({ type: 'page', tabId: 1 }).then(() => 'told', (e) => e.message)"
    )
    #expect(refused as? String == "not allowed")
  }
}

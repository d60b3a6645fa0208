import BrowserDriving
import Foundation
import Testing

/// The extension in a browser that knows no native host, which says so and what to do.
struct MissingHost {
  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  private func withSession(_ body: (Session) throws -> Void) throws {
    Session.closeAll()
    let session = try Session(wanted, hasHost: false)
    defer { session.close() }
    try body(session)
  }

  /// Waits until a page of the extension names the command that installs the host.
  private func expectHelp(in tab: BrowserTab, _ session: Session) throws -> String {
    try eventually("the page says what to do") { () -> String? in
      let text = try session.browser.evaluate("document.body.innerText", in: tab) as? String
      return text?.contains("tickbird browser install") == true ? text : nil
    }
  }

  func isReportedByTheStream() throws {
    try withSession { session in
      try session.visit(session.browser.extensionURL + "stream/stream.html") { tab in
        _ = try expectHelp(in: tab, session)
        let buttons = try session.browser.evaluate(
          "[...document.querySelectorAll('#notices button')].map((button) => button.innerText)",
          in: tab
        )
        #expect(buttons as? [String] == ["Try again"])
      }
    }
  }

  /// In the pop-up, beside what an ordinary Chromium does not let the extension do.
  func isReportedByThePopUp() throws {
    try withSession { session in
      session.server.answer { _ in .page("<p>News") }
      try session.visit("http://news.example/") { _ in
        let page = try eventually("the state is known") { () -> [String: Any]? in
          let page = try session.page("http://news.example/")
          let host = page["host"] as? [String: Any]
          return page["canBlock"] as? Bool == false && host?["state"] as? String == "missing"
            ? page : nil
        }
        #expect((page["lists"] as? [Any])?.isEmpty == true)
      }
      for shade in pictures == nil ? ["light"] : ["light", "dark"] {
        try session.browser.setDark(shade == "dark")
        try session.visit(session.browser.extensionURL + "popup/popup.html?tab=-1") { tab in
          let text = try expectHelp(in: tab, session)
          #expect(text.contains("This browser blocks by its own rules"))
          if let pictures {
            try session.browser.setSize(width: 380, height: 420, of: tab)
            try session.browser.screenshot(of: tab)
              .write(to: pictures.appending(path: "popup-missing-chromium-\(shade).png"))
          }
        }
      }
    }
  }
}

import BrowserDriving
import Foundation
import Testing

/// An extension for Safari 12 and earlier in a browser of today.
struct OlderFolder {
  let kind: BrowserKind

  init(_ kind: BrowserKind) { self.kind = kind }

  func live() throws {
    let older = try OlderExtension(kind)
    defer { older.close() }
    try scripts(older)
    try settings(older)
    try toolbar(older)
    try popover(older)
    try contextMenu(older)
    try tabs(older)
    try contentBlocker(older)
  }

  /// Scripts and the style sheet, where their patterns say; a message there and back.
  private func scripts(_ older: OlderExtension) throws {
    let browser = older.browser
    let tab = try browser.openTab()
    try browser.load("http://a.example/", in: tab)
    let marks = try eventually("the greeting has come") { () -> [String: String]? in
      let marks = try older.marks(in: tab)
      return marks["greeting"] == nil || marks["inPage"] == nil ? nil : marks
    }
    #expect(
      marks == [
        "start": "early", "end": "parsed", "greeting": "Hello!",
        // What a script puts into the document runs among the page's own.
        "inPage": "undefined",
        // Scripts for several browsers must not believe to be in another one.
        "others": "undefined undefined",
      ]
    )
    _ = try eventually("the style sheet is there") { () -> Bool? in
      let style = "getComputedStyle(document.documentElement).outlineColor"
      return try browser.evaluate(style, in: tab) as? String == "rgb(1, 2, 3)" ? true : nil
    }
    for other in ["http://blocked.example/", "http://a.test/"] {
      try browser.load(other, in: tab)
      #expect(try older.marks(in: tab).isEmpty)
    }
    try browser.closeTab(tab)
    let loaded = try older.inGlobalPage("JSON.stringify([page.opened, page.loaded])") as? String
    #expect(loaded == #"["inline",true]"#)
    #expect(try older.inGlobalPage("page.windowsAtStart") as? Int ?? 0 > 0)
  }

  /// The page of the settings changes them, and the global page hears of it.
  private func settings(_ older: OlderExtension) throws {
    let browser = older.browser
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.querySelector("input[type=text]");
        field.value = "Hi";
        field.dispatchEvent(new Event("change"));
        return true;
      })()
      """,
      in: older.own
    )
    let changes = try older.inGlobalPage("JSON.stringify(page.changes)") as? String
    #expect(changes == #"[["greeting","Hello","Hi"]]"#)
    let stored = try browser.evaluate(
      "(globalThis.browser ?? chrome).storage.local.get('settings')",
      in: older.own
    )
    #expect((stored as? [String: [String: String]])?["settings"]?["greeting"] == "Hi")
  }

  /// A click is a command, and its badge is shown.
  private func toolbar(_ older: OlderExtension) throws {
    try older.tell("{ type: 'toolbar', identifier: 'counter' }")
    _ = try eventually("the badge is shown") { () -> Bool? in
      let text = try older.browser.evaluate(
        """
        (async () => {
          const api = globalThis.browser ?? chrome;
          const [tab] = await api.tabs.query({ active: true });
          return (api.action ?? api.browserAction).getBadgeText({ tabId: tab.id });
        })()
        """,
        in: older.own
      )
      return text as? String == "1" ? true : nil
    }
  }

  /// The pop-over shares the global page's variables, also by code in an attribute.
  private func popover(_ older: OlderExtension) throws {
    let browser = older.browser
    let tab = try browser.openTab()
    try browser.load(browser.extensionURL + "popover.html?tickbird=popover", in: tab)
    func count() throws -> String? { try browser.element("#count", in: tab)?.text }
    #expect(try count() == "1")
    #expect(try older.inGlobalPage("safari.extension.popovers[0].visible") as? Bool == true)
    _ = try browser.evaluate("document.querySelector('button').click()", in: tab)
    #expect(try count() == "0")
    #expect(try older.inGlobalPage("page.count") as? Int == 0)
    try browser.closeTab(tab)
    _ = try eventually("the pop-over is closed") { () -> Bool? in
      try older.inGlobalPage("safari.extension.popovers[0].visible") as? Bool == false ? true : nil
    }
  }

  /// What a script says at the pointer decides about the item, and reaches its command.
  private func contextMenu(_ older: OlderExtension) throws {
    let browser = older.browser
    let tab = try browser.openTab()
    try browser.load("http://a.example/menu", in: tab)
    _ = try older.inGlobalPage(
      """
      (page.seen = [], safari.application.addEventListener("validate", (event) => {
        if (event.command === "mark") page.seen.push([event.userInfo, event.target.disabled]);
      }), true)
      """
    )
    for element in ["here", "there"] {
      let place = try #require(try browser.element("#\(element)", in: tab)?.frame)
      try browser.click(x: place.minX + 5, y: place.midY, in: tab, isSecondary: true)
      _ = try eventually("the item is validated over \(element)") { () -> Bool? in
        let seen = try older.inGlobalPage("JSON.stringify(page.seen)") as? String ?? ""
        return seen.contains(#"["\#(element)",\#(element == "there")]"#) ? true : nil
      }
      try browser.press("Escape", in: tab)
    }
    let id = try #require(
      try older.inGlobalPage(
        "safari.application.browserWindows.flatMap((window) => window.tabs)"
          + ".find((tab) => tab.url === 'http://a.example/menu')?.key"
      ) as? Int
    )
    try older.tell(
      "{ type: 'menuCommand', identifier: 'mark-item', userInfo: 'here', "
        + "tab: { id: \(id), windowId: 0, isActive: true, url: 'http://a.example/menu' } }"
    )
    _ = try eventually("the command has reached the page") { () -> Bool? in
      try older.marks(in: tab)["marked"] == "here" ? true : nil
    }
    try browser.closeTab(tab)
  }

  /// A tab that a script opens, leads and closes is there, and its events come.
  private func tabs(_ older: OlderExtension) throws {
    _ = try older.inGlobalPage(
      """
      (page.tab = safari.application.activeBrowserWindow.openTab("background"),
        page.tab.addEventListener("close", () => { page.isClosed = true; }),
        page.tab.url = "http://opened.example/", true)
      """
    )
    _ = try eventually("the tab is open") { () -> Bool? in
      try older.browser.tab(at: "http://opened.example/") != nil
        && older.inGlobalPage("page.tab.title") as? String == "Page" ? true : nil
    }
    #expect(try older.inGlobalPage("page.tab.url") as? String == "http://opened.example/")
    _ = try older.inGlobalPage("(page.tab.close(), true)")
    _ = try eventually("the tab is closed") { () -> Bool? in
      try older.inGlobalPage("page.isClosed === true") as? Bool == true ? true : nil
    }
  }

  /// The list of the folder, and the one that its script sets, block requests by Tickbird's engine.
  private func contentBlocker(_ older: OlderExtension) throws {
    let browser = older.browser
    func state() throws -> String {
      try older.service.run("extensions", "state", OlderExtension.identifier)
        .split(separator: "\n").first { $0.hasPrefix("list:") }.map(String.init) ?? ""
    }
    func set(_ rules: String) throws -> String? {
      try older.inGlobalPage("new Promise((done) => page.block(\(rules), done))") as? String
    }
    #expect(try state().contains("active"))
    #expect(try set("'ad\\\\.png'") == "set")
    #expect(try state().contains("set by its script"))
    let fault = try set("'broken'")
    #expect(fault != "set" && fault?.isEmpty == false)
    #expect(try state().contains("set by its script"))
    let tab = try browser.openTab()
    var number = 0
    func asksForImage() throws -> Bool {
      number += 1
      let host = "\(number).blocking.example"
      try browser.load("http://\(host)/", in: tab)
      return older.server.urls.contains("http://\(host)/ad.png")
    }
    _ = try eventually("the image is blocked") { try asksForImage() ? nil : true }
    #expect(try set("null") == "set")
    #expect(try state().hasSuffix("none"))
    _ = try eventually("the image comes") { try asksForImage() ? true : nil }
  }
}

import BrowserDriving
import Foundation
import Testing

/// A way through all pages of the extension, each with something on it.
struct Tour {
  let session: Session
  let service: Service
  var browser: any Browser { session.browser }

  /// Begins a tour in a browser whose extension speaks a language.
  init(_ browser: TestBrowser, language: String = "en") throws {
    session = try Session.with(browser, hasService: true, language: language)
    service = try #require(session.service)
  }

  private static let site = "http://www.daily.example/"
  private static let blocked = "http://blocked.test/advertisement?a=b"

  /// Visits each page, at a width, and calls a function with its name.
  func visit(width: Int = 380, _ body: (String, BrowserTab) throws -> Void) throws {
    try furnish()
    defer { try? clear() }
    try session.visit(Self.site) { site throws in
      let number = try #require(try session.number(ofTabAt: Self.site))
      func page(
        _ name: String,
        _ path: String,
        _ change: (BrowserTab) throws -> Void = { _ in }
      ) throws {
        let tab = try browser.openTab()
        defer { try? browser.closeTab(tab) }
        try browser.setSize(width: width, height: 800, of: tab)
        try browser.load(browser.extensionURL + path, in: tab)
        _ = try eventually("\(name) is shown") { () -> Bool? in
          let shown =
            try browser.evaluate("document.documentElement.dataset.shown", in: tab) as? String
          return shown == nil ? nil : true
        }
        try change(tab)
        try body(name, tab)
      }
      try page("popup", "popup/popup.html?tab=\(number)") { tab throws in
        _ = try eventually("what is hidden is counted") {
          try count("[data-kind=css-display-none]", tab) == 1 ? true : nil
        }
        _ = try browser.evaluate(
          "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
          in: tab
        )
      }
      try page("popup-note", "popup/popup.html?tab=\(number)") { tab throws in
        _ = try browser.evaluate("document.getElementById('add-note').click()", in: tab)
        _ = try browser.evaluate("document.querySelector('.plan').open = true", in: tab)
        _ = try browser.evaluate("document.querySelector('.plan > button').click()", in: tab)
      }
      try page("popup-empty", "popup/popup.html?tab=-1")
      for part in try parts() { try page("options-\(part)", "options/options.html#\(part)") }
      try page("logger", "logger/logger.html?tab=\(number)") { tab throws in
        // Whether the browser has heard of the logger is not told, so it is tried until one comes.
        _ = try eventually("a request comes") { () -> Bool? in
          _ = try session.reaches("http://cdn.example/ads/late.png", from: site)
          return try count(".row", tab) > 0 ? true : nil
        }
        _ = try browser.evaluate("document.querySelector('.row').click()", in: tab)
      }
      try page("first-run", "first-run/first-run.html")
      try page("stream", "stream/stream.html")
      try page("stream-sources", "stream/stream.html") { tab throws in
        _ = try browser.evaluate("document.getElementById('show-sources').click()", in: tab)
      }
    }
    try visitBlocked(width: width, body)
    try visitNote(width: width, body)
  }

  /// A page that is blocked as a whole.
  private func visitBlocked(width: Int, _ body: (String, BrowserTab) throws -> Void) throws {
    let tab = try browser.openTab()
    defer { try? browser.closeTab(tab) }
    try browser.setSize(width: width, height: 800, of: tab)
    try browser.load(Self.site, in: tab)
    _ = try browser.evaluate(
      "void setTimeout(() => { location.href = \(quoted(Self.blocked)) }, 0)",
      in: tab
    )
    _ = try eventually("the page is blocked") { () -> Bool? in
      let there = try? browser.evaluate(
        "location.pathname === '/blocked/blocked.html' && document.documentElement.dataset.shown === 'true'"
          + " && !document.getElementById('once').disabled",
        in: tab
      )
      return there as? Bool == true ? true : nil
    }
    try body("blocked", tab)
  }

  /// A note's elements in a page of the extension, where they can be looked at from within.
  private func visitNote(width: Int, _ body: (String, BrowserTab) throws -> Void) throws {
    let tab = try browser.openTab()
    defer { try? browser.closeTab(tab) }
    try browser.setSize(width: width, height: 800, of: tab)
    try browser.load(browser.extensionURL + "blocked/blocked.html", in: tab)
    _ = try browser.evaluate(
      """
      (async () => {
        await import("/notes/note-look.js");
        const make = ([name, attributes, ...children]) => {
          const element = document.createElement(name);
          for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
          element.append(...children.map((child) => typeof child === "string" ? child : make(child)));
          return element;
        };
        const day = (left, viewed) => ({ visits: 0, seconds: 0, shown: 0, left, viewed });
        const note = {
          id: "1", displayText: "Daily words 1", emoji: "🌱", snoozeMinutes: 15, kind: "site", language: "",
          address: "daily.example", counts: { shown: 14, left: 9, viewed: 3 }, days: [day(4, 1), day(0, 2)],
        };
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(tickbirdNote.css);
        document.adoptedStyleSheets = [sheet];
        document.body.replaceChildren(make(tickbirdNote.parts(note)));
        document.title = tickbirdNote.text("note_title");
        return true;
      })()
      """,
      in: tab
    )
    try body("note", tab)
  }

  /// The parts of the options page, as it links to them.
  private func parts() throws -> [String] {
    try session.visit(browser.extensionURL + "options/options.html") { tab throws in
      let found = try browser.evaluate(
        "[...document.querySelectorAll('nav a')].map((each) => each.hash.slice(1))",
        in: tab
      )
      return try #require(found as? [String])
    }
  }

  private func count(_ selector: String, _ tab: BrowserTab) throws -> Int {
    try browser.evaluate("document.querySelectorAll(\(quoted(selector))).length", in: tab) as? Int
      ?? -1
  }

  /// Lists that act on a site, and a note.
  private func furnish() throws {
    try session.use([
      "daily": Array(
        #"""
        [{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": "^http://blocked\\.test/"}, "action": {"type": "block"}},
         {"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".sponsored"}}]
        """#.utf8
      )
    ])
    session.server.answer { request in
      request.url.hasSuffix(".png")
        ? .init("text/plain", "")
        : .page(
          """
          <title>Daily</title><link rel=alternate type=application/rss+xml title=Daily href=/feed>
          <body><h1>Daily</h1><p class=sponsored>Daily</p><img src=http://cdn.example/ads/top.png>
          """
        )
    }
    try service.run("notes", "add", "noted.example", "Daily words 1")
  }

  private func clear() throws {
    let json = try service.run("notes", "list", "--format", "json")
    let notes = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]] ?? []
    for id in notes.compactMap({ $0["id"] as? String }) { try service.run("notes", "delete", id) }
  }
}

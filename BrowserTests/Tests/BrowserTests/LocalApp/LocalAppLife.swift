import BrowserDriving
import Foundation
import Testing

/// The local app in a browser: what its user does with it, and what others try.
struct LocalAppLife {
  let session: LocalAppSession

  private static let list = """
    [{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]
    """

  init(_ browser: TestBrowser) throws { session = try LocalAppSession(browser) }

  /// From the printed address through all pages, by clicks and keys.
  func worksByHand() throws {
    defer { session.close() }
    try session.service.use("Pixels", Self.list)
    try turnsAnExtensionOff()
    try followsRulesAsTheyAreTyped()
    try readsALink()
    try addsANote()
    try fitsNarrowWindows()
  }

  /// Nothing is wider than a telephone, but for what scrolls by itself.
  private func fitsNarrowWindows() throws {
    try session.browser.setSize(width: 360, height: 740, of: session.tab)
    for path in ["/extensions", "/rules?example=yes", "/stream", "/stream/sources", "/notes"] {
      try session.browser.load(session.base + path, in: session.tab)
      let width = try session.browser.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        in: session.tab
      )
      #expect((width as? Double).map(Int.init) ?? width as? Int == 0, "\(path)")
    }
  }

  private func isSelfContained() throws {
    let foreign = try session.browser.evaluate(
      """
      performance.getEntriesByType("resource").map((entry) => entry.name)
        .filter((name) => !name.startsWith(location.origin + "/"))
      """,
      in: session.tab
    )
    #expect((foreign as? [String])?.isEmpty == true)
    try expectReadable(session.tab, session.browser)
    // The style sheet is there, and the address has no token.
    try session.wait("getComputedStyle(document.querySelector('.top')).display === 'flex'")
    let token = session.address.split(separator: "=").last ?? ""
    let place = try session.browser.evaluate("location.href", in: session.tab) as? String
    #expect(place?.contains(token) == false)
  }

  private func turnsAnExtensionOff() throws {
    try session.turn(to: "extensions")
    try isSelfContained()
    try session.wait("document.querySelector('.switch').ariaChecked === 'true'")
    try session.follow(".switch")
    try session.wait("document.querySelector('.switch')?.ariaChecked === 'false'")
    #expect(try session.text().contains("Pixels is off."))
    try session.wait("document.activeElement.matches('.switch')")
    #expect(try session.service.run("extensions", "list").contains("off"))
    try session.follow(".card h2 a")
    try session.wait("document.querySelector('#log') !== null")
  }

  private func followsRulesAsTheyAreTyped() throws {
    try session.turn(to: "rules")
    try isSelfContained()
    try session.type(#"[{"trigger": {"url-filter": "a|b"}, "#, into: "#rules")
    try session.wait("document.querySelector('#answer .diagnostic.error mark') !== null")
    #expect(try session.text().contains("refused"))
    _ = try session.browser.evaluate(
      "void (document.querySelector('#rules').value = '')",
      in: session.tab
    )
    try session.type(Self.list, into: "#rules")
    try session.type("https://a.test/pixel.gif\nhttps://a.test/other", into: "#urls")
    try session.wait("document.querySelectorAll('#answer .load').length === 2")
    try session.wait("document.querySelector('#answer .decision.blocked') !== null")
    let text = try session.text()
    #expect(text.contains("Rule 0 (line 1, column 2) block, matched \"pixel\""))
    #expect(text.contains("does not match https://a.test/other"))
    // The same without the script's help.
    try session.follow("#bench button")
    try session.wait("document.querySelector('#answer .decision.blocked') !== null")
    #expect(try session.text().contains("Your list: accepted, 1 rule"))
  }

  private func readsALink() throws {
    let feed = """
      <rss version="2.0"><channel><title>Test Feed</title>
      <item><title>The first</title><link>http://127.0.0.1:\(session.server.port)/first</link></item>
      </channel></rss>
      """
    session.server.answer { request in
      request.url.hasSuffix("/feed")
        ? LoopbackServer.Response("application/rss+xml", feed) : .page("<p>Elsewhere")
    }
    try session.turn(to: "stream")
    try session.type("http://127.0.0.1:\(session.server.port)/feed", into: "#address")
    try session.follow(".search button")
    try session.wait("document.querySelector('.link.unread') !== null")
    try isSelfContained()
    #expect(try session.text().contains("Subscribed to Test Feed, with 1 link."))
    try session.click(".link a.out")
    try session.wait("document.querySelector('.link.read') !== null")
    let request = try eventually("the link is opened") {
      session.server.received.first { $0.url.hasSuffix("/first") }
    }
    #expect(request.headers["referer"] == nil)
    // The other server is on this host, too, and is not given the cookie.
    #expect(request.headers["cookie"] == nil)
    _ = try eventually("the store has it as read") {
      try session.service.run("links", "list", "--format", "json").contains("\"isRead\" : true")
        ? true : nil
    }
  }

  private func addsANote() throws {
    try session.turn(to: "notes")
    try isSelfContained()
    try session.follow(".empty a.main")
    try session.wait("document.querySelector('#text') !== null")
    try session.type("news.test", into: "#address")
    try session.type("Is it <b>urgent</b>?\nReally?", into: "#text")
    try session.follow("button.main")
    try session.wait("document.querySelector('.card.note .text') !== null")
    let text = try session.browser.evaluate(
      "document.querySelector('.card.note .text').textContent",
      in: session.tab
    )
    #expect(text as? String == "Is it <b>urgent</b>?\nReally?")
    #expect(try session.service.run("notes", "list").contains("news.test"))
  }

  /// A page that knows every address, and wants to read and to change.
  ///
  /// It is tried from another site, and from another port of this host, which is the same site.
  func keepsOthersOut() throws {
    defer { session.close() }
    try session.service.run("notes", "add", "a.test", "private words")
    session.server.answer { _ in .page("<p>Evil") }
    for origin in ["http://evil.test", "http://127.0.0.1:\(session.server.port)"] {
      let evil = try session.browser.openTab()
      try session.browser.load(origin + "/", in: evil)
      let found = try session.browser.evaluate(attack, in: evil) as? [String: Any]
      let answers = try #require(found)
      for (attempt, answer) in answers.sorted(by: { $0.key < $1.key }) {
        #expect(answer as? String == "refused", "\(attempt) from \(origin)")
      }
      #expect(answers.count == 9)
      let notes = try session.service.run("notes", "list")
      #expect(notes.contains("private words") && !notes.contains("forged"))
      // Nor was the cookie given to another server of this host.
      let cookies = session.server.received.compactMap { $0.headers["cookie"] }
      #expect(cookies.isEmpty)
      try session.browser.closeTab(evil)
    }
    // The user's own tab goes on as before.
    try session.turn(to: "notes")
    #expect(try session.text().contains("private words"))
  }

  private var attack: String {
    """
    (async () => {
      const base = \(quoted(session.base));
      const element = (name, properties) => new Promise((resolve) => {
        const own = Object.assign(document.createElement(name), properties);
        own.onload = () => resolve("loaded");
        own.onerror = () => resolve("refused");
        document.body.append(own);
      });
      const fetched = (path, options) => fetch(base + path, options)
        .then(async (answer) => "got " + answer.type + (await answer.text()).length, () => "refused");
      const form = { address: "forged.test", kind: "site", text: "forged", snooze: "15" };
      // A frame has no words for what it was refused; nothing of it is to be seen, or changed.
      const framed = (make) => new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.name = "frame" + Math.random();
        frame.onload = () => {
          let text = "";
          try { text = frame.contentDocument?.body?.innerText ?? ""; } catch { text = ""; }
          if (frame.contentWindow.location !== null && text === "") resolve("refused");
          else if (/private|forged/.test(text)) resolve("read " + text);
          else resolve("refused");
        };
        make(frame);
      });
      return {
        image: await element("img", { src: base + "/icon.svg" }),
        script: await element("script", { src: base + "/rules.js" }),
        style: await element("link", { rel: "stylesheet", href: base + "/style.css" }),
        read: await fetched("/notes", { credentials: "include" }),
        opaque: await fetched("/notes", { mode: "no-cors", credentials: "include" }),
        post: await fetched("/notes/new", {
          method: "POST", credentials: "include", body: new URLSearchParams(form),
        }),
        blind: await fetched("/notes/new", {
          method: "POST", mode: "no-cors", credentials: "include", body: new URLSearchParams(form),
        }),
        frame: await framed((frame) => {
          frame.src = base + "/notes";
          document.body.append(frame);
        }),
        form: await framed((frame) => {
          document.body.append(frame);
          const own = document.createElement("form");
          Object.assign(own, { method: "post", action: base + "/notes/new", target: frame.name });
          for (const [name, value] of Object.entries(form)) {
            own.append(Object.assign(document.createElement("input"), { name, value }));
          }
          document.body.append(own);
          own.submit();
        }),
      };
    })()
    """
  }

  /// A site's own name that was made to lead to this machine.
  func refusesReboundNames() throws {
    defer { session.close() }
    try session.service.run("notes", "add", "a.test", "private words")
    let name = "http://\(LocalAppSession.reboundName):\(session.port)"
    let path = session.base.split(separator: "/").last.map { "/\($0)" } ?? ""
    let evil = try session.browser.openTab()
    for place in [
      "\(name)\(path)/notes", name + "/",
      session.address.replacing("http://127.0.0.1:\(session.port)", with: name),
    ] {
      try session.browser.load(place, in: evil)
      let text = try session.browser.evaluate("document.body.innerText", in: evil) as? String
      #expect(text?.contains("This name is not served") == true, "\(place)")
    }
    let answer = try session.browser.evaluate(
      "fetch(\(quoted(path + "/notes"))).then(async (answer) => answer.status + await answer.text())",
      in: evil
    )
    #expect((answer as? String)?.hasPrefix("403") == true)
    #expect((answer as? String)?.contains("private") == false)
    let cookie = try session.browser.evaluate("document.cookie", in: evil) as? String
    #expect(cookie == "")
  }

  // MARK: Pictures

  /// Pictures of the four pages.
  func showsPages(_ pictures: URL, isDark: Bool) throws {
    defer { session.close() }
    try furnish()
    let look = isDark ? "dark" : "light"
    if isDark { try session.browser.setDark(true) }
    let tab = try session.browser.openTab()
    try session.browser.setSize(width: 1000, height: 800, of: tab)
    for (name, path) in [
      ("extensions", "/extensions"), ("rules", "/rules?example=yes"), ("stream", "/stream"),
      ("notes", "/notes"),
    ] {
      try session.browser.load(session.base + path, in: tab)
      let kind = session.browser.kind.rawValue
      try session.browser.screenshot(of: tab)
        .write(to: pictures.appending(path: "local-app-\(name)-\(kind)-\(look).png"))
    }
  }

  /// Something to be seen.
  func furnish() throws {
    let service = session.service
    try service.use("Pixels", Self.list)
    try service.use(
      "QuietNews",
      #"[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]"#
    )
    // It is on, but its list is refused.
    _ = try? service.use(
      "Banners",
      #"[{"trigger": {"url-filter": "ad|banner"}, "action": {"type": "block"}}]"#
    )
    try service.run(
      "notes",
      "add",
      "news.test",
      "Is it urgent?\nThe news will be there tonight, too.",
      "--emoji",
      "🗞️"
    )
    try service.run(
      "notes",
      "add",
      "https://shop.test/cart",
      "You have one of these already.",
      "--emoji",
      "🛒"
    )
    let now = Date()
    let items = [
      ("A scheduler for small machines", "What changes for laptops with two kinds of cores.", 0.4),
      ("Garlic goes in now", "Five centimetres deep, before the frost.", 3),
      ("The state of screen sharing", "Portals have become the common way.", 9),
      ("Compost and patience", "Nothing happens for weeks, and then it does.", 40),
    ].map { title, text, hours in
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
      let date = formatter.string(from: now.addingTimeInterval(-hours * 3600))
      let link = "http://weekly.test/\(title.count)"
      return "<item><title>\(title)</title><link>\(link)</link><description>\(text)</description>"
        + "<pubDate>\(date)</pubDate></item>"
    }
    let feed =
      "<rss version=\"2.0\"><channel><title>Weekly</title>\(items.joined())</channel></rss>"
    session.server.answer { _ in LoopbackServer.Response("application/rss+xml", feed) }
    try service.run("links", "add", "http://127.0.0.1:\(session.server.port)/feed")
    try service.run("links", "read", "3")
  }
}

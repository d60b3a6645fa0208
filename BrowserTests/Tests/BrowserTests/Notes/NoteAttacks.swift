import BrowserDriving
import Foundation
import Testing

/// Pages that would read a note, press its buttons, or keep it away.
extension NoteLife {
  /// Looks everywhere in a window for the note's words; an expression with `w` at hand.
  private static let searching = """
    (() => {
      const found = [];
      // Not as it is written in this script.
      const word = "Sec" + "ret";
      const look = (name, action) => {
        try {
          if (String(action()).includes(word)) found.push(name);
        } catch {
          // Refused.
        }
      };
      look("innerText", () => w.document.documentElement.innerText);
      look("textContent", () => w.document.documentElement.textContent);
      look("outerHTML", () => w.document.documentElement.outerHTML);
      look("title", () => w.document.title);
      look("getHTML", () => w.document.documentElement.getHTML({ serializableShadowRoots: true }));
      look("shadowRoot", () => [...w.document.querySelectorAll("*")]
        .map((each) => each.shadowRoot?.textContent ?? "").join());
      look("internals", () => [...w.document.querySelectorAll("*")]
        .map((each) => each.attachInternals().shadowRoot?.textContent ?? "").join());
      look("hit", () => w.document.elementFromPoint(200, 200).getRootNode().textContent);
      look("find", () => (w.find(word) ? word : ""));
      look("selectAll", () => {
        w.document.execCommand("selectAll");
        return w.getSelection();
      });
      look("selection", () => {
        w.getSelection().selectAllChildren(w.document);
        return w.getSelection();
      });
      look("range", () => {
        const range = w.document.createRange();
        range.selectNode(w.document.documentElement);
        return range;
      });
      look("globals", () => JSON.stringify([w.tickbirdNote, w.tickbird]));
      for (const action of [
        () => w.document.elementFromPoint(200, 200).click(),
        () => w.document.activeElement.click(),
        () => w.document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Enter", bubbles: true, composed: true })),
        () => w.document.querySelectorAll("*").forEach((each) => each.click?.()),
      ]) {
        try {
          action();
        } catch {
          // Refused.
        }
      }
      return found;
    })()
    """

  /// A script that searches for the note, presses its buttons and changes the document, for ever.
  private static let attack = """
    const w = window;
    let rounds = 0;
    const attack = () => {
      for (const way of \(searching)) fetch("/report/stolen/" + way);
      const mine = document.createElement("h1");
      mine.textContent = "Hostile";
      mine.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:#fff";
      if (rounds % 3 === 0) document.body?.replaceChildren(mine);
      if (rounds % 3 === 1) document.documentElement?.remove();
      if (rounds % 20 === 7) {
        document.open();
        document.write("<h1>Written</h1>");
        document.close();
      }
      rounds += 1;
      fetch("/report/round/" + rounds);
    };
    new MutationObserver(attack).observe(document, { childList: true, subtree: true });
    setInterval(attack, 30);
    for (const name of ["attachShadow", "append", "showPopover", "setAttribute"]) {
      const original = Element.prototype[name] ?? HTMLElement.prototype[name];
      Element.prototype[name] = HTMLElement.prototype[name] = function (...rest) {
        if (String(rest).includes("Sec" + "ret")) fetch("/report/stolen/" + name);
        return original.apply(this, rest);
      };
    }
    history.replaceState({}, "", location.href);
    """

  /// A page that, in an ordinary Chromium, has run for a moment before the note, and goes on.
  func withstandsAHostilePage() throws {
    session.server.answer { request in
      request.url.contains("hostile.example/report")
        ? .init("text/plain", "")
        : .page("<body><h1>Hostile</h1><script>\(Self.attack)</script><p>More")
    }
    let id = try add("hostile.example", "Secret words")
    let page = "http://hostile.example/"
    try session.visit(page) { tab throws in
      if browser.kind == .chromium {
        // The page fights; it comes again without its scripts.
        _ = try eventually("the page is fetched again") {
          session.server.received.count { $0.url == page } == 2 ? true : nil
        }
      }
      #expect(try expectNote(tab) == "Secret words")
      let reports = { session.server.received.map(\.url).filter { $0.contains("/report/") } }
      _ = try eventually("the page has come to rest") {
        try browser.element("h1", in: tab) == nil ? true : nil
      }
      let rounds = reports().count
      #expect((rounds > 0) == (browser.kind == .chromium))
      if browser.kind == .chromium {
        // By another hand, with all that a script of the page could do if it ran.
        let found = try browser.evaluate("((w) => \(Self.searching))(window)", in: tab)
        #expect(found as? [String] == [])
      }
      #expect(reports().filter { $0.contains("stolen") } == [])
      #expect(reports().count == rounds)
      #expect(try expectNote(tab) == "Secret words")
      #expect(try browser.evaluate("location.href", in: tab) as? String == page)
      // Shown once, for the person who looks; nobody has pressed a button.
      #expect(try counts(id) == [1, 0, 0])
      try choose("view", tab)
      // The page comes as it is, with its scripts.
      _ = try eventually("its scripts run") { reports().count > rounds ? true : nil }
      #expect(try counts(id) == [1, 0, 1])
    }
  }

  /// A page that paints itself over the note from a shadow root, where no observer looks.
  func withstandsAShadow() throws {
    session.server.answer { _ in
      .page(
        """
        <body><h1>Hostile</h1><script>
        const roots = new WeakMap();
        setInterval(() => {
          const { body } = document;
          if (!body?.firstElementChild?.popover || roots.has(body)) return;
          const root = body.attachShadow({ mode: "closed" });
          roots.set(body, root);
          root.innerHTML = "<slot></slot><div popover=manual style='position: fixed; inset: 0; "
            + "width: 100vw; height: 100vh; margin: 0; border: 0; background: white'>Page</div>";
          root.querySelector("div").showPopover();
        }, 20);
        </script>
        """
      )
    }
    try add("hostile.example", "Secret words")
    let page = "http://hostile.example/"
    let mayRun = browser.kind == .chromium
    try session.visit(page) { tab throws in
      _ = try eventually("the page is fetched again, where it could run") {
        session.server.received.count { $0.url == page } == (mayRun ? 2 : 1) ? true : nil
      }
      #expect(try expectNote(tab) == "Secret words")
      _ = try eventually("the page has come to rest") {
        try browser.element("[popover] h1", in: tab) == nil
          && browser.evaluate("typeof roots", in: tab) as? String == "undefined" ? true : nil
      }
      try choose("leave", tab)
    }
  }

  /// A page of the same site without a note opens one that has a note.
  func isReadByNoOtherWindow() throws {
    session.server.answer { request in
      .page(request.url.hasSuffix("/noted") ? "<h1>Noted</h1>" : "<h1>Opener</h1>")
    }
    let id = try add("http://site.example/noted", "Secret words", "--page")
    let opener = "http://site.example/opener"
    try session.visit(opener) { tab throws in
      // A worker's clock, because that of a page in the background goes by seconds.
      let isOpen = try browser.evaluate(
        """
        (() => {
          const w = window.open("/noted");
          window.found = new Set();
          window.rounds = 0;
          const clock = new Worker(URL.createObjectURL(
            new Blob(["setInterval(() => postMessage(0), 20)"])));
          clock.onmessage = () => {
            for (const way of \(Self.searching)) found.add(way);
            rounds += 1;
          };
          return w !== null;
        })()
        """,
        in: tab
      )
      #expect(isOpen as? Bool == true)
      func rounds() throws -> Int { try browser.evaluate("rounds", in: tab) as? Int ?? 0 }
      _ = try eventually("the note is shown") {
        let shown = try browser.evaluateInBackground(
          """
          api.tabs.query({ url: "http://site.example/noted" })
            .then(([tab]) => tab && tickbird.state.noteTabs.shown(tab.id))
          """
        )
        return shown as? String == id ? true : nil
      }
      let before = try rounds()
      _ = try eventually("it was searched for while it was there") {
        try rounds() >= before + 25 ? true : nil
      }
      #expect(try browser.evaluate("[...found]", in: tab) as? [String] == [])
      #expect(try counts(id) == [1, 0, 0])
      let files = [
        "notes/note-look.js", "notes/note-show.js", "notes/notes.js", "popup/popup-notes.js",
        "notes/note-document.js",
      ]
      let found = try browser.evaluate(
        """
        Promise.all(\(files).map((path) => import("\(browser.extensionURL)" + path)
          .then(() => path, () => null))).then((paths) => paths.filter((path) => path))
        """,
        in: tab
      )
      #expect(found as? [String] == [])
      _ = try browser.evaluateInBackground(
        "api.tabs.query({ url: 'http://site.example/noted' }).then(([tab]) => api.tabs.remove(tab.id))"
      )
    }
    // Scripts in documents may say no more than they need, whoever has taken them over.
    for message in ["{ type: 'notes', tabId: 1 }", "{ type: 'change-note', request: {} }"] {
      let refused = try browser.evaluateInBackground(
        "tickbird.answerFromPage(\(message)).then(() => 'told', (error) => error.message)"
      )
      #expect(refused as? String == "not allowed")
    }
  }
}

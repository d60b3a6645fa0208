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

  /// A session whose browser is as its users have it: Chromium without a policy.
  private func ordinarily(_ body: (NoteLife) throws -> Void) throws {
    guard browser.kind == .chromium else { return try body(self) }
    Session.closeAll()
    let session = try Session(.chromium, hasService: true, mayBlock: false)
    defer { session.close() }
    try body(NoteLife(session))
  }

  /// A page that has run for a moment before the note, and goes on.
  func withstandsAHostilePage() throws {
    try ordinarily { try $0.withstandsScripts() }
  }

  private func withstandsScripts() throws {
    session.server.answer { request in
      request.url.contains("hostile.example/report")
        ? .init("text/plain", "")
        : .page(
          """
          <body><h1>Hostile</h1><script>
          const w = window;
          let rounds = 0;
          const attack = () => {
            // As long as it goes on, note and page take turns in the document.
            if (rounds === 60) return;
            for (const way of \(Self.searching)) fetch("/report/stolen/" + way);
            const title = document.querySelector("h1");
            if (title && getComputedStyle(title).visibility === "visible"
              && document.elementFromPoint(200, 200) === title) fetch("/report/covered");
            const mine = document.createElement("h1");
            mine.textContent = "Hostile";
            mine.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:#fff";
            if (rounds % 3 === 0) document.body?.replaceChildren(mine);
            if (rounds % 3 === 1) document.documentElement?.remove();
            if (rounds === 31) { document.open(); document.write("<h1>Written</h1>"); document.close(); }
            rounds += 1;
            if (rounds === 60) fetch("/report/done");
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
          </script><p>More
          """
        )
    }
    let id = try add("hostile.example", "Secret words")
    try session.visit("http://hostile.example/") { tab throws in
      if browser.kind == .chromium {
        _ = try eventually("the page has done its worst") {
          session.server.urls.contains("http://hostile.example/report/done") ? true : nil
        }
      }
      // What it did last is undone.
      Thread.sleep(forTimeInterval: 0.3)
      let reported = session.server.urls.filter {
        $0.contains("/report/") && !$0.hasSuffix("/done")
      }
      #expect(reported.filter { $0.contains("stolen") } == [])
      #expect(try expectNote(tab) == "Secret words")
      #expect(try counts(id) == [1, 0, 0])
      try choose("leave", tab)
      _ = try eventually("it is left") { try counts(id) == [1, 1, 0] ? true : nil }
    }
  }

  /// A page of the same site without a note opens one that has a note.
  func isReadByNoOtherWindow() throws {
    try isReadByNoWindow()
    if browser.kind == .chromium { try ordinarily { try $0.isReadByNoWindow() } }
  }

  private func isReadByNoWindow() throws {
    session.server.answer { request in
      .page(request.url.hasSuffix("/noted") ? "<h1>Noted</h1>" : "<h1>Opener</h1>")
    }
    let id = try add("http://site.example/noted", "Secret words", "--page")
    let opener = "http://site.example/opener"
    try session.visit(opener) { tab throws in
      let stolen = try browser.evaluate(
        """
        new Promise((resolve) => {
          const w = window.open("/noted");
          if (!w) resolve(["no window"]);
          const found = new Set();
          let rounds = 0;
          setInterval(() => {
            for (const way of \(Self.searching)) found.add(way);
            if (++rounds === 25) resolve([...found]);
          }, 20);
        })
        """,
        in: tab
      )
      #expect(stolen as? [String] == [])
      let shown = try browser.evaluateInBackground(
        """
        api.tabs.query({ url: "http://site.example/noted" })
          .then(([tab]) => tickbird.state.noteTabs.shown(tab.id))
        """
      )
      #expect(shown as? String == id)
      #expect(try counts(id) == [1, 0, 0])
      let files = [
        "note-look.js", "note-show.js", "notes.js", "popup-notes.js", "note-document.js",
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

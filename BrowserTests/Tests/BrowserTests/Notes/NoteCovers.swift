import BrowserDriving
import Foundation
import Testing

/// Notes above pages that are open already, which stay as they are.
extension NoteLife {
  /// A page with a field, and a policy against styles that are not its own.
  private func serveForm() {
    session.server.answer { _ in
      var answer = LoopbackServer.Response.page(
        "<body><h1>Form</h1><input id=field><script nonce=x>window.mark = 'kept'</script>"
      )
      answer.headers["Content-Security-Policy"] = "default-src 'none'; script-src 'nonce-x'"
      return answer
    }
  }

  /// How often the page's document was asked for.
  private func fetches(_ url: String) -> Int {
    session.server.urls.count { $0 == url }
  }

  private func state(_ tab: BrowserTab) throws -> [String] {
    let state = try browser.evaluate(
      "[window.mark ?? '', document.querySelector('#field').value]",
      in: tab
    )
    return state as? [String] ?? []
  }

  /// A note that becomes due is announced, and covers the page with all that was typed into it.
  func comesBackOverThePage() throws {
    serveForm()
    let url = "http://form.example/"
    let id = try add("form.example", "Finish later")
    try session.visit(url) { tab throws in
      try expectNote(tab)
      try choose("view", tab)
      try expectPage(tab, "Form")
      let field = try #require(try browser.element("#field", in: tab))
      try browser.click(field, in: tab)
      try browser.type("typed", in: tab)
      let before = fetches(url)
      try endSnoozing()
      let announced = try eventually("the note is announced") {
        try browser.element(".announcement", in: tab)
      }
      #expect(announced.text.contains("comes back in a moment"))
      // Meanwhile the page is used as ever.
      try browser.type("!", in: tab)
      #expect(try expectNote(tab) == "Finish later")
      #expect(try browser.element(".announcement", in: tab) == nil)
      #expect(try browser.element("button.leave", in: tab)?.hasFocus == false)
      // Keys that are on their way go nowhere.
      try browser.press("Enter", in: tab)
      try browser.press("Escape", in: tab)
      try browser.press("Escape", in: tab)
      try browser.type("lost", in: tab)
      try expectNote(tab)
      let reading = try #require(try browser.element(".tickbird-note", in: tab))
      #expect(reading.frame.width > 300 && reading.frame.height > 300)
      #expect(try state(tab) == ["kept", "typed!"])
      try choose("view", tab)
      try expectPage(tab, "Form")
      #expect(try state(tab) == ["kept", "typed!"])
      #expect(fetches(url) == before)
      #expect(try counts(id) == [2, 0, 2])
      // It is put off from the announcement.
      try endSnoozing()
      _ = try eventually("the note is announced") { try browser.element(".announcement", in: tab) }
      let more = try #require(try browser.element(".announcement .view", in: tab))
      #expect(more.text == "15 minutes more")
      try browser.click(more, in: tab)
      _ = try eventually("the note rests") { try counts(id) == [2, 0, 3] ? true : nil }
      #expect(try browser.element(".announcement", in: tab) == nil)
      try endSnoozing()
      let now = try eventually("the note is announced") {
        try browser.element(".announcement .now", in: tab)
      }
      try browser.click(now, in: tab)
      try expectNote(tab)
      // A note that is gone takes its cover with it.
      try service.run("notes", "delete", id)
      try expectPage(tab, "Form")
      #expect(try state(tab) == ["kept", "typed!"])
    }
  }

  /// "Leave" goes back to the address before, of the same document.
  func leavesToTheSameDocument() throws {
    serveForm()
    let id = try add("http://app.example/inbox", "Later", "--path")
    let url = "http://app.example/"
    try session.visit(url) { tab throws in
      try expectPage(tab, "Form")
      for step in 1...2 {
        _ = try browser.evaluate("history.pushState(null, '', '/inbox/\(step)')", in: tab)
        #expect(try expectNote(tab) == "Later")
        try choose("leave", tab)
        try expectPage(tab, "Form")
        #expect(try browser.evaluate("location.href", in: tab) as? String == url)
        _ = try eventually("it is counted") { try counts(id) == [step, step, 0] ? true : nil }
      }
      #expect(try state(tab)[0] == "kept" && fetches(url) == 1)
      // A page that is loaded there, and left to the address before.
      _ = try browser.evaluate("history.pushState(null, '', '/inbox/3')", in: tab)
      try expectNote(tab)
      try browser.load("http://app.example/inbox/4", in: tab)
      try expectNote(tab)
    }
  }

  /// What a page puts before its note; a script with `root`, in which it is.
  enum Overlay: String, CaseIterable {
    /// A dialog, while the note's element is taken away.
    case dialog
    /// A pop-over that lets clicks through.
    case popover
    /// The same in a shadow root.
    case hidden
    /// A transition that shows the page as it was.
    case transition

    private static let toggling =
      "if (!over.matches(':popover-open')) over.showPopover(); else over.hidePopover();"

    fileprivate var script: String {
      switch self {
      case .dialog:
        """
        for (const each of [...document.documentElement.children]) {
          if (each !== document.head && each !== document.body) each.remove();
        }
        own.close();
        own.showModal();
        """
      case .popover: Self.toggling
      case .hidden:
        """
        root.append(over);
        \(Self.toggling)
        """
      case .transition: "document.startViewTransition?.(() => new Promise(() => {}));"
      }
    }
  }

  /// A page that fights the note above it loses its scripts.
  func staysAbove(_ overlay: Overlay) throws {
    session.server.answer { _ in
      .page(
        """
        <body><h1>Hostile</h1><dialog id=own>Own dialog</dialog><div id=place></div>
        <div id=over popover=manual style="position: fixed; inset: 0; width: 100vw; height: 100vh;
          background: white; pointer-events: none">Page</div><script>
        const own = document.querySelector("#own");
        const over = document.querySelector("#over");
        const root = document.querySelector("#place").attachShadow({ mode: "closed" });
        history.pushState(null, "", "/hostile/in");
        setInterval(() => { \(overlay.script) }, \(overlay == .dialog ? 20 : 400));
        </script>
        """
      )
    }
    let id = try add("http://hostile.example/hostile", "Do not", "--path")
    try session.visit("http://hostile.example/") { tab throws in
      _ = try eventually("the page has lost its scripts") { () -> Bool? in
        guard try browser.element(".words", in: tab)?.text == "Do not" else { return nil }
        let own = try? browser.evaluate("document.querySelector('#own') === null", in: tab)
        return own as? Bool == true ? true : nil
      }
    }
    try service.run("notes", "delete", id)
  }
}

import BrowserDriving
import Foundation
import Testing

/// Notes without a terminal, however many there are; and everything as one file.
extension OptionsLife {
  private func value(_ script: String, _ page: BrowserTab) throws -> Any? {
    try browser.evaluate(script, in: page)
  }

  /// Gives the first element of a selector a value, as typing would.
  private func type(_ value: String, into selector: String, _ page: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.querySelector(\(quoted(selector)));
        field.value = \(quoted(value));
        for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
      })()
      """,
      in: page
    )
  }

  // MARK: Defaults and new notes

  /// New notes begin with what the person chose, on the options page and in the pop-up.
  func keepsDefaultsOfNotes() throws {
    let notes = try NoteLife(session)
    session.server.answer { _ in .page("<p>News") }
    try visitOptions("notes") { page throws in
      try press(".defaults > summary", nil, page)
      try type("7", into: "#note-defaults input[type=number]", page)
      try type("⏳", into: "#note-defaults .note-emoji", page)
      try type("visits", into: "#note-defaults .plan select", page)
      try press("#note-defaults button", "Save", page)
      try expectText("Saved.", page)
      try expectReadable(page, browser)
      try press("#add-note", nil, page)
      _ = try eventually("the form is there") {
        try count("#new-note textarea", page) == 1 ? true : nil
      }
      try type("news.example/today", into: "#new-note .note-address", page)
      try type("path", into: "#new-note select", page)
      try type("Once a day", into: "#new-note textarea", page)
      try press("#new-note button", "Save", page)
      try expectText("One note", page)
      // What the host refuses stays in the form, with the reason.
      try press("#add-note", nil, page)
      _ = try eventually("the form is there") {
        try count("#new-note textarea", page) == 1 ? true : nil
      }
      try type("http://", into: "#new-note .note-address", page)
      try type("Lost?", into: "#new-note textarea", page)
      try press("#new-note button", "Save", page)
      _ = try eventually("the fault is said") {
        try count("#new-note .fault:not(:empty)", page) == 1 ? true : nil
      }
      #expect(
        try value("document.querySelector('#new-note textarea').value", page) as? String == "Lost?"
      )
    }
    let note = try #require(try notes.notes().first)
    #expect(note["address"] as? String == "news.example/today" && note["kind"] as? String == "path")
    #expect(note["snoozeMinutes"] as? Int == 7 && note["emoji"] as? String == "⏳")
    #expect(note["plan"] as? NSDictionary == ["limit": ["visits": 10]])
    try session.visit("http://open.com/") { _ throws in
      try withPopUp(of: "http://open.com/") { popUp throws in
        try press("#add-note", nil, popUp)
        _ = try eventually("the pop-up's form begins with the same") {
          try value("document.getElementById('note-minutes')?.value", popUp) as? String == "7"
            ? true : nil
        }
        #expect(try value("document.getElementById('note-emoji').value", popUp) as? String == "⏳")
        try press(".note-actions button", "Cancel", popUp)
      }
    }
    try visitOptions("notes") { page throws in
      try press(".defaults > summary", nil, page)
      try press("#note-defaults button", "As at first", page)
      try expectText("Saved.", page)
    }
    _ = try eventually("nothing is chosen") {
      try browser.evaluateInBackground(
        "(await api.storage.local.get(['noteDefaults'])).noteDefaults === null"
      ) as? Bool == true ? true : nil
    }
    try notes.removeAll()
  }

  // MARK: Ten thousand notes

  /// However many notes there are, a page of them is shown, and found as quickly.
  func keepsTenThousandNotes() throws {
    let notes = try NoteLife(session)
    let entries: [[String: Any]] = (1...10_000).map {
      ["kind": "site", "address": "n\($0).example", "text": "Note \($0)"]
    }
    let archive: [String: Any] = ["format": "tickbird-notes", "version": 1, "notes": entries]
    let file = service.home.appending(path: "many.json")
    try JSONSerialization.data(withJSONObject: archive).write(to: file)
    try service.run("notes", "import", file.path)
    try visitOptions("notes") { page throws in
      let start = Date()
      try expectText("Notes 1 to 50 of 10,000", page)
      for first in [51, 101] {
        try press("#more-notes", nil, page)
        try expectText("Notes \(first) to \(first + 49) of 10,000", page)
        #expect(try count("#note-rows > li", page) == 50)
      }
      #expect(try count("*", page) < 1500)
      try press("#fewer-notes", nil, page)
      try expectText("Notes 51 to 100 of 10,000", page)
      try fill("note-search", "n7777.example", page)
      try expectText("One note", page)
      #expect(try count("#note-rows > li", page) == 1)
      #expect(Date().timeIntervalSince(start) < 60)
    }
    try Tool.run([
      "/usr/bin/sqlite3", "-cmd", ".timeout 5000",
      service.home.appending(path: ".local/share/tickbird/notes.sqlite").path,
      "DELETE FROM note",
    ])
    try notes.removeAll()
  }

  // MARK: Everything as one file

  /// What was chosen goes out as one file, and comes back where there is nothing.
  func takesEverythingAlong() throws {
    let notes = try NoteLife(session)
    session.server.answer { request in
      request.url.hasSuffix("/ads.txt")
        ? .init("text/plain", "! Title: Loopback\n||third.test/pixel\n") : .page("<p>News")
    }
    let list = "http://127.0.0.1:\(session.server.port)/ads.txt"
    try service.run("lists", "add", list)
    try service.run("lists", "own", "-", input: "||third.test/beacon\n")
    try service.run("notes", "add", "plain.example", "Plain")
    try service.run(
      "notes",
      "add",
      "--shown",
      "mon-fri 9:00-17:00",
      "--free-minutes",
      "20",
      "--delay",
      "5",
      "--delay-growth",
      "10",
      "http://planned.example/inbox?b=1",
      "Planned",
      "--page"
    )
    try notes.waitForIndex()
    let plans = try notes.notes().compactMap { $0["plan"] as? NSDictionary }
    _ = try browser.evaluateInBackground(
      """
      (async () => {
        await tickbird.answer({ type: "allow", site: "exempt.example", isAllowed: true });
        await api.storage.local.set({ noteDefaults: { emoji: "☕️", snoozeMinutes: 3, plan: {} } });
        await tickbird.answer({ type: "count-statistics", isOn: false });
        await tickbird.answer({ type: "set-badge", isShown: false });
      })()
      """
    )
    var file = ""
    try visitOptions("backup") { page throws in
      try expectReadable(page, browser)
      // The file as it would be saved.
      _ = try value(
        """
        (() => {
          URL.createObjectURL = (blob) => {
            blob.text().then((text) => { document.documentElement.dataset.saved = text; });
            return "about:blank";
          };
          HTMLAnchorElement.prototype.click = () => {};
        })()
        """,
        page
      )
      try press("#export", nil, page)
      file = try eventually("the file is written") {
        try value("document.documentElement.dataset.saved", page) as? String
      }
      try expectText("Exported.", page)
    }
    #expect(file.contains("planned.example/inbox?b=1") && file.contains(list))
    // Another machine, with nothing.
    for id in ["exempt.example"] {
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'allow', site: \(quoted(id)), isAllowed: false })"
      )
    }
    _ = try browser.evaluateInBackground(
      """
      (async () => {
        await api.storage.local.set({ noteDefaults: null });
        await tickbird.answer({ type: "count-statistics", isOn: true });
        await tickbird.answer({ type: "set-badge", isShown: true });
      })()
      """
    )
    for id in try lists() { try service.run("lists", "remove", id) }
    try service.run("lists", "own", "-", input: "")
    try notes.removeAll()
    try visitOptions("backup") { page throws in
      try choose(file: file.replacing("\"kind\": \"page\"", with: "\"kind\": \"all\""), page)
      try expectText("Nothing of settings.json was taken: notes[", page)
      try choose(file: file, page)
      for words in [
        "One new site", "One new list, which is fetched", "2 new notes",
        "What new notes begin with",
        "Statistics are switched off", "The number on the toolbar button is switched off", list,
        "The file brings one rule of your own", "||third.test/beacon", "exempt.example",
        "plain.example (The whole site): “Plain”", "On your own machine or network",
      ] { try expectText(words, page) }
      // It is shown before anything is done.
      #expect(try notes.notes().isEmpty && lists().isEmpty)
      try decidesAboutFile(page)
      try expectText("All is added.", page)
      try choose(file: file, page)
      try expectText("0 new notes", page)
      #expect(
        try value("document.querySelector('#import-plan button').disabled", page) as? Bool == true
      )
    }
    let back = try notes.notes()
    #expect(Set(back.compactMap { $0["text"] as? String }) == ["Plain", "Planned"])
    #expect(back.contains { $0["address"] as? String == "planned.example/inbox?b=1" })
    #expect(Set(back.compactMap { $0["plan"] as? NSDictionary }) == Set(plans))
    #expect(try lists().count == 2)
    let kept =
      try browser.evaluateInBackground(
        """
        [tickbird.state.settings.allowedSites.join(), String(tickbird.state.statistics.isOn),
          (await api.storage.local.get(["noteDefaults"])).noteDefaults.emoji,
          String(tickbird.state.settings.showsBadge)]
        """
      ) as? [String]
    #expect(kept == ["exempt.example", "false", "☕️", "false"])
    try session.visit("http://open.com/") { tab throws in
      try expect("http://third.test/pixel", comesToReach: false, tab)
      try expect("http://third.test/beacon", comesToReach: false, tab)
    }
    _ = try browser.evaluateInBackground(
      """
      (async () => {
        await api.storage.local.set({ noteDefaults: null });
        await tickbird.answer({ type: "count-statistics", isOn: true });
        await tickbird.answer({ type: "set-badge", isShown: true });
        await tickbird.answer({ type: "allow", site: "exempt.example", isAllowed: false });
      })()
      """
    )
    try service.run("lists", "own", "-", input: "")
    for id in try lists() { try service.run("lists", "remove", id) }
    try notes.removeAll()
  }

  /// A file's own rules, and the list on this machine, are decided about by keyboard before anything is added.
  private func decidesAboutFile(_ page: BrowserTab) throws {
    let canAdd = "!document.querySelector('#import-plan button').disabled"
    #expect(try value(canAdd, page) as? Bool == false)
    try expectReadable(page, browser)
    _ = try value("document.querySelector('#import').focus()", page)
    // The rules themselves are reached, so that they can be scrolled.
    try browser.press("Tab", in: page)
    #expect(try value("document.activeElement.className", page) as? String == "imported-rules")
    try browser.press("Tab", in: page)
    let chosen = "document.querySelector('[name=imported-rules]:checked')?.value ?? ''"
    try browser.press("ArrowDown", in: page)
    #expect(try value(chosen, page) as? String == "backup_own_discard")
    try browser.press("ArrowUp", in: page)
    #expect(try value(chosen, page) as? String == "backup_own_use")
    #expect(try value(canAdd, page) as? Bool == true)
    // The list of this machine is fetched only because the person says so of its very address.
    try browser.press("Tab", in: page)
    #expect(try value("document.activeElement.name", page) as? String == "imported-address")
    try browser.press(" ", in: page)
    #expect(try value("document.activeElement.checked", page) as? Bool == true)
    try browser.press("Tab", in: page)
    #expect(try value("document.activeElement.textContent", page) as? String == "Add them")
    try browser.press("Enter", in: page)
  }

  /// Chooses a file to import, as the person does.
  func choose(file: String, _ page: BrowserTab) throws {
    _ = try value(
      """
      (() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([\(quoted(file))], "settings.json", { type: "application/json" }));
        const field = document.getElementById("import");
        field.files = transfer.files;
        field.dispatchEvent(new Event("change"));
      })()
      """,
      page
    )
  }

  // MARK: The local app

  /// A button of the options page and of the pop-up opens the local app, which the host starts.
  func leadsToTheLocalApp() throws {
    session.server.answer { _ in .page("<p>News") }
    func opened() -> [String] {
      session.server.received.map(\.url).filter {
        $0.hasPrefix("http://127.0.0.1:") && $0.contains("/open?token=")
      }
    }
    try visitOptions("lists") { page throws in
      try press("#open-app", nil, page)
      let address = try eventually("the app is asked for its page") { opened().first }
      // The tests' server stands between browser and app; the app itself lets this address in.
      let status = try Tool.run(
        ["/usr/bin/curl", "-sL", "-b", "", "-o", "/dev/null", "-w", "%{http_code}", address]
      )
      #expect(status == "200")
    }
    let before = opened().count
    try session.visit("http://open.com/") { _ throws in
      let number = try #require(try session.number(ofTabAt: "http://open.com/"))
      let popUp = try browser.openTab()
      try browser.load(browser.extensionURL + "popup/popup.html?tab=\(number)", in: popUp)
      _ = try eventually("the pop-up is complete") {
        try count("#statistics-line:not([hidden])", popUp) == 1 ? true : nil
      }
      try press("#open-app", nil, popUp)
      _ = try eventually("the app is asked again") { opened().count > before ? true : nil }
    }
    #expect(Set(opened()).count == 1)
  }
}

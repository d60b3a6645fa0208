import BrowserDriving
import Foundation
import Synchronization
import Testing

/// The options page, and the pop-up where there is no list yet, with the product's own host.
struct OptionsLife {
  let session: Session
  let service: Service
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser, hasService: true)
    service = try #require(session.service)
    for list in try lists() { try service.run("lists", "remove", list) }
  }

  /// The names of the lists that are subscribed to.
  func lists() throws -> [String] {
    let json = try service.run("lists", "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let lists = try #require(object as? [[String: Any]], "\(json)")
    return lists.compactMap { $0["id"] as? String }
  }

  // MARK: Lists

  /// From nothing to a list that is updated, fails, comes back, is switched off and removed.
  func keepsLists() throws {
    let text = SharedText("! Title: Loopback\n||third.test/pixel\n")
    try service.removeLists(but: [])
    // A pop-up that is opened before shows what was there.
    _ = try eventually("no list is left") {
      try browser.evaluateInBackground("tickbird.state.lists.all.length") as? Int == 0 ? true : nil
    }
    session.server.answer { request in
      request.url.hasSuffix("/ads.txt") ? text.response : .page("<p>News")
    }
    try session.visit("http://open.com/") { tab throws in
      try withPopUp(of: "http://open.com/") { popUp throws in
        try expectText("Begin with a list", popUp)
        try expectText("From easylist.to", popUp)
        #expect(try count("#no-list-offers button", popUp) == 3)
        try expectReadable(popUp, browser)
      }
      #expect(!session.server.urls.contains { $0.contains("easylist") })
      try visitOptions("lists") { page throws in
        try expectText("You have no list yet.", page)
        try expectReadable(page, browser)
        try fill("list-address", "http://127.0.0.1:\(session.server.port)/missing.json.html", page)
        try submit("add-list", page)
        try expectText("a web page", page)
        try fill("list-address", "http://127.0.0.1:\(session.server.port)/ads.txt", page)
        try submit("add-list", page)
        try expectText("Loopback is on.", page)
        try expect("http://third.test/pixel", comesToReach: false, tab)
        // What is no list leaves the old one acting, and says so in both places.
        text.set("<!doctype html><title>Log in</title>")
        try press("#list-rows button", "Update", page)
        try expectText("Not updated", page)
        try expectText("The last update failed", page)
        try expect("http://third.test/pixel", comesToReach: false, tab)
      }
      try withPopUp(of: "http://open.com/") { popUp throws in
        try expectText("Not up to date", popUp)
      }
      try visitOptions("lists") { page throws in
        text.set("! Title: Loopback\n||third.test/beacon\n")
        try expectText("Loopback", page)
        try press("#list-rows button", "Update", page)
        try expectText("One list has changed.", page)
        try expect("http://third.test/beacon", comesToReach: false, tab)
        try expect("http://third.test/pixel", comesToReach: true, tab)
        try press("#list-rows input", nil, page)
        try expect("http://third.test/beacon", comesToReach: true, tab)
        try press("#list-rows input", nil, page)
        try expect("http://third.test/beacon", comesToReach: false, tab)
        try press("#list-rows button", "Remove", page)
        #expect(try lists().count == 1)
        try press("#list-rows button", "Remove this list?", page)
        try expectText("Loopback is removed.", page)
        try expect("http://third.test/beacon", comesToReach: true, tab)
        #expect(try lists().isEmpty)
      }
    }
  }

  // MARK: Own rules

  /// Rules that are written here act; a fault is named with its place, and changes nothing.
  func keepsOwnRules() throws {
    try service.run("lists", "own", "-", input: "")
    session.server.answer { _ in .page("<p>News") }
    try session.visit("http://open.com/") { tab throws in
      try visitOptions("own") { page throws in
        try expectText("You have none yet.", page)
        try expectReadable(page, browser)
        try fill("own-text", "||third.test/pixel\n! mine\n", page)
        try submit("own-form", page)
        try expectText("rules act.", page)
        try expect("http://third.test/pixel", comesToReach: false, tab)
        try fill("own-text", "[\n  {\"trigger\": {\"url-filter\": \"(\"}, \"action\": {}}\n]", page)
        try submit("own-form", page)
        try expectText("Not saved: ", page)
        try expect("http://third.test/pixel", comesToReach: false, tab)
        try press("#own-revert", nil, page)
        // Somebody else has changed them meanwhile.
        try service.run("lists", "own", "-", input: "||third.test/dot\n")
        try expect("http://third.test/dot", comesToReach: false, tab)
        try fill("own-text", "||third.test/beacon\n", page)
        try submit("own-form", page)
        try expectText("changed elsewhere", page)
        func typed() throws -> String? {
          try browser.evaluate("document.getElementById('own-text').value", in: page) as? String
        }
        #expect(try typed() == "||third.test/beacon\n")
        try expectReadable(page, browser)
        try press("#own-take-theirs", nil, page)
        #expect(try typed() == "||third.test/dot\n")
        try press("#own-bring-back", nil, page)
        #expect(try typed() == "||third.test/beacon\n")
        try service.run("lists", "own", "-", input: "||third.test/line\n")
        try submit("own-form", page)
        try expectText("changed elsewhere", page)
        try press("#own-both", nil, page)
        #expect(try typed() == "||third.test/beacon\n||third.test/line\n")
        try submit("own-form", page)
        try expectText("rules act.", page)
        try expect("http://third.test/line", comesToReach: false, tab)
        try expect("http://third.test/beacon", comesToReach: false, tab)
        try fill("own-text", "", page)
        try submit("own-form", page)
        try expectText("You have none yet.", page)
        try expect("http://third.test/line", comesToReach: true, tab)
      }
    }
  }

  // MARK: Sites and notes

  /// Sites go in and out; notes are found, changed and deleted.
  func keepsSitesAndNotes() throws {
    try visitOptions("sites") { page throws in
      try expectText("There is none yet.", page)
      try fill("site-address", "about:blank", page)
      try submit("add-site", page)
      try expectText("is not the address of a site", page)
      for ending in ["com", "https://github.io/"] {
        try fill("site-address", ending, page)
        try submit("add-site", page)
        try expectText("is no site, but an ending that many sites share", page)
      }
      try fill("site-address", "www.exempt.example/path", page)
      try submit("add-site", page)
      _ = try eventually("the site is there") {
        try browser.evaluateInBackground("tickbird.state.settings.allowedSites.join()") as? String
          == "exempt.example" ? true : nil
      }
      try expectReadable(page, browser)
      try press("#site-rows button", "Remove", page)
      try expectText("There is none yet.", page)
    }
    let notes = try NoteLife(session)
    for number in 1...60 { try service.run("notes", "add", "n\(number).example", "Note \(number)") }
    try visitOptions("notes") { page throws in
      try expectText("Notes 1 to 50 of 60", page)
      #expect(try count("#note-rows > li", page) == 50)
      try expectReadable(page, browser)
      try press("#more-notes", nil, page)
      try expectText("Notes 51 to 60 of 60", page)
      #expect(try count("#note-rows > li", page) == 10)
      try fill("note-search", "n7.example", page)
      try expectText("One note", page)
      try press("#note-rows button", "Edit", page)
      _ = try browser.evaluate(
        "document.querySelector('#note-rows textarea').value = 'New'",
        in: page
      )
      try press("#note-rows button", "Save", page)
      _ = try eventually("it is changed") {
        try notes.notes().contains { $0["text"] as? String == "New" } ? true : nil
      }
      try press("#note-rows button", "Delete", page)
      try press("#note-rows button", "Delete this note?", page)
      try expectText("No note has “n7.example”.", page)
      #expect(try notes.notes().count == 59)
    }
    try notes.removeAll()
  }

  // MARK: Pictures

  /// Writes pictures of the options page's parts, and of the pop-up where there is no list.
  func isPictured(in folder: URL) throws {
    let notes = try NoteLife(session)
    session.server.answer { request in
      request.url.hasSuffix("/ads.txt")
        ? .init("text/plain", "! Title: Neighbourhood list\n! Licence: CC0\n||third.test/pixel\n")
        : .page("<p>News")
    }
    for isDark in [false, true] {
      try browser.setDark(isDark)
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try session.visit("http://open.com/") { _ in
        try withPopUp(of: "http://open.com/") { popUp throws in
          try expectText("From easylist.to", popUp)
          try pictures.take("popup-begin", 380, 520, of: popUp)
        }
      }
      try service.run("lists", "add", "http://127.0.0.1:\(session.server.port)/ads.txt")
      let planned = ["--shown", "mon-fri 9:00-17:00", "--free-minutes", "20", "--delay", "5"]
      try service.run(["notes", "add"] + planned + ["news.example", "Once a day is enough."])
      try visitOptions("lists") { try pictures.take("options-lists", 900, 900, of: $0) }
      try visitOptions("sites") { try pictures.take("options-sites", 900, 500, of: $0) }
      try visitOptions("notes") { page throws in
        try expectText("One note", page)
        try press("#note-rows button", "Edit", page)
        try pictures.take("options-notes", 900, 900, of: page)
      }
      try visitOptions("backup") { try pictures.take("options-backup", 900, 500, of: $0) }
      for list in try lists() { try service.run("lists", "remove", list) }
      try notes.removeAll()
    }
    try browser.setDark(false)
  }

  // MARK: Means

  /// Visits a part of the options page.
  func visitOptions(_ part: String, _ body: (BrowserTab) throws -> Void) throws {
    try session.visit(browser.extensionURL + "options/options.html#\(part)") { page throws in
      _ = try eventually("the part is shown") { () -> Bool? in
        try browser.evaluate("document.documentElement.dataset.shown", in: page) as? String == part
          ? true : nil
      }
      try body(page)
    }
  }

  /// Opens the pop-up of the tab that shows a URL, as a page of its own.
  func withPopUp(of url: String, _ body: (BrowserTab) throws -> Void) throws {
    let number = try #require(try session.number(ofTabAt: url))
    try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") { try body($0) }
  }

  func expect(_ url: String, comesToReach isWanted: Bool, _ tab: BrowserTab) throws {
    _ = try eventually("\(url) is \(isWanted ? "let through" : "stopped")") {
      try session.reaches(url, from: tab) == isWanted ? true : nil
    }
  }

  func expectText(_ text: String, _ page: BrowserTab) throws {
    try browser.expectText(text, in: page)
  }

  func count(_ selector: String, _ page: BrowserTab) throws -> Int {
    try browser.evaluate("document.querySelectorAll(\(quoted(selector))).length", in: page) as? Int
      ?? -1
  }

  /// Fills a field in, as typing would.
  func fill(_ id: String, _ value: String, _ page: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.getElementById(\(quoted(id)));
        field.value = \(quoted(value));
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()
      """,
      in: page
    )
  }

  func submit(_ form: String, _ page: BrowserTab) throws {
    _ = try browser.evaluate(
      "document.getElementById(\(quoted(form))).requestSubmit()",
      in: page
    )
  }

  /// Presses the first element with these words, or the first at all, as soon as it is there.
  func press(_ selector: String, _ words: String?, _ page: BrowserTab) throws {
    _ = try eventually("there is \(selector) “\(words ?? "")”") { () -> Bool? in
      try browser.evaluate(
        """
        (() => {
          const words = \(words.map(quoted) ?? "null");
          const found = [...document.querySelectorAll(\(quoted(selector)))]
            .find((each) => !each.disabled && (words === null || each.textContent === words));
          found?.click();
          return !!found;
        })()
        """,
        in: page
      ) as? Bool == true ? true : nil
    }
  }
}

/// A list's text that changes, with its tag.
private final class SharedText: Sendable {
  private let text: Mutex<String>

  init(_ text: String) { self.text = Mutex(text) }

  func set(_ new: String) { text.withLock { $0 = new } }

  var response: LoopbackServer.Response {
    .init("text/plain; charset=utf-8", text.withLock { $0 })
  }
}

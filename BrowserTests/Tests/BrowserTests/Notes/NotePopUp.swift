import BrowserDriving
import Foundation
import Testing

/// The pop-up's notes: scenarios 4.1 and 4.3.
extension NoteLife {
  /// Opens the pop-up of the tab that shows a URL, as a page of its own.
  func withPopUp<Result>(of url: String, _ body: (BrowserTab) throws -> Result) throws -> Result {
    let number = try #require(try session.number(ofTabAt: url))
    return try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") {
      popUp throws in
      _ = try eventually("the pop-up shows the notes") { () -> Bool? in
        try browser.evaluate("!!document.querySelector('#notes-title')", in: popUp) as? Bool == true
          ? true : nil
      }
      return try body(popUp)
    }
  }

  /// Presses a button of the pop-up by its words.
  func press(_ words: String, _ popUp: BrowserTab) throws {
    _ = try eventually("there is a button “\(words)”") { () -> Bool? in
      try browser.evaluate(
        """
        (() => {
          const button = [...document.querySelectorAll("#notes button")]
            .findLast((each) => each.textContent === \(quoted(words)));
          button?.click();
          return !!button;
        })()
        """,
        in: popUp
      ) as? Bool == true ? true : nil
    }
  }

  /// Fills a field in, as typing would.
  func fill(_ field: String, _ value: String, _ popUp: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.getElementById(\(quoted("note-" + field)));
        field.value = \(quoted(value));
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()
      """,
      in: popUp
    )
  }

  func expectText(_ text: String, _ popUp: BrowserTab) throws {
    try browser.expectText(text, in: popUp)
  }

  /// Added on the site and on one page, shown, changed, deleted; nothing that was typed is lost.
  func isKeptInThePopUp() throws {
    serve("Shop")
    let url = "http://www.shop.example/shoes/red?size=40"
    try session.visit(url) { tab throws in
      try withPopUp(of: url) { popUp throws in
        try press("Add a note", popUp)
        try expectReadable(popUp, browser)
        #expect(
          try browser.evaluate(
            "[...document.querySelectorAll('#note-kind option')].map((each) => each.textContent)",
            in: popUp
          ) as? [String] == [
            "All of shop.example", "www.shop.example, not what is below it",
            "Everything below www.shop.example/shoes/red", "Only this page",
          ]
        )
        try fill("text", "Are the old ones\nworn <out>?", popUp)
        try fill("emoji", "👟", popUp)
      }
      // Closed before it was saved.
      try withPopUp(of: url) { popUp throws in
        #expect(
          try browser.evaluate("document.getElementById('note-text').value", in: popUp) as? String
            == "Are the old ones\nworn <out>?"
        )
        try fill("minutes", "30", popUp)
        try press("Save", popUp)
        try expectText("All of shop.example", popUp)
      }
      // The open page gets it.
      #expect(try expectNote(tab) == "Are the old ones\nworn <out>?")
      try session.visit("http://shop.example/") { other in _ = try expectNote(other) }
      try withPopUp(of: url) { popUp throws in
        try expectText("Shown 2 times", popUp)
        try press("Edit", popUp)
        try fill("text", " ", popUp)
        try press("Save", popUp)
        try expectText("The text is empty; write what the note is to say.", popUp)
        try fill("text", "No.", popUp)
        try fill("kind", "page", popUp)
        try press("Save", popUp)
        try expectText("Only this page", popUp)
      }
      // The form has the words as well.
      let note = try eventually("the note is the page's") {
        try notes().first { $0["kind"] as? String == "page" }
      }
      #expect(note["emoji"] as? String == "👟")
      #expect(note["address"] as? String == "www.shop.example/shoes/red?size=40")
      #expect(note["snoozeMinutes"] as? Int == 30)
      _ = try eventually("the new text is shown") { () -> Bool? in
        try browser.element(".words", in: tab)?.text == "No." ? true : nil
      }
      try session.visit("http://shop.example/") { try expectPage($0, "Shop") }
      try choose("view", tab)
      try expectPage(tab, "Shop")
      try withPopUp(of: url) { popUp throws in
        try expectText("rests until", popUp)
        try press("Show again", popUp)
        try expectText("Shown", popUp)
        #expect(try expectNote(tab) == "No.")
        try press("Delete", popUp)
        try expectText("Delete this note?", popUp)
        #expect(try notes().count == 1)
        try press("Delete", popUp)
        try expectText("A note is shown in place of the page", popUp)
      }
      try expectPage(tab, "Shop")
      #expect(try notes().isEmpty)
    }
    try settles()
  }

  /// Two devices have written at once.
  private func settles() throws {
    let id = try add("http://shop.example/", "Mine", "--page")
    let folder = service.home.appending(path: "Sync")
    let other = Service(home: service.home.appending(path: "Other"))
    for place in [folder, other.home] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    try service.run("notes", "sync", "on", folder.path)
    let told = try service.run("notes", "key", "show")
    let key = try #require(
      told.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("tbk1-") }
    )
    try other.run("notes", "sync", "on", folder.path, "--key", input: "\(key)\n")
    try service.run("notes", "sync")
    try other.run("notes", "sync")
    // Neither knows of the other's text.
    try service.run("notes", "sync", "off")
    try service.run("notes", "edit", id, "--text", "Ours")
    try other.run("notes", "edit", id, "--text", "Theirs")
    try service.run("notes", "sync", "on", folder.path)
    try service.run("notes", "sync")
    try service.run("notes", "sync", "off")
    #expect(try notes().first?["otherTexts"] as? [String] != [])
    try waitForIndex()
    let url = "http://shop.example/"
    try session.visit(url) { tab throws in
      #expect(try expectNote(tab).contains("Also written, on another device:"))
      try withPopUp(of: url) { popUp throws in
        try expectText("Another device wrote at the same time:", popUp)
        try press("Take this one", popUp)
        try expectText("Only this page", popUp)
        _ = try eventually("one text is left") { () -> Bool? in
          (try notes().first?["otherTexts"] as? [String])?.isEmpty == true ? true : nil
        }
      }
    }
  }
}

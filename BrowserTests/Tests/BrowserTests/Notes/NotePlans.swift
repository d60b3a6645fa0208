import BrowserDriving
import Foundation
import Testing

/// Notes that are shown at times, after something free, or after a wait; and focus sessions.
extension NoteLife {
  /// "View Website" waits, and says for how long.
  func letsViewingWait() throws {
    serve("Words")
    let id = try add("waiting.example", "Breathe", "--delay", "3", "--delay-growth", "60")
    try session.visit("http://waiting.example/") { tab throws in
      #expect(try expectNote(tab) == "Breathe")
      try expectView("View Website (", in: tab)
      // A click is no use before.
      try pressView(tab)
      #expect(try browser.element(".words", in: tab)?.text == "Breathe")
      try expectView("View Website", in: tab, isWhole: true)
      try pressView(tab)
      try expectPage(tab, "Words")
      _ = try eventually("the view is counted") { try counts(id) == [1, 0, 1] ? true : nil }
      try endSnoozing()
      try browser.load("http://waiting.example/again", in: tab)
      try expectNote(tab)
      // A minute longer, and the record of it.
      try expectView("View Website (6", in: tab)
      #expect(try browser.element(".record", in: tab)?.text == "You left 0 of 1 time.")
      try choose("leave", tab)
    }
  }

  /// Each time that the page is viewed on a day makes the next wait longer, up to ten minutes.
  func letsEachViewWaitLonger() throws {
    serve("Words")
    let id = try add("growing.example", "Again?", "--delay", "2", "--delay-growth", "299")
    try session.visit("http://growing.example/") { tab throws in
      try expectNote(tab)
      try expectView("View Website", in: tab, isWhole: true)
      try pressView(tab)
      try expectPage(tab, "Words")
      for (views, seconds) in [(1, 301), (2, 600), (3, 600)] {
        _ = try eventually("the view is counted") { try counts(id)[2] == views ? true : nil }
        try endSnoozing()
        try browser.load("http://growing.example/\(views)", in: tab)
        try expectNote(tab)
        let wait = try eventually("it is said how long it waits") { () -> Int? in
          let words = try browser.element("button.view", in: tab)?.text ?? ""
          return words.firstMatch(of: /\((\d+)\)/).flatMap { Int($0.1) }
        }
        #expect((seconds - 10...seconds).contains(wait))
        // Another browser lets it be viewed meanwhile.
        _ = try browser.evaluateInBackground(
          """
          tickbird.answer({ type: "change-note", tabId: -1,
            request: { request: "snooze", id: \(quoted(id)) } })
          """
        )
        try expectPage(tab, "Words")
      }
    }
  }

  /// When the free minutes of a day end, the note comes over the open page, and what was typed stays.
  func returnsWhenTheFreeMinutesEnd() throws {
    session.server.answer { _ in .page("<body><h1>Form</h1><textarea id=field></textarea>") }
    let id = try add("minutes.example", "Enough", "--free-minutes", "2")
    try session.visit("http://minutes.example/") { tab throws in
      try expectPage(tab, "Form")
      let field = try #require(try browser.element("#field", in: tab))
      try browser.click(field, in: tab)
      try browser.type("half a sent", in: tab)
      // Two minutes in front, as they are told every few seconds.
      _ = try browser.evaluateInBackground(
        """
        (async () => {
          for (let told = 0; told < 24; told += 1) {
            const note = tickbird.state.notes.find("http://minutes.example/");
            await tickbird.state.notes.use(note, { seconds: 5 });
          }
        })()
        """
      )
      #expect(try expectNote(tab) == "Enough")
      #expect(
        try browser.evaluate("document.getElementById('field').value", in: tab) as? String
          == "half a sent"
      )
      #expect(try counts(id)[0] == 1)
      try choose("view", tab)
      try expectPage(tab, "Form")
      #expect(
        try browser.evaluate("document.getElementById('field').value", in: tab) as? String
          == "half a sent"
      )
    }
  }

  /// What is free of a day comes first, then the note.
  func leavesVisitsFree() throws {
    serve("Words")
    let id = try add("free.example", "Enough", "--free-visits", "1", "--snooze", "30")
    try session.visit("http://free.example/") { tab throws in
      try expectPage(tab, "Words")
      // The visit goes on from page to page.
      _ = try eventually("the visit lasts") { () -> Bool? in
        try notes().first?["isSnoozed"] as? Bool == true ? true : nil
      }
      try browser.load("http://free.example/next", in: tab)
      try expectPage(tab, "Words")
      try endSnoozing()
      try browser.load("http://free.example/more", in: tab)
      #expect(try expectNote(tab) == "Enough")
      #expect(try counts(id)[2] == 0)
      // Today is not one of the days on which it is shown.
      let day = Calendar.current.component(.weekday, from: Date())
      let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
      let other = names[(day + 2) % 7]
      try service.run("notes", "edit", id, "--always")
      try service.run("notes", "edit", id, "--shown", other)
      try expectPage(tab, "Words")
    }
  }

  /// A focus session shows notes that rest, lets nobody past them, and ends.
  func focuses() throws {
    serve("Words")
    let id = try add("focus.example", "Work")
    try service.run("notes", "snooze", id)
    try waitForIndex()
    try session.visit("http://focus.example/") { tab throws in
      try expectPage(tab, "Words")
      try service.run("notes", "focus", "25")
      // The page is open, so the note is announced; a new page does not wait.
      try browser.load("http://focus.example/new", in: tab)
      #expect(try expectNote(tab) == "Work")
      try expectView("Focus until ", in: tab)
      #expect(throws: (any Error).self) {
        _ = try browser.evaluateInBackground(
          "tickbird.state.noteTabs.choose({ tab: { id: \(try session.number(ofTabAt: "http://focus.example/new") ?? -1) }, frameId: 0 }, 'view')"
        )
      }
      #expect(try browser.element(".words", in: tab)?.text == "Work")
      try service.run("notes", "focus", "--off")
      try expectPage(tab, "Words")
    }
  }

  /// A plan is made in the pop-up, kept while it is typed, and shown again.
  func isPlannedInThePopUp() throws {
    serve("Shop")
    let url = "http://planned.example/"
    try session.visit(url) { tab throws in
      try withPopUp(of: url) { popUp throws in
        try press("Add a note", popUp)
        try fill("text", "Later", popUp)
        try press("Only at certain times", popUp)
        try change(".plan-row .from", "20:30", popUp)
        try change(".plan-row .to", "00:00", popUp)
      }
      try withPopUp(of: url) { popUp throws in
        #expect(
          try browser.evaluate("document.querySelector('.plan-row .from').value", in: popUp)
            as? String == "20:30"
        )
        try change(".plan select", "visits", popUp)
        try press("Save", popUp)
        try expectText("All of planned.example", popUp)
      }
      let note = try eventually("the note is there") { try notes().first }
      let plan = try #require(note["plan"] as? [String: Any])
      #expect(
        plan as NSDictionary == [
          "limit": ["visits": 10], "times": [["days": [1, 2, 3, 4, 5], "from": 1230, "to": 1440]],
        ]
      )
      _ = tab
    }
  }

  // MARK: Means

  /// Waits until the button "View Website" has words, or begins with them.
  private func expectView(_ words: String, in tab: BrowserTab, isWhole: Bool = false) throws {
    _ = try eventually("the button says “\(words)”") { () -> Bool? in
      let text = try browser.element("button.view", in: tab)?.text ?? ""
      return (isWhole ? text == words : text.hasPrefix(words)) ? true : nil
    }
  }

  /// Presses "View Website", which hears as soon as it counts.
  private func pressView(_ tab: BrowserTab) throws {
    try browser.click(try #require(try browser.element("button.view", in: tab)), in: tab)
  }

  /// Gives a field of the form a value, as choosing would.
  private func change(_ selector: String, _ value: String, _ popUp: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.querySelector(\(quoted(selector)));
        field.value = \(quoted(value));
        for (const name of ["input", "change"]) {
          field.dispatchEvent(new Event(name, { bubbles: true }));
        }
      })()
      """,
      in: popUp
    )
  }
}

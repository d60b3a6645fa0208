import BrowserDriving
import Testing

extension NoteLife {
  /// A note stands before a page that was loaded ahead, once somebody goes to it; not if it rests then.
  func standsBeforePagesLoadedAhead() throws {
    let ahead = Prerendering(in: session)
    let id = try add(Prerendering.next, "Not next", "--page")
    ahead.serve()
    try ahead.open { tab in
      #expect(try counts(id) == [0, 0, 0])
      try ahead.go(tab)
      let shown = try #require(try browser.tab(at: Prerendering.next))
      #expect(try expectNote(shown) == "Not next")
      _ = try eventually("it is counted") { try counts(id) == [1, 0, 0] ? true : nil }
      try choose("view", shown)
      try expectPage(shown, "Next")
    }
    try endSnoozing()
    ahead.serve()
    try ahead.open { tab in
      try service.run("notes", "snooze", id)
      try waitForIndex()
      try ahead.go(tab)
      let shown = try #require(try browser.tab(at: Prerendering.next))
      try expectPage(shown, "Next")
      _ = try eventually("the page's scripts run") {
        session.server.urls.contains("http://first.test/ran") ? true : nil
      }
      #expect(try counts(id) == [1, 0, 1])
    }
  }
}

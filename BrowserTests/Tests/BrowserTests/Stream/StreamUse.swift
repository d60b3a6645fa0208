import BrowserDriving
import Foundation
import Testing

/// What a person does with the stream day by day.
extension StreamLife {
  /// One of a page's feeds is chosen and taken away again; faults are told of, and many links come
  /// page by page.
  func choosesAndPages() throws {
    try forgetFeeds()
    feeds.set(
      "/two",
      text: """
        <!doctype html><title>Two</title>
        <link rel="alternate" type="application/rss+xml" title="Articles" href="articles.xml">
        <link rel="alternate" type="application/atom+xml" title="Comments" href="comments.xml">
        """
    )
    feeds.set("/articles.xml", title: "Articles", [("A", 1)])
    let many = (0..<130).map { number in
      "<item><title>\(number)</title><link>/\(number)</link><guid>\(number)</guid></item>"
    }
    feeds.set(
      "/comments.xml",
      text: "<rss><channel><title>Comments</title>\(many.joined())</channel></rss>"
    )
    let page = feeds.page.replacing("/news", with: "/two")
    try session.visit(page) { tab in
      let tabID = try #require(try session.number(ofTabAt: page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
        let first = "#feeds li:nth-child(1) button"
        let second = "#feeds li:nth-child(2) button"
        for button in [first, second] {
          try expectText("both are offered", "Subscribe", button, popUp)
        }
        try browser.click(second, in: popUp)
        try expectText("the second is subscribed to", "Unsubscribe", second, popUp)
        try expectText("the first is not", "Subscribe", first, popUp)
        try browser.click(first, in: popUp)
        try expectText("now it is", "Unsubscribe", first, popUp)
        // The links go with the feed, so it takes two presses.
        try browser.click(first, in: popUp)
        try expectText("it asks", "Remove 1 link?", first, popUp)
        #expect(try links().count == 131)
        try browser.click(first, in: popUp)
        try expectText("it is gone", "Subscribe", first, popUp)
        #expect(try links().count == 130)
      }
      let panel = try openPanel(beside: tab)
      try pagesThrough(panel)
      try expectReadable(panel, browser)
      try usesKeysAndMarks(panel, tab)
      try tellsOfFaults(panel)
    }
    try forgetFeeds()
  }

  private func count(_ selector: String, _ panel: BrowserTab) throws -> Int {
    try browser.evaluate("document.querySelectorAll(\(quoted(selector))).length", in: panel) as? Int
      ?? 0
  }

  private func pagesThrough(_ panel: BrowserTab) throws {
    _ = try eventually("the first page is shown") {
      try count("#days li", panel) == 60 ? true : nil
    }
    for wanted in [120, 130] {
      _ = try browser.evaluate(
        "document.querySelector('#stream').scrollTo(0, 1e6)",
        in: panel
      )
      _ = try eventually("\(wanted) links are shown") {
        try count("#days li", panel) == wanted ? true : nil
      }
    }
    let shown = try browser.evaluate(
      "[...document.querySelectorAll('#days .title .words')].map((title) => Number(title.textContent))",
      in: panel
    )
    #expect(shown as? [Int] == Array(0..<130))
    #expect(
      try browser.evaluate("document.querySelector('#more').hidden", in: panel) as? Bool == true
    )
  }

  private func usesKeysAndMarks(_ panel: BrowserTab, _ tab: BrowserTab) throws {
    func press(_ key: String) throws {
      _ = try browser.evaluate(
        """
        (document.activeElement ?? document.body).dispatchEvent(
          new window.KeyboardEvent("keydown", { key: \(quoted(key)), bubbles: true, cancelable: true }))
        """,
        in: panel
      )
    }
    for key in ["ArrowDown", "j", "j", "k"] { try press(key) }
    let place = "[...document.querySelectorAll('#days a')].indexOf(document.activeElement)"
    #expect(try browser.evaluate(place, in: panel) as? Int == 1)
    try press("m")
    _ = try eventually("it is marked as read") {
      try unread().count == 129 ? true : nil
    }
    _ = try browser.evaluate("document.querySelectorAll('#days .mark')[1].click()", in: panel)
    _ = try eventually("it is marked as unread") {
      try unread().count == 130 ? true : nil
    }
    // With Ctrl a link opens in a tab of its own, and the old one stays where it is.
    _ = try browser.evaluate(
      """
      document.querySelectorAll("#days a")[2].dispatchEvent(
        new window.MouseEvent("click", { ctrlKey: true, bubbles: true, cancelable: true }))
      """,
      in: panel
    )
    let address = "http://127.0.0.1:\(session.server.port)/2"
    let opened = try eventually("another tab is open") { try session.number(ofTabAt: address) }
    #expect(try browser.evaluate("location.pathname", in: tab) as? String == "/two")
    _ = try browser.evaluateInBackground("api.tabs.remove(\(opened)).then(() => true)")
  }

  private func tellsOfFaults(_ panel: BrowserTab) throws {
    feeds.set("/comments.xml", text: "No feed at all.")
    _ = try browser.evaluate("document.querySelector('#refresh').click()", in: panel)
    _ = try eventually("the fault is reported") {
      try text("#notices", panel).contains("1 of your subscriptions could not be fetched")
        ? true
        : nil
    }
    _ = try browser.evaluate("document.querySelector('#notices button').click()", in: panel)
    _ = try eventually("its reason is reported") {
      try text("#source-rows .fault", panel).contains("Not fetched: ") ? true : nil
    }
    #expect(try count("#days li", panel) == 130)
  }
}

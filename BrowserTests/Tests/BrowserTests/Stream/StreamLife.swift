import BrowserDriving
import Foundation
import Testing

/// The stream of Shared Links with the product's own host: in the pop-up, and in the panel.
struct StreamLife {
  let session: Session
  let service: Service
  let feeds: Feeds

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser, hasService: true)
    service = try #require(session.service)
    feeds = Feeds(server: session.server)
  }

  var browser: any Browser { session.browser }

  /// Subscribed to from the pop-up of a page; then its links are read in the panel.
  func lives() throws {
    try forgetFeeds()
    feeds.set("/feed.xml", [("Third", 3), ("Second & last", 2), ("First", 1)])
    try session.visit(feeds.page) { tab in
      let tabID = try #require(try session.number(ofTabAt: feeds.page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
        try expectText("the page's feed is offered", "Subscribe", "#feeds button", popUp)
        #expect(try text("#feeds", popUp).contains("The Daily"))
        try browser.click("#feeds button", in: popUp)
        try expectText("it is subscribed to", "Unsubscribe", "#feeds button", popUp)
        #expect(try text("#feeds", popUp).contains("Subscribed, 3 links"))
        #expect(try service.run("links", "feeds").contains("Daily"))
      }
      let panel = try openPanel(beside: tab)
      try expect(["Third", "Second & last", "First"], panel)
      #expect(try text("#status", panel) == "3 unread")
      _ = try eventually("the icon is shown") {
        try browser.evaluate(
          "[...document.querySelectorAll('#days img')].filter((i) => i.naturalWidth > 0).length",
          in: panel
        ) as? Int == 3 ? true : nil
      }
      try search("SECO", panel)
      try expect(["Second & last"], panel)
      _ = try eventually("the number of hits is reported") {
        try text("#status", panel) == "1 link found" ? true : nil
      }
      try search("", panel)
      try expect(["Third", "Second & last", "First"], panel)

      // A click opens the link in the tab and marks it.
      _ = try browser.evaluate("document.querySelectorAll('#days a')[1].click()", in: panel)
      _ = try eventually("the link is open") {
        try browser.evaluate("location.pathname", in: tab) as? String == "/articles/2" ? true : nil
      }
      try expectUnread(["Third", "First"], panel)
      // The panel shows the mark before the host has written it.
      _ = try eventually("the mark is in the database") {
        try unread() == ["Third", "First"] ? true : nil
      }

      // What a command does shows, too.
      let first = try #require(try links().first { $0.title == "First" })
      try service.run("links", "read", "\(first.id)")
      try expectUnread(["Third"], panel)
      feeds.set("/feed.xml", [("Fourth", 4), ("Third", 3)])
      try service.run("links", "refresh", "--force")
      try expect(["Fourth", "Third", "Second & last", "First"], panel)
      try expectUnread(["Fourth", "Third"], panel)

      // So does what the service's absence and a new host bring.
      let host = try browser.evaluateInBackground("tickbird.state.host.ask({ request: 'hello' })")
      let process = try #require((host as? [String: Any])?["process"] as? Int)
      kill(Int32(process), SIGKILL)
      try service.run("links", "unread", "\(first.id)")
      try expectUnread(["Fourth", "Third", "First"], panel)
      _ = try browser.evaluate("document.querySelector('#mark-all').click()", in: panel)
      try expectUnread([], panel)
      #expect(try unread() == [])
    }
  }

  /// Opens the panel from the pop-up of a tab.
  func openPanel(beside tab: BrowserTab) throws -> BrowserTab {
    let url = try #require(try browser.evaluate("location.href", in: tab) as? String)
    let tabID = try #require(try session.number(ofTabAt: url))
    return try session.visit(browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
      // What comes later would move the button away.
      _ = try eventually("the pop-up is complete") {
        try browser.evaluate(
          "'shown' in document.documentElement.dataset && !document.querySelector('#open-stream').hidden",
          in: popUp
        ) as? Bool == true ? true : nil
      }
      try browser.click("#open-stream", in: popUp)
      return try browser.panel("stream/stream.html")
    }
  }

  // MARK: What is there

  func forgetFeeds() throws {
    let data = Data(try service.run("links", "feeds", "--format", "json").utf8)
    for feed in try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? [] {
      if let id = feed["id"] as? Int { try service.run("links", "remove", "\(id)") }
    }
  }

  func links() throws -> [(id: Int, title: String, isRead: Bool)] {
    let data = Data(try service.run("links", "list", "--format", "json", "--limit", "1000").utf8)
    let links = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    return links.compactMap { link in
      guard let id = link["id"] as? Int, let title = link["title"] as? String,
        let isRead = link["isRead"] as? Bool
      else { return nil }
      return (id, title, isRead)
    }
  }

  func unread() throws -> [String] { try links().filter { !$0.isRead }.map(\.title) }

  // MARK: What is shown

  func text(_ selector: String, _ tab: BrowserTab) throws -> String {
    let text = try browser.evaluate(
      "document.querySelector(\(quoted(selector)))?.innerText",
      in: tab
    )
    return text as? String ?? ""
  }

  func expectText(
    _ what: String,
    _ word: String,
    _ selector: String,
    _ tab: BrowserTab
  ) throws {
    _ = try eventually(what) { try text(selector, tab) == word ? true : nil }
  }

  func expect(_ titles: [String], _ panel: BrowserTab) throws {
    try expect(titles, "#days li .title .words", panel)
  }

  func expectUnread(_ titles: [String], _ panel: BrowserTab) throws {
    try expect(titles, "#days li.unread .title .words", panel)
  }

  func expect(_ titles: [String], _ selector: String, _ panel: BrowserTab) throws {
    var last: [String] = []
    do {
      _ = try eventually("the panel shows \(titles)") {
        last =
          try browser.evaluate(
            "[...document.querySelectorAll(\(quoted(selector)))].map((e) => e.textContent)",
            in: panel
          ) as? [String] ?? []
        return last == titles ? true : nil
      }
    } catch {
      Issue.record("\(error); it shows \(last)")
      throw error
    }
  }

  func search(_ words: String, _ panel: BrowserTab) throws {
    _ = try browser.evaluate(
      """
      (() => {
        const field = document.querySelector("#search");
        field.value = \(quoted(words));
        field.dispatchEvent(new Event("input"));
      })()
      """,
      in: panel
    )
  }
}

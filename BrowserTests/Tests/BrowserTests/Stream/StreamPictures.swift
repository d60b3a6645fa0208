import BrowserDriving
import Foundation

/// Pictures of the stream with links as people have them.
struct StreamPictures {
  private let life: StreamLife
  private let folder: URL

  init(_ browser: TestBrowser, _ folder: URL) throws {
    life = try StreamLife(browser)
    self.folder = folder
  }

  private struct Site {
    let name: String
    let symbol: String
    let colour: String
    /// Title, text, minutes ago.
    let items: [(title: String, text: String, minutes: Int)]
  }

  private static let sites = [
    Site(
      name: "Big Bear’s Golf Blog",
      symbol: "⛳",
      colour: "#2f7d4f",
      items: [
        (
          "Five courses by the sea, and what the wind does to your swing",
          "From Ballybunion to Bandon: where to go when the forecast says twenty knots.", 12
        ),
        (
          "The short game, explained with a kitchen scale",
          "Loft, bounce and grind are less of a mystery once you weigh them.", 1_560
        ),
      ]
    ),
    Site(
      name: "Cute Puppies & Cats",
      symbol: "🐾",
      colour: "#b4582c",
      items: [
        ("Biscuit meets the vacuum cleaner, part two", "", 95),
        (
          "How to introduce a kitten to a dog who has opinions",
          "Slowly, with a door between them, and with patience for both.", 3_100
        ),
      ]
    ),
    Site(
      name: "Rail & Sail",
      symbol: "🚆",
      colour: "#34528f",
      items: [
        (
          "Night trains are back: eleven new lines for the winter timetable",
          "Vienna to Rotterdam, Malmö to Basel, and a sleeper that takes bicycles.", 210
        ),
        ("An afternoon on the ferry nobody takes", "It leaves at 14:10, if at all.", 4_700),
      ]
    ),
    Site(
      name: "Type & Paper",
      symbol: "✒️",
      colour: "#5b3f7a",
      items: [
        (
          "Why small caps were right all along",
          "A short history of a detail that nobody asks for and everybody notices.", 380
        ),
        ("Reading lamp, reviewed by someone who reads", "", 1_900),
      ]
    ),
  ]

  /// The page beside the stream.
  private static let article = """
    <!doctype html><meta charset="utf-8"><title>The Daily</title>
    <link rel="alternate" type="application/rss+xml" title="The Daily" href="feed.xml">
    <style>
      body { max-width: 32em; margin: 3em auto; padding: 0 2em; font: 17px/1.6 serif; color: #222; }
      h1 { font-size: 30px; line-height: 1.2; }
    </style>
    <h1>The ferry that waits for nobody</h1>
    <p>It has crossed the sound twice a day since 1911, and it has never once left late. Those who
    miss it say that it leaves early.
    <p>“A timetable is a promise,” says its captain, who has kept this one for nineteen years, in fog,
    in ice, and on the morning of her own wedding.
    """

  /// The icons are drawn by the browser.
  private func icon(_ site: Site, in tab: BrowserTab) throws -> Data {
    let text = try life.browser.evaluate(
      """
      (() => {
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        const context = canvas.getContext("2d");
        context.fillStyle = \(quoted(site.colour));
        context.roundRect(0, 0, 64, 64, 14);
        context.fill();
        context.font = "38px sans-serif";
        context.textAlign = "center";
        context.textBaseline = "middle";
        context.fillText(\(quoted(site.symbol)), 32, 35);
        return canvas.toDataURL("image/png").split(",")[1];
      })()
      """,
      in: tab
    )
    return Data(base64Encoded: text as? String ?? "") ?? Data()
  }

  /// Subscribes to the sites, and opens the panel.
  func take() throws {
    try life.forgetFeeds()
    life.feeds.set("/news", text: Self.article)
    let now = Date.now
    try life.session.visit(life.feeds.page) { tab in
      for (number, site) in Self.sites.enumerated() {
        life.feeds.set("/\(number).png", image: try icon(site, in: tab))
        let items = site.items.enumerated().map { place, item in
          let date = now.addingTimeInterval(Double(-60 * item.minutes)).formatted(.iso8601)
          return """
            <entry><id>\(number)-\(place)</id><title>\(Feeds.escaped(item.title))</title>
            <link href="/articles/\(number)-\(place)"/><updated>\(date)</updated>
            <summary>\(Feeds.escaped(item.text))</summary></entry>
            """
        }
        life.feeds.set(
          "/\(number).xml",
          text: """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>\(Feeds.escaped(site.name))</title>
            <icon>/\(number).png</icon><id>\(number)</id>\(items.joined())</feed>
            """
        )
        let feed = "http://127.0.0.1:\(life.session.server.port)/\(number).xml"
        try life.service.run("links", "add", feed)
      }
      for link in try life.links()
      where link.title.hasPrefix("Night") || link.title.hasPrefix("The") {
        try life.service.run("links", "read", "\(link.id)")
      }
      try takeAll(beside: tab)
    }
  }

  private func takeAll(beside tab: BrowserTab) throws {
    let browser = life.browser
    let tabID = try life.session.number(ofTabAt: life.feeds.page) ?? -1
    try life.session.visit(browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
      try life.expectText("the feed is offered", "Subscribe", "#feeds button", popUp)
      try browser.setSize(width: 380, height: 420, of: popUp)
      try write(browser.screenshot(of: popUp), "popup-feeds", "light")
      try browser.click("#open-stream", in: popUp)
      _ = try browser.panel("stream/stream.html")
    }
    for isDark in [false, true] {
      try browser.setDark(isDark)
      let panel = try browser.panel("stream/stream.html")
      _ = try eventually("the icons are shown") {
        try browser.evaluate("document.querySelectorAll('#days img').length", in: panel) as? Int
          == 8 ? true : nil
      }
      let shade = isDark ? "dark" : "light"
      if browser.kind == .chromium { try browser.setSize(width: 360, height: 760, of: panel) }
      Thread.sleep(forTimeInterval: 0.3)
      try write(browser.screenshot(of: panel), "stream", shade)
      _ = try browser.evaluate("document.querySelector('#show-sources').click()", in: panel)
      Thread.sleep(forTimeInterval: 0.3)
      try write(browser.screenshot(of: panel), "stream-sources", shade)
      _ = try browser.evaluate("document.querySelector('#show-sources').click()", in: panel)
      if browser.kind == .chromium {
        try browser.setSize(width: 200, height: 760, of: panel)
        Thread.sleep(forTimeInterval: 0.3)
        try write(browser.screenshot(of: panel), "stream-narrow", shade)
        try browser.setSize(width: 900, height: 600, of: panel)
        Thread.sleep(forTimeInterval: 0.3)
        try write(browser.screenshot(of: panel), "stream-wide", shade)
      }
    }
    try browser.setDark(false)
    let panel = try browser.panel("stream/stream.html")
    try life.forgetFeeds()
    try life.expectText("there is nothing", "No subscriptions yet", "#empty h2", panel)
    if browser.kind == .chromium { try browser.setSize(width: 360, height: 500, of: panel) }
    Thread.sleep(forTimeInterval: 0.3)
    try write(browser.screenshot(of: panel), "stream-empty", "light")
  }

  private func write(_ picture: Data, _ name: String, _ shade: String) throws {
    let kind = life.browser.kind.rawValue
    try picture.write(to: folder.appending(path: "\(name)-\(kind)-\(shade).png"))
  }
}

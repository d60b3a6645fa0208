import BrowserDriving
import Foundation
import Testing

/// The worked scenarios of content blocking, in a browser.
struct Scenarios {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  init(in session: Session) { self.session = session }

  func stopsATracker() throws {
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": "tracking_script", "resource-type": ["script"],
                      "load-type": ["third-party"]},
          "action": {"type": "block"}}]
        """
    )
    let script = "http://example.com/tracking_script.js"
    session.server.answer { request in
      request.url == script
        ? .init("text/javascript", "document.documentElement.dataset.tracked = 'yes'")
        : .page("<body><script src='\(script)'></script><p>Golf</p>")
    }
    try session.visit("http://bigbearsgolfblog.com/") { tab in
      #expect(
        try session.browser.evaluate("document.documentElement.dataset.tracked", in: tab) == nil
      )
      #expect(!session.server.urls.contains(script))
      let page = try session.page("http://bigbearsgolfblog.com/")
      #expect((page["counts"] as? [String: Int])?["block"] == 1)
      let first = (page["rows"] as? [[String: Any]])?.first
      let row = (first?["by"] as? [[String: Any]])?.first
      #expect(row?["name"] as? String == "Rules")
      #expect(row?["rules"] as? [Int] == [0])
    }
    try session.visit("http://example.com/") { tab in
      let tracked =
        try session.browser.evaluate("document.documentElement.dataset.tracked", in: tab) as? String
      #expect(tracked == "yes")
    }
  }

  func takesTheWayOut(_ wayOut: String?, isStyled: Bool, restriction: String = "") throws {
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": "div.comments"}},
         {"trigger": {"url-filter": "/cat", "if-domain": ["cutepuppiesandcats.com"]\(restriction)},
          "action": {"type": "block"}}\(wayOut.map { ", " + $0 } ?? "")]
        """
    )
    let site = "http://cutepuppiesandcats.com"
    session.server.answer { request in
      switch request.url {
      case "\(site)/cats-and-dogs.css":
        .init("text/css", "#main { color: rgb(1, 2, 3) }")
      case "\(site)/cat1.png": .init("image/png", "")
      case let url where url.hasSuffix("/category/1"): .page("<p>Category")
      default:
        .page(
          """
          <link rel=stylesheet href=/cats-and-dogs.css><body><img src=/cat1.png>
          <p id=main>Puppies</p><div class=comments>Comments</div>
          """
        )
      }
    }
    try session.visit("\(site)/") { tab in
      _ = try eventually("the comments are hidden") {
        try session.isShown("div.comments", in: tab) == false ? true : nil
      }
      let color = try session.browser.evaluate(
        "getComputedStyle(document.querySelector('#main')).color",
        in: tab
      )
      #expect((color as? String == "rgb(1, 2, 3)") == isStyled)
      #expect(session.server.urls.contains("\(site)/cats-and-dogs.css") == isStyled)
      #expect(!session.server.urls.contains("\(site)/cat1.png"))
    }
  }

  func stripsCookies() throws {
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": "^http://tracker\\\\.test/pixel"},
          "action": {"type": "block-cookies"}}]
        """
    )
    session.server.answer { request in
      guard request.url.hasPrefix("http://tracker.test/") else { return .page("<p>News") }
      return request.url.hasSuffix("/set")
        ? .init("text/plain", "set", headers: ["Set-Cookie": "id=1; Path=/"])
        : .init("text/plain", "pixel", headers: ["Set-Cookie": "second=2; Path=/"])
    }
    try session.visit("http://tracker.test/set") { _ in }
    try session.visit("http://tracker.test/other") { tab in
      for path in ["pixel", "plain"] {
        _ = try session.browser.evaluate("fetch('/\(path)').then((r) => r.text())", in: tab)
      }
      let cookies = try session.browser.evaluate("document.cookie", in: tab) as? String
      #expect(cookies?.contains("id=1") == true)
    }
    func cookies(_ path: String) -> [String?] {
      session.server.received.filter { $0.url == "http://tracker.test/\(path)" }
        .map { $0.headers["cookie"] }
    }
    #expect(cookies("pixel") == [nil])
    // What the answers to others set is there; what the stripped answer set is not.
    #expect(cookies("plain") == ["id=1; second=2"] || cookies("plain") == ["second=2; id=1"])
  }

  func keepsAnswersFromSettingCookies() throws {
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": "pixel"}, "action": {"type": "block-cookies"}}]
        """
    )
    session.server.answer { request in
      request.url.hasSuffix("/pixel")
        ? .init("text/plain", "", headers: ["Set-Cookie": "spy=1; Path=/"]) : .page("<p>News")
    }
    try session.visit("http://cookies.test/") { tab in
      _ = try session.browser.evaluate("fetch('/pixel').then((r) => r.text())", in: tab)
      #expect(try session.browser.evaluate("document.cookie", in: tab) as? String == "")
    }
    #expect(session.server.urls.contains("http://cookies.test/pixel"))
  }

  /// What was upgraded is not matched again, but by the browser's own rules.
  func upgrades() throws {
    let block = #", {"trigger": {"url-filter": "^https:"}, "action": {"type": "block"}}"#
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": "secure", "resource-type": ["image"]},
          "action": {"type": "make-https"}}\(session.mayBlock ? block : "")]
        """
    )
    session.server.answer { request in
      request.url.hasSuffix(".png")
        ? .init("image/png", "")
        : .page(
          """
          <body><img src=http://secure.test/a.png><img src=http://secure.test:8080/b.png>
          <img src=http://other.test/c.png>
          """
        )
    }
    try session.visit("http://upgrade.example/") { _ in
      _ = try eventually("the image is asked for by https") {
        session.server.received.contains { $0.method == "CONNECT" && $0.url == "secure.test:443" }
          ? true : nil
      }
    }
    #expect(!session.server.urls.contains("http://secure.test/a.png"))
    #expect(session.server.urls.contains("http://secure.test:8080/b.png"))
    #expect(session.server.urls.contains("http://other.test/c.png"))
  }
}

/// The accident of scenario 1.3, and what its author can do.
enum WayOut: CaseIterable {
  case none
  case ignorePreviousRules
  case imagesOnly

  func check(_ scenarios: Scenarios) throws {
    switch self {
    case .none: try scenarios.takesTheWayOut(nil, isStyled: false)
    case .ignorePreviousRules:
      try scenarios.takesTheWayOut(
        """
        {"trigger": {"url-filter": "cats-and-dogs"}, "action": {"type": "ignore-previous-rules"}}
        """,
        isStyled: true
      )
    case .imagesOnly:
      try scenarios.takesTheWayOut(
        nil,
        isStyled: true,
        restriction: ", \"resource-type\": [\"image\"]"
      )
    }
  }
}

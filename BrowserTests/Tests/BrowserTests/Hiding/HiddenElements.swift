import BrowserDriving
import Foundation
import Testing

/// Elements that rules hide, where and when pages have them.
struct HiddenElements {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// Scenario 1.1.
  func areHiddenOnOneSite(negated: Bool) throws {
    let condition = negated ? "unless-domain" : "if-domain"
    try session.use(
      json:
        """
        [{"trigger": {"url-filter": ".*", "\(condition)": ["bigbearsgolfblog.com"]},
          "action": {"type": "css-display-none", "selector": "#links"}}]
        """
    )
    session.server.answer { _ in
      .page("<body><p id=text>Golf</p><div id=links style='display:block !important'>Bait</div>")
    }
    for host in ["bigbearsgolfblog.com", "another.example"] {
      let isHidden = (host == "bigbearsgolfblog.com") != negated
      try session.visit("http://\(host)/") { tab in
        if isHidden {
          _ = try eventually("the column is hidden on \(host)") {
            try session.isShown("#links", in: tab) == false ? true : nil
          }
        } else {
          #expect(try session.isShown("#links", in: tab) == true, "\(host)")
        }
        #expect(try session.isShown("#text", in: tab) == true)
      }
    }
  }

  /// In every frame the element is never visible, at whatever moment its document looks.
  func areHiddenBeforePaint() throws {
    try session.use([
      "global": Array(
        """
        [{"trigger": {"url-filter": ".*"},
          "action": {"type": "css-display-none", "selector": ".ad"}}]
        """.utf8
      ),
      "single": Array(
        """
        [{"trigger": {"url-filter": "photo"},
          "action": {"type": "css-display-none", "selector": "#late"}}]
        """.utf8
      ),
    ])
    // Looks again and again for a while, for a frame may be painted at any moment.
    @Sendable func watched(_ frame: String) -> String {
      """
      <body><div class=ad style="display:block !important">Ad of \(frame)</div><p id=late>Late</p>
      <script>
      let seen = 0, looks = 0;
      const look = () => {
        const style = getComputedStyle(document.querySelector(".ad"));
        if (style.display !== "none" && style.visibility === "visible") seen += 1;
        if (++looks < 80) setTimeout(look, 5);
        else new Image().src = `http://top.test/report?\(frame)&${seen}`;
      };
      requestAnimationFrame(look);
      setTimeout(look, 0);
      </script>
      """
    }
    let inner = watched("srcdoc").replacing("\"", with: "&quot;")
    session.server.answer { request in
      switch request.url {
      case "http://top.test/":
        .page(
          watched("top")
            + """
            <iframe src="/same"></iframe><iframe src="http://cross.test/"></iframe>
            <iframe srcdoc="\(inner)"></iframe>
            """
        )
      case "http://top.test/same": .page(watched("same"))
      case "http://cross.test/": .page(watched("cross"))
      default: .init("image/png", "")
      }
    }
    try session.visit("http://top.test/") { tab in
      let reports = try eventually("all frames report") { () -> [String]? in
        let reports = session.server.urls.filter { $0.contains("/report?") }
          .compactMap { $0.split(separator: "?").last.map(String.init) }
        return Set(reports.map { $0.prefix { $0 != "&" } }).count == 4 ? reports : nil
      }
      #expect(Set(reports) == ["top&0", "same&0", "cross&0", "srcdoc&0"])
      // By a load that comes later, in its own document alone.
      #expect(try session.isShown("#late", in: tab) == true)
      _ = try session.browser.evaluate("new Image().src = '/photo.png'", in: tab)
      _ = try eventually("the load hides") {
        try session.isShown("#late", in: tab) == false ? true : nil
      }
    }
  }
}

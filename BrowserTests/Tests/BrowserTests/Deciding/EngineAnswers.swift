import BrowserDriving
import ContentBlocking
import Foundation
import ResourceLoads
import Testing
import WebURL

/// Whether the browser decides as the engine does.
struct EngineAnswers {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  init(in session: Session) { self.session = session }

  /// Every request of the log, with all actions and rules, by the background's matcher.
  func decidesTheLog() throws {
    let lists = try session.use([Logs.list: Logs.bytes("lists/\(Logs.list).json.gz")])
    var blocker = ContentBlocker(lists: lists)
    let rows = try Logs.rows()
    let webKit = try Logs.lines("expected/\(Logs.list).txt.gz")
    #expect(rows.count == webKit.count && rows.count > 20_000)
    var differences: [String] = []
    for start in stride(from: 0, to: rows.count, by: 3000) {
      let part = rows[start..<min(start + 3000, rows.count)]
      let answers = try session.browser.evaluateInBackground(
        Verdict.expression(part.map(\.forBrowser))
      )
      let seen = try #require(answers as? [String])
      try #require(seen.count == part.count)
      for (row, answer) in zip(part.indices, seen) {
        let load = try #require(rows[row].load())
        let native = Verdict.native(load, &blocker)
        if answer != native || !answer.hasPrefix(webKit[row] + " ") {
          differences.append("\(rows[row].url): \(answer), not \(native) or \(webKit[row])")
        }
      }
    }
    #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(3))")
  }

  /// The requests of pages, as they reach the server or do not.
  ///
  /// Those are compared that the function takes.
  func actsAsTheEngine(_ isCompared: (ResourceLoad) throws -> Bool = { _ in true }) throws {
    let lists = try session.use([Logs.list: Logs.bytes("lists/\(Logs.list).json.gz")])
    var blocker = ContentBlocker(lists: lists)
    let ways = ["image", "script", "style-sheet", "fetch"]
    let pages = Dictionary(grouping: try Logs.rows().filter { ways.contains($0.type) }, by: \.top)
      .filter { $0.key.hasPrefix("https://") }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    var comparedPages = 0
    var blockedCount = 0
    var allowedCount = 0
    for (top, rows) in pages where comparedPages < 12 {
      let page = try #require(WebURL("http" + top.dropFirst(5)))
      var known: Set<String> = []
      let requests = try rows.compactMap { row -> (url: String, type: String, isBlocked: Bool)? in
        guard known.count < 120, row.url.hasPrefix("https://"),
          let url = WebURL("http" + row.url.dropFirst(5)), url.port == nil, url != page
        else { return nil }
        var asked = row
        asked.url = url.serialized
        asked.top = page.serialized
        guard let load = asked.load(),
          known.insert(load.url.serialized).inserted, try isCompared(load)
        else { return nil }
        let isBlocked = blocker.outcome(for: load).isBlocked
        return (load.url.serialized, row.type, isBlocked)
      }
      let html = try Self.html(requests.map { [$0.url, $0.type] })
      let address = page.serialized
      session.server.answer { request in
        request.url == address ? .page(html) : .init("text/plain", "")
      }
      // A site that the browser knows as speaking https alone cannot be shown.
      let isDone = try session.visit(address) { tab in
        try session.browser.evaluate("window.finished", in: tab) as? Bool == true
      }
      guard isDone else { continue }
      comparedPages += 1
      let urls = session.server.urls
      for request in requests {
        let host = WebURL(request.url).flatMap(\.host) ?? ""
        if request.isBlocked {
          #expect(!urls.contains(request.url), "\(address): \(request.url) is not blocked")
          blockedCount += 1
        } else {
          // Some hosts are known to the browser as speaking https alone.
          #expect(
            urls.contains(request.url) || urls.contains("\(host):443"),
            "\(address): \(request.url) is blocked"
          )
          allowedCount += 1
        }
        if requests.allSatisfy({ $0.isBlocked || !$0.url.contains("//\(host)/") }) {
          #expect(!urls.contains("\(host):443"))
        }
      }
    }
    // Else nothing would have been compared.
    #expect(blockedCount > 100 && allowedCount > 100, "\(blockedCount), \(allowedCount)")
  }

  /// A page that makes requests, and whose `finished` waits for all of them.
  private static func html(_ requests: [[String]]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: requests)
    let list = String(decoding: data, as: UTF8.self).replacing("<", with: "\\u003c")
    return """
      <body><script>
      const settled = (element) => new Promise((resolve) => {
        element.onload = element.onerror = resolve;
        document.body.append(element);
      });
      const make = (name, properties) => Object.assign(document.createElement(name), properties);
      const ways = {
        "image": (src) => settled(make("img", { src })),
        "script": (src) => settled(make("script", { src })),
        "style-sheet": (href) => settled(make("link", { rel: "stylesheet", href })),
        "fetch": (url) => fetch(url, { mode: "no-cors" }).catch(() => {}),
      };
      window.finished =
        Promise.all(\(list).map(([url, way]) => ways[way](url))).then(() => true);
      </script>
      """
  }
}

import BrowserDriving
import Foundation
import Testing

/// What asking about each request costs a page of which nothing is blocked: browsers side by side, in turn.
struct PageLoads {
  private static let rounds = 24
  private static let warmUps = 3
  /// Until a browser has taken over what a list has, in seconds.
  private static let rest = 12.0

  /// One way to browse, with what was measured.
  ///
  /// Each is a browser of its own: one that has just taken a list over, or dropped it, is still at work.
  private struct Way {
    let title: String
    let session: Session
    var loads: [Double] = []
  }

  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  func measure() throws {
    Session.closeAll()
    let files = FileManager.default
    let listeningFolder = files.temporaryDirectory.appending(path: "listening-\(UUID().uuidString)")
    defer { try? files.removeItem(at: listeningFolder) }
    var ways: [Way] = []
    defer { for way in ways { way.session.close() } }
    ways.append(
      Way(title: "no extension", session: try Session(wanted, hasExtension: false))
    )
    let listening = try ListeningExtension.write(to: listeningFolder, for: wanted.kind)
    for peer in [listening, Peer.used(in: wanted.kind)].compactMap({ $0 }) {
      let session = try Session(wanted, hasExtension: false, peer: peer)
      ways.append(Way(title: peer.title, session: session))
    }
    ways.append(Way(title: "Tickbird, no list on", session: try Session(wanted)))
    for variant in [nil] + (try Variant.all()) {
      let session = try Session(wanted, variant: variant)
      let title = variant?.title ?? LargeList.title
      ways.append(Way(title: "Tickbird, \(title)", session: session))
      try session.use(["large": LargeList.json()])
    }
    for way in ways { answerPages(way.session) }
    Thread.sleep(forTimeInterval: Self.rest)
    for round in 0..<Self.rounds + Self.warmUps {
      // Each way is as often the first as the last.
      for turn in ways.indices {
        let place = (turn + round) % ways.count
        let time = try load(round, in: ways[place].session)
        if round >= Self.warmUps { ways[place].loads.append(time) }
      }
    }
    try Report.add(
      "\(wanted.rawValue.capitalized): navigation to load, a page with thirty images and thirty "
        + "scripts, median (quartiles) of \(Self.rounds) loads in turn",
      ways.map { ($0.title, Report.median($0.loads, unit: "ms")) }
    )
  }

  private func answerPages(_ session: Session) {
    let parts = (0..<30).map { "<img src=/picture\($0).png><script src=/part\($0).js></script>" }
    let html = "<body>" + parts.joined()
    session.server.answer { request in
      request.url.hasSuffix("/") ? .page(html) : .init("text/javascript", "")
    }
  }

  private func load(_ round: Int, in session: Session) throws -> Double {
    try session.visit("http://www.page\(round).com/") { tab in
      let time = try session.browser.evaluate(
        "performance.getEntriesByType('navigation')[0].loadEventStart",
        in: tab
      )
      return try #require(time as? Double)
    }
  }
}

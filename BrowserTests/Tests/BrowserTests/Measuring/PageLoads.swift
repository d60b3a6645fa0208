import BrowserDriving
import Foundation
import Testing

/// What the extension costs a page: two browsers side by side, load after load in turn.
struct PageLoads {
  private static let rounds = 24
  private static let warmUps = 3

  private enum Way: String, CaseIterable {
    case without = "without the extension"
    case noList = "with it, no list on"
    case large = "with the large list"
  }

  private let wanted: TestBrowser

  init(_ browser: TestBrowser) { wanted = browser }

  func measure() throws {
    Session.closeAll()
    let plain = try Session(wanted, hasExtension: false)
    defer { plain.close() }
    let extended = try Session(wanted)
    defer { extended.close() }
    try extended.use(["large": LargeList.json()])
    for session in [plain, extended] { answerPages(session) }
    var times: [Way: [Double]] = [:]
    for round in 0..<Self.rounds + Self.warmUps {
      // Each way is as often the first as the last.
      let ways = Way.allCases
      for way in (0..<3).map({ ways[($0 + round) % 3] }) {
        let session = way == .without ? plain : extended
        if way != .without { try setOn(way == .large, in: extended) }
        let time = try load(round, in: session)
        if round >= Self.warmUps { times[way, default: []].append(time) }
      }
    }
    try Report.add(
      "\(wanted.rawValue.capitalized): navigation to load, a page with thirty images and thirty "
        + "scripts, median (quartiles) of \(Self.rounds) loads",
      Way.allCases.map { way in
        let what = way == .large ? "with \(LargeList.title)" : way.rawValue
        return (what, Report.median(times[way] ?? [], unit: "ms"))
      }
    )
  }

  private func answerPages(_ session: Session) {
    let parts = (0..<30).map { "<img src=/picture\($0).png><script src=/part\($0).js></script>" }
    let html = "<body>" + parts.joined()
    session.server.answer { request in
      request.url.hasSuffix("/") ? .page(html) : .init("text/javascript", "")
    }
  }

  private func setOn(_ isOn: Bool, in session: Session) throws {
    _ = try session.browser.evaluateInBackground(
      "tickbird.answer({ type: 'switch', identifier: 'large', isOn: \(isOn) })"
    )
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

import BrowserDriving
import ContentBlocking
import Foundation
import Testing

/// Whether times are wanted, which say something on a quiet machine alone.
private let isMeasuring = ProcessInfo.processInfo.environment["TICKBIRD_MEASURE"] != nil

/// What the extension costs a page; nothing is checked but that pages load.
@Suite("Page loads", .serialized, .enabled(if: isMeasuring, "TICKBIRD_MEASURE asks for them"))
struct PageLoadTests {
  @Test(
    "pages are loaded without and with the extension",
    arguments: BrowserKind.allCases.filter(\.isInstalled)
  )
  func pages(_ kind: BrowserKind) throws {
    Session.closeAll()
    var lines = ["\(kind.rawValue): milliseconds from navigation to load, median of 25 pages"]
    for hasExtension in [false, true] {
      let session = try Session(kind, hasExtension: hasExtension)
      defer { session.close() }
      if hasExtension {
        try lines.append("  no list: \(median(session))")
        try session.use([Logs.list: Logs.bytes("lists/\(Logs.list).json.gz")])
        try lines.append("  with the large list: \(median(session))")
      } else {
        try lines.append("  without the extension: \(median(session))")
      }
    }
    print(lines.joined(separator: "\n"))
  }

  /// The time to load a page of sixty images and scripts of its own site.
  private func median(_ session: Session) throws -> Int {
    let parts = (0..<30).map { "<img src=/picture\($0).png><script src=/part\($0).js></script>" }
    let html = "<body>" + parts.joined()
    session.server.answer { request in
      request.url.hasSuffix("/") ? .page(html) : .init("text/javascript", "")
    }
    var times: [Int] = []
    for round in 0..<28 {
      try session.visit("http://www.page\(round).com/") { tab in
        let time = try session.browser.evaluate(
          "performance.getEntriesByType('navigation')[0].loadEventStart",
          in: tab
        )
        // The first ones warm the browser up.
        if round > 2, let time = time as? Double { times.append(Int(time)) }
      }
    }
    #expect(times.count == 25)
    times.sort()
    return times[times.count / 2]
  }
}

import BrowserDriving
import Foundation
import Testing

/// What a note's coming takes; `Scripts/measure-notes` prints it.
@Suite(
  "Times of notes",
  .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["TICKBIRD_MEASURE"] != nil, "nobody asks"),
  .withService
)
struct NoteTimeTests {
  private static let rounds = 25

  @Test(
    "a note is painted soon after the navigation",
    arguments: browsers
  )
  func times(_ browser: TestBrowser) throws {
    Session.closeAll()
    let life = try NoteLife(browser)
    defer { Session.closeAll() }
    life.session.server.answer { _ in .page("<h1>Words</h1>") }
    try life.add("noted.example", "Is it urgent?")
    var noted: [Double] = []
    var plain: [Double] = []
    for round in 0..<Self.rounds {
      noted.append(try painted("http://noted.example/\(round)", hasNote: true, life))
      plain.append(try painted("http://plain.example/\(round)", hasNote: false, life))
    }
    let first = noted.removeFirst()
    plain.removeFirst()
    print(
      "measured | \(browser.rawValue) | \(Int(first)) ms | \(middle(noted)) | \(middle(plain)) |"
    )
    #expect(noted.allSatisfy { $0 > 0 } && plain.allSatisfy { $0 > 0 })
  }

  /// Milliseconds from the navigation to the first words that are painted.
  private func painted(_ url: String, hasNote: Bool, _ life: NoteLife) throws -> Double {
    try life.session.visit(url) { tab throws in
      if hasNote { try life.expectNote(tab) }
      return try eventually("something is painted") { () -> Double? in
        let time = try life.browser.element("html", in: tab)?.firstPaint
        return time.flatMap { $0 > 0 ? $0 : nil }
      }
    }
  }

  /// The median and the 95th percentile.
  private func middle(_ times: [Double]) -> String {
    let sorted = times.sorted()
    return "\(Int(sorted[sorted.count / 2])) ms | \(Int(sorted[sorted.count * 95 / 100])) ms"
  }
}

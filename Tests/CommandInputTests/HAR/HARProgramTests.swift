import CommandInput
import ContentBlocking
import Foundation
import ResourceLoads
import TestSupport
import Testing

/// Archives in the forms of programs that are no browser here: Safari's inspector and Charles.
@Suite struct HARProgramTests {
  private func read(_ name: String) throws -> HARFile {
    let file = SharedData.packageRoot.appendingPathComponent("Tests/Fixtures/HAR/\(name).har")
    return try HARFile([UInt8](Data(contentsOf: file)), name: name)
  }

  /// One page is named for all that was seen, and no types; `http` has no Sec-Fetch headers.
  @Test func logsOfWebKitsInspector() throws {
    let page = "https://page.test/p"
    let har = try read("webkit-inspector")
    #expect(
      har.entries.map(\.words) == [
        "top-document \(page) - top", "style-sheet \(page) - top", "script \(page) - top",
        "child-document \(page) about:blank child", "image \(page) https://frame.test/f child",
        "font \(page) - top", "top-document http://old.test/ - top",
        "image http://old.test/ - top",
      ]
    )
    #expect(har.entries.map(\.page) == [0, 0, 0, 0, 0, 0, 1, 1])
    #expect(har.entries.allSatisfy { $0.guesses.isEmpty })
    #expect(har.entries[7].load.requestMethod == .post)
    #expect(har.entries[5].causes == [LoadCause(.initiator, 1), LoadCause(.document, 0)])
  }

  /// No page is named at all, and redirects only by their header.
  @Test func logsOfCharles() throws {
    let page = "https://page.test/p"
    let har = try read("charles")
    #expect(
      har.entries.map(\.words) == [
        "top-document http://page.test/p - top", "top-document \(page) - top",
        "script \(page) - top", "image \(page) - top", "image \(page) - top",
        "child-document \(page) about:blank child", "fetch \(page) https://frame.test/f child",
        "top-document https://next.test/n - top",
      ]
    )
    #expect(har.entries.map(\.page) == [0, 0, 0, 0, 0, 0, 0, 1])
    #expect(har.entries[4].causes == [LoadCause(.redirect, 3)])
    // Which of the two was followed and which is a frame is known from nothing but the times.
    #expect(har.entries[5].guesses == [.page, .frame])
    #expect(har.entries[7].guesses == [.page])
    #expect(har.entries[2].guesses == [.type])
  }
}

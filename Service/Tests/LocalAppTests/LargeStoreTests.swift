import Foundation
import ListSubscriptions
import PageNotes
import SharedLinks
import Testing

@testable import LocalApp

/// Pages of users who have kept a lot.
struct LargeStoreTests {
  /// A page has at most this many elements, however much is kept.
  private static let mostElements = 4000

  @Test(
    "of 10,000 notes, 50 lists and 500 links pages show a part",
    .timeLimit(.minutes(15))
  )
  func paging() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let archive =
        #"{"format": "tickbird-notes", "version": 1, "notes": ["#
        + (0..<10_000).map(Self.note).joined(separator: ",\n") + "]}"
      _ = try app.notes.importNotes(NoteArchive(data: Data(archive.utf8)))
      let updater = ListUpdater(
        store: SubscriptionStore(data: app.folder),
        preparation: .inProcess
      )
      for number in 0..<50 {
        let file = app.folder.appending(path: "list\(number).txt")
        try Data("! Title: List \(number)\n||a\(number).example^\n".utf8).write(to: file)
        _ = try await updater.add(ListUpdater.Request(.file(file.path)))
      }
      let items = (0..<500).map { number in
        "<item><title>T\(number)</title><link>https://f.example/\(number)</link></item>"
      }
      app.web.on(
        "https://f.example/feed",
        "<rss version=\"2.0\"><channel><title>F</title>\(items.joined())</channel></rss>"
      )
      _ = try await visitor.submit("/stream/subscribe", ["address": "https://f.example/feed"])
      for (path, text) in [
        ("/notes", "10,000 notes"), ("/notes?page=200", "Page 200 of 200"),
        ("/notes?q=n9999.example", "1 note of 10,000"), ("/lists", "50 lists, 50 in use"),
        ("/stream", "500 links, 500 unread"), ("/stream?page=10", "Page 10 of 10"),
        ("/rules", "List 49 (subscription)"),
      ] {
        let start = ContinuousClock.now
        let answer = try await visitor.get(path)
        let time = ContinuousClock.now - start
        #expect(answer.body.said.contains(text), "\(path)")
        let elements = answer.body.matches(of: /<[a-z]/).count
        #expect(elements <= Self.mostElements, "\(path) has \(elements) elements")
        print("\(path): \(elements) elements, \(answer.body.utf8.count) bytes, \(time)")
      }
    }
  }

  private static func note(_ number: Int) -> String {
    #"{"kind": "site", "address": "n\#(number).example", "text": "Text \#(number)"}"#
  }
}

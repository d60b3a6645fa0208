import GRDB
import Testing

@testable import SharedLinks

/// Values in the database that no version of the program writes.
struct DamagedLinksTests {
  private static let sourceColumns = [
    "kind", "ownTitle", "customTitle", "pageAddress", "folder", "entityTag", "lastModified",
    "documentDigest",
    "tried", "succeeded", "nextFetch", "isHeldBack", "failures", "lastError", "isGone", "notes",
    "identityRule",
    "appliesRules", "added", "icon",
  ]
  private static let itemColumns = [
    "title", "text", "author", "icon", "imageAddress", "isRead", "isDated", "date", "firstSeen",
    "changed",
    "blockedList", "blockedRule",
  ]
  private static let wrongValues = ["'x'", "x'ff00'", "9223372036854775807", "-1", "1e300"]

  @Test(
    "of a feed, and of a link, end nothing: all is shown, fetched and changed",
    arguments: wrongValues
  )
  func damaged(value: String) async throws {
    for (table, columns) in [("source", Self.sourceColumns), ("item", Self.itemColumns)] {
      for column in columns {
        let scene = try LinkScene()
        scene.transport.on("https://a.org/feed", body: rss([Written("A", guid: "1")]))
        try await scene.follow("https://a.org/feed")
        // A check of the schema's or its index may refuse some.
        let isTaken =
          (try? scene.store.write {
            try $0.execute(sql: "UPDATE \(table) SET \(column) = \(value)")
          }) != nil
        guard isTaken else { continue }
        #expect(try scene.store.sources().count == 1, "\(table).\(column)")
        _ = try scene.store.items()
        scene.clock.advance(7200)
        _ = try? await scene.refresher.refresh(.all)
        let source = try #require(try scene.store.sources().first)
        try? scene.store.change(sourceID: source.id, identityRule: .link)
        try scene.store.remove(sourceID: source.id)
      }
    }
  }
}

import Foundation
import Testing

@testable import SharedLinks

private let feed = "https://example.org/feed"

struct ItemIdentityTests {
  /// Items kept after two documents, one after the other.
  private func kept(
    _ first: [Written],
    _ second: [Written],
    rule: LinkSource.IdentityRule = .automatic
  ) async throws -> [String] {
    let scene = try LinkScene()
    let source = try scene.store.subscribe(to: feed)
    try scene.store.change(sourceID: source.id, identityRule: rule)
    for items in [first, second] {
      scene.transport.on(feed, body: rss(items))
      _ = try await scene.refresher.refresh(.forced)
      scene.clock.advance(60)
    }
    return try scene.titles().sorted()
  }

  @Test("an item keeps its place when its identifier stays, whatever else changes")
  func guid() async throws {
    let titles = try await kept(
      [Written("Old", link: "https://e.org/1", guid: "a")],
      [Written("New", link: "https://e.org/2", guid: "a")]
    )
    #expect(titles == ["New"])
  }

  @Test("without an identifier the link is one, http and https alike")
  func link() async throws {
    let titles = try await kept(
      [Written("Old", link: "http://e.org/1")],
      [Written("New", link: "https://e.org/1"), Written("Other", link: "https://e.org/2")]
    )
    #expect(titles == ["New", "Other"])
  }

  @Test("without either title and date are")
  func text() async throws {
    let first = Written("A", date: "1 Jan 2026 00:00", text: "x")
    let same = Written("A", date: "1 Jan 2026 00:00", text: "changed")
    let later = Written("A", date: "2 Jan 2026 00:00", text: "x")
    #expect(try await kept([first], [same, later]) == ["A", "A"])
  }

  @Test("an identifier on items with different links is none, and no item is lost")
  func sharedGuid() async throws {
    let items = (1...3).map { Written("\($0)", link: "https://e.org/\($0)", guid: "same") }
    #expect(try await kept(items, items.reversed()) == ["1", "2", "3"])
  }

  @Test("a link on items with different titles is none")
  func sharedLink() async throws {
    let items = (1...3).map { Written("\($0)", link: "https://e.org/") }
    #expect(try await kept(items, items) == ["1", "2", "3"])
  }

  @Test("an item that stands twice is one, the first")
  func duplicates() async throws {
    let items = [
      Written("First", link: "https://e.org/1", guid: "a"),
      Written("Again", link: "https://e.org/1", guid: "a"),
    ]
    #expect(try await kept(items, items) == ["First"])
  }

  @Test("by link, changing identifiers double nothing")
  func linkRule() async throws {
    let titles = try await kept(
      [Written("A", link: "https://e.org/1", guid: "x1")],
      [Written("A", link: "https://e.org/1", guid: "x2")],
      rule: .link
    )
    #expect(titles == ["A"])
  }

  @Test("by title, changing links and identifiers double nothing")
  func titleRule() async throws {
    let titles = try await kept(
      [Written("A", link: "https://e.org/1?s=1", guid: "x1")],
      [Written("A", link: "https://e.org/1?s=2", guid: "x2")],
      rule: .title
    )
    #expect(titles == ["A"])
  }

  @Test("a new rule joins items that are kept already, and one that was read stays read")
  func changedRule() async throws {
    let scene = try LinkScene()
    scene.transport.on(
      feed,
      body: rss([
        Written("A", link: "https://e.org/1", guid: "x1", date: "1 Jan 2026 00:00"),
        Written("B", link: "https://e.org/2", guid: "x2"),
      ])
    )
    let source = try await scene.follow(feed)
    let item = try #require(try scene.store.items().first { $0.title == "A" })
    try scene.store.mark([item.id], isRead: true)
    scene.transport.on(
      feed,
      body: rss([Written("A", link: "https://e.org/1", guid: "x9", date: "2 Jan 2026 00:00")])
    )
    _ = try await scene.refresher.refresh(.forced)
    #expect(try scene.titles().sorted() == ["A", "A", "B"])
    try scene.store.change(sourceID: source.id, identityRule: .link)
    #expect(try scene.titles().sorted() == ["A", "B"])
    let joined = try #require(try scene.store.items().first { $0.title == "A" })
    #expect(joined.isRead)
    // The next fetch brings nothing that is there.
    _ = try await scene.refresher.refresh(.forced)
    #expect(try scene.titles().sorted() == ["A", "B"])
    #expect(try scene.store.checkIntegrity())
  }
}

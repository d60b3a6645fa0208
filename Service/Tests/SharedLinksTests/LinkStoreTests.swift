import Foundation
import GRDB
import Testing

@testable import SharedLinks

private let feed = "https://example.org/feed"

struct LinkStoreTests {
  @Test("links of all feeds are in one stream, newest first, also those of the future")
  func order() async throws {
    let scene = try LinkScene()
    scene.transport.on(
      "https://a.org/feed",
      body: rss([
        Written("old", guid: "1", date: "2020-01-01T00:00:00Z"),
        Written("future", guid: "2", date: "2099-01-01T00:00:00Z"),
      ])
    )
    scene.transport.on(
      "https://b.org/feed",
      body: rss([
        Written("middle", guid: "1", date: "2024-01-01T00:00:00Z"), Written("no date", guid: "2"),
        Written("no date either", guid: "3"),
      ])
    )
    try await scene.follow("https://a.org/feed")
    try await scene.follow("https://b.org/feed")
    #expect(try scene.titles() == ["future", "no date", "no date either", "middle", "old"])
  }

  @Test("an item that changes is updated and keeps its number, its tag and whether it was read")
  func change() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: rss([Written("A", link: "https://e.org/1", guid: "g")]))
    try await scene.follow(feed)
    let before = try #require(try scene.store.items().first)
    try scene.store.mark([before.id], isRead: true)
    scene.clock.advance(3600)
    scene.transport.on(
      feed,
      body: rss([Written("B", link: "https://e.org/2", guid: "g", text: "more")])
    )
    let reports = try await scene.refresher.refresh(.all)
    #expect(reports.first?.outcome == .fetched(MergeCounts(new: 0, changed: 1, removed: 0)))
    let items = try scene.store.items()
    let after = try #require(items.first)
    #expect(items.count == 1)
    #expect(after.id == before.id && after.tag == before.tag && after.isRead)
    #expect(after.title == "B" && after.address == "https://e.org/2")
    #expect(after.date == before.date && after.changed > before.changed)
  }

  @Test("an item that leaves its feed stays in the stream")
  func disappearance() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: rss([Written("A", guid: "1"), Written("B", guid: "2")]))
    try await scene.follow(feed)
    scene.transport.on(feed, body: rss([Written("C", guid: "3")]))
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles().sorted() == ["A", "B", "C"])
  }

  @Test("items that a document still has and that are as they were are not written")
  func unchangedItems() async throws {
    let scene = try LinkScene()
    let written = (1...9).map { Written("\($0)", guid: "\($0)") }
    scene.transport.on(feed, body: rss(written))
    try await scene.follow(feed)
    try scene.store.write {
      try $0.execute(
        sql: """
          CREATE TABLE written (title TEXT);
          CREATE TRIGGER updated AFTER UPDATE ON item
            BEGIN INSERT INTO written VALUES (new.title); END;
          CREATE TRIGGER inserted AFTER INSERT ON item
            BEGIN INSERT INTO written VALUES (new.title); END;
          """
      )
    }
    scene.clock.advance(60)
    scene.transport.on(
      feed,
      body: rss(written.dropLast() + [Written("changed", guid: "9"), Written("new", guid: "10")])
    )
    _ = try await scene.refresher.refresh(.all)
    let titles = try scene.store.write {
      try String.fetchAll($0, sql: "SELECT title FROM written ORDER BY title")
    }
    #expect(titles == ["changed", "new"])
  }

  @Test("a database of the first version keeps its items")
  func migration() async throws {
    let folder = try TestFolder()
    let file = folder.url.appending(path: "data/links.sqlite")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let queue = try DatabaseQueue(path: file.path)
    try LinkStore.migrator.migrate(queue, upTo: "1")
    try await queue.write {
      try $0.execute(
        sql: """
          INSERT INTO source (id, kind, key, added) VALUES (1, 'feed', 'https://e.org/', 0);
          INSERT INTO item (source, identity, tag, address, date, isDated, title, text, firstSeen,
              lastSeen, changed)
            VALUES (1, 'a', 'tag:a', 'https://e.org/a', 1, 1, '新しい橋', '', 1, 1, 1);
          """
      )
    }
    try queue.close()
    let store = try folder.store()
    #expect(try store.items().map(\.title) == ["新しい橋"])
    // Its index is of this version.
    var query = LinkQuery()
    query.words = "橋"
    #expect(try store.count(query) == 1)
    #expect(try store.checkIntegrity())
  }

  @Test("beyond the number that is kept read items go first, and none of the last document")
  func pruning() async throws {
    var limits = LinkLimits()
    limits.itemsPerSource = 4
    let scene = try LinkScene(limits: limits)
    func written(_ numbers: ClosedRange<Int>) -> String {
      rss(numbers.map { Written("\($0)", guid: "\($0)", date: "2026-01-0\($0)T00:00:00Z") })
    }
    scene.transport.on(feed, body: written(1...4))
    try await scene.follow(feed)
    let third = try #require(try scene.store.items().first { $0.title == "3" })
    try scene.store.mark([third.id], isRead: true)
    scene.clock.advance(60)
    scene.transport.on(feed, body: written(4...6))
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles() == ["6", "5", "4", "2"])
    scene.clock.advance(60)
    scene.transport.on(feed, body: written(1...6))
    _ = try await scene.refresher.refresh(.all)
    #expect(try scene.titles().count == 6)
  }

  @Test("search finds words and their beginnings, without regard to case and accents")
  func search() async throws {
    let scene = try LinkScene()
    scene.transport.on(
      feed,
      body: rss([
        Written("Café in Zürich", link: "https://e.org/one", guid: "1", text: "green tea"),
        Written("Nothing", link: "https://rare.example/two", guid: "2", text: "to see"),
      ])
    )
    try await scene.follow(feed)
    func found(_ words: String) throws -> [String] {
      var query = LinkQuery()
      query.words = words
      #expect(try scene.store.count(query) == scene.store.items(query).count)
      return try scene.titles(query)
    }
    #expect(try found("cafe") == ["Café in Zürich"])
    #expect(try found("ZUR gre") == ["Café in Zürich"])
    #expect(try found("rare.example") == ["Nothing"])
    #expect(try found("tea see") == [])
    for hostile in ["", "   ", "\"", "a\"b*", "* ORX", "NEAR(", "title:x", "'; DROP TABLE item;--"]
    {
      #expect(try found(hostile) == [], "\(hostile)")
    }
    // The index follows changes and removals.
    scene.transport.on(feed, body: rss([Written("Changed", guid: "1")]))
    _ = try await scene.refresher.refresh(.all)
    #expect(try found("cafe") == [])
    #expect(try found("changed") == ["Changed"])
    try scene.store.remove(sourceID: 1)
    #expect(try found("changed") == [])
    #expect(try scene.store.checkIntegrity())
  }

  @Test(
    "words within sentences that have no spaces are found",
    arguments: [
      ("橋", true), ("新しい", true), ("について", true), ("しい橋", true), ("ハンカク", true),
      ("ﾊﾝｶｸ iOS", true), ("版", true), ("iOS版 新しい", true), ("東京橋", true), ("ภาษา", true),
      ("すきま", true), ("橋新", false), ("京東", false), ("橋 tea", false), ("。", false), ("\"橋", true),
      ("橋* OR x", false), ("々", true), ("が", true), ("か\u{3099}", true), ("ｶﾞｷﾞ", true), ("か", false),
    ] as [(String, Bool)]
  )
  func unspaced(_ words: String, _ isFound: Bool) async throws {
    let scene = try LinkScene()
    let title = "新しい橋について、東京橋のiOS版"
    let text = "ハンカクと隙間すきま。日々が。ガギ。ภาษาไทย"
    scene.transport.on(feed, body: rss([Written(title, guid: "1", text: text)]))
    try await scene.follow(feed)
    var query = LinkQuery()
    query.words = words
    #expect(try scene.titles(query) == (isFound ? [title] : []))
    #expect(try scene.store.checkIntegrity())
    try scene.store.remove(sourceID: 1)
    #expect(try scene.titles(query) == [] && scene.store.checkIntegrity())
  }

  @Test("marking is all or nothing")
  func marking() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: rss([Written("A", guid: "1"), Written("B", guid: "2")]))
    try await scene.follow(feed)
    #expect(throws: LinkError.self) { try scene.store.mark([1, 99], isRead: true) }
    var unread = LinkQuery()
    unread.isUnread = true
    #expect(try scene.store.count(unread) == 2)
    #expect(try scene.store.markAll(isRead: true) == 2)
    #expect(try scene.store.count(unread) == 0)
    #expect(try scene.store.markAll(sourceID: 1, isRead: false) == 2)
  }

  @Test("a feed is there once, under http and https")
  func duplicates() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    try store.subscribe(to: "http://example.org/feed")
    let error = #expect(throws: LinkError.self) {
      try store.subscribe(to: "https://example.org/feed")
    }
    #expect(error?.code == .duplicate)
    #expect(error?.message.contains("feed 1") == true)
  }

  @Test("a source is found by number, address and title, and by a title only if it is the only one")
  func names() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    try store.subscribe(to: "https://a.org/feed", title: "Same")
    try store.subscribe(to: "https://b.org/feed", title: "Same")
    try store.subscribe(to: "https://c.org/feed", title: "Own", customTitle: "Mine")
    #expect(try store.source(named: "2").key == "https://b.org/feed")
    #expect(try store.source(named: "a.org/feed").id == 1)
    #expect(try store.source(named: "Mine").id == 3)
    #expect(throws: LinkError.self) { try store.source(named: "Same") }
    #expect(throws: LinkError.self) { try store.source(named: "Own") }
  }

  @Test("two stores on one file write at the same time and lose nothing")
  func concurrency() async throws {
    let folder = try TestFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          // Opening is part of the race.
          let store = try folder.store()
          for number in 0..<25 {
            let source = try store.subscribe(to: "https://w\(writer).org/\(number)")
            _ = try store.merge(
              document([item("\(writer)-\(number)")]),
              sourceID: source.id,
              now: Date()
            )
            _ = try store.items()
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try folder.store()
    #expect(try store.sources().count == 100)
    #expect(try store.count() == 100)
    #expect(try store.checkIntegrity())
  }

  @Test("commits reach the disk, and references are enforced")
  func pragmas() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    func pragma(_ name: String) throws -> String? {
      try store.write { try String.fetchOne($0, sql: "PRAGMA \(name)") }
    }
    #expect(try pragma("synchronous") == "2")
    #expect(try pragma("foreign_keys") == "1")
    #expect(try pragma("journal_mode") == "wal")
  }

  @Test("the check of the database sees an index that has lost an item")
  func integrity() async throws {
    let scene = try LinkScene()
    scene.transport.on(feed, body: rss([Written("A", guid: "1")]))
    try await scene.follow(feed)
    #expect(try scene.store.checkIntegrity())
    try scene.store.write {
      try $0.execute(sql: "INSERT INTO itemText (itemText) VALUES ('delete-all')")
    }
    #expect(try !scene.store.checkIntegrity())
  }

  @Test("a database of a later version, and one that is none, are refused and left alone")
  func unusable() throws {
    let folder = try TestFolder()
    let file = folder.url.appending(path: "data/links.sqlite")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let junk = Data(repeating: 0x41, count: 10_000)
    try junk.write(to: file)
    let error = #expect(throws: LinkError.self) { try folder.store() }
    #expect(error?.code == .storeUnusable)
    #expect(error?.message.contains("damaged") == true, "\(error?.message ?? "")")
    #expect(try Data(contentsOf: file) == junk)
    let other = try TestFolder()
    let store = try other.store()
    try store.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99')") }
    let later = #expect(throws: LinkError.self) { try other.store() }
    #expect(later?.message.contains("later version") == true, "\(later?.message ?? "")")
  }

  @Test("piece by piece, as on a full disk, all items of a source are removed, and no others")
  func pieces() async throws {
    let scene = try LinkScene()
    let other = "https://other.example/feed"
    for address in [feed, other] {
      let items = (0..<10).map {
        Written("Title \($0)", link: "\(address)/\($0)", guid: "\(address)/\($0)", text: "words")
      }
      scene.transport.on(address, body: rss(items))
      try await scene.follow(address)
    }
    try scene.store.removeItems(of: 1, piece: 4)
    #expect(try scene.store.items().allSatisfy { $0.sourceID == 2 })
    #expect(try scene.store.count() == 10)
    #expect(try scene.store.checkIntegrity())
    #expect(try scene.store.remove(sourceID: 1) == 0)
    #expect(try scene.store.remove(sourceID: 2) == 10)
    #expect(try scene.store.count() == 0)
  }

  @Test("an icon is kept once, and goes with the last that uses it")
  func icons() throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = try folder.store()
    let icon = try #require(LinkIcon(tinyPNG))
    let first = try store.subscribe(to: "https://a.org/")
    let second = try store.subscribe(to: "https://b.org/")
    try store.setIcon(icon, sourceID: first.id, now: Date())
    try store.setIcon(icon, sourceID: second.id, now: Date())
    #expect(try store.icon(digest: icon.digest) == icon)
    try store.remove(sourceID: first.id)
    #expect(try store.icon(digest: icon.digest) == icon)
    try store.remove(sourceID: second.id)
    #expect(try store.icon(digest: icon.digest) == nil)
  }

  private nonisolated func item(_ title: String) -> IncomingItem {
    IncomingItem(
      identity: "guid:\(title)",
      address: "https://example.org/\(title)",
      title: title,
      text: ""
    )
  }

  private func document(_ items: [IncomingItem]) -> LinkStore.FetchedDocument {
    LinkStore.FetchedDocument(items: items, ownTitle: "T", notes: [], nextFetch: Date())
  }
}

struct ShorteningTests {
  @Test("short texts stay, long ones end in an ellipsis within the limit")
  func lengths() {
    #expect(PlainText.shortened("abc", to: 3) == "abc")
    #expect(PlainText.shortened("abcd", to: 3) == "ab…")
    #expect(PlainText.shortened("one two three four", to: 15) == "one two three…")
    #expect(PlainText.shortened("onetwothreefourfive", to: 15) == "onetwothreefou…")
    #expect(PlainText.shortened("", to: 3) == "")
  }

  @Test("a character of several parts is never cut")
  func graphemes() {
    let family = "👨‍👩‍👧‍👦"
    let text = String(repeating: family, count: 10)
    #expect(PlainText.shortened(text, to: 10) == text)
    #expect(PlainText.shortened(text, to: 4) == String(repeating: family, count: 3) + "…")
    #expect(PlainText.shortened("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
  }
}

import Foundation
import Glibc
import HTTPTypes
import HostTestSupport
import Hummingbird
import TestSupport
import Testing

@testable import SharedLinks

struct LinksCommandTests {
  @Test("an empty state says what to do")
  func empty() throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    for arguments in [[], ["list"], ["feeds"], ["refresh"]] as [[String]] {
      let result = try command.run(["links"] + arguments)
      #expect(result.status == 0)
      #expect(result.output.contains("tickbird links add"), "\(result.output)")
    }
    #expect(try command.run("links", "rules").output.contains("tickbird links rules add"))
    #expect(try command.run("links", "list", "--format", "json").output == "[\n\n]\n")
  }

  @Test("wrong input is refused in words and with a status")
  func wrong() throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let cases: [([String], String)] = [
      (["add", "ftp://x.org/"], "only http and https"), (["remove", "9"], "there is no feed 9"),
      (["show", "9"], "there is no link 9"), (["read"], "Give the numbers"),
      (["read", "9"], "there is no link 9"), (["import", "/nonexistent"], "there is no file"),
      (["rules", "off", "x"], "there is no rule list x"), (["list", "--limit", "0"], "--limit"),
      (["feeds", "set", "1"], "Give --identity"), (["refresh", "--due", "--force"], "exclude"),
    ]
    for (arguments, word) in cases {
      let result = try command.run(["links"] + arguments)
      #expect(result.status != 0, "\(arguments)")
      #expect(result.errors.contains(word), "\(arguments): \(result.errors)")
    }
  }

  @Test("processes that begin at the same time share the database from its first moment")
  func together() throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    var processes: [TestProcess] = []
    for number in 0..<6 {
      let file = folder.url.appending(path: "\(number).opml")
      let outlines = (0..<50).map { "<outline xmlUrl='http://127.0.0.1:1/\(number)/\($0)'/>" }
      try Data("<opml><body>\(outlines.joined())</body></opml>".utf8).write(to: file)
      let process = try command.process(["links", "import", "--local", file.path])
      try process.run()
      processes.append(process)
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let store = try LinkStore(folder: folder.url.appending(path: "data"))
    #expect(try store.sources().count == 300)
    #expect(try store.checkIntegrity())
  }

  @Test("a feed's whole life: add, list, search, show, read, hide, move, remove")
  func life() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    try await TestServer.serve { request in
      request.uri.path == "/feed"
        ? TestServer.text(
          rss([
            Written("Café \u{1B}[31mred", link: "https://e.org/1", guid: "1", date: "2026-01-02"),
            Written("Ad", link: "https://ads.example/1", guid: "2", date: "2026-01-01"),
          ])
        ) : .init(status: .notFound)
    } _: { base in
      let added = try await command.run("links", "add", "\(base)/feed", "--folder", "News")
      #expect(added.status == 0 && added.output.contains("with 2 links"), "\(added)")
      #expect(try await command.run("links", "add", "\(base)/feed").status == 1)
      let list = try await command.run("links", "list").output
      #expect(list.contains("2026-01-02 00:00  Feed: Café [31mred\n") && !list.contains("\u{1B}"))
      #expect(
        try await command.run("links", "search", "cafe", "--format", "json").output.contains(
          "\"https://e.org/1\""
        )
      )
      #expect(
        try await command.run("links", "search", "nowhere").output == "No link has nowhere.\n"
      )
      #expect(try await command.run("links", "list", "--folder", "News").output.contains("Café"))
      let rules = folder.url.appending(path: "ads.json")
      try Data(blockAds.utf8).write(to: rules)
      #expect(
        try await command.run("links", "rules", "add", rules.path).output.contains("hides 1 link")
      )
      #expect(
        try await command.run("links", "list").output.contains("1 link is hidden by your rules")
      )
      let blocked = try await command.run("links", "list", "--blocked", "--format", "json").output
      #expect(blocked.contains("\"list\" : \"ads\""))
      let shown = try await command.run("links", "show", "2").output
      #expect(shown.contains("rule 0 of your list ads") && shown.contains("url-filter"))
      #expect(try await command.run("links", "read", "1").status == 0)
      let unread = try await command.run("links", "list", "--unread").output
      #expect(!unread.contains("Café"))
      #expect(try await command.run("links", "refresh").output.contains("nothing new"))
      #expect(try await command.run("links", "feeds", "set", "1", "--identity", "link").status == 0)
      #expect(try await command.run("links", "feeds").output.contains("recognised by their link"))
      let file = folder.url.appending(path: "feeds.opml")
      #expect(try await command.run("links", "export", file.path).status == 0)
      #expect(try await command.run("links", "remove", "Feed").output.contains("with 2 links"))
      #expect(
        try await command.run("links", "import", "--local", file.path).output
          .contains("Subscribed to 1 feed")
      )
      let refreshed = try await command.run("links", "refresh", "--format", "json")
      #expect(refreshed.output.contains("\"new\" : 2"))
    }
  }
}

struct KillTests {
  private static let feeds = 12
  private static let items = 40

  @Test("a process that is killed at any moment loses no subscription and no item")
  func kill() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    // Each document has more items than the one before, and none that leaves.
    try await TestServer.serve { request in
      guard request.uri.path.hasSuffix(".xml") else { return .init(status: .notFound) }
      let items = (0..<Self.items).map {
        Written("\(request.uri.path) \($0)", link: "/\($0)", guid: "\($0)", text: "some words")
      }
      return TestServer.text(rss(items, title: request.uri.path))
    } _: { base in
      var generator = RandomSource(seed: 20_261_121)
      var subscribed: Set<String> = []
      var items = 0
      for round in 0..<Self.feeds {
        let file = folder.url.appending(path: "\(round).opml")
        let address = "\(base)/\(round).xml"
        try Data("<opml><body><outline xmlUrl='\(address)'/></body></opml>".utf8).write(to: file)
        // One that ends by itself: what it has promised must stay.
        if round % 2 == 0 {
          #expect(try await command.run("links", "import", "--local", file.path).status == 0)
          subscribed.insert(address)
        } else {
          try await interrupt(
            command.process(["links", "import", "--local", file.path]),
            &generator,
            within: 120
          )
        }
        try await interrupt(
          command.process(["links", "refresh", "--force"]),
          &generator,
          within: 700
        )
        let store = try LinkStore(folder: folder.url.appending(path: "data"))
        #expect(try store.checkIntegrity())
        let sources = try store.sources()
        #expect(subscribed.isSubset(of: sources.map(\.key)))
        #expect(
          sources.allSatisfy { [0, Self.items].contains($0.itemCount) },
          "a document is whole"
        )
        let count = try store.count()
        #expect(count >= items)
        items = count
        subscribed.formUnion(sources.map(\.key))
      }
      #expect(try await command.run("links", "refresh", "--force").status == 0)
      let store = try LinkStore(folder: folder.url.appending(path: "data"))
      #expect(try store.count() == subscribed.count * Self.items)
      #expect(try store.checkIntegrity())
    }
  }

  /// Runs a process and kills it after a random time, if it still runs then.
  private func interrupt(
    _ process: TestProcess,
    _ generator: inout RandomSource,
    within milliseconds: Int
  ) async throws {
    let delay = Int.random(in: 5...milliseconds, using: &generator)
    try process.run()
    try await Task.sleep(for: .milliseconds(delay))
    process.send(SIGKILL)
    process.waitUntilExit()
  }
}

import Foundation
import HTTPTypes
import HostTestSupport
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import SharedLinks

/// What the web extension asks of the built program.
@Suite("The host, asked for links")
struct BrowserLinksTests {
  private static func items(_ answer: [String: Any]) -> [[String: Any]] {
    answer["items"] as? [[String: Any]] ?? []
  }

  private static func place(of link: [String: Any]) -> [String: Any] {
    ["date": link["date"] ?? 0, "id": link["id"] ?? 0]
  }

  private static func titles(_ answer: [String: Any]) -> [String] {
    items(answer).compactMap { $0["title"] as? String }
  }

  private static func feed(_ count: Int, title: String = "Daily") -> String {
    rss(
      (1...count).map { number in
        Written(
          "News \(number)",
          link: "https://e.org/\(number)",
          guid: "\(number)",
          date: "2026-01-0\(number)",
          text: "What number \(number) says"
        )
      },
      title: title
    )
  }

  @Test("a feed's life: subscribed to, listed, searched, read, taken away")
  func life() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    try await TestServer.serve { request in
      switch request.uri.path {
      case "/feed": TestServer.text(Self.feed(5))
      case "/favicon.ico":
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: tinyPNG)))
      default: .init(status: .notFound)
      }
    } _: { base in
      let port = try BrowserPort(command)
      let none = try await port.ask(["type": "links"])
      #expect(Self.items(none).isEmpty && none["count"] as? Int == 0)
      let added = try await port.ask(["type": "subscribe", "address": "\(base)/feed"])
      #expect(added["type"] as? String == "subscribed")
      let source = try #require(added["source"] as? [String: Any])
      #expect(source["title"] as? String == "Daily" && source["links"] as? Int == 5)
      #expect(try await port.notice() == "linksChanged")

      let first = try await port.ask(["type": "links", "limit": 2])
      #expect(Self.titles(first) == ["News 5", "News 4"])
      #expect(first["hasMore"] as? Bool == true)
      #expect(first["count"] as? Int == 5 && first["unread"] as? Int == 5)
      let last = try #require(Self.items(first).last)
      // A new link on top does not move what comes after a place.
      let rest = try await port.ask(["type": "links", "after": Self.place(of: last)])
      #expect(Self.titles(rest) == ["News 3", "News 2", "News 1"])
      #expect(rest["hasMore"] as? Bool == false)
      let found = try await port.ask(["type": "links", "words": "number 4"])
      #expect(Self.titles(found) == ["News 4"] && found["count"] as? Int == 1)
      #expect(Self.items(found).first?["text"] as? String == "What number 4 says")
      #expect(try await Self.titles(port.ask(["type": "links", "words": "\"*("])).isEmpty)

      let digest = try #require(last["icon"] as? String)
      let icons = try await port.ask(["type": "linkIcons", "digests": [digest, "none"]])
      let icon = (icons["icons"] as? [[String: Any]])?.first
      #expect(icon?["mediaType"] as? String == "image/png")
      #expect(icon?["bytes"] as? String == Data(tinyPNG).base64EncodedString())
      #expect(icons["hasMore"] as? Bool == false)

      // One that is gone meanwhile harms no other.
      let ids = Self.items(first).compactMap { $0["id"] as? Int } + [9_999]
      #expect(
        try await port.ask(["type": "markLinks", "ids": ids, "isRead": true])["type"] as? String
          == "marked"
      )
      #expect(try await command.run("links", "list", "--unread").output.contains("News 4") == false)
      let unread = try await port.ask(["type": "links", "isUnread": true])
      #expect(Self.titles(unread) == ["News 3", "News 2", "News 1"])
      _ = try await port.ask(["type": "markLinks", "isRead": true, "through": 0])
      #expect(try await port.ask(["type": "links"])["unread"] as? Int == 3)
      _ = try await port.ask(["type": "markLinks", "isRead": true])
      #expect(try await port.ask(["type": "links"])["unread"] as? Int == 0)

      let secure = base.replacing("http://", with: "https://")
      let sources = try await port.ask([
        "type": "linkSources", "addresses": ["\(secure)/feed", "\(base)/other", "rubbish"],
      ])
      #expect((sources["sources"] as? [[String: Any]])?.count == 1)
      let id = try #require(source["id"] as? Int)
      #expect(sources["subscribed"] as? [String: Int] == ["\(secure)/feed": id])
      let removed = try await port.ask(["type": "unsubscribe", "source": id])
      #expect(removed["links"] as? Int == 5)
      #expect(try await Self.items(port.ask(["type": "links"])).isEmpty)
      #expect(try port.close() == 0)
    }
  }

  @Test("faults are told in words, by code and number")
  func faults() async throws {
    let folder = try TestFolder()
    try await TestServer.serve { request in
      switch request.uri.path {
      case "/page":
        TestServer.text(
          """
          <!doctype html><link rel=alternate type=application/rss+xml href=a title=A>
          <link rel=alternate type=application/atom+xml href=b title=B>
          """
        )
      case "/empty": TestServer.text("<!doctype html><p>Nothing")
      case "/feed": TestServer.text(Self.feed(1))
      default: .init(status: .notFound)
      }
    } _: { base in
      let port = try BrowserPort(HostProgram(home: folder.url))
      let cases: [([String: Any], String, String)] = [
        (
          ["type": "subscribe", "address": "\(base)/gone"], "fetch-failed", "nothing at the address"
        ),
        (["type": "subscribe", "address": "\(base)/empty"], "not-a-feed", "names no feed"),
        (["type": "subscribe", "address": "javascript:1"], "bad-address", "only http and https"),
        (
          ["type": "subscribe", "address": "\(base)/feed", "page": "https://e.org/"], "bad-address",
          "local network"
        ), (["type": "subscribe"], "bad-argument", "subscribe cannot be read"),
        (["type": "links", "limit": "many"], "bad-argument", "links cannot be read"),
        (["type": "unsubscribe", "source": 7], "not-found", "not subscribed to any more"),
      ]
      for (question, code, words) in cases {
        let answer = try await port.ask(question)
        #expect(answer["type"] as? String == "error")
        #expect(answer["code"] as? String == code, "\(answer)")
        #expect((answer["message"] as? String ?? "").contains(words), "\(answer)")
      }
      let several = try await port.ask(["type": "subscribe", "address": "\(base)/page"])
      let feeds = several["feeds"] as? [[String: Any]] ?? []
      #expect(feeds.compactMap { $0["address"] as? String } == ["\(base)/a", "\(base)/b"])
      // A page of the local network may name a feed there.
      let question = ["type": "subscribe", "address": "\(base)/feed", "page": "\(base)/page"]
      #expect(try await port.ask(question)["type"] as? String == "subscribed")
      #expect(try await port.ask(question)["code"] as? String == "duplicate")
      #expect(try port.close() == 0)
    }
  }

  @Test("a feed that takes its time holds up nobody, and the end of the port ends it")
  func slowFeed() async throws {
    let folder = try TestFolder()
    let (released, release) = AsyncStream<Void>.makeStream()
    let (asked, tell) = AsyncStream<Void>.makeStream()
    try await TestServer.serve { request in
      guard request.uri.path == "/slow" else { return .init(status: .notFound) }
      tell.yield()
      for await _ in released { break }
      return TestServer.text(Self.feed(2))
    } _: { base in
      let port = try BrowserPort(HostProgram(home: folder.url))
      let slow = try port.send(["type": "subscribe", "address": "\(base)/slow"])
      for await _ in asked { break }
      let note = try await port.ask(["request": "check", "url": "https://example.org/"])
      #expect(note["type"] as? String == "ignore")
      #expect(try await Self.items(port.ask(["type": "links"])).isEmpty)
      release.yield()
      #expect(try await port.answer(slow)["type"] as? String == "subscribed")
      #expect(try await Self.items(port.ask(["type": "links"])).count == 2)
      _ = try port.send(["type": "subscribe", "address": "\(base)/slow?again"])
      for await _ in asked { break }
      #expect(try port.close() == 0)
      release.finish()
    }
  }

  @Test("what other processes change is reported, and refreshing says how it went")
  func changes() async throws {
    let folder = try TestFolder()
    let command = HostProgram(home: folder.url)
    let count = Counter()
    try await TestServer.serve { request in
      switch request.uri.path {
      case "/good": TestServer.text(Self.feed(count.value))
      case "/bad" where count.value == 1: TestServer.text(Self.feed(1, title: "Bad"))
      default: .init(status: .notFound)
      }
    } _: { base in
      let port = try BrowserPort(command)
      for path in ["good", "bad"] {
        #expect(try await command.run("links", "add", "\(base)/\(path)").status == 0)
      }
      #expect(try await Self.items(port.ask(["type": "links"])).count == 2)
      #expect(try await command.run("links", "read", "1").status == 0)
      #expect(try await port.notice() == "linksChanged")
      #expect(try await port.ask(["type": "links"])["unread"] as? Int == 1)
      count.value = 3
      let refreshed = try await port.ask(["type": "refreshLinks"])
      #expect(refreshed["new"] as? Int == 2)
      let failed = (refreshed["failed"] as? [[String: Any]])?.first
      #expect(failed?["title"] as? String == "Bad")
      let sources = try await port.ask(["type": "linkSources"])["sources"] as? [[String: Any]]
      let bad = try #require(sources?.first { $0["title"] as? String == "Bad" })
      #expect((bad["fault"] as? String ?? "").contains("nothing at the address"))
      #expect(bad["succeeded"] as? Double != nil && bad["retry"] as? Double != nil)
      let good = try #require(sources?.first { $0["title"] as? String == "Daily" })
      #expect(good["fault"] == nil && good["links"] as? Int == 3)
      // Nothing is due so soon.
      let due = try await port.ask(["type": "refreshLinks", "isDue": true])
      #expect(due["new"] as? Int == 0 && (due["failed"] as? [Any])?.isEmpty == true)
      #expect(try port.close() == 0)
    }
  }

  @Test("no answer is longer than a browser takes, whatever feeds have")
  func longest() async throws {
    let folder = try TestFolder()
    // A character of a reader may be any number of bytes.
    let heavy = String(repeating: "e" + String(repeating: "\u{0301}", count: 60), count: 250)
    let document = rss(
      (0..<60).map {
        Written(
          "\($0)",
          link: "https://e.org/\($0)",
          guid: "\($0)",
          date: "2026-01-01",
          text: heavy
        )
      }
    )
    try await TestServer.serve { request in
      let path = request.uri.path
      if path == "/heavy" { return TestServer.text(document) }
      if path.hasSuffix(".png") {
        // Different bytes for each, none of which a reader looks at.
        let image = tinyPNG + Array(path.utf8) + [UInt8](repeating: 0, count: 240_000)
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(bytes: image)))
      }
      return TestServer.text(
        """
        <rss><channel><title>\(path)</title><image><url>\(path).png</url></image>
        <item><title>x</title><guid>1</guid></item></channel></rss>
        """
      )
    } _: { base in
      let port = try BrowserPort(HostProgram(home: folder.url))
      for path in ["heavy", "1", "2", "3", "4", "5", "6"] {
        let answer = try await port.ask(["type": "subscribe", "address": "\(base)/\(path)"])
        #expect(answer["type"] as? String == "subscribed", "\(answer)")
      }
      var links: [[String: Any]] = []
      var answers = 0
      while true {
        var question: [String: Any] = ["type": "links", "limit": 500]
        if let last = links.last { question["after"] = Self.place(of: last) }
        let answer = try await port.ask(question)
        links += Self.items(answer)
        answers += 1
        guard answer["hasMore"] as? Bool == true else { break }
        try #require(answers < 66)
      }
      #expect(answers > 1)
      #expect(links.count == 66)
      #expect(Set(links.compactMap { $0["id"] as? Int }).count == 66)
      var missing = Set(links.compactMap { $0["icon"] as? String })
      #expect(missing.count == 6)
      var parts = 0
      while !missing.isEmpty {
        let answer = try await port.ask(["type": "linkIcons", "digests": missing.sorted()])
        let icons = answer["icons"] as? [[String: Any]] ?? []
        try #require(!icons.isEmpty)
        missing.subtract(icons.compactMap { $0["digest"] as? String })
        #expect(answer["hasMore"] as? Bool == !missing.isEmpty)
        parts += 1
      }
      #expect(parts > 1)
      #expect(port.longest < 1 << 20)
      #expect(try port.close() == 0)
    }
  }
}

/// A number that a test and its server share.
private final class Counter: Sendable {
  private let number = Mutex(1)

  var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}

import Foundation
import SharedLinks
import Testing

@testable import LocalApp

/// The pages of the stream.
struct StreamPageTests {
  private let address = "https://f.example/feed"

  @Test("a site is subscribed to, read, searched, refreshed and left by forms")
  func life() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      #expect(try await visitor.get("/stream").body.contains("No subscriptions yet"))
      app.web.on(address, feed([("One", "https://f.example/1"), ("Two", "https://f.example/2")]))
      let subscribed = try await visitor.submit("/stream/subscribe", ["address": address]).body
      #expect(subscribed.said.contains("Subscribed to Feed, with 2 links."))
      let stream = try await visitor.get("/stream").body
      #expect(stream.contains("2 links, 2 unread"))
      #expect(
        stream.contains(
          "href=\"https://f.example/1\" target=\"_blank\" rel=\"noopener noreferrer\">One</a>"
        )
      )
      let item = try #require(try app.links.items().first { $0.title == "One" })
      let place = "/stream?unread=yes"
      let mark = ["id": "\(item.id)", "read": "yes", "place": place]
      let marked = try await visitor.submit("/stream/mark", mark).body
      #expect(try app.links.item(id: item.id).isRead)
      #expect(marked.contains(">Two</a>") && !marked.contains(">One</a>"))
      let back = try await visitor.submit("/stream/mark", ["id": "\(item.id)", "read": "no"])
      let isRead = try app.links.item(id: item.id).isRead
      #expect(back.status == 200 && !isRead)

      #expect(try await visitor.get("/stream?q=tw").body.contains("1 link found"))
      #expect(try await visitor.get("/stream?q=zzz").body.contains("No link is to be shown here"))
      app.web.on(address, feed([("Three", "https://f.example/3")]))
      let shown = try await visitor.get("/stream").body.between("name=\"now\" value=\"", "\"")
      let fresh = try await visitor.submit("/stream/refresh").body
      #expect(fresh.contains("1 new link.") && fresh.contains(">Three</a>"))
      // What came after the page was shown has not been seen.
      let all = try await visitor.submit("/stream/mark-all", ["now": shown]).body
      #expect(all.contains("2 links are marked as read."))
      #expect(try app.links.items().filter { !$0.isRead }.map(\.title) == ["Three"])

      let source = try #require(try app.links.sources().first)
      let question = try await visitor.get("/stream/sources/\(source.id)/remove").body
      #expect(question.said.contains("Unsubscribe from Feed?") && question.contains("3 links"))
      let removed = try await visitor.submit("/stream/sources/\(source.id)/remove").body
      #expect(removed.said.contains("Unsubscribed from Feed; 3 links went with it."))
      #expect(try app.links.sources().isEmpty)
    }
  }

  @Test("an address that is none, or brings nothing, comes back with the reason")
  func faults() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for typed in ["nothing here", "javascript:alert(1)", "https://gone.example/"] {
        let answer = try await visitor.post("/stream/subscribe", ["address": typed])
        #expect(answer.status == 422, "\(typed)")
        #expect(answer.body.contains("role=\"alert\"") && answer.body.contains(typed))
      }
      #expect(try app.links.sources().isEmpty)
      let page = """
        <html><head><link rel="alternate" type="application/rss+xml" href="/a" title="A &amp; <b>">
        <link rel="alternate" type="application/rss+xml" href="/b" title="B"></head></html>
        """
      app.web.on("https://p.example/", page)
      let several = try await visitor.post("/stream/subscribe", ["address": "https://p.example/"])
      #expect(several.status == 200 && several.body.contains("That page has several feeds"))
      #expect(several.body.contains("value=\"https://p.example/b\""))
      #expect(!several.body.contains("<b>"))
    }
  }

  @Test("what feeds say never becomes markup, and only web addresses become links")
  func markup() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let evil = "&lt;script&gt;x&lt;/script&gt;&quot;\u{301}&gt;"
      app.web.on(
        address,
        feed(
          [
            (evil, "https://f.example/?\"\u{301}&gt;&lt;script&gt;"),
            ("Bad", "javascript:alert(1)"),
            ("Data", "data:text/html,x"),
          ],
          title: evil
        )
      )
      _ = try await visitor.submit("/stream/subscribe", ["address": address])
      let source = try #require(try app.links.sources().first)
      for path in ["/stream", "/stream/sources", "/stream/sources/\(source.id)/remove"] {
        let body = try await visitor.get(path).body
        #expect(!body.contains("<script>") && !body.hasOpenQuotation, "\(path)")
        #expect(!body.contains("href=\"javascript:") && !body.contains("href=\"data:"))
      }
    }
  }

  @Test("an icon comes as the image that it is; subscriptions go out and come in as OPML")
  func files() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      #expect(try await visitor.get("/stream/icons/none").status == 404)
      app.web.on(address, feed([("One", "https://f.example/1")]))
      _ = try await visitor.submit("/stream/subscribe", ["address": address])
      let list = try await visitor.get("/stream/export")
      #expect(list.body.contains("xmlUrl=\"\(address)\""))
      let source = try #require(try app.links.sources().first)
      _ = try await visitor.submit("/stream/sources/\(source.id)/remove")
      let bytes = Array(list.body.utf8)
      let answer = try await visitor.upload("/stream/import", file: "s.opml", bytes).body
      #expect(answer.said.contains("s.opml: subscribed to 1 feed."))
      let broken = try await visitor.upload("/stream/import", file: "s.opml", Array("<x".utf8))
      #expect(broken.status == 422)
    }
  }
}

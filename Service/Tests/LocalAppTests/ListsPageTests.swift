import Foundation
import ListSubscriptions
import Testing

@testable import LocalApp

/// The page of subscriptions to lists.
struct ListsPageTests {
  @Test("without lists the page says what they are for, and shows well-known ones")
  func empty() async throws {
    try await ServedApp.run { app in
      let body = try await app.visitor().get("/lists").body
      #expect(body.contains("No lists yet") && body.contains("EasyList"))
      #expect(body.contains("https://easylist.to/</bdi> · <bdi>GPL-3.0-or-later OR CC-BY-SA-3.0"))
    }
  }

  @Test("a list is updated, turned off and on, looked at and removed")
  func life() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let file = app.folder.appending(path: "ads.txt")
      try Data("! Title: Ads <of> the world\n||ads.example^\n##+js(a)\n".utf8).write(to: file)
      let updater = ListUpdater(
        store: SubscriptionStore(data: app.folder),
        preparation: .inProcess
      )
      _ = try await updater.add(ListUpdater.Request(.file(file.path)))
      let shown = try await visitor.get("/lists").body
      #expect(shown.contains("1 list, 1 in use"))
      #expect(
        shown.contains("Ads &lt;of&gt; the world") && shown.contains(" of 2 filters, 1 impossible")
      )
      let off = try await visitor.submit("/lists/list/ads/off").body
      #expect(off.contains("is off, and is not updated.") && off.contains("1 list, 0 in use"))
      #expect(try await visitor.submit("/lists/list/ads/on").body.contains("is on."))
      let rules = try await visitor.get("/rules?list=list%3Aads").body
      #expect(rules.contains("selected>Ads &lt;of&gt; the world (subscription)"))
      #expect(rules.contains("Nothing is wrong with the list."))
      try Data("<html>".utf8).write(to: file)
      let failed = try await visitor.submit("/lists/update").body
      #expect(failed.contains("Not updated; the previous version stays in use"))
      try Data("||a.example^\n||b.example^\n".utf8).write(to: file)
      #expect(
        try await visitor.submit("/lists/list/ads/update").body.contains("1 list is updated.")
      )
      #expect(try await visitor.submit("/lists/list/ads/remove").body.contains("is removed."))
      #expect(try await visitor.get("/lists").body.contains("No lists yet"))
      #expect(try await visitor.submit("/lists/list/ads/remove").status == 404)
    }
  }

  @Test("what is no address is told, with what was written; files are not read")
  func wrong() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for source in ["/etc/hosts", "easylist.to/easylist.txt", "", "ftp://a.example/"] {
        let answer = try await visitor.submit("/lists/add", ["source": source])
        #expect(answer.status == 422)
        #expect(answer.body.contains("is no address of a list"), "\(source)")
        #expect(answer.body.contains("value=\"\(source)\""))
      }
    }
  }

  @Test(
    "an error begins with a capital letter where it begins with the program's own word, and changes nothing else",
    arguments: [
      ("there is no list x", "There is no list x."),
      ("file:///etc/hosts is no address of a list", "file:///etc/hosts is no address of a list."),
      ("easylist/../x is there already", "easylist/../x is there already."),
      ("http://127.0.0.1:1/x: nothing answers", "http://127.0.0.1:1/x: nothing answers."),
      ("mine: it is busy", "mine: it is busy."), ("uBlock is there", "uBlock is there."),
      ("typed is no address", "typed is no address."), ("ärger is a name", "ärger is a name."),
      ("the end is there!", "The end is there!"), ("", ""),
    ]
  )
  func sentences(message: String, sentence: String) {
    let typed = ["", "typed", "list x"]
    #expect(PageError.sentence(message, typed: typed) == sentence)
  }

  @Test("what was typed stays as it was in the answer, whatever page it was typed on")
  func typed() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for source in ["file:///etc/hosts", "easylist/../x", "easylists"] {
        let answer = try await visitor.submit("/lists/add", ["source": source]).body
        let capital = source.prefix(1).uppercased() + source.dropFirst()
        #expect(answer.contains("\(source) is no address of a list"), "\(source)")
        #expect(!answer.contains(capital), "\(source)")
      }
      let feed = try await visitor.submit(
        "/stream/subscribe",
        ["address": "http://127.0.0.1:1/x"]
      ).body
      #expect(feed.contains("http://127.0.0.1:1/x") && !feed.contains("Http://"))
    }
  }
}

import Foundation
import Testing

@testable import SharedLinks

struct SubscriptionListTests {
  @Test("OPML of other readers is taken over, folders and all, also where it is broken")
  func reading() throws {
    let list = try SubscriptionList(
      opml: Array(
        """
        <?xml version="1.0"?><!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>
        <opml version="1.0"><head><title>T & x</title></head><body>
        <outline text="Tech &amp; more">
          <outline text="A & B" xmlUrl="https://a.org/feed?x=1&y=2" htmlUrl="https://a.org/"/>
          <outline title="Deep"><outline type="atom" text="C" xmlurl="http://c.org/feed"/></outline>
        </outline>
        <outline text="Bad" xmlUrl="javascript:alert(1)"/>
        <outline text="Typed" xmlUrl="feed://d.org/feed"></outline>
        <outline text="Note"/>
        """.utf8
      )
    )
    #expect(
      list.entries.map(\.address) == [
        "https://a.org/feed?x=1&y=2", "http://c.org/feed", "http://d.org/feed",
      ]
    )
    #expect(list.entries.map(\.title) == ["A & B", "C", "Typed"])
    #expect(list.entries.map(\.folder) == [["Tech & more"], ["Tech & more", "Deep"], []])
    #expect(list.notes.contains { $0.contains("javascript:") })
    #expect(list.notes.contains { $0.contains("cut off") })
  }

  @Test("what is written is read as it was")
  func roundTrip() throws {
    let place = try TestFolder()
    defer { withExtendedLifetime(place) {} }
    let store = try place.store()
    let folders: [[String]] = [[], ["A \"q\" <&>"], ["A \"q\" <&>", "B"], ["C"], []]
    for (number, folder) in folders.enumerated() {
      try store.subscribe(
        to: "https://e\(number).org/?a=1&b=2",
        title: "Title \(number) <&\"'> \u{1F600}",
        pageAddress: "https://e\(number).org/",
        folder: folder
      )
    }
    let written = SubscriptionList(try store.sources())
    let read = try SubscriptionList(opml: Array(written.opml().utf8))
    #expect(read.notes == [])
    #expect(Set(read.entries.map(\.address)) == Set(written.entries.map(\.address)))
    for entry in written.entries { #expect(read.entries.contains(entry), "\(entry)") }
    let otherPlace = try TestFolder()
    defer { withExtendedLifetime(otherPlace) {} }
    let other = try otherPlace.store()
    #expect(try other.subscribe(to: read) == ImportCounts(added: 5, present: 0))
    #expect(try other.subscribe(to: read) == ImportCounts(added: 0, present: 5))
    let folder = try #require(try other.sources().first { $0.key.contains("e2") }?.folder)
    #expect(folder == ["A \"q\" <&>", "B"])
  }

  @Test(
    "what is no OPML is refused",
    arguments: ["", "<rss/>", "{}", "<html><body>x</body></html>"]
  )
  func refusals(_ text: String) {
    let error = #expect(throws: LinkError.self) {
      try SubscriptionList(opml: Array(text.utf8))
    }
    #expect(error?.code == .badSubscriptions)
  }

  @Test("nesting without end is bounded")
  func depth() throws {
    let text =
      "<opml><body>" + String(repeating: "<outline text='x'>", count: 50_000)
      + "<outline xmlUrl='https://a.org/'/>"
    let list = try SubscriptionList(opml: Array(text.utf8))
    #expect(list.entries.count <= 1)
  }
}

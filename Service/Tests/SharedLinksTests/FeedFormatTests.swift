import Foundation
import Testing

@testable import SharedLinks

private let address = "https://example.org/blog/feed.xml"

private func read(_ text: String, limits: LinkLimits = LinkLimits()) throws -> FeedDocument {
  try FeedReader.read(Array(text.utf8), address: address, limits: limits)
}

struct FeedFormatTests {
  @Test("RSS 2.0 gives every field of an item")
  func rss() throws {
    let document = try read(
      """
      <?xml version="1.0"?>
      <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"
        xmlns:atom="http://www.w3.org/2005/Atom">
      <channel>
        <title>A Blog</title><link>https://example.org/blog/</link><ttl>90</ttl>
        <atom:link rel="self" href="https://example.org/other.xml"/>
        <description>About</description>
        <image><url>/logo.png</url><title>Logo</title><link>https://example.org/</link></image>
        <item>
          <title>First &amp;amp; foremost</title><link>first.html</link>
          <guid isPermaLink="false">tag:1</guid>
          <pubDate>Sat, 21 Nov 2026 12:31:26 GMT</pubDate>
          <description>&lt;p&gt;Some &lt;b&gt;bold&lt;/b&gt; text&lt;/p&gt;</description>
          <content:encoded><![CDATA[<p>Long</p>]]></content:encoded>
          <dc:creator>Ann</dc:creator>
          <media:thumbnail url="https://example.org/t.jpg"/>
        </item>
        <item><guid>https://example.org/second</guid><title>Second</title></item>
      </channel></rss>
      """
    )
    #expect(document.format == .rss)
    #expect(document.title == "A Blog")
    #expect(document.pageAddress == "https://example.org/blog/")
    #expect(document.minutesToLive == 90)
    #expect(document.iconAddresses == ["https://example.org/logo.png"])
    #expect(document.notes == [])
    let first = try #require(document.entries.first)
    #expect(first.identifier == "tag:1")
    #expect(first.address == "https://example.org/blog/first.html")
    #expect(first.title == "First & foremost")
    #expect(first.text == "Some bold text")
    #expect(first.date == FeedDate.parse("2026-11-21T12:31:26Z"))
    #expect(first.author == "Ann")
    #expect(first.imageAddress == "https://example.org/t.jpg")
    #expect(document.entries.last?.address == "https://example.org/second")
  }

  @Test("Atom's text constructs, bases and links are understood")
  func atom() throws {
    let document = try read(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://example.org/a/">
        <title type="html">T &amp;lt;b&amp;gt; &lt;i&gt;x&lt;/i&gt;</title>
        <id>urn:x</id><link href="./"/><icon>icon.ico</icon>
        <entry xml:base="deep/">
          <id>urn:1</id><title>a &lt;b&gt; c</title>
          <link rel="replies" href="r"/><link type="application/json" href="j"/>
          <link rel="alternate" type="text/html" href="one"/>
          <updated>2026-11-21T12:31:26Z</updated><published>2020-01-01T00:00:00Z</published>
          <author><name>Bo</name></author>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>1 &lt; 2</p><p>and
            <b>b</b>old</p><script>alert(1)</script></div></content>
        </entry>
        <entry><id>urn:2</id><title/><summary>S</summary><link href="two"/>
          <updated>2026-11-21T12:31:26Z</updated>
          <source><title>Elsewhere</title><id>urn:z</id></source></entry>
      </feed>
      """
    )
    #expect(document.format == .atom)
    #expect(document.title == "T <b> x")
    #expect(document.pageAddress == "https://example.org/a/")
    #expect(document.iconAddresses == ["https://example.org/a/icon.ico"])
    #expect(document.entries.count == 2)
    let first = try #require(document.entries.first)
    #expect(first.title == "a <b> c")
    #expect(first.address == "https://example.org/a/deep/one")
    #expect(first.text == "1 < 2 and bold")
    #expect(first.date == FeedDate.parse("2020-01-01"))
    #expect(first.author == "Bo")
    #expect(document.entries[1].address == "https://example.org/a/two")
    #expect(document.entries[1].author == "Elsewhere")
    #expect(document.entries[1].identifier == "urn:2")
  }

  @Test("RDF has its items beside the channel")
  func rdf() throws {
    let document = try read(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://example.org/"><title>R</title><link>https://example.org/</link>
        <items><rdf:Seq><rdf:li rdf:resource="https://example.org/1"/></rdf:Seq></items></channel>
      <image rdf:about="x"><title>No title</title><url>https://example.org/i.png</url></image>
      <item rdf:about="https://example.org/1"><title>One</title><link>https://example.org/1</link>
        <dc:date>2026-11-21T12:31:26Z</dc:date></item>
      </rdf:RDF>
      """
    )
    #expect(document.format == .rdf)
    #expect(document.title == "R")
    #expect(document.iconAddresses == ["https://example.org/i.png"])
    #expect(document.entries.map(\.identifier) == ["https://example.org/1"])
    #expect(document.entries.first?.date != nil)
  }

  @Test("JSON Feed takes numbers as identifiers, and nulls as nothing")
  func jsonFeed() throws {
    let document = try read(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "/", "icon":
      "i.png", "favicon": null, "authors": [{"name": "Cy"}], "items": [
      {"id": 17, "url": "/17", "title": null, "content_text": "Plain <b>", "date_published":
      "2026-11-21T12:31:26Z", "image": "/17.jpg"},
      {"id": "https://example.org/18", "content_html": "<p>H</p>", "author": {"name": "Di"}},
      {"id": null, "title": "No link"}, null, 5, {}]}
      """
    )
    #expect(document.format == .jsonFeed)
    #expect(document.pageAddress == "https://example.org/")
    #expect(document.iconAddresses == ["https://example.org/blog/i.png"])
    #expect(document.entries.map(\.identifier) == ["17", "https://example.org/18", nil])
    #expect(document.entries.map(\.text) == ["Plain <b>", "H", ""])
    #expect(document.entries.map(\.author) == ["Cy", "Di", "Cy"])
    #expect(document.entries[1].address == "https://example.org/18")
    #expect(document.notes.count == 1)
  }

  @Test(
    "broken JSON is refused with its place",
    arguments: [
      #"{"version": "https://jsonfeed.org/version/1", "items": [{"id": "1"},]}"#,
      #"{"items": [{"id": "1", "title": "x",}]}"#, #"{"items": ["#, #"{"items": [{"id": "1}]}"#,
    ]
  )
  func brokenJSON(_ text: String) {
    let error = #expect(throws: LinkError.self) { try read(text) }
    #expect(error?.code == .notAFeed)
    #expect(error?.message.contains { $0.isNumber } == true)
  }

  @Test(
    "what is no feed is refused and said to be what it is",
    arguments: [
      ("", "empty"), ("   \n", "empty"), ("hello", "not a feed"), ("[1, 2]", "not an object"),
      ("{\"a\": 1}", "neither version nor items"),
      ("<!DOCTYPE html><html><head></head></html>", "a web page"), ("<svg/>", "not a feed"),
    ]
  )
  func refusals(_ text: String, _ word: String) {
    let error = #expect(throws: LinkError.self) { try read(text) }
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("JSON that is nested too deeply is refused and said to be so")
  func deepNesting() {
    let error = #expect(throws: LinkError.self) {
      try read(String(repeating: "[", count: 100_000))
    }
    #expect(error?.message.contains("nested more than 100 deep") == true)
  }

  @Test("links are http or https, and nothing else comes through")
  func schemes() throws {
    let links = [
      "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://example.org/",
      "https://user:secret@example.org/", "vbscript:x", "JaVaScRiPt:alert(1)", "blob:https://x/1",
    ]
    let items = links.map { "<item><title>t</title><link>\($0)</link></item>" }.joined()
    let document = try read("<rss><channel>\(items)</channel></rss>")
    #expect(document.entries.count == links.count)
    #expect(document.entries.allSatisfy { $0.address == nil })
    let kept = LinkRefresher.items(of: document, rule: .automatic, address: address)
    #expect(kept.allSatisfy { $0.address == LinkAddress.site(address) })
  }

  @Test("markup, scripts and characters that hide never reach the title or text")
  func markup() throws {
    let document = try read(
      """
      <rss><channel><item><title><![CDATA[<script>alert(1)</script>A\u{202E}B\u{0}<img src=x
      onerror=alert(1)>&lt;C&gt;]]></title><link>https://x.org/</link><description>
      &lt;style&gt;p{}&lt;/style&gt;&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;&lt;iframe
      src=x&gt;no&lt;/iframe&gt; a&amp;nbsp;b</description></item></channel></rss>
      """
    )
    #expect(document.entries.first?.title == "AB <C>")
    #expect(document.entries.first?.text == "one two a b")
  }

  @Test("limits leave out what is beyond them and say so")
  func limits() throws {
    var limits = LinkLimits()
    limits.itemsPerDocument = 3
    limits.titleCharacters = 5
    limits.addressBytes = 40
    let long = String(repeating: "x", count: 100)
    let items = (1...9).map { number in
      "<item><title>\(long)</title><guid>\(long)\(number)</guid></item>"
    }.joined()
    let document = try read("<rss><channel>\(items)</channel></rss>", limits: limits)
    #expect(document.entries.count == 3)
    #expect(document.entries.allSatisfy { $0.title.count == 5 && $0.identifier == nil })
    #expect(document.notes.first?.hasPrefix("6 items are left out") == true)
    limits.documentBytes = 10
    #expect(throws: LinkError.self) { try read("<rss><channel/></rss>", limits: limits) }
  }
}

import Foundation
import TestSupport
import Testing

@testable import SharedLinks

/// A broken feed as found in the wild, and the expected result.
struct BrokenFeed: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bytes: [UInt8]
  let titles: [String]
  var contentType = "text/xml"

  init(_ name: String, _ text: String, _ titles: [String], contentType: String = "text/xml") {
    self.init(name, Array(text.utf8), titles, contentType: contentType)
  }

  init(_ name: String, _ bytes: [UInt8], _ titles: [String], contentType: String = "text/xml") {
    testDescription = name
    self.bytes = bytes
    self.titles = titles
    self.contentType = contentType
  }

  static func rss(_ inside: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?><rss version=\"2.0\"><channel><title>T</title>"
      + inside + "</channel></rss>"
  }

  static func item(_ title: String, _ more: String = "") -> String {
    "<item><title>\(title)</title><link>https://example.org/\(title.utf8.count)</link>\(more)</item>"
  }
}

private let good = BrokenFeed.item("One") + BrokenFeed.item("Three")

let brokenFeeds: [BrokenFeed] = [
  BrokenFeed(
    "unescaped ampersands in text and addresses",
    BrokenFeed.rss(
      "<item><title>A & B &c; &</title><link>https://example.org/?a=1&b=2&copy=3</link></item>"
    ),
    ["A & B &c; &"]
  ),
  BrokenFeed(
    "entities of HTML that nobody declared",
    BrokenFeed.rss(BrokenFeed.item("Caf&eacute;&nbsp;&hellip; &rsquo;s")),
    ["Café … ’s"]
  ),
  BrokenFeed(
    "windows-1252 that is said to be UTF-8",
    Array(BrokenFeed.rss("").utf8.prefix { $0 != 0x3C } + [])
      + Array("<?xml version=\"1.0\" encoding=\"utf-8\"?><rss><channel><item><title>Caf".utf8)
      + [0xE9, 0x20, 0x93] + Array("x".utf8) + [0x94]
      + Array("</title><link>https://e.org/</link></item></channel></rss>".utf8),
    ["Café “x”"]
  ),
  BrokenFeed(
    "UTF-8 that is said to be Latin 1",
    "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><rss><channel>\(BrokenFeed.item("Café"))"
      + "</channel></rss>",
    ["Café"],
    contentType: "text/xml; charset=ISO-8859-1"
  ),
  BrokenFeed(
    "Latin 1 in the header alone",
    Array("<rss><channel><item><title>Caf".utf8) + [0xE9]
      + Array("</title></item></channel></rss>".utf8),
    ["Café"],
    contentType: "text/xml; charset=\"iso-8859-1\""
  ),
  BrokenFeed(
    "Cyrillic in windows-1251",
    Array("<?xml version='1.0' encoding='windows-1251'?><rss><channel><item><title>".utf8)
      + [0xCC, 0xE8, 0xF0] + Array("</title></item></channel></rss>".utf8),
    ["Мир"]
  ),
  BrokenFeed(
    "UTF-16 with its mark",
    [0xFF, 0xFE] + BrokenFeed.rss(good).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ["One", "Three"]
  ),
  BrokenFeed("a mark before UTF-8", "\u{FEFF}" + BrokenFeed.rss(good), ["One", "Three"]),
  BrokenFeed("blank lines first", "\n\n  \r\n" + BrokenFeed.rss(good), ["One", "Three"]),
  BrokenFeed(
    "a warning of PHP first",
    "<br />\n<b>Warning</b>: mysql_connect() in <b>/x.php</b><br />\n" + BrokenFeed.rss(good),
    ["One", "Three"]
  ),
  BrokenFeed(
    "junk behind the end",
    BrokenFeed.rss(good) + "<!-- cached --><script>x</script></div>",
    ["One", "Three"]
  ),
  BrokenFeed(
    "control characters",
    BrokenFeed.rss(BrokenFeed.item("a\u{0}b\u{B}c\u{1B}[31md\u{FFFF}e&#0;&#x1F;f")),
    ["a b c [31md\u{FFFD}e\u{FFFD}\u{FFFD}f"]
  ),
  BrokenFeed(
    "broken off in the middle of an item",
    String(BrokenFeed.rss(good + BrokenFeed.item("Cut")).dropLast(40)),
    ["One", "Three"]
  ),
  BrokenFeed(
    "broken off in the middle of a tag",
    String(BrokenFeed.rss(good)).replacing("</channel></rss>", with: "<ite"),
    ["One", "Three"]
  ),
  BrokenFeed(
    "an open section of characters",
    BrokenFeed.rss(good + "<item><title><![CDATA[Open</title></item>"),
    ["One", "Three", "Open"]
  ),
  BrokenFeed(
    "tags that are never closed",
    BrokenFeed.rss(
      "<item><title>One</title><description><p>a<br>b<img src=x></description></item>"
        + "<item><title>Two</title><description>c</item>" + "<item><title>Three</title>"
        + "<item><title>Four</title></item>"
    ),
    ["One", "Two", "Three", "Four"]
  ),
  BrokenFeed(
    "two hundred items with tags that are never closed",
    BrokenFeed.rss(
      (1...200).map { "<item><title>\($0)</title><description><p><b><i>x</description></item>" }
        .joined()
    ),
    (1...200).map { "\($0)" }
  ),
  BrokenFeed(
    "end tags without a start",
    BrokenFeed.rss("</item></p>" + good.replacing("</title>", with: "</b></title></span>")),
    ["One", "Three"]
  ),
  BrokenFeed(
    "less-than signs in text",
    BrokenFeed.rss(BrokenFeed.item("1 < 2 <3 <=") + BrokenFeed.item("x<y z")),
    ["1 < 2 <3 <=", "x<y z"]
  ),
  BrokenFeed(
    "attributes without quotes, twice, and without values",
    "<rss version=2.0 version=\"2.0\" hidden><channel><item a=1 a='2' b><title>One</title>"
      + "<enclosure url=https://e.org/x.mp3 type=audio/mpeg length></item></channel></rss>",
    ["One"]
  ),
  BrokenFeed(
    "prefixes that nobody declared",
    BrokenFeed.rss(
      "<item><dc:creator>A</dc:creator><title>One</title><x:title>Not</x:title>"
        + "<content:encoded>C</content:encoded><media:title>No</media:title></item>"
    ),
    ["One"]
  ),
  BrokenFeed(
    "a document type with entities",
    "<!DOCTYPE rss [<!ENTITY a \"aaaa>\"><!ENTITY b SYSTEM 'file:///etc/passwd'>]>"
      + BrokenFeed.rss(BrokenFeed.item("x&a;&b;y")),
    ["x&a;&b;y"]
  ),
  BrokenFeed(
    "RSS 0.91 with its document type",
    "<?xml version=\"1.0\"?><!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" "
      + "\"http://my.netscape.com/publish/formats/rss-0.91.dtd\"><rss version=\"0.91\"><channel>"
      + good + "</channel></rss>",
    ["One", "Three"]
  ),
  BrokenFeed(
    "Atom 0.3",
    "<feed version=\"0.3\" xmlns=\"http://purl.org/atom/ns#\"><title>T</title><entry><title>One"
      + "</title><link rel=\"alternate\" href=\"https://e.org/\"/><issued>2004-01-01</issued>"
      + "</entry></feed>",
    ["One"]
  ),
  BrokenFeed(
    "Atom with a prefix",
    "<atom:feed xmlns:atom=\"http://www.w3.org/2005/Atom\"><atom:entry><atom:title>One"
      + "</atom:title><atom:link href=\"https://e.org/\"/></atom:entry></atom:feed>",
    ["One"]
  ),
  BrokenFeed(
    "no XML declaration, upper case, and a channel alone",
    "<channel><ITEM><TITLE>One</TITLE><LINK>https://e.org/</LINK></ITEM></channel>",
    ["One"]
  ),
]

struct BrokenFeedTests {
  @Test("a broken feed loses no good item", arguments: brokenFeeds)
  func brokenFeed(_ feed: BrokenFeed) throws {
    let document = try FeedReader.read(
      feed.bytes,
      address: "https://example.org/feed",
      contentType: feed.contentType
    )
    #expect(document.entries.map(\.title) == feed.titles)
  }

  @Test("an address with bare ampersands stays whole")
  func ampersands() throws {
    let feed = try #require(brokenFeeds.first)
    let document = try FeedReader.read(feed.bytes, address: "https://example.org/")
    #expect(document.entries.first?.address == "https://example.org/?a=1&b=2&copy=3")
  }

  @Test("a feed that breaks off says so")
  func truncation() throws {
    let text = String(BrokenFeed.rss(good).dropLast(30))
    let document = try FeedReader.read(Array(text.utf8), address: "https://example.org/")
    #expect(document.entries.map(\.title) == ["One"])
    #expect(document.notes.contains { $0.contains("breaks off") })
  }

  @Test("a feed cut anywhere gives the items that are whole, each as it was")
  func cutAnywhere() throws {
    let bytes = Array(BrokenFeed.rss(good + BrokenFeed.item("Fünf & <b>")).utf8)
    let whole = try FeedReader.read(bytes, address: "https://example.org/").entries
    for length in 60..<bytes.count {
      let cut = try FeedReader.read(Array(bytes.prefix(length)), address: "https://example.org/")
      #expect(Array(whole.prefix(cut.entries.count)) == cut.entries, "\(length)")
    }
  }

  @Test("reading hostile documents stays linear and within its limits")
  func hostile() throws {
    let count = 200_000
    let bodies = [
      String(repeating: "<a>", count: count),
      String(repeating: "<!--", count: count),
      String(repeating: "<![CDATA[", count: count),
      String(repeating: "<!DOCTYPE [\"", count: count),
      "<rss " + (0..<count).map { "a\($0)=''" }.joined(separator: " ") + ">",
      "<rss>"
        + String(
          repeating: "<a "
            + (0..<200).map { "xmlns:n\($0)='u' n\($0):b='c'" }.joined(separator: " ") + ">",
          count: 500
        ),
      "<rss><item>" + String(repeating: "&amp;lt;p&amp;gt;<p>", count: count),
      "<rss><item><title>" + String(repeating: "&#", count: count) + "</title></item></rss>",
      "<rss><item><title>" + String(repeating: "e\u{301}\u{200B}", count: count)
        + "</title></item>",
      "<rss><item><link>https://" + String(repeating: "a.", count: count) + "</link></item></rss>",
      String(repeating: "<rss><item>", count: count),
      "<rss>" + String(repeating: "<item><title>x</item>", count: count / 4),
    ]
    for body in bodies {
      let document = try? FeedReader.read(Array(body.utf8), address: "https://example.org/")
      #expect(document?.entries.count ?? 0 <= LinkLimits().itemsPerDocument)
    }
  }

  @Test("bytes at random never trap", arguments: 0..<60)
  func randomBytes(_ seed: Int) {
    var generator = RandomSource(seed: UInt64(seed))
    let feeds = brokenFeeds.map(\.bytes)
    var bytes = feeds.randomElement(using: &generator) ?? []
    for _ in 0..<Int.random(in: 1...30, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: place)
      case 2:
        bytes.insert(contentsOf: Array("<>&\"']]>/!".utf8).shuffled(using: &generator), at: place)
      default: bytes.insert(contentsOf: bytes.suffix(20), at: place)
      }
    }
    _ = try? FeedReader.read(bytes, address: "https://example.org/")
    _ = try? SubscriptionList(opml: Array("<opml><body>".utf8) + bytes)
    _ = PageHead(page: String(decoding: bytes, as: UTF8.self), address: "https://example.org/")
  }
}

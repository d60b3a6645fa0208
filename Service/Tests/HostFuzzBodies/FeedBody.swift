import Foundation
import FuzzTargets
import SharedLinks

/// Reads a feed in whatever format it is.
enum FeedBody: FuzzBody {
  static let name = "feed"

  private static let limits = {
    var limits = LinkLimits()
    limits.documentBytes = 1 << 16
    limits.itemsPerDocument = 50
    limits.depth = 20
    limits.fieldBytes = 2_048
    return limits
  }()

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { try read(input) }
    try require(try FuzzOutcome { try read(input) } == outcome, "a feed is read in two ways")
    guard let feed = outcome.value else { return }
    try require(feed.entries.count <= limits.itemsPerDocument, "too many items are taken")
    try checkText(feed.title, limits.titleCharacters)
    try checkAddresses([feed.pageAddress] + feed.iconAddresses)
    for entry in feed.entries {
      try checkText(entry.title, limits.titleCharacters)
      try checkText(entry.text, limits.textCharacters)
      try checkText(entry.author ?? "", limits.textCharacters)
      try checkAddresses([entry.address, entry.imageAddress])
    }
    for note in feed.notes {
      try require(!note.isEmpty && note.utf8.count < 16_384, "a note of \(note.utf8.count) bytes")
    }
  }

  private static func read(_ input: [UInt8]) throws -> FeedDocument {
    try FeedReader.read(input, address: "https://a.test/feed/x", limits: limits)
  }

  private static func checkText(_ text: String, _ most: Int) throws(FuzzFinding) {
    try require(text.count <= most, "a text of \(text.count) characters")
    try require(
      !text.unicodeScalars.contains { $0.value < 0x20 || 0x202A...0x202E ~= $0.value },
      "\(text.debugDescription) has characters that are not to be seen"
    )
  }

  private static func checkAddresses(_ addresses: [String?]) throws(FuzzFinding) {
    for address in addresses.compactMap(\.self) {
      try require(
        address.hasPrefix("http://") || address.hasPrefix("https://"),
        "\(address) is no address of the web"
      )
    }
  }

  static var seeds: [[UInt8]] {
    [
      """
      <?xml version="1.0"?><rss version="2.0"><channel><title>T &amp; U</title><link>http://a/</link>\
      <ttl>60</ttl><image><url>i.png</url></image><item><title><![CDATA[<b>x</b>]]></title>\
      <link>/y?a=1&b=2</link><guid isPermaLink="false">g</guid><description>&lt;p&gt;d</description>\
      <pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate><enclosure url="e.png" type="image/png"/>\
      </item></channel></rss>
      """,
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b/"><title type="html">&lt;i>t</title>\
      <link rel="alternate" href="c"/><icon>i</icon><entry><id>u</id><title type="xhtml"><div \
      xmlns="http://www.w3.org/1999/xhtml">x<br/>y</div></title><updated>2026-11-22T10:00:00+01:00\
      </updated><content type="html">z</content><author><name>n</name></author></entry></feed>
      """,
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">\
      <channel rdf:about="x"><title>t</title></channel><item rdf:about="y"><title>i</title>\
      <link>http://a/</link></item></rdf:RDF>
      """,
      #"""
      {"version":"https://jsonfeed.org/version/1.1","title":"t","home_page_url":"http://a/","items":[
      {"id":"1","url":"x","title":"i","content_html":"<p>c","date_published":"2026-11-22T10:00:00Z",
      "authors":[{"name":"n"}],"image":"y.png"},{"id":2,"content_text":"\ud83d\ude00"}]}
      """#,
      "<rss><channel><item><title>open<item><title>again", "<html><head></head></html>", "",
      "{\"items\":[]}", "[]", "<!DOCTYPE rss [<!ENTITY a \"b\">]><rss><channel><title>&a;&eacute;",
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel><title>\u{E9}</title></channel></rss>",
      "\u{FEFF}<rss><channel><title>x</title></channel></rss>",
      "<RSS><Channel><ITEM/></Channel></RSS>",
    ].map { Array($0.utf8) }
  }
}

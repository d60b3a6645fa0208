import TestSupport
import Testing

@testable import PageNotes

@Suite("Addresses of pages, and what notes are attached to")
struct PageAddressTests {
  @Test(
    "What does not tell pages apart is left out",
    arguments: [
      ("https://example.com/a", "http://example.com/a"),
      ("https://EXAMPLE.com/a", "https://example.com:443/a"),
      ("http://example.com:443/a", "http://example.com:80/a"),
      ("https://mia:secret@example.com/a", "https://example.com/a"),
      ("https://example.com./a", "https://example.com/a"),
      ("https://example.com/a#part", "https://example.com/a"),
      ("https://example.com/a?utm_source=x&utm_medium=y", "https://example.com/a"),
      ("https://example.com/a?id=1&gclid=x", "https://example.com/a?id=1"),
      ("https://example.com/a?", "https://example.com/a"),
      ("https://example.com/%7Emia/%c3%a9", "https://example.com/~mia/%C3%A9"),
      ("https://example.com/a/../b", "https://example.com/b"),
      ("https://bücher.example/", "https://xn--bcher-kva.example/"),
      ("example.com/a", "https://example.com/a"),
      ("localhost:8080/a", "http://localhost:8080/a"),
      ("  https://example.com/a\n", "https://example.com/a"),
    ]
  )
  func equal(one: String, other: String) throws {
    #expect(try PageAddress(one) == PageAddress(other))
  }

  @Test(
    "What tells pages apart is kept",
    arguments: [
      ("https://example.com/a", "https://example.com/a/"),
      ("https://example.com/a", "https://example.com/A"),
      ("https://example.com/?v=1", "https://example.com/?v=2"),
      ("https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1"),
      ("https://example.com/#/inbox", "https://example.com/#/sent"),
      ("https://example.com/#!inbox", "https://example.com/"),
      ("https://example.com:8443/", "https://example.com/"),
      ("https://example.com/?x=%26", "https://example.com/?x=&"),
      ("https://a.example.com/", "https://example.com/"),
    ]
  )
  func different(one: String, other: String) throws {
    #expect(try PageAddress(one) != PageAddress(other))
  }

  @Test(
    "Only pages of http and https have notes",
    arguments: [
      "about:blank", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x",
      "chrome-extension://abc/popup.html", "ftp://example.com/", "", "   ", "https://",
      "http://a b/",
      "mailto:mia@example.com",
    ]
  )
  func refused(text: String) {
    #expect(throws: NoteError.self) { try PageAddress(text) }
  }

  @Test("An address that is too long is refused before it is read")
  func long() {
    #expect(throws: NoteError.self) {
      try PageAddress("https://example.com/" + String(repeating: "a", count: PageAddress.limit))
    }
  }

  @Test("Every target is read back from its own key and address")
  func stable() throws {
    var random = RandomSource(seed: 7)
    let hosts = ["example.com", "www.example.co.uk", "127.0.0.1:81", "[::1]:8080", "a.b.c.test"]
    let parts = ["/a", "/%2541", "/~x", "/..%2f", "/b.c", "/%E2%80%AE", "//", "/www."]
    let ends = ["", "/", "?a=%7e&utm_id=1", "?%", "#/r/%41", "#!x?y", "?utm_x", "?&&a"]
    for _ in 0..<2000 {
      let path = (0..<random.number(below: 4)).map { _ in random.pick(parts) }.joined()
      let text = "http://" + random.pick(hosts) + path + random.pick(ends)
      let page = try PageAddress(text)
      for kind in NoteTarget.Kind.allCases {
        let target = try NoteTarget(kind, of: page)
        #expect(NoteTarget(key: target.key) == target, "\(text)")
        #expect(try NoteTarget(kind, address: target.address) == target, "\(text)")
        #expect(target.contains(page), "\(text) \(target)")
      }
    }
  }

  @Test(
    "A target has the pages that it should",
    arguments: [
      (NoteTarget.Kind.site, "example.com", "https://example.com/x", true),
      (.site, "example.com", "https://news.example.com:81/x", true),
      (.site, "www.example.com", "https://shop.example.com/", true),
      (.site, "example.com", "https://badexample.com/", false),
      (.site, "127.0.0.1", "http://127.0.0.1:8901/", true),
      (.site, "0.0.1", "http://127.0.0.1/", false),
      (.host, "example.com", "https://example.com/x", true),
      (.host, "example.com", "https://www.example.com/x", false),
      (.path, "example.com/docs", "https://example.com/docs", true),
      (.path, "example.com/docs/", "https://example.com/docs/a?b", true),
      (.path, "example.com/docs", "https://example.com/docsearch", false),
      (.path, "example.com/docs", "https://example.com:81/docs/a", false),
      (.path, "example.com", "https://example.com/any", true),
      (.page, "example.com/docs", "https://example.com/docs#part", true),
      (.page, "example.com/docs", "https://example.com/docs/", false),
      (.page, "example.com/docs?a", "https://example.com/docs", false),
    ]
  )
  func contains(kind: NoteTarget.Kind, address: String, url: String, isIn: Bool) throws {
    #expect(try NoteTarget(kind, address: address).contains(PageAddress(url)) == isIn)
  }

  @Test("Of a host with very many labels, the sites of up to 128 labels are looked up")
  func manyLabels() throws {
    let host = String(repeating: "a.", count: 300) + "example"
    let keys = NoteTarget.keys(for: try PageAddress("https://\(host)/")).filter { $0.first == "s" }
    #expect(keys.count == 129)
    #expect(keys.first == "s" + host)
    #expect(keys.dropFirst().first == "s" + String(repeating: "a.", count: 127) + "example")
    #expect(keys.last == "sexample")
  }

  @Test("The keys of a long address take space in proportion to its length")
  func longAddresses() throws {
    let count = PageAddress.limit - 40
    for address in [
      String(repeating: "a.", count: count / 2) + "example/",
      "a.example/" + String(repeating: "/", count: count) + "x",
      "a.example/" + String(repeating: "a/", count: count / 2),
    ] {
      let keys = NoteTarget.keys(for: try PageAddress("https://" + address))
      #expect((4...4 + 65 + 128).contains(keys.count))
      #expect(keys.reduce(0) { $0 + $1.utf8.count } < 10 * PageAddress.limit)
    }
  }

  @Test("The site of a public suffix with www. is not all sites below the suffix")
  func publicSuffix() throws {
    #expect(try NoteTarget(.site, address: "www.co.uk").address == "www.co.uk")
    #expect(try NoteTarget(.site, address: "www.example.co.uk").address == "example.co.uk")
  }
}

import Testing

import WebURL

@Suite struct ComponentTests {
  @Test("A URL with all components gives each of them")
  func everyComponent() throws {
    let url = try #require(WebURL("https://user:pass@example.com:8080/dir/file?query#fragment"))
    #expect(url.scheme == "https")
    #expect(url.username == "user")
    #expect(url.password == "pass")
    #expect(url.host == "example.com")
    #expect(url.hostKind == .domain)
    #expect(url.port == 8080)
    #expect(url.path == "/dir/file")
    #expect(url.query == "query")
    #expect(url.fragment == "fragment")
    #expect(url.isSpecial)
    #expect(!url.hasOpaquePath)
    #expect(url.serializedWithoutFragment.hasSuffix("?query"))
    #expect(url.utf8[url.rangeWithoutFragment].last == UInt8(ascii: "y"))
    #expect(url.description == url.serialized)
  }

  @Test("A missing component is nil or empty, an empty one is empty")
  func missingComponents() throws {
    let bare = try #require(WebURL("http://a.test/"))
    #expect(bare.username == "" && bare.password == "" && bare.port == nil)
    #expect(bare.query == nil && bare.fragment == nil)
    let empty = try #require(WebURL("http://a.test/?#"))
    #expect(empty.query == "" && empty.fragment == "")
    let passwordOnly = try #require(WebURL("http://:p@a.test/"))
    #expect(passwordOnly.username == "" && passwordOnly.password == "p")
    let opaque = try #require(WebURL("data:a?b"))
    #expect(opaque.host == nil && opaque.hostRange.isEmpty)
    #expect(opaque.path == "a" && opaque.query == "b" && opaque.hasOpaquePath)
  }

  @Test(
    "The kind of a host is distinguished",
    arguments: [
      ("data:a", WebURL.HostKind.none), ("file:///a", .empty), ("x://", .empty),
      ("http://a.test/", .domain), ("http://0x1/", .ipv4), ("http://[::1]/", .ipv6),
      ("x://a.test/", .opaque), ("x:/.//a", .none),
    ]
  )
  func hostKind(text: String, expected: WebURL.HostKind) {
    #expect(WebURL(text)?.hostKind == expected)
  }

  @Test("A path that looks like a host is distinguished from one")
  func pathBehindDot() throws {
    let url = try #require(WebURL("x:/.//a/b?c"))
    #expect(url.host == nil)
    #expect(url.path == "//a/b")
    #expect(url.query == "c")
  }

  @Test(
    "The origin follows from the scheme",
    arguments: [
      ("https://u:p@a.test:81/b?c#d", "https://a.test:81"),
      ("http://a.test:80/", "http://a.test"),
      ("wss://a.test/", "wss://a.test"),
      ("ftp://a.test/", "ftp://a.test"),
      ("blob:https://a.test:81/1234", "https://a.test:81"),
      ("blob:ftp://a.test/1234", "null"),
      ("blob:null/1234", "null"),
      ("file:///a", "null"),
      ("data:a", "null"),
      ("x://a.test/", "null"),
    ]
  )
  func origin(text: String, expected: String) {
    #expect(WebURL(text)?.origin == expected)
  }

  @Test("URLs are equal when they are written the same")
  func equality() {
    #expect(WebURL("HTTP://A.test") == WebURL("http://a.test:80/"))
    #expect(WebURL("http://a.test/#") != WebURL("http://a.test/"))
    #expect(Set([WebURL("http://a.test"), WebURL("http://a.test/")]).count == 1)
  }
}

import Testing

import WebURL

@Suite struct SetterTests {
  enum Component: String {
    case scheme, username, password, host, path, query, fragment
  }

  /// URL, component, new value, URL afterwards, `nil` for "refused".
  static let cases: [(String, Component, String, String?)] = [
    ("http://a.test/", .scheme, "https", "https://a.test/"),
    ("http://a.test/", .scheme, "HTTPS:ignored", "https://a.test/"),
    ("http://a.test:443/", .scheme, "https", "https://a.test/"),
    ("http://a.test/", .scheme, "x", nil),
    ("x://h/", .scheme, "http", nil),
    ("x:a", .scheme, "y+1", "y+1:a"),
    ("x:/.//a", .scheme, "yy", "yy:/.//a"),
    ("http://a.test/", .scheme, "", nil),
    ("http://a.test/", .scheme, "1a", nil),
    ("http://a.test/", .scheme, "a b", nil),
    ("http://u@a.test/", .scheme, "file", nil),
    ("http://a.test:81/", .scheme, "file", nil),
    ("http://a.test/b", .scheme, "file", "file://a.test/b"),
    ("file:///a", .scheme, "http", nil),
    ("file://h/a", .scheme, "http", "http://h/a"),
    ("http://a.test/?q#f", .username, "me@", "http://me%40@a.test/?q#f"),
    ("http://u:p@a.test/", .username, "", "http://:p@a.test/"),
    ("file://h/", .username, "me", nil),
    ("x:a", .username, "me", nil),
    ("x:///", .username, "me", nil),
    ("http://u@a.test/", .password, "a:b", "http://u:a%3Ab@a.test/"),
    ("http://u:p@a.test/", .password, "", "http://u@a.test/"),
    ("http://:p@a.test/", .password, "", "http://a.test/"),
    ("mailto:a", .password, "p", nil),
    ("http://a.test:81/b?c#d", .host, "Ex.Test", "http://ex.test:81/b?c#d"),
    ("http://u:p@a.test/b", .host, "x.test/ignored", "http://u:p@x.test/b"),
    ("http://a.test/", .host, "0x7f.1", "http://127.0.0.1/"),
    ("http://a.test/", .host, "[::1]", "http://[::1]/"),
    ("http://a.test/", .host, "x.test:81", nil),
    ("http://a.test/", .host, "", nil),
    ("http://a.test/", .host, "a b", nil),
    ("http://a.test/", .host, "x\\y", "http://x/"),
    ("x://h/", .host, "", "x:///"),
    ("x://h:5/", .host, "", nil),
    ("x:/a", .host, "h", "x://h/a"),
    ("x:/.//a", .host, "h", "x://h//a"),
    ("mailto:a", .host, "h", nil),
    ("file:///a", .host, "h", "file://h/a"),
    ("file://h/a", .host, "localhost", "file:///a"),
    ("file://h/a", .host, "", "file:///a"),
    ("file://h/a", .host, "x:1", nil),
    ("http://a.test/b?c#d", .path, "x/../y?z#", "http://a.test/y%3Fz%23?c#d"),
    ("http://a.test/b", .path, "", "http://a.test/"),
    ("http://a.test/b", .path, "\\x", "http://a.test/x"),
    ("x://h/b", .path, "", "x://h"),
    ("x:/b?c", .path, "", "x:/?c"),
    ("x:/b?c#d", .path, "//e", "x:/.//e?c#d"),
    ("x:/.//b", .path, "e", "x:/e"),
    ("file:///C:/a", .path, "D|/b", "file:///D:/b"),
    ("mailto:a", .path, "b", nil),
    ("http://a.test/b#d", .query, "x y'", "http://a.test/b?x%20y%27#d"),
    ("http://a.test/?b", .query, "?x", "http://a.test/?x"),
    ("http://a.test/?b#c", .query, "", "http://a.test/?#c"),
    ("http://a.test/?b", .query, "x#y", "http://a.test/?x%23y"),
    ("mailto:a", .query, "b", "mailto:a?b"),
    ("http://a.test/?b#c", .fragment, "#x y", "http://a.test/?b#x%20y"),
    ("http://a.test/", .fragment, "", "http://a.test/#"),
    ("mailto:a", .fragment, "b", "mailto:a#b"),
  ]

  @Test("A setter does what the standard's does, or changes nothing", arguments: cases)
  func setter(text: String, component: Component, value: String, expected: String?) throws {
    var url = try #require(WebURL(text))
    let before = url.serialized
    let hasChanged =
      switch component {
      case .scheme: url.setScheme(value)
      case .username: url.setUsername(value)
      case .password: url.setPassword(value)
      case .host: url.setHost(value)
      case .path: url.setPath(value)
      case .query:
        {
          url.setQuery(value); return true
        }()
      case .fragment:
        {
          url.setFragment(value); return true
        }()
      }
    #expect(hasChanged == (expected != nil))
    #expect(url.serialized == expected ?? before)
    expectConsistent(url)
  }

  @Test("A port is set, and removed by nil and by the default port")
  func port() throws {
    var url = try #require(WebURL("http://u@a.test/b?c#d"))
    #expect(url.setPort(8080) && url.serialized == "http://u@a.test:8080/b?c#d")
    expectConsistent(url)
    #expect(url.setPort(80) && url.port == nil)
    #expect(url.setPort(0) && url.port == 0)
    #expect(url.setPort(nil) && url.serialized == "http://u@a.test/b?c#d")
    for text in ["file://h/", "mailto:a", "x:///"] {
      var other = try #require(WebURL(text))
      #expect(!other.setPort(1) && other.serialized == text)
    }
  }

  @Test("Query and fragment are removed by nil")
  func removal() throws {
    var url = try #require(WebURL("http://a.test/b?c#d"))
    url.setQuery(nil)
    #expect(url.serialized == "http://a.test/b#d" && url.query == nil && url.fragment == "d")
    url.setFragment(nil)
    #expect(url.serialized == "http://a.test/b" && url.fragment == nil)
    expectConsistent(url)
  }
}

/// Expects that a URL parses to itself, every component in the same place.
func expectConsistent(_ url: WebURL, sourceLocation: SourceLocation = #_sourceLocation) {
  guard let again = WebURL(url.serialized) else {
    Issue.record("not a URL: \(url)", sourceLocation: sourceLocation)
    return
  }
  func components(_ url: WebURL) -> [String] {
    [
      url.serialized, url.scheme, url.username, url.password, url.host ?? "–",
      url.port.map { String($0) } ?? "–", url.path, url.query ?? "–", url.fragment ?? "–",
      String(url.hostKind.rawValue), String(url.hasOpaquePath), url.origin,
    ]
  }
  #expect(components(again) == components(url), sourceLocation: sourceLocation)
}

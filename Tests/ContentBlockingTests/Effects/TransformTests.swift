import ContentBlocking
import ContentRules
import Testing
import WebURL

/// A URL, a transform, and the URL afterwards; `nil` for "unchanged".
struct TransformCase: Sendable, CustomTestStringConvertible {
  var url: String
  var transform: URLTransform
  var expected: String?

  init(_ url: String, _ expected: String?, _ change: (inout URLTransform) -> Void) {
    self.url = url
    self.expected = expected
    transform = URLTransform()
    change(&transform)
  }

  var testDescription: String { "\(url) → \(expected ?? "unchanged")" }
}

/// A URL, a query transform, and the URL afterwards; `nil` for "unchanged".
struct QueryCase: Sendable, CustomTestStringConvertible {
  var url: String
  var transform: QueryTransform
  var expected: String?

  init(
    _ url: String,
    remove: [String] = [],
    replace: [(String, String)] = [],
    add: [(String, String)] = [],
    _ expected: String?
  ) {
    self.url = url
    self.expected = expected
    let replaced = replace.map { QueryKeyValue(key: $0.0, isReplaceOnly: true, value: $0.1) }
    let added = add.map { QueryKeyValue(key: $0.0, value: $0.1) }
    transform = QueryTransform(
      removeParameters: remove,
      addOrReplaceParameters: added + replaced
    )
  }

  var testDescription: String { "\(url) → \(expected ?? "unchanged")" }
}

@Suite("Transforms of URLs")
struct TransformTests {
  static let parts: [TransformCase] = [
    .init("http://a.test/", nil) { _ in },
    .init("http://a.test/#f", "http://a.test/") { $0.fragment = "" },
    .init("http://a.test/#f", "http://a.test/#") { $0.fragment = "#" },
    .init("http://a.test/", "http://a.test/##g%20h") { $0.fragment = "##g h" },
    .init("http://a.test:81/b", "http://b.test:81/b") { $0.host = "B.test" },
    .init("http://a.test/", "http://[::1]/") { $0.host = "[::1]" },
    .init("http://a.test/", "http://b.test/") { $0.host = "b.test/x" },
    .init("http://a.test/", nil) { $0.host = "b.test:81" },
    .init("http://a.test/", nil) { $0.host = "b c" },
    .init("http://a.test/", nil) { $0.host = "" },
    .init("http://a.test/", "http://u:p%40@a.test/") {
      $0.username = "u"
      $0.password = "p@"
    },
    .init("http://u:p@a.test/", "http://a.test/") {
      $0.username = ""
      $0.password = ""
    },
    .init("mailto:x", nil) { $0.username = "u" },
    .init("http://a.test/b?c", "http://a.test/x%3Fy?c") { $0.path = "x?y" },
    .init("http://a.test/b/c", "http://a.test/") { $0.path = "" },
    .init("http://a.test/b", "http://a.test/d") { $0.path = "/c/../d" },
    .init("http://a.test:81/", "http://a.test/") { $0.port = .remove },
    .init("http://a.test/", "http://a.test:8080/") { $0.port = .set(8080) },
    .init("http://a.test:81/", "http://a.test/") { $0.port = .set(80) },
    .init("http://a.test/", "http://a.test:0/") { $0.port = .set(0) },
    .init("http://a.test/?q#f", "http://a.test/#f") { $0.query = "" },
    .init("http://a.test/", "http://a.test/?a%20b") { $0.query = "?a b" },
    .init("http://a.test/", "http://a.test/??") { $0.query = "??" },
    .init("http://a.test/?x", "http://a.test/?a#b") { $0.query = "?a#b" },
    .init("http://a.test/?x#f", "http://a.test/?a#b#f") { $0.query = "?a#b" },
    .init("http://a.test/?x#f", "http://a.test/?##f") { $0.query = "?#" },
    .init("http://a.test/", "https://a.test/") { $0.scheme = "https" },
    .init("https://a.test:80/", "http://a.test/") { $0.scheme = "http" },
    .init("http://a.test/", nil) { $0.scheme = "x" },
    .init("x://a.test:80/b", nil) { $0.scheme = "http" },
    .init("https://localhost/b", "file:///b") { $0.scheme = "file" },
    .init("https://a.test/one/x", "https://one/x") { $0.host = "" },
    .init("https://a.test/one/x?q#f", "https://one/x?q#f") { $0.host = "/b.test" },
    .init("https://a.test/one/x", "https://one/x") { $0.host = "\\b.test" },
    .init("https://a.test/one/x", "https://b.test/one/x") { $0.host = "b.test/c" },
    .init("https://a.test:8/one/x", nil) { $0.host = "" },
    .init("https://u@a.test/one/x", nil) { $0.host = "" },
    .init("https://a.test/", nil) { $0.host = "" },
    .init("x://a.test/b", "x:///b") { $0.host = "" },
    .init("x://u@a.test/b", nil) { $0.scheme = "file" },
    .init("x://a/b", "y://a/b") { $0.scheme = "y" },
    .init("file:///b", nil) { $0.scheme = "http" },
  ]

  @Test("each part is put in as WebKit does it", arguments: parts)
  func part(_ example: TransformCase) throws {
    #expect(try redirected(example.url, .transform(example.transform)) == example.expected)
  }

  @Test("parts are put in in order, the port before the scheme")
  func order() throws {
    var transform = URLTransform()
    transform.port = .set(443)
    transform.scheme = "https"
    #expect(try redirected("http://a.test/", .transform(transform)) == "https://a.test/")
    transform.port = .set(80)
    // 80 is dropped while the scheme is still http.
    #expect(try redirected("http://a.test:1/", .transform(transform)) == "https://a.test/")
  }

  @Test("all parts together")
  func everything() throws {
    var transform = URLTransform()
    transform.fragment = "#f"
    transform.host = "b.test"
    transform.password = "p"
    transform.path = "/x"
    transform.port = .set(81)
    transform.query = "?q"
    transform.scheme = "https"
    transform.username = "u"
    #expect(
      try redirected("http://a.test/", .transform(transform)) == "https://u:p@b.test:81/x?q#f"
    )
  }

  @Test("a query transform hides the query")
  func precedence() throws {
    var transform = URLTransform()
    transform.query = "?other"
    transform.queryTransform = QueryTransform(removeParameters: ["a"])
    #expect(try redirected("http://x/?a&b", .transform(transform)) == "http://x/?b")
  }

  static let queries: [QueryCase] = [
    .init("http://x/", remove: ["a"], add: [("b", "1")], nil),
    .init("http://x/#f", add: [("b", "1")], nil),
    .init("http://x/?", add: [("b", "1")], "http://x/?b=1"),
    .init("http://x/?a=1", remove: ["a"], "http://x/?"),
    .init("http://x/?a=1#f", remove: ["a"], "http://x/?#f"),
    .init("http://x/?a=1&a&a=&b", remove: ["a"], "http://x/?b"),
    .init("http://x/?A=1", remove: ["a"], nil),
    .init("http://x/?h%20i=1&h+i=2&c", remove: ["h i"], "http://x/?c"),
    .init("http://x/?%61=1&b=%7e+%20", remove: ["a"], "http://x/?b=%7e+%20"),
    .init("http://x/?a%2=1&a%=2&b", remove: ["a%2", "a%"], "http://x/?b"),
    .init("http://x/?%C3%A9=1&b", remove: ["é"], "http://x/?b"),
    .init("http://x/?%65%CC%81=1&b", remove: ["\u{E9}"], nil),
    .init("http://x/?%ff=1&b", remove: ["\u{FFFD}"], "http://x/?b"),
    .init("http://x/?a=1&b=2", replace: [("a", "9")], "http://x/?a=9&b=2"),
    .init("http://x/?a=1&a=2", replace: [("a", "9")], "http://x/?a=9&a=9"),
    .init("http://x/?a", replace: [("a", "")], "http://x/?a="),
    .init("http://x/?a=1", replace: [("c", "9")], nil),
    .init("http://x/?a=1", replace: [("a", "8"), ("a", "9")], "http://x/?a=8"),
    .init("http://x/?a=1", remove: ["a"], replace: [("a", "9")], "http://x/?"),
    .init("http://x/?a=1", add: [("a", "9")], "http://x/?a=1&a=9"),
    .init("http://x/?a=1", remove: ["a"], add: [("a", "9")], "http://x/?a=9"),
    .init("http://x/?a=1", add: [("b", "9"), ("b", "8")], "http://x/?a=1&b=9&b=8"),
    .init("http://x/?a=1", add: [("b", "x y&c=%")], "http://x/?a=1&b=x%20y&c=%"),
    .init("http://x/?a=1#f", add: [("b", "x#y")], "http://x/?a=1&b=x#y#f"),
    .init("http://x/?%61%26=1&b", replace: [("a&", "2")], "http://x/?a&=2&b"),
    .init("http://x/?a&&=1&b&", add: [("c", "")], "http://x/?a&b&c="),
    .init("http://x/?a&&=1&b&", remove: ["", "z"], nil),
    .init("http://x/??a=1&b", remove: ["b"], "http://x/?a=1"),
    .init("x:y?a&b", remove: ["a"], "x:y?b"),
  ]

  @Test("parameters are removed, replaced and added", arguments: queries)
  func query(_ example: QueryCase) throws {
    var transform = URLTransform()
    transform.queryTransform = example.transform
    #expect(try redirected(example.url, .transform(transform)) == example.expected)
  }

  @Test(
    "only http and ws without a port are upgraded",
    arguments: [
      ("http://a.test/b?c#d", "https://a.test/b?c#d"),
      ("http://a.test:80/", "https://a.test/"),
      ("http://a.test:443/", nil),
      ("http://a.test:81/", nil),
      ("ws://a.test/", "wss://a.test/"),
      ("ws://a.test:81/", nil),
      ("http://127.0.0.1/", "https://127.0.0.1/"),
      ("http://localhost/", "https://localhost/"),
      ("http://u:p@[::1]/", "https://u:p@[::1]/"),
      ("https://a.test/", nil),
      ("wss://a.test/", nil),
      ("ftp://a.test/", nil),
      ("x://a.test/", nil),
      ("blob:http://a.test/x", nil),
    ] as [(String, String?)]
  )
  func upgrade(_ url: String, _ expected: String?) throws {
    #expect(upgradedToHTTPS(try #require(WebURL(url)))?.serialized == expected)
  }
}

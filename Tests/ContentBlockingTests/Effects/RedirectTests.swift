import ContentBlocking
import ContentRules
import Testing
import WebURL

func redirected(
  _ url: String,
  _ redirect: Redirect,
  filter: String = ".*",
  base: String? = nil
) throws -> String? {
  let url = try #require(WebURL(url))
  let base = base.flatMap { WebURL($0) }
  return redirect.apply(to: url, urlFilter: filter, extensionBaseURL: base)?.serialized
}

@Suite("Redirects")
struct RedirectTests {
  @Test(
    "a url replaces the whole URL",
    arguments: [
      ("http://b.test/x", "http://b.test/x"),
      ("HTTP://B.test:80", "http://b.test/"),
      ("about:blank", "about:blank"),
      ("data:,x", "data:,x"),
      ("/relative", nil),
      ("http://a.test/?q#f", nil),
    ]
  )
  func url(_ target: String, _ expected: String?) throws {
    #expect(try redirected("http://a.test/?q#f", .url(target)) == expected)
  }

  @Test(
    "an extension path is put on the base",
    arguments: [
      ("/a", "ext://host/", "ext://host/a"),
      ("/a?b#c", "ext://host/old", "ext://host/a%3Fb%23c"),
      ("/../a", "ext://host/x/y", "ext://host/a"),
      ("/a b/ü", "ext://host", "ext://host/a%20b/%C3%BC"),
      ("/a", "ext://host/?q#f", "ext://host/a?q#f"),
      ("/a", "mailto:x", nil),
      ("/a", nil, nil),
    ]
  )
  func extensionPath(_ path: String, _ base: String?, _ expected: String?) throws {
    #expect(try redirected("http://a.test/", .extensionPath(path), base: base) == expected)
  }

  static let substitutions: [(String, String, String, String?)] = [
    ("^http://(.*)", "https://\\1", "http://a.test/b", "https://a.test/b"),
    ("(a)(t)", "x:\\10\\2\\2", "http://at/", "x:a0tt"),
    ("a", "x:\\0\\1\\9", "http://a/", "x:a\\1\\9"),
    ("(z)?a", "x:\\1", "http://a/", "x:undefined"),
    ("A", "x:\\0", "http://a/", nil),
    ("a", "not a url", "http://a/", nil),
    ("a", "http://", "http://a/", nil),
    ("a", "http://a/", "http://a/", nil),
    ("a", "x:\\\\0", "http://a/", "x:\\a"),
    ("a", "x:\\", "http://a/", "x:\\"),
    ("a", "x:\\a\\", "http://a/", "x:\\a\\"),
    // A capture that itself reads like a reference is replaced in its turn, but only by later ones.
    ("[?](.)(.)(.)(.)", "x:\\1\\2", "y:?\\2zz", "x:\\2"),
    ("[?](..)(.)", "x:\\1", "y:?\\2z", "x:z"),
    ("[?](.)(..)", "x:\\2", "y:?z\\1", "x:\\1"),
    ("id=([^&]*)", "https://t.test/?\\1", "http://a/?id=1%2B1&c", "https://t.test/?1%2B1"),
    ("#(.*)", "x:\\1", "http://a/#f", "x:f"),
    ("(a|b)", "x:\\1", "http://a/", nil),
    ("(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", "x:\\9\\8", "abcdefghij:k", "x:ih"),
  ]

  @Test("captures are put in one number after the other", arguments: substitutions)
  func substitution(_ filter: String, _ text: String, _ url: String, _ expected: String?) throws {
    #expect(try redirected(url, .regexSubstitution(text), filter: filter) == expected)
  }

  @Test("a substitution that grows beyond the limit changes nothing")
  func growth() throws {
    let url = "http://a/?" + String(repeating: "\\1", count: 2_000)
    let text = "x:" + String(repeating: "\\0", count: 10_000)
    #expect(try redirected(url, .regexSubstitution(text), filter: "(.*)") == nil)
  }
}

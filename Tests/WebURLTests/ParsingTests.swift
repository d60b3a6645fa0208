import Testing

import WebURL

@Suite struct ParsingTests {
  static let absolute: [(String, String)] = [
    // Schemes and slashes.
    ("http://a.test", "http://a.test/"),
    ("HTTP://A.Test/Path", "http://a.test/Path"),
    ("https:a.test", "https://a.test/"),
    ("https:/a.test", "https://a.test/"),
    ("https:////a.test", "https://a.test/"),
    ("https:\\\\a.test\\b\\c", "https://a.test/b/c"),
    ("wss://a.test", "wss://a.test/"),
    ("ftp://a.test:21/x", "ftp://a.test/x"),
    ("a+b-c.1://h", "a+b-c.1://h"),
    ("x:", "x:"),
    ("x:/", "x:/"),
    ("x://", "x://"),
    ("x:///p", "x:///p"),
    ("x:/a/b", "x:/a/b"),
    ("x:a/b", "x:a/b"),
    ("x:\\a", "x:\\a"),
    // White space.
    ("  http://a.test/  ", "http://a.test/"),
    ("\u{0}\u{1F}http://a.test/\u{1}", "http://a.test/"),
    ("ht\ntp\t://a.\rtest/b\nc", "http://a.test/bc"),
    ("http://a.test/b c", "http://a.test/b%20c"),
    // Credentials.
    ("http://u@a.test/", "http://u@a.test/"),
    ("http://u:p@a.test/", "http://u:p@a.test/"),
    ("http://:p@a.test/", "http://:p@a.test/"),
    ("http://u:@a.test/", "http://u@a.test/"),
    ("http://@a.test/", "http://a.test/"),
    ("http://:@a.test/", "http://a.test/"),
    ("http://a@b@c.test/", "http://a%40b@c.test/"),
    ("http://a:b:c@d.test/", "http://a:b%3Ac@d.test/"),
    ("http://ä:[]@a.test/", "http://%C3%A4:%5B%5D@a.test/"),
    ("x://u:p@h:5/", "x://u:p@h:5/"),
    // Ports.
    ("http://a.test:80/", "http://a.test/"),
    ("https://a.test:443/", "https://a.test/"),
    ("ws://a.test:80/", "ws://a.test/"),
    ("wss://a.test:443/", "wss://a.test/"),
    ("http://a.test:443/", "http://a.test:443/"),
    ("http://a.test:/", "http://a.test/"),
    ("http://a.test:00008080/", "http://a.test:8080/"),
    ("http://a.test:0/", "http://a.test:0/"),
    ("http://a.test:65535/", "http://a.test:65535/"),
    ("x://h:80", "x://h:80"),
    // Domains.
    ("http://%41.test/", "http://a.test/"),
    ("http://a_b-c.test/", "http://a_b-c.test/"),
    ("http://a.test./", "http://a.test./"),
    ("http://a..b/", "http://a..b/"),
    ("http://!$&'()*+,;=~/", "http://!$&'()*+,;=~/"),
    ("http://xn--/", "http://xn--/"),
    // IPv4.
    ("http://1.2.3.4/", "http://1.2.3.4/"),
    ("http://1.2.3.4./", "http://1.2.3.4/"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("http://0x.0x.0/", "http://0.0.0.0/"),
    ("http://017700000001/", "http://127.0.0.1/"),
    ("http://4294967295/", "http://255.255.255.255/"),
    ("http://1.0xffffff/", "http://1.255.255.255/"),
    ("http://%31%2e2.3.4/", "http://1.2.3.4/"),
    ("http://１.２.３.４/", "http://1.2.3.4/"),
    ("http://1.2.3.a/", "http://1.2.3.a/"),
    ("http://1.2.3.4.test/", "http://1.2.3.4.test/"),
    ("x://1.2.3/", "x://1.2.3/"),
    // IPv6.
    ("http://[::1]/", "http://[::1]/"),
    ("http://[::]:8080/", "http://[::]:8080/"),
    ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
    ("http://[1:0:0:2:3:0:0:4]/", "http://[1::2:3:0:0:4]/"),
    ("http://[1:0:2:3:4:5:6:7]/", "http://[1:0:2:3:4:5:6:7]/"),
    ("http://[ABCD::EF01]/", "http://[abcd::ef01]/"),
    ("http://[::ffff:1.2.3.4]/", "http://[::ffff:102:304]/"),
    ("http://[1:2:3:4:5:6:7::]/", "http://[1:2:3:4:5:6:7:0]/"),
    ("x://[0001::]/", "x://[1::]/"),
    // Opaque hosts.
    ("x://HOST/", "x://HOST/"),
    ("x://%41ä/", "x://%41%C3%A4/"),
    ("x://a\u{7F}/", "x://a%7F/"),
    // Paths.
    ("http://a.test/./b/../c", "http://a.test/c"),
    ("http://a.test/b/..", "http://a.test/"),
    ("http://a.test/b/.", "http://a.test/b/"),
    ("http://a.test/../../b", "http://a.test/b"),
    ("http://a.test/b/%2E%2e/c", "http://a.test/c"),
    ("http://a.test/b/.%2e", "http://a.test/"),
    ("http://a.test/%2e./b", "http://a.test/b"),
    ("http://a.test/.../b", "http://a.test/.../b"),
    ("http://a.test/..b", "http://a.test/..b"),
    ("http://a.test/.well-known/x", "http://a.test/.well-known/x"),
    ("http://a.test//b///c", "http://a.test//b///c"),
    ("http://a.test//..", "http://a.test/"),
    ("http://a.test/\"<>^`{}|", "http://a.test/%22%3C%3E%5E%60%7B%7D|"),
    ("http://a.test/ä%zz%4", "http://a.test/%C3%A4%zz%4"),
    ("x:/..//p", "x:/.//p"),
    ("x:/.//p", "x:/.//p"),
    ("x://h/a\\b", "x://h/a\\b"),
    ("x://h/..", "x://h/"),
    // Opaque paths.
    ("mailto:Someone@A.Test", "mailto:Someone@A.Test"),
    ("data:text/html,<a b>", "data:text/html,<a b>"),
    ("data:ä", "data:%C3%A4"),
    ("data:a ?b", "data:a%20?b"),
    ("data:a  #b", "data:a %20#b"),
    ("javascript:alert(\"/..\")", "javascript:alert(\"/..\")"),
    // Queries and fragments.
    ("http://a.test?b", "http://a.test/?b"),
    ("http://a.test?", "http://a.test/?"),
    ("http://a.test#", "http://a.test/#"),
    ("http://a.test/?a?b#c#d?e", "http://a.test/?a?b#c#d?e"),
    ("http://a.test/?'\"<>ä", "http://a.test/?%27%22%3C%3E%C3%A4"),
    ("x://h?'", "x://h?'"),
    ("http://a.test/#\"<>`ä'", "http://a.test/#%22%3C%3E%60%C3%A4'"),
    // File URLs.
    ("file:", "file:///"),
    ("file:/a", "file:///a"),
    ("file://a", "file://a/"),
    ("file:///a", "file:///a"),
    ("file://localhost/a", "file:///a"),
    ("file:c|/a", "file:///c:/a"),
    ("file:///C|/../..", "file:///C:/"),
    ("file://C|/a", "file:///C:/a"),
    ("file:///C:/..", "file:///C:/"),
    ("file:\\\\h\\a", "file://h/a"),
  ]

  @Test("An absolute URL is serialised as the standard says", arguments: absolute)
  func absoluteURL(input: String, expected: String) throws {
    let url = try #require(WebURL(input))
    #expect(url.serialized == expected)
    #expect(WebURL(expected)?.serialized == expected)
  }

  static let failing = [
    "", "a", "/a", "//a.test/", "?a", "#a", "1x://a", ":a", "http:", "http://", "http:///",
    "https://?q", "http://:80/", "http://u@/", "x://u@/", "x://:5", "http://a.test:65536/",
    "http://a.test:8a/", "http://a.test:-1/", "http://a b.test/", "http://a<b/", "http://a^b/",
    "http://a|b/", "http://a%/", "http://a%00b/", "http://%ff.test/", "http://a%7Fb/",
    "http://256.1.1.1.1/", "http://1.2.3.256/", "http://4294967296/", "http://0x100000000/",
    "http://09.1/", "http://1..2/", "http://a.1.2.3.4/", "http://1.2.3.4.5/", "http://[::1/",
    "http://[]/", "http://[::1]a/", "http://[1::2::3]/", "http://[1:2:3:4:5:6:7]/",
    "http://[1:2:3:4:5:6:7:8:9]/", "http://[12345::]/", "http://[::1.2.3]/",
    "http://[::1.2.3.256]/", "http://[::01.2.3.4]/", "http://[1:]/", "http://[:1::]/",
    "http://[1:2:3:4:5:6:7:1.2.3.4]/", "http://[::g]/", "http://::1/", "x://a b/", "x://a<b/",
    "http://xn--a.ä/", "http://\u{AD}/", "file://a:80/", "file://%43%3A/x",
  ]

  @Test("A text that is not an absolute URL is refused", arguments: failing)
  func failure(input: String) {
    #expect(WebURL(input) == nil)
  }

  static let relative: [(String, String, String?)] = [
    ("", "http://a.test/b?c#d", "http://a.test/b?c"),
    ("#e", "http://a.test/b?c#d", "http://a.test/b?c#e"),
    ("?e", "http://a.test/b?c#d", "http://a.test/b?e"),
    ("e", "http://a.test/b/c?d", "http://a.test/b/e"),
    ("e/", "http://a.test/b", "http://a.test/e/"),
    (".", "http://a.test/b/c", "http://a.test/b/"),
    ("..", "http://a.test/b/c/d", "http://a.test/b/"),
    ("../../../e", "http://a.test/b/c", "http://a.test/e"),
    ("/e", "http://u:p@a.test:81/b?c", "http://u:p@a.test:81/e"),
    ("\\e", "http://a.test/b/c", "http://a.test/e"),
    ("//e.test", "https://u@a.test:81/b", "https://e.test/"),
    ("/\\e.test", "https://a.test/b", "https://e.test/"),
    ("http:e", "http://a.test/b/c", "http://a.test/b/e"),
    ("http:/e", "http://a.test/b/c", "http://a.test/e"),
    ("http:?e", "http://a.test/b/c?d", "http://a.test/b/c?e"),
    ("http://e.test", "http://a.test/b/c", "http://e.test/"),
    ("https:e.test", "http://a.test/b/c", "https://e.test/"),
    ("x:e", "http://a.test/b", "x:e"),
    ("e", "x:/a/b", "x:/a/e"),
    ("\\e", "x:/a/b", "x:/a/\\e"),
    ("//h", "x:/a/b", "x://h"),
    ("..", "x:/a", "x:/"),
    ("..//e", "x:/a/b", "x:/.//e"),
    ("?e", "x:/.//a", "x:/.//a?e"),
    ("e", "x:/.//a", "x:/.//e"),
    ("/e", "x:/.//a", "x:/e"),
    ("e", "x://h", "x://h/e"),
    ("", "x://h", "x://h"),
    ("e", "mailto:a", nil),
    ("?e", "mailto:a", nil),
    ("", "mailto:a", nil),
    ("#e", "mailto:a?b#c", "mailto:a?b#e"),
    ("e", "file:///a/b", "file:///a/e"),
    ("/e", "file:///C:/a", "file:///C:/e"),
    ("e", "file:///C:/a/b", "file:///C:/a/e"),
    ("..", "file:///C:/a", "file:///C:/"),
    ("D|/e", "file:///C:/a", "file:///D:/e"),
    ("/D:/e", "file://h/C:/a", "file://h/D:/e"),
    ("//e/f", "file://h/a", "file://e/f"),
    ("/e", "file://h/a", "file://h/e"),
    ("file:e", "file://h/a/b", "file://h/a/e"),
    ("file:?e", "file://h/a/b?c#d", "file://h/a/b?e"),
    ("file:e", "http://a.test/b", "file:///e"),
  ]

  @Test("A reference is resolved against its base", arguments: relative)
  func relativeReference(input: String, base: String, expected: String?) throws {
    let base = try #require(WebURL(base))
    #expect(WebURL(input, base: base)?.serialized == expected)
  }

  @Test("Bytes that are not UTF-8 are encoded in a path and refused in a host")
  func invalidUTF8() {
    let path = WebURL(utf8: Array("http://a.test/".utf8) + [0xFF, 0x80])
    #expect(path?.serialized == "http://a.test/%FF%80")
    #expect(WebURL(utf8: Array("http://a".utf8) + [0xFF]) == nil)
  }
}

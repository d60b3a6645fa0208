import FilterMatcher
import Testing

/// Patterns as Adblock Plus' “How to write filters” and uBlock Origin's wiki define them.
@Suite("Patterns of filters")
struct PatternTests {
  @Test(
    "anchors, wildcards and separators",
    arguments: [
      // Adblock Plus' own examples.
      ("/banner/*/img^", "https://example.com/banner/foo/img", true),
      ("/banner/*/img^", "https://example.com/banner/foo/bar/img?param", true),
      ("/banner/*/img^", "https://example.com/banner//img/foo", true),
      ("/banner/*/img^", "https://example.com/banner/img", false),
      ("/banner/*/img^", "https://example.com/banner/foo/imgraph", false),
      ("/banner/*/img^", "https://example.com/banner/foo/img.gif", false),
      ("||ads.example.com^", "https://ads.example.com/foo.gif", true),
      ("||ads.example.com^", "https://server1.ads.example.com/foo.gif", true),
      ("||ads.example.com^", "https://ads.example.com:8000/", true),
      ("||ads.example.com^", "https://ads.example.com.ua/foo.gif", false),
      ("||ads.example.com^", "https://example.com/redirect/http://ads.example.com/", false),
      ("|https://example.com/|", "https://example.com/", true),
      ("|https://example.com/|", "https://example.com/foo.gif", false),
      ("|https://example.com/|", "https://example.info/redirect/https://example.com/", false),
      ("swf|", "https://example.com/annoyingflash.swf", true),
      ("swf|", "https://example.com/swf/index.html", false),
      ("^example.com^", "https://example.com:8000/foo.bar?a=12&b=%D1%82", true),
      ("^foo.bar^", "https://example.com:8000/foo.bar?a=12&b=%D1%82", true),
      ("^%D1%82^", "https://example.com/?a=12&b=%D1%82%D0%B5", false),
      // The end is a separator, as often as is wanted.
      ("||example.com/x^", "https://example.com/x", true),
      ("x^^", "https://example.com/x", true),
      ("x^*^", "https://example.com/x", true),
      // Behind a separator the final anchor means nothing.
      ("x^|", "https://example.com/x?y", true),
      ("x|", "https://example.com/x?y", false),
      // A host anchor may stand within a host, also before part of a label.
      ("||ample.com^", "https://example.com/", false),
      ("||exam", "https://a.example.com/", true),
      ("||example.com", "https://example.community/", true),
      ("||com^", "https://example.com/", true),
      ("||", "https://example.com/", true),
      ("||*/ad", "https://example.com/x/ad", true),
      ("||example.com:8000^", "https://example.com:8000/", true),
      ("||1.2.3.4^", "http://1.2.3.4/", true),
      ("||2.3.4^", "http://1.2.3.4/", true),
      ("||[::1]^", "http://[::1]/", true),
      // An address may be longer than a host, and anchors are plain within a pattern.
      ("a|b", "https://example.com/a|b", true),
      ("|ad", "https://example.com/ad", false),
      ("|http", "https://example.com/ad", true),
      // No letter case, wildcards at both ends mean nothing.
      ("/AD.js", "https://example.com/ad.JS", true),
      ("*/ad*", "https://example.com/ad.js", true),
      ("$script", "https://example.com/ad.js", true),
      ("*", "https://example.com/ad.js", true),
      // What is not ASCII is no separator; `_ - . %` neither.
      ("ad^x", "https://example.com/ad_x", false),
      ("ad^x", "https://example.com/ad-x", false),
      ("ad^x", "https://example.com/ad~x", true),
    ]
  )
  func wildcards(filter: String, url: String, isBlocked: Bool) {
    #expect(list(filter).blocks(url) == isBlocked, "\(filter) at \(url)")
  }

  @Test(
    "regular expressions",
    arguments: [
      (#"/banner\d+/"#, "https://example.com/banner123", true),
      (#"/banner\d+/"#, "https://example.com/banners", false),
      (#"/BANNER\d/"#, "https://example.com/banner1", true),
      (#"/BANNER\d/$match-case"#, "https://example.com/banner1", false),
      (#"/^https:\/\/ad[0-9]{2,}\./$script"#, "https://ad12.example.com/", true),
      // A dollar within the expression begins no options.
      (#"/ad\.js$/"#, "https://example.com/ad.js", true),
      (#"/ad\.js$/"#, "https://example.com/ad.js?x", false),
      (#"/(ad|x$)/$script,third-party"#, "https://example.com/ad", true),
      // Two slashes alone, and a path with one at its end, are text and expression.
      ("//", "https://example.com/", true),
      ("/ads/", "https://example.com/myads", true),
      ("/ads/*", "https://example.com/myads", false),
    ]
  )
  func expressions(filter: String, url: String, isBlocked: Bool) {
    #expect(list(filter).blocks(url) == isBlocked, "\(filter) at \(url)")
  }

  @Test("a broken regular expression blocks nothing and is told")
  func broken() {
    let broken = list("/a(/")
    #expect(!broken.blocks("https://example.com/a("))
    #expect(broken.ignoredLines == ["/a(/"])
  }
}

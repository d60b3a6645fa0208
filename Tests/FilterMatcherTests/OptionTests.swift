import FilterMatcher
import Testing

/// Options as Adblock Plus', uBlock Origin's and AdGuard's documents define them.
@Suite("Options of filters")
struct OptionTests {
  private let url = "https://ads.example.com/ad.js"

  @Test(
    "types",
    arguments: [
      ("/ad$script", "script", true), ("/ad$script", "image", false),
      ("/ad$~script", "script", false), ("/ad$~script", "image", true),
      ("/ad$script,image", "image", true), ("/ad$xhr", "xmlhttprequest", true),
      // In their order: taken away after it was named, and named after all others.
      ("/ad$script,~script", "script", false), ("/ad$~script,script", "script", true),
      // A page or a pop-up has to be named.
      ("/ad", "subdocument", true), ("/ad", "document", false), ("/ad", "popup", false),
      ("/ad$document", "document", true), ("/ad$popup", "popup", true),
      ("/ad$popup", "script", false), ("/ad$~image", "document", false),
      ("/ad$all", "document", true), ("/ad$all", "script", true),
      // An unknown option makes the filter void.
      ("/ad$script,unheard-of", "script", false), ("/ad$csp=script-src", "script", false),
      ("/ad$removeparam=x", "script", false),
    ]
  )
  func types(filter: String, type: String, isBlocked: Bool) {
    #expect(list(filter).blocks(url, type) == isBlocked, "\(filter) for \(type)")
  }

  @Test(
    "parties and domains",
    arguments: [
      ("/ad$third-party", "https://page.example/", true),
      ("/ad$third-party", "https://www.example.com/", false),
      ("/ad$~third-party", "https://www.example.com/", true),
      ("/ad$1p", "https://page.example/", false),
      ("/ad$domain=page.example", "https://www.page.example/", true),
      ("/ad$domain=page.example", "https://mypage.example/", false),
      ("/ad$domain=~page.example", "https://page.example/", false),
      ("/ad$domain=~page.example", "https://other.example/", true),
      // The most specific domain decides.
      ("/ad$domain=page.example|~a.page.example", "https://a.page.example/", false),
      ("/ad$domain=page.example|~a.page.example", "https://x.a.page.example/", false),
      ("/ad$domain=~page.example|a.page.example", "https://a.page.example/", true),
      ("/ad$domain=~page.example|a.page.example", "https://other.example/", false),
      // Every public suffix, but no subdomain of another domain.
      ("/ad$domain=shop.*", "https://www.shop.co.uk/", true),
      ("/ad$domain=shop.*", "https://shop.de/", true),
      ("/ad$domain=shop.*", "https://shop.evil.com/", false),
      ("/ad$domain=shop.*|~shop.de", "https://shop.de/", false),
      ("/ad$from=PAGE.example", "https://page.example/", true),
      ("/ad$domain=", "https://page.example/", false),
    ]
  )
  func pages(filter: String, page: String, isBlocked: Bool) {
    #expect(list(filter).blocks(url, on: page) == isBlocked, "\(filter) on \(page)")
  }

  @Test("the document of a frame decides of party and domain")
  func frames() {
    let page = "https://page.example/"
    let frame = "https://frame.example.com/"
    #expect(!list("/ad$third-party").blocks(url, on: page, frame: frame))
    #expect(list("/ad$domain=example.com").blocks(url, on: page, frame: frame))
    #expect(!list("/ad$domain=page.example").blocks(url, on: page, frame: frame))
  }

  @Test(
    "hosts of requests",
    arguments: [
      ("*$denyallow=example.com|x.net,domain=page.example", "https://a.example.com/", false),
      ("*$denyallow=example.com|x.net,domain=page.example", "https://z.net/", true),
      ("*$denyallow=example.com,domain=page.example", "https://myexample.com/", true),
      ("/ad$to=example.com", "https://a.example.com/ad", true),
      ("/ad$to=~example.com", "https://a.example.com/ad", false),
      ("/ad$to=~example.com", "https://x.net/ad", true),
    ]
  )
  func targets(filter: String, url: String, isBlocked: Bool) {
    #expect(list(filter).blocks(url) == isBlocked, "\(filter) at \(url)")
  }

  @Test("letter case and methods")
  func caseAndMethods() {
    #expect(!list("/AD$match-case").blocks(url))
    #expect(list("/ad$match-case").blocks(url))
    #expect(list("/ad$method=post|put").blocks(url, method: "put"))
    #expect(!list("/ad$method=post|put").blocks(url, method: "get"))
    #expect(!list("/ad$method=~post").blocks(url, method: "post"))
    #expect(list("/ad$method=~post").blocks(url, method: "get"))
  }

  @Test("exceptions, important filters, and filters taken back")
  func precedence() {
    #expect(!list("/ad", "@@||example.com^").blocks(url))
    #expect(!list("@@||example.com^", "/ad").blocks(url))
    #expect(list("/ad", "@@||example.com^$image").blocks(url))
    #expect(list("/ad$important", "@@||example.com^").blocks(url))
    #expect(!list("/ad$important", "@@||example.com^$important").blocks(url))
    #expect(!list("/ad", "/ad$badfilter").blocks(url))
    #expect(!list("/ad$script,third-party", "/ad$third-party,script,badfilter").blocks(url))
    #expect(list("/ad$script", "/ad$badfilter").blocks(url))
    #expect(list("/ad", "@@/ad", "@@/ad$badfilter").blocks(url))
  }

  @Test("a filter that replaces neither blocks nor lets load")
  func replaced() {
    let request = FilterRequest(url: url, type: "script", page: "https://page.example/")
    let filters = list("/ad$rewrite=abp-resource:blank-js,domain=page.example")
    #expect(filters.decide(request).fate == .replace)
    #expect(list("/ad").decide(request) == .init(fate: .block, filter: "/ad"))
  }

  @Test("exceptions of pages lift everything there, and nothing elsewhere")
  func pageExceptions() {
    let both = list("/ad", "@@||page.example^$document")
    #expect(!both.blocks(url))
    #expect(both.blocks(url, on: "https://other.example/"))
    // The page's own frames are lifted, and what they load.
    #expect(!both.blocks(url, on: "https://page.example/", frame: "https://x.net/"))
    #expect(!both.blocks(url, on: "https://x.net/", frame: "https://page.example/"))
    // It lifts no single request of its address.
    #expect(both.blocks("https://page.example/ad", on: "https://x.net/"))
    #expect(list("/ad$important", "@@||page.example^$document").blocks(url) == false)
    let generic = list("/ad$script", "@@||page.example^$genericblock")
    #expect(!generic.blocks(url))
    #expect(list("/ad$domain=page.example", "@@||page.example^$genericblock").blocks(url))
    for effect in ["genericblock", "urlblock"] {
      #expect(list("/ad$important", "@@||page.example^$" + effect).blocks(url))
      #expect(!list("/ad$important", "@@||page.example^$important," + effect).blocks(url))
    }
  }
}

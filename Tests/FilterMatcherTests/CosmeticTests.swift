import FilterMatcher
import Testing

/// What is hidden on a page.
@Suite("Cosmetic filters")
struct CosmeticTests {
  private func hidden(_ page: String, _ filters: String...) -> [String] {
    list(filters.joined(separator: "\n")).hiddenSelectors(on: page)
  }

  @Test("generic and specific filters and their exceptions")
  func domains() {
    let page = "https://www.shop.example/"
    #expect(hidden(page, "##.ad", "shop.example##.b", "other.example##.c") == [".ad", ".b"])
    #expect(hidden(page, "##.ad", "shop.example#@#.ad") == [])
    #expect(hidden(page, "##.ad", "#@#.ad") == [])
    #expect(hidden(page, "##.ad", "a.example#@#.ad") == [".ad"])
    #expect(hidden(page, "~shop.example##.ad") == [])
    #expect(hidden(page, "shop.example,~www.shop.example##.ad") == [])
    #expect(hidden("https://shop.co.uk/", "shop.*##.ad") == [".ad"])
    #expect(hidden("https://shop.co.uk.evil.com/", "shop.*##.ad") == [])
    #expect(hidden(page, "shop.example##.ad", "shop.example##.ad") == [".ad"])
  }

  @Test("exceptions for pages")
  func pages() {
    let page = "https://shop.example/x"
    let filters = ["##.ad", "shop.example##.b"]
    func hidden(_ exception: String) -> [String] {
      list((filters + [exception]).joined(separator: "\n")).hiddenSelectors(on: page)
    }
    #expect(hidden("@@||shop.example^$elemhide") == [])
    #expect(hidden("@@||shop.example^$document") == [])
    #expect(hidden("@@||shop.example^$generichide") == [".b"])
    #expect(hidden("@@||shop.example^$shide") == [".ad"])
    #expect(hidden("@@||shop.example/y$elemhide") == [".ad", ".b"])
    #expect(hidden("@@||shop.example^") == [".ad", ".b"])
    #expect(hidden("@@*$generichide,domain=shop.example") == [".b"])
    #expect(hidden("@@*$generichide,domain=~shop.example") == [".ad", ".b"])
  }

  @Test("what is no plain selector is named, and does nothing")
  func others() {
    let odd = [
      "shop.example#?#.ad:-abp-has(.x)", "shop.example##+js(noop)", "shop.example##^script",
      "shop.example#$#abort-on-property-read x", "shop.example##.a:upward(2)",
      "shop.example#%#window.x = 1", "/shop\\d/##.ad", "shop.example##.a:has-text(ad)",
    ]
    let made = list(odd.joined(separator: "\n"))
    #expect(made.hiddenSelectors(on: "https://shop.example/") == [])
    #expect(made.ignoredLines == odd.filter { !$0.hasPrefix("/") })
    #expect(hidden("https://shop.example/", "##.a:has(> .b)") == [".a:has(> .b)"])
  }

  @Test("comments are nothing, and a fragment in an address is no separator")
  func lines() {
    let made = list("! ##.ad", "[Adblock Plus 2.0]", "", "  ##.ad  ", "||example.com/#ad##x")
    #expect(made.ignoredLines == [])
    #expect(made.hiddenSelectors(on: "https://a.example/") == [".ad"])
  }
}

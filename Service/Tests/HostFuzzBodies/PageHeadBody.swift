import FuzzTargets
import SharedLinks

/// Looks for feeds and icons in a page.
enum PageHeadBody: FuzzBody {
  static let name = "page-head"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    let page = input.text
    let head = PageHead(page: page, address: "https://a.test/b/c")
    try require(head == PageHead(page: page, address: "https://a.test/b/c"), "a page has two heads")
    let addresses = head.feeds.map(\.address)
    try require(Set(addresses).count == addresses.count, "a feed is there twice")
    for address in addresses + head.icons {
      try require(
        address.hasPrefix("http://") || address.hasPrefix("https://"),
        "\(address) is no address of the web"
      )
    }
    let limits = LinkLimits()
    if let icon = LinkIcon(input) {
      try require(
        icon.bytes == input && input.count <= limits.iconBytes,
        "an icon is not its bytes"
      )
    }
  }

  static var seeds: [[UInt8]] {
    let link = #"<link rel="alternate" type="application/rss+xml" title="T" href="f.xml">"#
    return [
      "<html><head>\(link)</head>", "<base href='http://b/x/'>\(link)",
      "<LINK REL=icon HREF=/i.png>",
      "<script>\(link)</script>\(link)", "<!-- \(link) -->\(link)", "<title>\(link)</title>",
      "<link rel=\"ALTERNATE x\" type='application/atom+xml; a' href=//c/d>",
      "<a href='&#x26;&amp'>",
      "<link rel=alternate type=application/feed+json href=\"javascript:alert(1)\">", "<", "</",
      "<!",
      "<textarea></textare></textarea>\(link)", "<svg><style></svg></style>\(link)", "&#xFFFFFFFF;",
    ].map { Array($0.utf8) }
      + [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 16),
        [0, 0, 1, 0, 1, 0] + [UInt8](repeating: 0, count: 16),
      ]
  }
}

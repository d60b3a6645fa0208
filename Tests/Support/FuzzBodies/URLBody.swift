import FuzzTargets
import WebURL

/// Parses a URL and calls setters on it; each result must parse to itself.
///
/// The first byte chooses the base; lines are the URL, then texts for setters, whose first byte
/// chooses the setter.
enum URLBody: FuzzBody {
  static let name = "url"

  private static let bases: [WebURL?] = [
    nil, "http://a.test/b/c?d#e", "file:///C:/a", "file://h/a/b", "x:/.//a", "x://h/b",
    "mailto:a", "https://u:p@www.example.co.uk:81/",
  ].map { $0.flatMap { WebURL($0) } }

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let base = bases[Int(reader.byte()) % bases.count]
    let text = reader.line()
    try checkAnyBytes(text)
    guard var url = WebURL(utf8: text, base: base) else { return }
    try checkConsistent(url)
    var count = 0
    while !reader.isEmpty, count < 8 {
      let setter = reader.byte()
      let before = url
      let isSet = set(setter, reader.line().text, &url)
      try require(isSet || url == before, "setter \(setter) refuses and changes \(before)")
      do throws(FuzzFinding) {
        try checkConsistent(url)
      } catch {
        throw FuzzFinding("after setter \(setter) on \(before): \(error)")
      }
      count += 1
    }
  }

  private static func set(_ setter: UInt8, _ text: String, _ url: inout WebURL) -> Bool {
    switch setter % 9 {
    case 0: return url.setScheme(text)
    case 1: return url.setUsername(text)
    case 2: return url.setPassword(text)
    case 3: return url.setHost(text)
    case 4: return url.setPort(text.utf8.reduce(0) { $0 &* 10 &+ UInt16($1) })
    case 5: return url.setPort(nil)
    case 6: return url.setPath(text)
    case 7: url.setQuery(text.isEmpty ? nil : text)
    default: url.setFragment(text.isEmpty ? nil : text)
    }
    return true
  }

  // MARK: Properties

  private static func checkConsistent(_ url: WebURL) throws(FuzzFinding) {
    try require(url.utf8.allSatisfy { 0x20..<0x80 ~= $0 }, "\(url) is not plain ASCII")
    guard let again = WebURL(utf8: url.utf8) else {
      throw FuzzFinding("\(url) is not a URL")
    }
    try require(again == url, "\(url) is parsed as \(again)")
    try require(
      components(again) == components(url),
      "\(url) has \(components(url)), and parsed again \(components(again))"
    )
    try checkRanges(url)
    try checkHost(url)
  }

  private static func components(_ url: WebURL) -> [String] {
    [
      url.scheme, url.username, url.password, url.host ?? "none",
      url.port.map { String($0) } ?? "none", url.path, url.query ?? "none",
      url.fragment ?? "none", String(url.hostKind.rawValue), String(url.hasOpaquePath), url.origin,
      String(url.isSpecial),
    ]
  }

  private static func checkRanges(_ url: WebURL) throws(FuzzFinding) {
    let ranges = [
      url.schemeRange, url.hostRange, url.pathRange, url.queryRange, url.fragmentRange,
    ].compactMap(\.self)
    var end = 0
    for range in ranges {
      try require(
        range.lowerBound >= end && range.upperBound <= url.utf8.count,
        "\(url) has components at \(ranges)"
      )
      end = range.upperBound
    }
    try require(end == url.utf8.count, "\(url) has components at \(ranges)")
  }

  private static func checkHost(_ url: WebURL) throws(FuzzFinding) {
    let range = SerializedURL.hostRange(of: url.utf8.span)
    try require(
      url.hostRange.isEmpty ? range.isEmpty : range == url.hostRange,
      "\(url) has its host at \(url.hostRange), and is said to have it at \(range)"
    )
    let host = Array(url.utf8[url.hostRange])
    try require(
      PartyTest.isFirstParty(loadHost: host.span, topHost: host.span),
      "\(url) is third-party to itself"
    )
    try checkAnyBytes(host)
    // Of a host with empty labels WebKit takes less than a domain of its own.
    guard url.hostKind == .domain, url.host?.contains("..") != true else { return }
    let domain = PublicSuffixList.registrableDomain(ofHost: host.span)
    if let domain {
      try require(
        PartyTest.isFirstParty(loadHost: Array(host[domain]).span, topHost: host.span),
        "\(url) is third-party to its own domain"
      )
      try require(
        PublicSuffixList.registrableDomain(ofHost: Array(host[domain]).span)
          == 0..<domain.count,
        "the domain of \(url) is not its own domain"
      )
    }
    // A further label does not change the domain that there is.
    let below = Array("zz.".utf8) + host
    let domainBelow = PublicSuffixList.registrableDomain(ofHost: below.span)
    if let domain {
      try require(
        domainBelow == domain.lowerBound + 3..<below.count,
        "the domain of \(url) at \(domain) is another one label below"
      )
    }
  }

  /// What reads hosts and suffixes takes any bytes.
  private static func checkAnyBytes(_ text: [UInt8]) throws(FuzzFinding) {
    for range in [
      SerializedURL.hostRange(of: text.span), SerializedURL.pageHostRange(of: text.span),
    ] {
      try require(
        range.lowerBound >= 0 && range.upperBound <= text.count,
        "a host at \(range) of \(text.count) bytes"
      )
    }
    let suffix = PublicSuffixList.publicSuffix(ofHost: text.span)
    let domain = PublicSuffixList.registrableDomain(ofHost: text.span)
    for range in [suffix, domain].compactMap(\.self) {
      try require(
        range.lowerBound >= 0 && range.upperBound == text.count,
        "a suffix or domain at \(range) of \(text.count) bytes"
      )
    }
    if let suffix, let domain {
      try require(domain.lowerBound < suffix.lowerBound, "the domain is no longer than its suffix")
    }
    _ = PartyTest.isFirstParty(loadURL: text.span, topURL: text.span)
  }

  // MARK: Seeds

  static var seeds: [[UInt8]] {
    let texts = [
      "http://user:pass@Example.COM:8080/a/../b%20c?q=1#f\n0https\n3x.test", "//b.test/..//c",
      "file:///C|/x/../..\n3localhost\n6/D|/y", "http://0x7f.1/\n3[::1]", "x:opaque path #f\n8",
      "http://[2001:db8::1:0:0:127.0.0.1]:443/", "http://xn--mnchen-3ya.de/\n3bücher.example",
      "blob:https://a.b.co.uk/id\n7q", "http://ß.de/?é#ü", "x:/.//y\n6//z\n3h\n5", "ws:\\\\a\\b",
      "javascript:alert(1)\n6x", "http://www.city.kawasaki.jp\n1u\n2p\n4Q", "?q", "#f", "C|/a",
      "http://a\u{AD}b。c\u{200D}.test/", "http://192.168.257\n3%30x1",
    ]
    return texts.enumerated().map { index, text in
      [UInt8(ascii: "0") + UInt8(index % 8)] + Array(text.utf8)
    }
  }
}

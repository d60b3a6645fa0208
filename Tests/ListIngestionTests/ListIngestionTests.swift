import CommandOutput
import ContentBlocking
import Foundation
import TestSupport
import Testing

@testable import ListIngestion

@Suite("Lists as servers have them")
struct ListIngestionTests {
  static let filters = """
    [Adblock Plus 2.0]
    ! Title: Made-up list
    ! Homepage: https://lists.example/
    ! Licence: https://lists.example/licence
    ! Expires: 4 days (update frequency)
    ! Title: Another title
    ||ads.example^
    example.org##.advert
    example.org#@#.other:has-text(x)
    ##+js(set, a, b)

    """

  private func ingest(_ text: String) throws -> IngestedList {
    try ListIngestion.ingest(Array(text.utf8), name: "list.txt")
  }

  private func code(
    _ bytes: [UInt8],
    from origin: ListOrigin = .person,
    limits: IngestionLimits = IngestionLimits()
  ) -> String {
    do throws(IngestionError) {
      _ = try ListIngestion.ingest(bytes, name: "list.txt", from: origin, limits: limits)
      return "accepted"
    } catch {
      return error.code.rawValue
    }
  }

  @Test("A filter list becomes a compiled list that blocks, with an account of its lines")
  func filters() throws {
    let list = try ingest(Self.filters)
    #expect(list.summary.format == .ubo)
    #expect(list.summary.header.title == "Made-up list")
    #expect(list.summary.header.homepage == "https://lists.example/")
    #expect(list.summary.header.licence == "https://lists.example/licence")
    #expect(list.summary.header.expires == 345_600)
    #expect(list.summary.lines?.converted == 3)
    #expect(list.summary.lines?.impossible == 1)
    #expect(list.summary.reasons.contains { $0.isImpossible && $0.firstLine == 10 })
    var blocker = ContentBlocker(lists: [
      try ContentRuleList(identifier: "list", compiledFile: list.compiled)
    ])
    let decision = try blocker.decision(
      url: "https://ads.example/1.png",
      page: "https://news.test/",
      type: "image"
    )
    #expect(decision.isBlocked)
    let map = try JSONSerialization.jsonObject(with: Data(try #require(list.map)))
    let lines = (map as? [String: Any])?["lines"] as? [[String: Any]]
    #expect(lines?.count == 10)
    #expect(lines?[6]["outcome"] as? String == "converted")
  }

  @Test("WebKit's JSON is taken as it is, and a refused list says where")
  func json() throws {
    let rule = #"{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}"#
    let list = try ingest("[\(rule)]")
    #expect(list.summary.format == .webkit && list.summary.rules == 1)
    #expect(list.map == nil && list.summary.lines == nil)
    let half = "[\n\(rule),\n{\"trigger\":"
    let error = #expect(throws: IngestionError.self) { try ingest(half) }
    #expect(error?.code == .refused)
    #expect(error?.position?.hasPrefix("3:") == true, "\(error?.position ?? "")")
    let words = error?.message(of: "list.txt") ?? ""
    #expect(words.hasPrefix("list.txt:3:") && words.contains(": WebKit refuses it: "), "\(words)")
  }

  @Test(
    "What is no list is refused in words",
    arguments: [
      ("", "empty"), (" \n\n", "empty"), ("<!DOCTYPE html><html>", "not-a-list"),
      ("\u{FEFF} <html lang=en>", "not-a-list"), ("404: Not Found", "not-a-list"),
      ("Too many requests, come again later.\n", "not-a-list"), ("TICKBIRD\u{3}", "not-a-list"),
      ("a\u{0}b", "not-a-list"), (#"{"error":"not found"}"#, "refused"), ("[]", "no-rules"),
      ("! Title: nothing\n", "not-a-list"), ("##+js(a)\n", "no-rules"),
      ("||ads.example^", "accepted"), ("127.0.0.1 ads.example", "accepted"),
      ("ads.example\nmore.example\n", "accepted"), ("/ad banner/\n", "accepted"),
      ("0.0.0.0 ads.example#a comment", "accepted"), ("##.ad > p", "accepted"),
      ("a b c\n||a.example^$csp=script-src 'none'\n", "no-rules"), ("@@/ads x/$image", "accepted"),
      ("banner\nadvert\npopup\ntracker\nsponsor\n", "accepted"),
      ("words about it\n||ads.example^\n/banner/\n", "accepted"), ("?utm_source=", "accepted"),
      ("-banner-", "accepted"), ("||a.example^\n## .advert", "accepted"),
      ("a.example, b.example##.ad\n", "accepted"),
      (
        """
        ! Title: uBlock filters
        a.example,b.example##+js(x)
        ||ads.example^$domain= \\
            one.example| \\
            two.example| \\
            three.example| \\
            four.example
        """, "accepted"
      ),
    ]
  )
  func faults(_ text: String, _ expected: String) {
    for origin in [ListOrigin.person, .server] {
      #expect(code(Array(text.utf8), from: origin) == expected, "\(origin)")
    }
  }

  @Test("A word is a filter if a person has written it")
  func words() {
    for text in ["adserver", "*", "maintenance", "adserver\npopunder\n"] {
      #expect(code(Array(text.utf8)) == "accepted", "\(text)")
      #expect(code(Array(text.utf8), from: .server) == "not-a-list", "\(text)")
    }
  }

  @Test(
    "What servers say in the place of a list is no list",
    arguments: [
      "404 page not found", "Cannot GET /list.txt", "maintenance", "error", "null", "true", "*",
      "N/A", "Bad Gateway", "Service-Unavailable", "301 Moved Permanently",
      "The requested URL /list.txt was not found on this server.",
      "upstream connect error or disconnect/reset before headers",
      "Too Many Requests. Limit: 5/min", "Redirecting to https://login.example/",
      "Warning: mysqli_connect(): (HY000/1045): Access denied in /var/www/a.php on line 3",
      "Deprecated: x in /var/www/a.php on line 3\n<!DOCTYPE html>\n<html>\n<p>/a/</p>\n</html>\n",
      "User-agent: *\nDisallow: /admin/\nSitemap: https://a.example/sitemap.xml\n",
      "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
      """
      # Lists
      ## How to use it
      Take the file of your browser, and add it:
      https://lists.example/a.txt
      - it is free; it is updated every day
      """,
    ]
  )
  func messages(_ text: String) {
    #expect(code(Array(text.utf8), from: .server) == "not-a-list")
    #expect(code(Array("\u{FEFF}\r\n\(text)\r\n".utf8), from: .server) == "not-a-list")
  }

  @Test("Limits hold for the text, and for what it is compressed from")
  func limits() throws {
    var limits = IngestionLimits()
    limits.bytes = 100
    #expect(code(Array(Self.filters.utf8), limits: limits) == "too-large")
    limits = IngestionLimits()
    // Instead of WebKit's own limit, which is no limit of compiled lists.
    limits.rules = 1
    #expect(code(Array("||a.example^\n||b.example^\n".utf8), limits: limits) == "too-large")
    limits.rules = 100
    limits.ruleBytes = 10
    #expect(code(Array("||a.example^\n".utf8), limits: limits) == "too-large")
  }

  @Test("Compressed lists are unfolded; half of one, and too much of one, are refused")
  func compressed() throws {
    let whole = try #require(gzip("||ads.example^\n"))
    let list = try ListIngestion.ingest(whole, name: "list.txt.gz")
    #expect(list.summary.isCompressed && list.summary.rules > 0)
    #expect(String(decoding: list.text, as: UTF8.self) == "||ads.example^\n")
    #expect(code(Array(whole.dropLast(6))) == "damaged")
    var limits = IngestionLimits()
    limits.bytes = 1_000
    let long = try #require(gzip(String(repeating: "||ads.example^\n", count: 1_000)))
    #expect(long.count < 1_000)
    #expect(code(long, limits: limits) == "too-large")
  }

  @Test("Spoiled lists are refused, or become compiled lists that open")
  func spoiled() throws {
    let rule = #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#
    let seeds = [
      Array(Self.filters.utf8), Array(rule.utf8), try #require(gzip(Self.filters)),
      Array("# Title: Hosts\n127.0.0.1 localhost\n0.0.0.0 ads.example # one\n".utf8),
    ]
    var random = RandomSource(seed: 7)
    for round in 0..<400 {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 8))
        default: bytes.insert(contentsOf: bytes[..<place].suffix(16), at: place)
        }
        if bytes.isEmpty { break }
      }
      guard let list = try? ListIngestion.ingest(bytes, name: "list.txt") else { continue }
      #expect(list.summary.rules > 0)
      _ = try ContentRuleList(identifier: "list", compiledFile: list.compiled)
      if let map = list.map { _ = try JSONSerialization.jsonObject(with: Data(map)) }
    }
  }

  private static let times: [(String, Double?)] = [
    ("4 days (update frequency)", 345_600), ("12 hours", 43_200), ("1d", 86_400), ("6h", 21_600),
    ("30 minutes", 1_800), ("5", 432_000), ("soon", nil), ("0 days", nil),
    ("99999999999 days", nil), ("3 months", nil),
  ]

  @Test("Times of expiry are read as blockers write them", arguments: times)
  func expiry(_ text: String, _ expected: Double?) {
    #expect(ListHeader.seconds(text) == expected)
  }

  /// Compresses a text.
  private func gzip(_ text: String) -> [UInt8]? { Gzip.compressed(Array(text.utf8)) }
}

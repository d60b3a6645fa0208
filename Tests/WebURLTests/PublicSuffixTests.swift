import Foundation
import TestSupport
import Testing

@testable import WebURL

@Suite struct PublicSuffixTests {
  static func registrableDomain(_ host: String) -> String? {
    let bytes = Array(host.utf8)
    return PublicSuffixList.registrableDomain(ofHost: bytes.span)
      .map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  static let hosts: [(String, String?)] = [
    ("example.com", "example.com"), ("www.example.com", "example.com"),
    ("a.b.c.example.com", "example.com"), ("com", nil),
    ("example.co.uk", "example.co.uk"), ("www.example.co.uk", "example.co.uk"), ("co.uk", nil),
    ("x.uk", "x.uk"),
    // The private section.
    ("github.io", nil), ("a.github.io", "a.github.io"), ("b.a.github.io", "a.github.io"),
    ("bucket.s3.amazonaws.com", "bucket.s3.amazonaws.com"),
    // Wildcards and exceptions.
    ("ck", nil), ("co.ck", nil), ("a.co.ck", "a.co.ck"), ("b.a.co.ck", "a.co.ck"),
    ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
    ("kobe.jp", nil), ("a.kobe.jp", nil), ("b.a.kobe.jp", "b.a.kobe.jp"),
    ("city.kobe.jp", "city.kobe.jp"), ("a.city.kobe.jp", "city.kobe.jp"),
    ("x.compute.amazonaws.com", nil), ("y.x.compute.amazonaws.com", "y.x.compute.amazonaws.com"),
    ("compute.amazonaws.com", nil),
    // Punycode.
    ("a.xn--p1ai", "a.xn--p1ai"), ("b.a.xn--p1ai", "a.xn--p1ai"), ("xn--p1ai", nil),
    ("a.xn--55qx5d.cn", "a.xn--55qx5d.cn"),
    // Not on the list: the last label is the public suffix.
    ("", nil), ("localhost", nil), ("lan", nil), ("b.unknown-name", "b.unknown-name"),
    ("a.b.unknown-name", "b.unknown-name"), ("a.localhost", "a.localhost"),
    ("b.a.xn--unknown-9x", "a.xn--unknown-9x"), ("x.1x.test", "1x.test"), ("a.1x", "a.1x"),
    ("com,", nil), ("1com", nil), ("Example.COM", "Example.COM"),
    // Addresses.
    ("1.2.3.4", nil), ("[::1]", nil), ("[1::2.3.4]", nil), ("1", nil),
    (".", nil),
    // A final dot.
    ("www.example.com.", "example.com."), ("a.co.uk.", "co.uk."), ("com.", nil), ("a..", "."),
    ("b.a.unknown-name.", "a.unknown-name."), ("..", nil),
    // Empty labels, as WebKit 2.50.6 takes them.
    (".com", nil), ("..com", nil), ("a..com", "a..com"), ("b.a..com", "a..com"),
    ("a..github.io", "a..github.io"), (".a.com", "a.com"), ("a..com.", "a..com."),
    ("b.a..com.", "a..com."), (".com.", nil), (".test", nil), ("..test", nil),
    ("a..test", ".test"), ("b.a..test", ".test"), ("a...test", ".test"),
    ("x.a..b.test", "b.test"), ("a.b..", "."), ("com..", "."),
  ]

  @Test("The registrable domain is the public suffix and one label", arguments: hosts)
  func registrableDomain(host: String, expected: String?) {
    #expect(Self.registrableDomain(host) == expected)
  }

  @Test(
    "The public suffix of a host is known",
    arguments: [
      ("www.example.co.uk", "co.uk"), ("com", "com"), ("a.kobe.jp", "a.kobe.jp"),
      ("city.kobe.jp", "kobe.jp"), ("a.unknown-name", "unknown-name"), ("lan", "lan"),
      ("1.2.3.4", nil), ("[::1]", nil), ("com.", nil), ("", nil),
    ]
  )
  func publicSuffix(host: String, expected: String?) {
    let bytes = Array(host.utf8)
    let range = PublicSuffixList.publicSuffix(ofHost: bytes.span)
    #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
  }

  @Test(
    "A public suffix of the list is told from a host of an own network",
    arguments: [
      ("com", true), ("github.io", true), ("co.uk", true), ("a.kobe.jp", true), ("kobe.jp", true),
      ("city.kobe.jp", false), ("example.com", false), ("router", false), ("localhost", false),
      ("nas.lan", false), ("1.2.3.4", false), ("[::1]", false), ("com.", false), ("", false),
    ]
  )
  func isListed(host: String, expected: Bool) {
    let bytes = Array(host.utf8)
    #expect(PublicSuffixList.isListed(bytes.span) == expected)
  }

  @Test("Every name of the table is found in it, and none beside it")
  func everyName() {
    let names = String(describing: PublicSuffixData.names).dropFirst().split(separator: ",")
    #expect(names.count == PublicSuffixData.nameCount)
    for entry in names {
      let name = String(entry.dropFirst())
      switch entry.first {
      case "1":
        #expect(Self.registrableDomain("a.bb-bb." + name) == "bb-bb." + name)
        #expect(Self.registrableDomain(name) == nil)
      case "2", "3": #expect(Self.registrableDomain("a.bb-bb." + name) == "a.bb-bb." + name)
      case "4": #expect(Self.registrableDomain("a.b." + name) == name)
      default: Issue.record("\(entry)")
      }
    }
  }

  @Test(
    "The list's own test holds",
    .enabled(
      if: InstalledData.has(InstalledData.publicSuffixTest),
      "the documentation of publicsuffix is not installed"
    )
  )
  func listsOwnTest() throws {
    var checked = 0
    for line in try InstalledData.lines(InstalledData.publicSuffixTest) {
      // checkPublicSuffix('b.example.com', 'example.com'); with null for "none".
      guard let match = line.wholeMatch(of: /checkPublicSuffix\('(.+)', (?:null|'(.+)')\);/),
        !match.1.hasPrefix("."),
        let host = WebURL("http://" + match.1)?.host
      else { continue }
      let expected = match.2.flatMap { WebURL("http://" + $0)?.host }
      #expect(Self.registrableDomain(host) == expected, "\(line)")
      checked += 1
    }
    #expect(checked > 60)
  }

  @Test(
    "libsoup gives the same domains, and none for suffixes that the list does not know",
    .enabled(
      if: InstalledData.has(InstalledData.libsoup) && InstalledData.has(InstalledData.python)
        && InstalledData.hasPublicSuffixListOfTable,
      "libsoup 3, publicsuffix of the table's edition, or python3 is not installed"
    )
  )
  func libsoup() throws {
    let names = String(describing: PublicSuffixData.names).dropFirst().split(separator: ",")
    var hosts = ["a.b.unknown-name", "localhost", "127.0.0.1", "www.example.com.", "com.", "a.uk."]
    for (index, entry) in names.enumerated() {
      let name = String(entry.dropFirst())
      hosts += [name, "a." + name, "c.b.a." + name, "x" + name]
      if index % 10 == 0 { hosts.append("b.a." + name + ".") }
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(hosts.joined(separator: "\n").utf8).write(to: file)
    let script = """
      import ctypes, sys
      class Error(ctypes.Structure):
          _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int)]
      base = ctypes.CDLL(sys.argv[1]).soup_tld_get_base_domain
      base.restype, base.argtypes = ctypes.c_char_p, [ctypes.c_char_p, ctypes.c_void_p]
      for host in open(sys.argv[2], "rb"):
          error = ctypes.POINTER(Error)()
          domain = base(host.strip(), ctypes.byref(error))
          # SOUP_TLD_ERROR_NO_BASE_DOMAIN: no rule of the list knows the host's end.
          print(domain.decode() if domain else "?" if error.contents.code == 3 else "-")
      """
    let output = try InstalledData.output(
      of: [InstalledData.python, "-c", script, InstalledData.libsoup, file.path]
    )
    let answers = String(decoding: output, as: UTF8.self).split(separator: "\n")
    #expect(answers.count == hosts.count)
    for (host, answer) in zip(hosts, answers) {
      let lastTwo = host.split(separator: ".").suffix(2)
      let expected =
        answer != "?" ? String(answer) : lastTwo.count < 2 ? "-" : lastTwo.joined(separator: ".")
      #expect(Self.registrableDomain(host) ?? "-" == expected)
    }
  }
}

@Suite struct PartyTests {
  static let pairs: [(load: String, top: String, isFirstParty: Bool)] = [
    ("https://a.test.com/x", "http://b.test.com:81/", true),
    ("https://test.com/", "https://a.b.test.com/", true),
    ("https://a.b.test.com/", "https://test.com/", true),
    ("https://atest.com/", "https://test.com/", false),
    ("https://test.com/", "https://atest.com/", false),
    ("https://test.org/", "https://test.com/", false),
    ("https://b.github.io/", "https://a.github.io/", false),
    ("https://b.github.io/", "https://github.io/", true),
    ("https://github.io/", "https://b.github.io/", false),
    ("https://x.co.uk/", "https://y.co.uk/", false),
    ("http://127.0.0.1:1/", "http://127.0.0.1:2/", true),
    ("http://1.127.0.0/", "http://127.0.0.1/", false),
    ("http://[::1]/", "https://[::1]:8/", true),
    ("http://[::2]/", "https://[::1]:8/", false),
    ("http://localhost/", "http://localhost:8/", true),
    ("http://a.localhost/", "http://localhost/", true),
    ("http://localhost/", "http://a.localhost/", false),
    ("http://a.unknown-name/", "http://b.unknown-name/", false),
    ("http://a.test/", "http://www.a.test/", true),
    ("http://c.b.lan/", "http://a.b.lan:81/", true),
    ("http://www.intranet/", "http://intranet/", true),
    ("http://intranet/", "http://www.intranet/", false),
    ("http://b.a.localhost/", "http://a.localhost/", true),
    ("http://a.test./", "http://b.a.test./", true),
    ("http://c.b.unknown-name/", "http://b.unknown-name/", true),
    ("http://a.test.com./", "http://b.test.com./", true),
    ("http://a.test.com/", "http://b.test.com./", false),
    ("data:a", "https://test.com/", false),
    ("blob:https://test.com/1", "https://test.com/", false),
    ("https://a.test.com/", "blob:https://test.com/1", true),
    ("https://a.test.com/", "blob:null/1", false),
    ("blob:https://test.com/1", "blob:https://test.com/1", false),
    ("data:a", "about:blank", true),
    ("file:///a", "file:///b", true),
    ("https://test.com/", "about:blank", false),
    ("https://u:p@a.test.com:1/@x.org/", "https://x.org/", false),
    ("https://u:test.com@a.org/", "https://test.com/", false),
    ("x:/.//test.com/", "https://test.com/", false),
    ("https://a.org/?https://test.com/", "https://test.com/", false),
  ]

  @Test("A load is first-party within the domain of the page", arguments: pairs)
  func party(load: String, top: String, isFirstParty: Bool) throws {
    let load = try #require(WebURL(load)).utf8
    let top = try #require(WebURL(top)).utf8
    #expect(PartyTest.isFirstParty(loadURL: load.span, topURL: top.span) == isFirstParty)
    let site = PageSite(topURL: top.span)
    #expect(site.isFirstParty(loadURL: load.span) == isFirstParty)
  }

  @Test("The parties are those that WebKit was observed to distinguish")
  func observed() throws {
    // Written by Scripts/webkit-referee/observe-parties.
    let file = SharedData.packageRoot.appending(path: "Tests/Fixtures/parties.tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 400)
    for line in lines {
      let fields = line.split(separator: "\t")
      let top = try #require(WebURL("http://\(fields[0])/")).utf8
      let load = try #require(WebURL("http://\(fields[1])/")).utf8
      let isFirstParty = PartyTest.isFirstParty(loadURL: load.span, topURL: top.span)
      #expect(isFirstParty == (fields[2] == "first"), "\(line)")
      #expect(PageSite(topURL: top.span).isFirstParty(loadURL: load.span) == isFirstParty)
    }
  }

  @Test("A site that has been another page's before answers for the new page")
  func reusedSite() throws {
    var site = PageSite()
    #expect(site.domain.isEmpty)
    for top in Self.pairs {
      let page = try #require(WebURL(top.top)).utf8
      site.assign(topURL: page.span)
      #expect(site == PageSite(topURL: page.span))
      for load in Self.pairs {
        let url = try #require(WebURL(load.load))
        let expected = PartyTest.isFirstParty(loadURL: url.utf8.span, topURL: page.span)
        let found = site.isFirstParty(loadHost: url.utf8.span.extracting(url.hostRange))
        #expect(found == expected, "\(load.load) on \(top.top)")
      }
    }
  }

  @Test(
    "Real requests have the party that was recorded",
    .enabled(
      if: SharedData.item("data/requests/top500-2019.tsv") != nil,
      "data/requests/top500-2019.tsv.gz is absent"
    )
  )
  func recordedRequests() throws {
    var checked = 0
    for line in try SharedData.lines("data/requests/top500-2019.tsv") {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard columns.count == 5, columns[4].hasSuffix("-party"),
        let load = WebURL(String(columns[0])), let top = WebURL(String(columns[1]))
      else { continue }
      checked += 1
      let isFirstParty = PartyTest.isFirstParty(loadURL: load.utf8.span, topURL: top.utf8.span)
      if isFirstParty != (columns[4] == "first-party") { Issue.record("\(line)") }
    }
    #expect(checked > 10_000)
  }
}

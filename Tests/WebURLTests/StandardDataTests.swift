import TestSupport
import Testing

import WebURL

/// The URL standard's own test data, when it is at hand.
@Suite struct StandardDataTests {
  struct URLCase: Decodable {
    var input: String
    var base: String?
    var failure: Bool?
    var href: String?
    var origin: String?
    var `protocol`: String?
    var username: String?
    var password: String?
    var hostname: String?
    var port: String?
    var pathname: String?
    var search: String?
    var hash: String?
  }

  @Test(
    .enabled(
      if: SharedData.item("data/url/urltestdata.json") != nil,
      "data/url/urltestdata.json is absent"
    )
  )
  func everyEntryOfTheStandardsDataHolds() throws {
    let cases: [URLCase] = try SharedData.objects("data/url/urltestdata.json")
    #expect(cases.count > 800)
    for entry in cases {
      let base = entry.base.flatMap { WebURL($0) }
      let url = entry.base != nil && base == nil ? nil : WebURL(entry.input, base: base)
      let place: Comment = "\(entry.input.debugDescription) on \(entry.base ?? "nothing")"
      guard entry.failure != true else {
        #expect(url == nil, place)
        continue
      }
      guard let url else {
        Issue.record("not parsed: \(place)")
        continue
      }
      #expect(url.serialized == entry.href, place)
      if let origin = entry.origin { #expect(url.origin == origin, place) }
      #expect(url.scheme + ":" == entry.protocol, place)
      #expect(url.username == entry.username, place)
      #expect(url.password == entry.password, place)
      #expect(url.host ?? "" == entry.hostname, place)
      #expect(url.port.map { String($0) } ?? "" == entry.port, place)
      #expect(url.path == entry.pathname, place)
      #expect(url.query.map { $0.isEmpty ? "" : "?" + $0 } ?? "" == entry.search, place)
      #expect(url.fragment.map { $0.isEmpty ? "" : "#" + $0 } ?? "" == entry.hash, place)
      expectConsistent(url)
      if url.hostKind != .none {
        #expect(SerializedURL.hostRange(of: url.utf8.span) == url.hostRange, place)
      }
    }
  }
}

/// Domains and their ASCII forms from the URL standard's test data.
@Suite struct StandardDomainTests {
  struct DomainCase: Decodable {
    var input: String
    var output: String?
    var comment: String?
  }

  /// Inputs that are not tested, with the reason.
  static let exceptions = [
    "": "An empty domain is no part of a URL; the path would become the host.",
    "\u{32931}20.\u{97F3}.\u{A866}1.": "U+32931 was assigned after Unicode 15.0.",
    "\u{32B9A}9\u{A369}\u{17D3}.ss": "U+32B9A was assigned after Unicode 15.0.",
    "\u{32B9A}9\u{A369}\u{17D3}.SS": "U+32B9A was assigned after Unicode 15.0.",
  ]

  @Test(
    .enabled(
      if: SharedData.item("data/url/toascii.json") != nil,
      "data/url/toascii.json is absent"
    ),
    arguments: ["toascii.json", "IdnaTestV2.json"]
  )
  func domainsHaveTheStandardsASCIIForm(file: String) throws {
    let cases: [DomainCase] = try SharedData.objects("data/url/" + file)
    #expect(cases.count > 80)
    for entry in cases where Self.exceptions[entry.input] == nil {
      let host = WebURL("https://" + Self.escaped(entry.input) + "/x")?.host
      #expect(host == entry.output, "\(entry.input.debugDescription) \(entry.comment ?? "")")
    }
  }

  /// Keeps the bytes that would end the host, or be dropped before it is parsed, for the host.
  static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      if scalar.value <= 0x20 || "/?#@:\\%".unicodeScalars.contains(scalar) {
        output += "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}

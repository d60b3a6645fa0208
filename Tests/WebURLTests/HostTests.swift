import Foundation
import Testing

@testable import WebURL

@Suite struct InternationalDomainTests {
  static let domains: [(String, String?)] = [
    ("bücher.example", "xn--bcher-kva.example"),
    ("BÜCHER.example", "xn--bcher-kva.example"),
    ("bu\u{308}cher.example", "xn--bcher-kva.example"),
    ("straße.example", "xn--strae-oqa.example"),
    ("STRAẞE.example", "xn--strae-oqa.example"),
    ("日本語。jp", "xn--wgv71a119e.jp"),
    ("日本語．ＪＰ", "xn--wgv71a119e.jp"),
    ("xn--bcher-kva.ü", "xn--bcher-kva.xn--tda"),
    ("한국.example", "xn--3e0b707e.example"),
    ("\u{1112}\u{1161}\u{11AB}국.example", "xn--3e0b707e.example"),
    ("a\u{AD}b.example", "ab.example"),
    ("ü..example", "xn--tda..example"),
    ("ü-.example", "xn----dha.example"),
    ("ⅷ.example", "viii.example"),
    ("①.②.③.④", "1.2.3.4"),
    ("\u{FDFA}.example", nil),
    // Disallowed, unassigned, private and not a character.
    ("a\u{2028}b.example", nil), ("\u{378}.example", nil), ("\u{E000}.example", nil),
    ("\u{FFFD}.example", nil), ("a\u{202E}b.example", nil), ("⒈.example", nil),
    // A mapping to a forbidden code point.
    ("a℀b.example", nil), ("a\u{FF0F}b.example", nil), ("a\u{A0}b.example", nil),
    // A mark in front.
    ("\u{308}a.example", nil), ("ü.\u{308}a", nil),
    // Punycode that is malformed, encodes ASCII, is not normalised, or encodes an invalid label.
    ("xn--ü.example", nil), ("xn--.ü", nil), ("xn--abc-.ü", nil), ("xn--99999999.ü", nil),
    ("xn--bcher-kvb.ü", nil), ("xn--u-ccb.ü", nil), ("xn--A-eha.ü", "xn--a-eha.xn--tda"),
    // Joiners.
    ("क्\u{200D}ष.example", "xn--11b2ezcw70k.example"),
    ("a\u{200D}b.example", nil), ("a\u{200C}b.example", nil),
    ("نامه\u{200C}ای.example", "xn--mgba3gch31f060k.example"),
    // The bidi rule.
    ("אב.example", "xn--4dbc.example"), ("אa.example", nil), ("א1.example", "xn--1-zhc.example"),
    ("1א.example", nil), ("א١1.example", nil), ("ü.1א", nil), ("א.1a", nil),
    ("אب\u{308}.example", "xn--ssa73lth.example"),
  ]

  @Test("A domain beyond ASCII gets its one ASCII form", arguments: domains)
  func domain(input: String, expected: String?) {
    #expect(WebURL("http://" + input)?.host == expected)
  }

  @Test(
    "Punycode decodes to what was encoded",
    arguments: ["ü", "日本語", "aüb", "Παν語語", "\u{10FFFF}\u{80}", "ααααα", "-ü-"]
  )
  func punycodeRoundTrip(text: String) {
    let label = text.unicodeScalars.map(\.value)
    var encoded: [UInt8] = []
    #expect(Punycode.encode(label, to: &encoded))
    #expect(Punycode.decode(encoded[...]) == label)
  }

  @Test(
    "Malformed punycode is refused",
    arguments: ["ü", "a_b", "9", "99999999999", "a-ÿ", "zzzzzzzz"]
  )
  func malformedPunycode(text: String) {
    #expect(Punycode.decode(Array(text.utf8)[...]) == nil)
  }

  @Test("A label that would take too long to encode is refused")
  func hugeLabel() {
    let codes = (0..<20_000).compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }
    #expect(WebURL("http://" + String(String.UnicodeScalarView(codes))) == nil)
    let marks = String(repeating: "\u{308}\u{323}", count: 200_000)
    #expect(WebURL("http://a" + marks) == nil)
    #expect(WebURL("http://ü.xn--" + String(repeating: "a", count: 400_000)) == nil)
  }
}

@Suite struct NormalizationTests {
  @Test(
    "A text has one composed form",
    arguments: [
      ([0x61, 0x308], [0xE4]),
      ([0xE4], [0xE4]),
      ([0x61, 0x308, 0x323], [0x1EA1, 0x308]),
      ([0x1EA1, 0x302], [0x1EAD]),
      ([0x61, 0x327, 0x301], [0xE1, 0x327]),
      ([0x308, 0x61], [0x308, 0x61]),
      // Blocked by a mark of the same class, and by a starter.
      ([0x61, 0x30A, 0x301, 0x308], [0x1FB, 0x308]),
      ([0x61, 0x903, 0x301], [0x61, 0x903, 0x301]),
      // Excluded from composition.
      ([0x958], [0x915, 0x93C]),
      ([0x915, 0x93C], [0x915, 0x93C]),
      ([0x2ADC], [0x2ADD, 0x338]),
      // Two starters.
      ([0x9C7, 0x9BE], [0x9CB]),
      ([0x1100, 0x1161], [0xAC00]),
      ([0x1100, 0x1161, 0x11A8], [0xAC01]),
      ([0xAC00, 0x11A8], [0xAC01]),
      ([0xAC01, 0x11A8], [0xAC01, 0x11A8]),
      ([0xAC00, 0x11A7], [0xAC00, 0x11A7]),
      // Beyond 16 bits.
      ([0x11131, 0x11127], [0x1112E]),
      ([0x10041, 0x301], [0x10041, 0x301]),
    ] as [([UInt32], [UInt32])]
  )
  func composedForm(text: [UInt32], expected: [UInt32]) {
    #expect(Normalization.composed(text) == expected)
    #expect(Normalization.composed(expected) == expected)
  }

  @Test(
    "Unicode's conformance test holds for all valid code points",
    .enabled(
      if: InstalledData.has(InstalledData.normalizationTest),
      "unicode-data is not installed"
    )
  )
  func conformance() throws {
    let tables = IDNATables.shared
    var checked = 0
    for line in try InstalledData.lines(InstalledData.normalizationTest) {
      let columns = line.split(separator: ";").prefix(2).map { column in
        column.split(separator: " ").compactMap { UInt32($0, radix: 16) }
      }
      guard columns.count == 2, !columns[0].isEmpty,
        columns.joined().allSatisfy({ tables.properties(of: $0).status == .valid })
      else { continue }
      checked += 1
      if Normalization.composed(columns[0]) != columns[1] { Issue.record("\(line)") }
      if Normalization.composed(columns[1]) != columns[1] { Issue.record("\(line)") }
    }
    #expect(checked > 5_000)
  }
}

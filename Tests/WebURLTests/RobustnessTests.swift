import TestSupport
import Testing

import WebURL

@Suite struct RobustnessTests {
  private static let pieces: [[UInt8]] =
    [
      "http", "https", "file", "blob", "x", ":", "/", "//", "\\", "?", "#", "@", "[", "]", "::",
      ".",
      "..", "%2e", "%", "%00", "C|", "C:", "localhost", "xn--", "xn--a", "ü", "ß", "א", "1", "0x",
      "\u{200D}", "\u{AD}", "\u{308}", "。", " ", "\t", "\n", "\u{0}", "a", "Z", "-", "443", "99999",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80]]

  private func randomText(_ random: inout RandomSource) -> [UInt8] {
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      if Int.random(in: 0..<8, using: &random) == 0 {
        text.append(UInt8.random(in: 0...255, using: &random))
      } else {
        text += Self.pieces.randomElement(using: &random) ?? []
      }
    }
    return text
  }

  @Test("Whatever is parsed is ASCII and parses to itself", arguments: 1...4 as ClosedRange<UInt64>)
  func parsingIsIdempotent(seed: UInt64) {
    var random = RandomSource(seed: seed)
    let bases = [
      nil, "http://a.test/b/c?d#e", "file:///C:/a", "file://h/a/b", "x:/.//a", "x://h/b",
      "mailto:a",
    ].map { $0.flatMap { WebURL($0) } }
    var parsed = 0
    for _ in 0..<15_000 {
      let text = randomText(&random)
      let base = bases.randomElement(using: &random) ?? nil
      guard let url = WebURL(utf8: text, base: base) else { continue }
      parsed += 1
      let isASCII = url.utf8.allSatisfy { $0 < 0x80 && $0 >= 0x20 }
      let again = WebURL(utf8: url.utf8)
      if !isASCII || again?.utf8 != url.utf8 {
        Issue.record("\(text) on \(String(describing: base)) gives \(url)")
      }
      expectConsistent(url)
      #expect(SerializedURL.hostRange(of: url.utf8.span).count == url.hostRange.count)
      if url.host?.isEmpty == false {
        #expect(SerializedURL.hostRange(of: url.utf8.span) == url.hostRange, "\(url)")
      }
    }
    #expect(parsed > 1_000)
  }

  @Test("Setters always leave a URL that parses to itself", arguments: 1...2 as ClosedRange<UInt64>)
  func settersKeepURLsConsistent(seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    for _ in 0..<4_000 {
      let start = ["http://u:p@a.test:81/b?c#d", "file:///C:/a", "x:/.//a", "x://h", "mailto:a ?b"]
        .randomElement(using: &random)
      var url = try #require(WebURL(start ?? ""))
      for _ in 0..<4 {
        let text = String(decoding: randomText(&random), as: UTF8.self)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: url.setScheme(text)
        case 1: url.setUsername(text)
        case 2: url.setPassword(text)
        case 3: url.setHost(text)
        case 4: url.setPort(UInt16.random(in: 0...500, using: &random))
        case 5: url.setPort(nil)
        case 6: url.setPath(text)
        case 7: url.setQuery(Bool.random(using: &random) ? text : nil)
        default: url.setFragment(Bool.random(using: &random) ? text : nil)
        }
        expectConsistent(url)
      }
    }
  }

  @Test("Reading a host out of arbitrary bytes stays within them")
  func hostRangeOfAnything() {
    var random = RandomSource(seed: 9)
    for _ in 0..<20_000 {
      let text = randomText(&random)
      for range in [
        SerializedURL.hostRange(of: text.span), SerializedURL.pageHostRange(of: text.span),
      ] {
        #expect(range.lowerBound >= 0 && range.upperBound <= text.count)
      }
      if let domain = PublicSuffixList.registrableDomain(ofHost: text.span) {
        #expect(domain.upperBound == text.count)
      }
      _ = PartyTest.isFirstParty(loadURL: text.span, topURL: randomText(&random).span)
    }
  }
}

import TestSupport
import TextScanning
import Testing

@testable import WebURL

@Suite struct ByteSetTests {
  /// The set that passes what a condition does not name, by the standard's words.
  private func set(except isExcluded: (UInt8) -> Bool) -> ByteSet {
    var set = ByteSet(low: 0, high: 0)
    for byte in UInt8(0)..<128 where !isExcluded(byte) {
      if byte < 64 { set.low |= 1 << UInt64(byte) } else { set.high |= 1 << UInt64(byte - 64) }
    }
    return set
  }

  private func isIn(_ text: String) -> (UInt8) -> Bool {
    { text.utf8.contains($0) }
  }

  @Test("The masks are the complements of the standard's sets")
  func masks() {
    let control = { (byte: UInt8) in byte < 0x20 || byte > 0x7E }
    let query = " \"#<>"
    let path = query + "?^`{}"
    let userinfo = path + "/:;=@[\\]|"
    let host = "\0\t\n\r #/:<>?@[\\]^|"
    #expect(ByteSet.opaque == set { control($0) })
    #expect(ByteSet.fragment == set { control($0) || isIn(" \"<>`")($0) })
    #expect(ByteSet.query == set { control($0) || isIn(query)($0) })
    #expect(ByteSet.specialQuery == set { control($0) || isIn(query + "'")($0) })
    #expect(ByteSet.path == set { control($0) || isIn(path)($0) })
    #expect(ByteSet.userinfo == set { control($0) || isIn(userinfo)($0) })
    #expect(ByteSet.host == set { isIn(host)($0) })
    let isForbiddenInDomain = { isIn(host + "%\u{7F}")($0) || $0 < 0x20 }
    #expect(ByteSet.domain == set { isForbiddenInDomain($0) })
    let isUpperCase = isIn("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    #expect(ByteSet.canonicalDomain == set { isForbiddenInDomain($0) || isUpperCase($0) })
    #expect(
      ByteSet.scheme == set { !ASCII.isLetter($0) && !ASCII.isDigit($0) && !isIn("+-.")($0) }
    )
    #expect(!ByteSet.opaque.contains(0x80) && !ByteSet.host.contains(0xFF))
  }
}

@Suite struct CanonicalURLTests {
  @Test(
    "The common shape is recognised without the parser",
    arguments: [
      "http://a.test/", "https://www.example.com/a/b.c?d=e&f=%20#g", "ws://a.test:81/",
      "wss://a.test/.well-known/x", "https://a.test/%7Bx%7D?", "https://a-1.b_2.test/#",
    ]
  )
  func common(text: String) {
    #expect(CanonicalURL.layout(of: Array(text.utf8).span) != nil)
  }

  @Test(
    "What the parser would change is not recognised",
    arguments: [
      "http://a.test", "HTTP://a.test/", "http://A.test/", "http://a.test:80/", "http://a.test:/",
      "http://a.test:08/", "http://a.test:65536/", "http://a.test/../", "http://a.test/./",
      "http://a.test/.", "http://a.test/%2e/", "http://a.test/.%2E/", "http://a.test/a\\b",
      "http://a.test/ ", " http://a.test/", "http://a.test/?'", "http://a.test/#`", "http://1/",
      "http://a.0x1/", "http://a.1./", "http:///a", "http://u@a.test/", "http://a%41/",
      "http://a.test/ä", "http://a.test/a\tb", "file:///a/b/c", "https:/a.test/", "httpss://a/b",
    ]
  )
  func uncommon(text: String) {
    #expect(CanonicalURL.layout(of: Array(text.utf8).span) == nil)
  }

  @Test("What is recognised is what the parser gives")
  func agreesWithParser() {
    var random = RandomSource(seed: 6)
    let parts = [
      "http", "https", "ws", "wss", "file", "x", ":", "//", "/", "a", "b.c", ".", "..", "%2e", "%",
      "%41", "1", "0x", "80", "443", "@", "?", "#", "'", "\\", "[::1]", "A", " ", "^", "`", "-",
      "ü",
    ]
    var recognised = 0
    for _ in 0..<200_000 {
      var text =
        ["http://", "https://", "ws://a.b/", "https://a.b:", ""]
        .randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 0...7, using: &random) {
        text += parts.randomElement(using: &random) ?? ""
      }
      let bytes = Array(text.utf8)
      guard let layout = CanonicalURL.layout(of: bytes.span) else { continue }
      recognised += 1
      var parser = URLParser(bytes, base: nil)
      let url = parser.parse()
      #expect(url?.utf8 == bytes, "\(text)")
      #expect(url.map { String(describing: $0.layout) } == String(describing: layout), "\(text)")
    }
    #expect(recognised > 10_000)
  }

  @Test("All code that looks for the ends of components recognises the same URLs")
  func scans() {
    var random = RandomSource(seed: 11 &+ Effort.seed)
    let hosts = ["a.test", "www.example.com", "a-1.b_2.test:8080", "averyveryverylonglabel.co.uk"]
    let odd = Array("/?#%.:@\\^|~!'\"<>`{}[] A\t".utf8) + [0, 0x7F, 0x80, 0xE9, 0xFF]
    var counts = (recognised: 0, refused: 0)
    for _ in 0..<100_000 {
      var text = Array(
        "\(Bool.random(using: &random) ? "https" : "http")://\(hosts.randomElement(using: &random) ?? "")/"
          .utf8
      )
      // Around one, two and three blocks.
      for _ in 0..<Int.random(in: 0...100, using: &random) {
        text.append(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random))
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let byte =
          Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : odd.randomElement(using: &random) ?? 0
        text[Int.random(in: Int.random(in: 0...8, using: &random)..<text.count, using: &random)] =
          byte
      }
      if Bool.random(using: &random), text.count > 40 {
        let place = Int.random(in: 30..<text.count - 3, using: &random)
        text.replaceSubrange(
          place..<place + 2,
          with: Array(["/.", "/%", "?a", "#a"].randomElement(using: &random)!.utf8)
        )
      }
      let plain = CanonicalURL.layout(of: text.span, by: .plain)
      for scan in ScanCode.allCases where scan.isAvailable {
        let layout = CanonicalURL.layout(of: text.span, by: scan)
        #expect(
          layout.map { String(describing: $0) } == plain.map { String(describing: $0) },
          "\(scan): \(String(decoding: text, as: UTF8.self))"
        )
      }
      if plain == nil { counts.refused += 1 } else { counts.recognised += 1 }
    }
    #expect(counts.recognised > 10_000 && counts.refused > 10_000)
  }
}

import Foundation
import TestSupport
import Testing

@testable import WebURL

/// The recogniser of plain URLs against the parser, which knows nothing of it.
@Suite struct PlainURLTests {
  /// What the parser makes of a text, the recogniser left out.
  private func parse(_ text: [UInt8]) -> WebURL? {
    var parser = URLParser(text, base: nil)
    return parser.parse()
  }

  /// Whether a parsed URL has the shape that is to be recognised, by its components.
  private func isOfCommonShape(_ url: WebURL) -> Bool {
    guard [.http, .https, .ws, .wss].contains(url.layout.scheme), url.hostKind == .domain,
      url.username.isEmpty, url.password.isEmpty, url.utf8[url.hostStart - 1] == ASCII.slash,
      let last = url.utf8[url.hostRange].split(separator: ASCII.dot).last, let first = last.first,
      !ASCII.isDigit(first), url.utf8[url.hostEnd - 1] != ASCII.dot
    else { return false }
    // Anything that resembles a dot segment is left to the parser.
    let path = url.utf8[url.pathRange]
    for index in path.indices.dropLast() where path[index] == ASCII.slash {
      let next = path[index + 1]
      let second = index + 2 < path.endIndex ? path[index + 2] : 0
      if next == ASCII.dot, !ASCII.isLetter(second) { return false }
      if next == ASCII.percent, second == UInt8(ascii: "2") || second == 0 { return false }
    }
    return !path.contains(ASCII.backslash)
  }

  /// Says whether a text is recognised, and checks it against the parser.
  private func check(_ text: [UInt8]) -> Bool {
    let url = parse(text)
    let found = CanonicalURL.layout(of: text.span)
    let shown = String(decoding: text, as: UTF8.self).debugDescription
    if let found {
      if url?.utf8 != text { Issue.record("\(shown) is not what the parser writes") }
      if url.map({ String(describing: $0.layout) }) != String(describing: found) {
        Issue.record("\(shown) has other components: \(found)")
      }
    } else if let url, url.utf8 == text, isOfCommonShape(url) {
      Issue.record("\(shown) is not recognised")
    }
    let parts = WebURL.parts(ofPlainlySerialized: text.span)
    if parts?.host != found.map({ _ in url?.hostRange ?? 0..<0 })
      || parts?.fragmentStart != found.map({ _ in url?.fragmentStart ?? 0 })
    {
      Issue.record("\(shown) has the parts \(String(describing: parts))")
    }
    return found != nil
  }

  private static let samples = [
    "https://www.example.com/a/path/that-is/rather.long/%7Bx%7D?query=1&x=[long];#frag-ment!",
    "http://a.b/c", "ws://host-1.example:8080/x.y/.z?", "http://a.test/#", "https://x_y.z/~|a",
  ]

  @Test("Every byte at every place is recognised only where it may stand", arguments: samples)
  func everyByteEverywhere(sample: String) {
    let sample = Array(sample.utf8)
    #expect(check(sample))
    var recognised = 0
    for place in 0...sample.count {
      for byte in UInt8.min...UInt8.max {
        var text = sample
        text.insert(byte, at: place)
        if check(text) { recognised += 1 }
        if place < sample.count {
          text = sample
          text[place] = byte
          if check(text) { recognised += 1 }
        }
      }
    }
    #expect(recognised > 500)
  }

  @Test("Components of any length are recognised wherever sixteen bytes end")
  func everyLength() {
    for host in 1...40 {
      let origin = "https://" + String(repeating: "h", count: host) + "/"
      for rest in 0...40 {
        let filler = String(repeating: "p", count: rest)
        for end in ["", "?", "?q", "#", "#f", "?a=b#c", "=", "!", "~", "/.well-known", "/%41"] {
          #expect(check(Array((origin + filler + end).utf8)), "\(host), \(rest), \(end)")
        }
        for end in ["/.", "/..", "/./", "/%2e", "\\", "<", "^", "?'", "?\"", "#`", " ", "{", "ü"] {
          #expect(!check(Array((origin + filler + end).utf8)), "\(host), \(rest), \(end)")
        }
      }
    }
  }

  @Test(
    "Real URLs and changed ones are recognised only as what they are parsed to",
    .enabled(
      if: SharedData.item("data/requests/top500-2019.tsv") != nil
        && SharedData.item("data/url/urltestdata.json") != nil,
      "data/requests/top500-2019.tsv.gz or data/url/urltestdata.json is absent"
    )
  )
  func realURLs() throws {
    var random = RandomSource(seed: 20)
    let cases: [StandardDataTests.URLCase] = try SharedData.objects("data/url/urltestdata.json")
    var texts = cases.map { Array($0.input.utf8) }
    let log = try SharedData.lines("data/requests/top500-2019.tsv")
    for line in log where UInt8.random(in: 0..<8, using: &random) == 0 {
      guard let url = line.split(separator: "\t").first else { continue }
      texts.append(Array(url.utf8))
    }
    var recognised = 0
    for text in texts {
      recognised += check(text) ? 1 : 0
      for _ in 0..<3 { recognised += check(mutated(text, &random)) ? 1 : 0 }
    }
    #expect(recognised > 4_000)
  }

  private func mutated(_ text: [UInt8], _ random: inout RandomSource) -> [UInt8] {
    var text = text
    let pieces = [
      "/", "/.", "/../", "%2e", "%", "?", "#", "'", "\\", "{", ":80", "@", "A", "é", "\t",
    ]
    let place = Int.random(in: 0...text.count, using: &random)
    switch UInt8.random(in: 0..<4, using: &random) {
    case 0: text.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
    case 1 where place < text.count: text.remove(at: place)
    case 2 where place < text.count: text[place] = UInt8.random(in: 0...255, using: &random)
    default: text.removeSubrange(place..<min(text.count, place + 20))
    }
    return text
  }
}

@Suite struct ByteBlockTests {
  @Test("Each test answers for every byte at every place of the block")
  func tests() {
    for byte in UInt8.min...UInt8.max {
      let place = Int(byte % 16)
      // The filler around the byte must not match.
      func answers(around filler: UInt8, _ test: (ByteBlock) -> ByteBlock.Bits) -> Bool {
        var text = [UInt8](repeating: filler, count: 19)
        text[place + 2] = byte
        return ByteBlock.first(test(ByteBlock(text.span, at: 2))) == place
      }
      #expect(answers(around: 0) { $0.isForeign } == (byte > 127))
      guard byte < 128 else { continue }
      for bound in UInt8(1)...127 {
        #expect(answers(around: 0) { $0.isAtLeast(bound) } == (byte >= bound))
        #expect(answers(around: bound) { $0.isNot(bound) } == (byte != bound))
      }
      #expect(answers(around: 0x3C) { $0.isNot(0x3C, mask: 0x7C) } == (byte & 0x7C != 0x3C))
    }
  }

  @Test("The first answer is the first one from the given place on")
  func first() {
    for first in 0..<16 {
      for second in first..<16 {
        var bytes = [UInt8](repeating: 0x7F, count: 16)
        bytes[first] = 0x80
        bytes[second] = 0xFF
        let bits = ByteBlock(bytes.span, at: 0).isForeign
        for start in 0..<16 {
          let expected = start <= first ? first : start <= second ? second : nil
          #expect(ByteBlock.first(bits, from: start) == expected)
        }
      }
    }
  }

  @Test("Texts are the same when every byte is")
  func hasSameBytes() {
    func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.span.hasSameBytes(as: b.span) }
    for count in 0..<50 {
      let text = (0..<count).map { UInt8($0 * 7 & 255) }
      #expect(isSame(text, text.map(\.self)))
      #expect(!isSame(text, text + [0]))
      for place in 0..<count {
        var other = text
        other[place] ^= UInt8(1) << UInt8(place % 8)
        #expect(!isSame(text, other))
      }
    }
  }
}

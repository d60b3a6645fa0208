import TestSupport
import TextScanning
import Testing

@testable import RuleMatching

/// What searches a URL's text many bytes at a time finds what a search byte by byte finds.
@Suite("Searches of a URL's text")
struct TextSearchTests {
  @Test("two bytes in a row", arguments: ScanCode.allCases.filter(\.isAvailable))
  func pairs(scan: ScanCode) {
    var random = RandomSource(seed: 5 &+ Effort.seed)
    var text = URLText(scan: scan)
    var found = 0
    for round in 0..<2_000 * Effort.factor {
      let letters = Array(round % 2 == 0 ? "ab".utf8 : "abcdefgh/-.".utf8)
      let bytes = random.text(of: letters, upTo: 100)
      text.assign(bytes.span)
      let view = text.view(isCaseSensitive: false)
      let first = letters.randomElement(using: &random) ?? 97
      let second = letters.randomElement(using: &random) ?? 97
      let start = Int.random(in: 0...bytes.count, using: &random)
      let expected = (start..<max(start, bytes.count - 1)).first {
        bytes[$0] == first && bytes[$0 + 1] == second
      }
      found += expected == nil ? 0 : 1
      #expect(view.firstIndex(of: first, second, from: start) == expected)
      #expect(view.firstIndexInSwift(of: first, second, from: start) == expected)
    }
    #expect(found > 200)
  }

  @Test("the first letter that is upper-case", arguments: ScanCode.allCases.filter(\.isAvailable))
  func upperCase(scan: ScanCode) {
    var text = URLText(scan: scan)
    for length in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 70] {
      for place in 0..<length {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        bytes[place] = UInt8(ascii: "Z")
        if place + 3 < length { bytes[place + 3] = UInt8(ascii: "Z") }
        text.assign(bytes.span)
        #expect(text.foldedPrefix == place)
      }
      text.assign([UInt8](repeating: UInt8(ascii: "a"), count: length).span)
      #expect(text.foldedPrefix > length)
    }
  }
}

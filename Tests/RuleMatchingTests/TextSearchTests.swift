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

  @Test("a byte, up to an end", arguments: ScanCode.allCases.filter(\.isAvailable))
  func bytes(scan: ScanCode) {
    var random = RandomSource(seed: 6 &+ Effort.seed)
    var text = URLText(scan: scan)
    var found = 0
    for round in 0..<2_000 * Effort.factor {
      let letters = round % 4 == 0 ? "/:.ab\u{e9}" : "/:.abcdefghijklmnop\u{7f}"
      let bytes = random.text(of: Array(letters.utf8), upTo: 100)
      text.assign(bytes.span)
      let view = text.view(isCaseSensitive: false)
      let byte = Array("/:.".utf8)[round % 3]
      let end = Int.random(in: 0...bytes.count, using: &random)
      let start = Int.random(in: 0...bytes.count + 8, using: &random)
      // Nothing is found behind a byte above 127.
      let visible = bytes.firstIndex { $0 > 127 } ?? bytes.count
      let expected = (min(start, end)..<end).first { $0 < visible && bytes[$0] == byte }
      found += expected == nil ? 0 : 1
      #expect(view.firstIndex(of: byte, from: start, before: end) == expected)
      #expect(view.firstIndexInSwift(of: byte, from: start, before: end) == expected)
    }
    #expect(found > 200)
  }

  @Test("the end of a word", arguments: ScanCode.allCases.filter(\.isAvailable))
  func words(scan: ScanCode) {
    var random = RandomSource(seed: 7 &+ Effort.seed)
    var text = URLText(scan: scan)
    for byte in 0...127 as ClosedRange<UInt8> {
      // Each byte at each place of a step, with words before and behind it.
      for place in 0..<33 {
        var bytes = (0..<40).map { _ in Array("az09-._".utf8).randomElement(using: &random) ?? 97 }
        bytes[place] = byte
        text.assign(bytes.span)
        let view = text.view(isCaseSensitive: false)
        let isWord = FilterIndex.isWordByte(view[place])
        #expect(view.wordEnd(from: 0) == (isWord ? 40 : place))
        #expect(view.wordEndInSwift(from: 0) == view.wordEnd(from: 0))
        #expect(view.wordEnd(from: place + 1) == 40)
        #expect(view.wordEnd(from: 41) == 40)
      }
    }
    text.assign(Array("abc\u{e9}def".utf8).span)
    #expect(text.view(isCaseSensitive: false).wordEnd(from: 0) == 3)
  }

  @Test("the first letter that is upper-case", arguments: ScanCode.allCases.filter(\.isAvailable))
  func upperCase(scan: ScanCode) {
    var text = URLText(scan: scan)
    for length in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70, 130] {
      for place in 0..<length {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        bytes[place] = UInt8(ascii: "Z")
        if place + 3 < length { bytes[place + 3] = UInt8(ascii: "Z") }
        text.assign(bytes.span)
        #expect(text.foldedPrefix == min(place, URLText.farthestPrefix))
      }
      text.assign([UInt8](repeating: UInt8(ascii: "a"), count: length).span)
      #expect(text.foldedPrefix > length)
    }
  }
}

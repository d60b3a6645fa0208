import ContentRules
import EngineTestSupport
import ResourceLoads
import TestSupport
import TextScanning
import Testing

@testable import RuleMatching

/// All ways of looking up a URL's grams find the same.
@Suite("Scans of a URL's grams", .enabled(if: ScanCode.vectors.isAvailable, "There is no AVX2."))
struct GramScanTests {
  private static let letters = Array("abcdef/-.".utf8)

  private static func word(_ length: Int, _ random: inout RandomSource) -> String {
    String(
      decoding: (0..<length).map { _ in letters.randomElement(using: &random) ?? 97 },
      as: UTF8.self
    )
  }

  /// A list of plain texts, the shortest of which decide about the stride.
  private static func list(
    shortest: Int,
    count: Int,
    _ random: inout RandomSource
  ) throws -> (list: CompiledRuleList, texts: [String]) {
    let texts = (0..<count).map { _ in
      word(Int.random(in: shortest...shortest + 8, using: &random), &random)
    }
    let rules = texts.enumerated().map { number, text in
      let text = text.replacing(".", with: "[.]")
      let other = number % 4 == 0 ? ".*" + word(5, &random).replacing(".", with: "[.]") : ""
      return Rule(number, text + other, action: .notify("\(number)"))
    }
    return (try CompiledRuleList(validating: compile(rules)), texts)
  }

  /// A URL of random bytes and of some of the given texts.
  private static func url(
    _ length: Int,
    of texts: [String],
    _ random: inout RandomSource
  ) -> [UInt8] {
    var url: [UInt8] = []
    while url.count < length {
      switch Int.random(in: 0..<400, using: &random) {
      case 0: url.append(UInt8.random(in: 0...255, using: &random))
      case 1...20: url.append(UInt8.random(in: 33...126, using: &random))
      case 21...60: url += Array((texts.randomElement(using: &random) ?? "").utf8)
      default: url.append(letters.randomElement(using: &random) ?? 97)
      }
    }
    return Array(url.prefix(length))
  }

  @Test("find the same places and the same rules", arguments: [4, 5, 6, 7, 9])
  func same(shortest: Int) throws {
    var random = RandomSource(seed: UInt64(shortest) &+ Effort.seed)
    var matched = 0
    for count in [1, 2, 7, 60, 600, 3_000] {
      let (list, texts) = try Self.list(shortest: shortest, count: count, &random)
      let scanner = list.scanner(list.urlIndex)
      var plain = MatchScratch(scanCode: .plain)
      var vectors = MatchScratch(scanCode: .vectors)
      plain.prepare(for: list)
      vectors.prepare(for: list)
      var page = PageState()
      let nowhere: [UInt8] = []
      list.update(&page, topURL: nowhere.span, frameURL: nowhere.span, &plain)
      let load = LoadProperties(resourceType: .image, loadType: .firstParty)
      let lengths =
        Array(0...140)
        + (0..<40 * Effort.factor).map { _ in Int.random(in: 100...5_000, using: &random) }
      for length in lengths {
        let url = Self.url(length, of: texts, &random)
        plain.assign(url.span)
        vectors.assign(url.span)
        if list.urlIndex.gramStride > 0 {
          let words = scanner.passingWords(plain.text, &plain.memory)
          #expect(scanner.passingWords(vectors.text, &vectors.memory) == words)
          for word in 0..<words {
            #expect(plain.text.passing(word) == vectors.text.passing(word), "length \(length)")
          }
        }
        let expected = list.decide(load, page, &plain)
        #expect(list.decide(load, page, &vectors) == expected)
        let rules = plain.matchedEntries.map(\.rule).sorted()
        #expect(vectors.matchedEntries.map(\.rule).sorted() == rules, "\(url)")
        matched += rules.count
      }
    }
    #expect(matched > 500)
  }

  @Test("find the rules of a bucket with more entries than are noted at a time")
  func crowd() throws {
    // All texts have the same gram in the middle, and their checks pass.
    let count = 8 * ScanMemory.mostFound + 88
    let rules = (0..<count).map { Rule($0, "qzxjqzxj.*\($0)", action: .notify("\($0)")) }
    let list = try CompiledRuleList(validating: compile(rules))
    let text = "http://test/qzxjqzxjqzxjqzxj" + (0..<count).map(String.init).joined(separator: "-")
    var found: [[UInt32]] = []
    for scan in ScanCode.allCases {
      var scratch = MatchScratch(scanCode: scan)
      scratch.prepare(for: list)
      var page = PageState()
      let url = Array(text.utf8)
      list.update(&page, topURL: url.span, frameURL: url.span, &scratch)
      scratch.assign(url.span)
      _ = list.decide(LoadProperties(resourceType: .image, loadType: .firstParty), page, &scratch)
      found.append(scratch.matchedEntries.map(\.rule).sorted())
    }
    #expect(found[0] == (0..<count).map { UInt32($0) })
    #expect(found[1] == found[0])
  }

  @Test("make the same texts of a URL")
  func texts() {
    var random = RandomSource(seed: 41 &+ Effort.seed)
    var plain = URLText(scan: .plain)
    var vectors = URLText(scan: .vectors)
    for round in 0..<4_000 {
      // Longer and shorter in turn, so that what the last URL left must be gone.
      let count = round < 300 ? round : Int.random(in: 0...300, using: &random)
      let range: ClosedRange<UInt8> = [0...255, 33...126, 64...91, 97...122][round % 4]
      var url = (0..<count).map { _ in UInt8.random(in: range, using: &random) }
      if round % 3 == 0, count > 0 {
        url[Int.random(in: 0..<count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      plain.assign(url.span)
      vectors.assign(url.span)
      #expect(vectors.count == count && plain.count == count)
      #expect(vectors.isASCII == plain.isASCII)
      #expect(vectors.foldedPrefix == plain.foldedPrefix)
      for isCaseSensitive in [false, true] {
        let expected = plain.view(isCaseSensitive: isCaseSensitive)
        let view = vectors.view(isCaseSensitive: isCaseSensitive)
        #expect((0..<count + URLText.padding).allSatisfy { view[$0] == expected[$0] }, "\(url)")
      }
    }
  }
}

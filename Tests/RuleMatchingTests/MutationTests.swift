import Foundation
import ResourceLoads
import RuleMatching
import Testing

/// How many spoiled files are tried; more come from the environment:
///
///     TICKBIRD_MUTATIONS=1000000 TICKBIRD_SEED=7 swift test --filter MutationTests
private let mutationCount =
  ProcessInfo.processInfo.environment["TICKBIRD_MUTATIONS"].flatMap { Int($0) } ?? 1_500
private let mutationSeed =
  ProcessInfo.processInfo.environment["TICKBIRD_SEED"].flatMap { UInt64($0) } ?? 1

@Suite("Spoiled compiled lists")
struct MutationTests {
  @Test("a spoiled file is refused, or decides loads without a trap")
  func mutations() throws {
    let originals = try SampleLists.compiled().map { CompiledFile($0) }
    var opened = 0
    for round in 0..<mutationCount {
      var random = SeededGenerator(seed: mutationSeed &* 1_000_003 &+ UInt64(round))
      var file = originals[round % originals.count]
      for _ in 0...Int.random(in: 0...2, using: &random) {
        spoil(&file, of: originals[round % originals.count], &random)
      }
      file.repair()
      guard let list = try? CompiledRuleList(validating: file.bytes) else { continue }
      opened += 1
      decideEverything(list)
    }
    // Both outcomes have to be met, or the loop proves nothing.
    #expect(opened > mutationCount / 50)
    #expect(opened < mutationCount)
  }

  /// Spoils a place of a file whose sections lie as in the original.
  private func spoil(
    _ file: inout CompiledFile,
    of original: CompiledFile,
    _ random: inout SeededGenerator
  ) {
    // The source takes any bytes; of tables and filters most bytes are zero or of no consequence.
    let sections = Section.allCases.filter { $0 != .source && original.size($0) > 0 }
    guard let section = sections.randomElement(using: &random) else { return }
    var range = original.start(section)..<original.start(section) + original.size(section)
    if [.urlIndex, .topURLIndex, .frameURLIndex].contains(section), Bool.random(using: &random) {
      range = min(original.tables(section).records, range.upperBound - 1)..<range.upperBound
    }
    if Int.random(in: 0..<12, using: &random) == 0 {
      range = FileLayout.headerSize..<FileLayout.contentStart
    }
    let place = Int.random(in: range, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      file.bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      file.bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2:
      file.bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    case 3, 4:
      guard place / 4 * 4 + 4 <= file.bytes.count else { return }
      let old = file.u32(place / 4 * 4)
      let numbers = [
        0, 1, .max, 1 << 31, 1 << 24, (1 << 24) - 1, UInt32(file.bytes.count), old &+ 1, old &- 1,
        old &* 2,
      ]
      file.set(numbers.randomElement(using: &random) ?? 0, at: place / 4 * 4)
    default:
      let source = Int.random(in: range, using: &random)
      for offset in 0..<Int.random(in: 1...24, using: &random)
      where max(source, place) + offset < range.upperBound {
        file.bytes[place + offset] = file.bytes[source + offset]
      }
    }
  }

  private func decideEverything(_ list: CompiledRuleList) {
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    var page = PageState()
    for top in [4, 6, 12] {
      let topURL = sampleURLs[top]
      let frameURL = sampleURLs[0]
      list.update(&page, topURL: topURL.span, frameURL: frameURL.span, &scratch)
      for url in sampleURLs {
        scratch.assign(url.span)
        let load = LoadProperties(resourceType: .image, loadType: .thirdParty)
        let decision = list.decide(load, page, &scratch)
        for action in list.appliedActions(decision, page, scratch) {
          _ = list.text(at: list.slot(action.slot).text)
        }
        _ = list.matchedEntries(page, scratch)
      }
    }
    _ = list.globalSheet
    _ = list.source
  }

  @Test("a file cut off anywhere is refused as truncated")
  func truncation() throws {
    let bytes = try compile(SampleLists.small, source: "[]")
    for count in 0..<bytes.count {
      let fault = CompiledFile(Array(bytes.prefix(count))).fault()
      let offset = count < FileLayout.headerSize ? count : 16
      #expect(fault?.code == .truncated && fault?.offset == offset, "cut off at \(count)")
    }
  }

  @Test("a file cut off anywhere is refused even when its header says so")
  func repairedTruncation() throws {
    let bytes = try compile(SampleLists.small, source: "")
    for count in 0..<bytes.count {
      var file = CompiledFile(Array(bytes.prefix(count)))
      file.repair()
      #expect(file.fault() != nil, "cut off at \(count)")
    }
  }

  @Test("the checksum covers every byte behind the header")
  func checksum() throws {
    let bytes = try compile(SampleLists.small, source: "[{}]")
    for place in FileLayout.headerSize..<bytes.count {
      var file = CompiledFile(bytes)
      file.bytes[place] ^= 0x10
      #expect(file.fault()?.code == .badChecksum, "changed at \(place)")
    }
  }
}

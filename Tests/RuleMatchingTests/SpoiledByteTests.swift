import ContentRules
import EngineTestSupport
import ResourceLoads
import RuleCompiler
import RuleMatching
import TestSupport
import Testing

/// Small lists that between them have every kind of record, table and program.
enum ListToSpoil: CaseIterable, Sendable {
  /// Nearly everything that the format can say.
  case everything
  /// The same with threads in the place of tables.
  case threads
  /// Key records: short ones, usual ones, one with a directory, ones with several postings.
  case keys

  func compiled() throws -> [UInt8] {
    switch self {
    case .everything: try compile(SampleLists.small)
    case .threads: try compile(SampleLists.small, limits: SampleLists.noTables)
    case .keys: try compile(Self.keyRules)
    }
  }

  private static var keyRules: [Rule] {
    let host = #"^https?://([^/]+\.)?"#
    let crowd = (0..<6).map { host + "crowd\\.test/path\($0)/.*x" }
    let usual = (0..<24).map { host + "h\($0 * 7)\\.test[:/]" }
    let patterns =
      crowd + usual + [
        // Without a program, with a prefix of eight and of four bytes, and without a gram.
        host + "short", host + "verylonghostname", host + "crowd\\.test", host + "cdn[0-9]",
        "[a-z]+[0-9]x?$", "^[^:]+:(//)?.*banner", "^https?://.*pixel[0-9]",
      ]
    let blocking = patterns.enumerated().map { Rule($0.offset, $0.element) }
    // The same patterns once more: several postings.
    let hiding = patterns.enumerated().filter { $0.offset % 4 == 0 }.enumerated().map {
      Rule(
        blocking.count + $0.offset,
        $0.element.element,
        action: .cssDisplayNone(selector: "#a\($0.offset)")
      )
    }
    return blocking + hiding
  }
}

@Suite("Spoiled bytes of compiled lists")
struct SpoiledByteTests {
  private static let urls =
    sampleURLs
    + [
      "https://crowd.test/path0/x", "https://a.crowd.test/path3/b.x", "http://h0.test/",
      "https://a.h161.test:8/banner", "https://short/pixel7", "https://b.verylonghostname1.x/",
    ].map { Array($0.utf8) }

  @Test("the lists have every kind of record and program between them")
  func kinds() throws {
    var text = ""
    for list in ListToSpoil.allCases {
      let bytes = try list.compiled()
      try CompiledRuleList(validating: bytes).disassemble(to: &text)
      let file = CompiledFile(bytes)
      let tables = file.tables(.urlIndex)
      // A directory stands in the place of a filter's head.
      let directories = (0..<tables.keySlots).map { file.u32(tables.keys + 4 * $0) }.filter {
        slot in
        guard slot != 0 else { return false }
        let record = file.keyRecord(slot, tables)
        return file.bytes[record + 1 + Int(file.bytes[record] & 63)] & 0x0F == 0x0F
      }
      #expect(directories.isEmpty == (list != .keys))
    }
    let kinds = [
      "dfa of", "threads of", ": pieces", "gap", "split", "jump", "word ", "prefix ", "grams near",
      "always", "once, stamp", "from the start", "case-sensitive", "behind ^https?://.*", "rules ",
      "condition 0", "listed under condition", "if condition", "unless condition", "every URL",
    ]
    for kind in kinds { #expect(text.contains(kind), "\(kind)") }
    for index in ["load's URL", "top URL", "frame URL"] {
      #expect(text.contains("index over the \(index), filters: "))
    }
  }

  @Test(
    "a file with one is refused, or decides and is listed without a trap",
    arguments: ListToSpoil.allCases
  )
  func eachByte(_ kind: ListToSpoil) throws {
    let original = CompiledFile(try kind.compiled())
    var (refused, opened) = (0, 0)
    for place in FileLayout.headerSize..<original.start(.source) {
      var random = RandomSource(seed: Effort.seed &* 1_000_003 &+ UInt64(place))
      let old = original.bytes[place]
      var values: Set<UInt8> = [
        0, 1, 0x7F, 0x80, 0xFF, old ^ 1, old ^ 0x80, old &+ 2, old ^ 0x20,
        .random(in: 0...255, using: &random),
      ]
      values.remove(old)
      for value in values.sorted().shuffled(using: &random).prefix(2 * Effort.factor) {
        var file = original
        file.bytes[place] = value
        file.repair()
        guard let list = try? CompiledRuleList(validating: file.bytes) else {
          refused += 1
          continue
        }
        opened += 1
        // Not every time, because it takes longer than everything else.
        use(list, isListed: opened % 3 == 0)
      }
    }
    // Both outcomes must occur, or the loop proves nothing.
    #expect(refused > original.start(.source) / 4)
    #expect(opened > original.start(.source) / 4)
  }

  /// Does with a list all that reads it.
  private func use(_ list: CompiledRuleList, isListed: Bool) {
    let hiding = HidingTable(list)
    var hidden = HidingTable.Page()
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    var page = PageState()
    let load = LoadProperties(resourceType: .image, loadType: .thirdParty)
    for (top, frame) in [(6, 0), (12, 5), (16, 16)] {
      let topURL = Self.urls[top]
      let frameURL = Self.urls[frame]
      list.update(&page, topURL: topURL.span, frameURL: frameURL.span, &scratch)
      hidden.reset()
      for url in Self.urls {
        scratch.assign(url.span)
        let decision = list.decide(load, page, &scratch)
        for action in list.appliedActions(decision, page, scratch) {
          _ = list.text(at: list.slot(action.slot).text)
        }
        _ = list.matchedEntries(page, scratch)
        _ = hiding.count(decision, page, &hidden, scratch)
      }
    }
    _ = list.globalSheet
    _ = list.actionKinds
    guard isListed else { return }
    var counter = LineCounter()
    list.disassemble(to: &counter)
    list.disassemble(DisassemblyOptions(rule: 1), to: &counter)
  }
}

import EngineTestSupport
import ResourceLoads
import RuleMatching
import TestSupport
import Testing

@Suite("Spoiled compiled lists")
struct MutationTests {
  @Test("a spoiled file is refused, or decides loads without a trap")
  func mutations() throws {
    let originals = try SampleLists.compiled().map { CompiledFile($0) }
    let rounds = 1_500 * Effort.factor
    var opened = 0
    for round in 0..<rounds {
      var random = RandomSource(seed: Effort.seed &* 1_000_003 &+ UInt64(round))
      var file = originals[round % originals.count]
      for _ in 0...Int.random(in: 0...2, using: &random) {
        file.spoil(layout: originals[round % originals.count], &random)
      }
      file.repair()
      guard let list = try? CompiledRuleList(validating: file.bytes) else { continue }
      opened += 1
      use(list, round)
    }
    // Both outcomes must occur, or the loop proves nothing.
    #expect(opened > rounds / 50)
    #expect(opened < rounds)
  }

  @Test("a table's number at a bound, or one off it, is refused or read without a trap")
  func bounds() throws {
    let original = CompiledFile(try compile(SampleLists.small))
    // Each of these numbers is an offset, a count or an index somewhere.
    var bounds: Set<Int> = [0, Int(FilterIndex.keyReference), 1 << 25, 0x3F_FFFF]
    for section in Section.allCases {
      bounds.formUnion([original.size(section), original.size(section) / 4])
      bounds.formUnion([original.size(section) / 8, original.size(section) / EntryClass.size])
    }
    for index in [Section.urlIndex, .topURLIndex, .frameURLIndex] {
      let tables = original.tables(index)
      let end = original.start(index) + original.size(index)
      bounds.formUnion([Int(original.units(index)), tables.gramCount, end - tables.records])
      bounds.formUnion([end - tables.filterRecords, (end - tables.filterRecords) / 4])
    }
    let numbers = Set(bounds.flatMap { [$0 - 1, $0, $0 + 1, $0 + 2] }.filter { $0 >= 0 })
    var opened = 0
    for section in [Section.universal, .urlIndex, .topURLIndex] {
      var places = Array(
        stride(
          from: original.start(section),
          to: original.start(section) + original.size(section) - 3,
          by: 4
        )
      )
      if section != .universal {
        // Only tables: bits of filters have no effect, and records do not consist of numbers.
        let tables = original.tables(section)
        places.removeAll { $0 >= tables.records }
        places.removeAll { original.start(section) + 48 <= $0 && $0 < tables.keys }
        places.removeAll { tables.keys <= $0 && $0 < tables.grams && original.u32($0) == 0 }
      }
      // All numbers of a table have the same bounds, so the first and last ones are enough.
      for place in places.count > 40 ? places.prefix(20) + places.suffix(20) : places {
        for number in numbers.sorted() {
          var file = original
          // Keeps the bits above the reference, which distinguish keys.
          let above = file.u32(place) & ~FilterIndex.keyReference
          file.set(UInt32(number) | above, at: place)
          file.repair()
          guard let list = try? CompiledRuleList(validating: file.bytes) else { continue }
          opened += 1
          var counter = LineCounter()
          list.disassemble(to: &counter)
        }
      }
    }
    #expect(opened > 100)
  }

  private func use(_ list: CompiledRuleList, _ round: Int) {
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
    // Not in every round, because it takes longer than everything else.
    if round % 32 < 5, round % 3 == 0 {
      var counter = LineCounter()
      list.disassemble(to: &counter)
      for rule in 0..<min(4, list.info.ruleCount) {
        list.disassemble(DisassemblyOptions(rule: rule), to: &counter)
      }
    }
  }

  @Test("a file cut off anywhere is refused as truncated")
  func truncation() throws {
    let bytes = try compile(SampleLists.small)
    for count in 0..<bytes.count {
      let fault = CompiledFile(Array(bytes.prefix(count))).fault()
      let offset = count < FileLayout.headerSize ? count : 16
      #expect(fault?.code == .truncated && fault?.offset == offset, "cut off at \(count)")
    }
  }

  @Test("a file without its source decides as the whole one, if it may be without")
  func withoutSource() throws {
    let whole = try compile(SampleLists.small, source: Array("[{}]".utf8))
    let start = CompiledFile(whole).start(.source)
    let list = try opened(Array(whole.prefix(start)))
    #expect(list.source.isEmpty)
    #expect(!list.isSourceIntact)
    #expect(list.slotCount > 0)
    #expect(list.actionKinds == (try opened(whole)).actionKinds)
    #expect(try opened(whole).source == Array("[{}]".utf8))
    for count in 0..<whole.count where count != start {
      #expect(throws: ByteCodeError.self, "cut off at \(count)") {
        try opened(Array(whole.prefix(count)))
      }
    }
    // A source that the table puts elsewhere, or that is longer than the file.
    for (place, value) in [(0, start + 8), (0, 8), (4, 1 << 30)] {
      var file = CompiledFile(Array(whole.prefix(start)))
      let field = FileLayout.headerSize + 8 * Section.source.rawValue + place
      for byte in 0..<4 {
        file.bytes[field + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte))
      }
      let checksum = FileLayout.checksum(of: file.bytes)
      for byte in 0..<8 {
        file.bytes[24 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt64(byte)))
      }
      #expect(throws: ByteCodeError.self, "\(place): \(value)") { try opened(file.bytes) }
    }
  }

  /// A list whose source may be missing.
  private func opened(_ bytes: [UInt8]) throws -> CompiledRuleList {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    unsafe copy.copyBytes(from: bytes)
    let address = Int(bitPattern: copy.baseAddress)
    return try unsafe CompiledRuleList(
      validating: UnsafeRawBufferPointer(copy),
      mayLackSource: true
    ) { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  @Test("a file cut off anywhere is refused even when its header says so")
  func repairedTruncation() throws {
    let bytes = try compile(SampleLists.small, source: [])
    for count in 0..<bytes.count {
      var file = CompiledFile(Array(bytes.prefix(count)))
      file.repair()
      #expect(file.fault() != nil, "cut off at \(count)")
    }
  }

  @Test("the checksum covers every byte between the header and the source")
  func checksum() throws {
    let original = CompiledFile(try compile(SampleLists.small, source: Array("[{}]".utf8)))
    for place in FileLayout.headerSize..<original.start(.source) {
      var file = original
      file.bytes[place] ^= 0x10
      #expect(file.fault()?.code == .badChecksum, "changed at \(place)")
    }
  }

  @Test("damage to the source is found by its own checksum")
  func sourceChecksum() throws {
    let original = CompiledFile(try compile(SampleLists.small, source: Array("[{}]".utf8)))
    #expect(try CompiledRuleList(validating: original.bytes).isSourceIntact)
    #expect(FileLayout.source(ofAnyVersion: original.bytes) == Array("[{}]".utf8))
    for place in original.start(.source)..<original.start(.source) + 4 {
      var file = original
      file.bytes[place] ^= 0x10
      #expect(try !CompiledRuleList(validating: file.bytes).isSourceIntact)
      #expect(FileLayout.source(ofAnyVersion: file.bytes) == nil)
    }
  }
}

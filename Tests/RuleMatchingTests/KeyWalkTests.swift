import ContentRules
import Dispatch
import EngineTestSupport
import ResourceLoads
import RuleMatching
import Synchronization
import TestSupport
import Testing

/// Key records are walked over in the order of their slots, in two parts.
@Suite("Walks over key records")
struct KeyWalkTests {
  /// A list with enough keys for several walks, and records of all kinds among them.
  private func manyKeys() throws -> CompiledFile {
    let rules = SampleLists.large(300)
    let hosts = (0..<700).map { number in
      let host = "^https?://([^/]+\\.)?host\(number * 7_919 % 10_007)\\.test"
      return Rule(rules.count + number, number % 5 == 0 ? host + "/path\(number)" : host + "[:/]")
    }
    let file = CompiledFile(try compile(rules + hosts))
    try #require(file.tables(.urlIndex).keySlots > 512)
    try #require(file.fault() == nil)
    return file
  }

  @Test("a slot that leads into a record is reported, whichever part it is in")
  func slotsWithinRecords() throws {
    let original = try manyKeys()
    let tables = original.tables(.urlIndex)
    for slot in (0..<tables.keySlots).map({ tables.keys + 4 * $0 }) where original.u32(slot) != 0 {
      var file = original
      file.set(file.u32(slot) + 1, at: slot)
      file.repair()
      #expect(file.fault()?.code == .badRecord)
      #expect(file.fault()?.offset == slot)
    }
  }

  @Test("a record to which no slot leads is reported at the slot behind it, also where parts meet")
  func skippedRecords() throws {
    let original = try manyKeys()
    let tables = original.tables(.urlIndex)
    let used = (0..<tables.keySlots).map { tables.keys + 4 * $0 }.filter { original.u32($0) != 0 }
    for (slot, next) in zip(used, used.dropFirst()) {
      var file = original
      file.set(0, at: slot)
      file.repair()
      #expect(file.fault()?.code == .badRecord)
      #expect(file.fault()?.offset == next)
    }
  }

  @Test("which part of the checks comes first is of no consequence, nor whether both run at once")
  func parts() throws {
    // Small files are not worth two threads.
    let hosts = (0..<70_000).map { Rule($0, "^https?://([^/]+\\.)?host\($0)\\.test[:/]") }
    let original = CompiledFile(try compile(hosts))
    let calls = Mutex(0)
    let orders: [CallBoth] = [
      { first, second in
        calls.withLock { $0 += 1 }
        second()
        first()
      },
      { first, second in
        DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? first() : second() }
      },
    ]
    var random = RandomSource(seed: Effort.seed)
    var refused = 0
    for number in 0..<100 * Effort.factor {
      var file = original
      if number > 0 { file.spoil(layout: original, &random) }
      if number % 8 > 0 { file.repair() }
      let fault = file.fault()
      if fault != nil { refused += 1 }
      for order in orders { #expect(file.fault(order) == fault) }
    }
    #expect(refused > 25)
    #expect(calls.withLock { $0 } > 50)
  }

  @Test("a record with a number out of range is reported at it, whichever part meets it")
  func recordsAtFault() throws {
    let original = try manyKeys()
    let tables = original.tables(.urlIndex)
    for slot in (0..<tables.keySlots).map({ tables.keys + 4 * $0 }) where original.u32(slot) != 0 {
      var file = original
      let record = file.keyRecord(file.u32(slot), tables)
      let head = record + 1 + Int(file.bytes[record] & 63)
      // An anchor that there is not.
      file.bytes[head] = file.bytes[head] & 0xF0 | 0x0E
      file.repair()
      #expect(file.fault()?.code == .badRecord)
      #expect(file.fault()?.offset == head)
    }
  }

  @Test("each spoiled byte of a key record or a slot is refused, or read without a trap")
  func spoiledBytes() throws {
    let original = try manyKeys()
    let tables = original.tables(.urlIndex)
    let load = LoadProperties(resourceType: .image, loadType: .thirdParty)
    var scratch = MatchScratch()
    var page = PageState()
    let urls = [0, 350, 699].map { "https://a.host\($0 * 7_919 % 10_007).test/path\($0)" }
    var (refused, opened) = (0, 0)
    let places = Array(tables.keys..<tables.grams) + Array(tables.records..<tables.filterRecords)
    for place in places {
      var file = original
      file.bytes[place] ^= [0x80, 0x01, 0xFF, 0x40][place % 4]
      file.repair()
      guard let list = try? CompiledRuleList(validating: file.bytes) else {
        refused += 1
        continue
      }
      opened += 1
      scratch.prepare(for: list)
      let top = Array("https://top.test/".utf8)
      list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
      for url in urls {
        let text = Array(url.utf8)
        scratch.assign(text.span)
        let decision = list.decide(load, page, &scratch)
        _ = list.appliedActions(decision, page, scratch)
      }
    }
    // Both outcomes must occur, or the loop proves nothing.
    #expect(refused > 1_000)
    #expect(opened > 1_000)
  }
}

import ContentRules
import EngineTestSupport
import ResourceLoads
import Testing

@testable import RuleMatching

@Suite("Sizes of the numbers behind keys")
struct KeyNumbersTests {
  @Test("a number takes the bytes that it needs, and comes back", arguments: [0, 1, 8, 16, 24, 31])
  func sizes(_ bits: UInt32) {
    let power: UInt32 = 1 << bits
    for number in [power - 1, power, power + 1] {
      let sizes = KeyNumbers(largestProgram: number, posting: 7, rule: number)
      #expect(Int(sizes.program) == max(1, (32 - number.leadingZeroBitCount + 7) / 8))
      #expect(sizes.areValid(haveRules: true) && !sizes.areValid(haveRules: false))
      #expect(KeyNumbers(field: sizes.field) == sizes)
      var bytes: [UInt8] = []
      sizes.append(program: number, to: &bytes)
      sizes.append(posting: 7, rule: number, to: &bytes)
      #expect(bytes.count == Int(sizes.program) + sizes.ofPosting)
      bytes += [0xFF, 0xFF, 0xFF, 0xFF]
      unsafe bytes.withUnsafeBytes { bytes in
        let image = unsafe Image(bytes)
        var offset = 0
        #expect(image.number(&offset, size: sizes.program) == number)
        let posting = image.posting(&offset, sizes)
        #expect(posting.number == 7 && posting.rule == number)
        #expect(offset == image.count - 4)
      }
    }
  }

  @Test("a condition has no rule")
  func conditions() {
    let sizes = KeyNumbers(largestProgram: 300, posting: 70_000, rule: nil)
    #expect((sizes.program, sizes.posting, sizes.rule) == (2, 3, 0))
    #expect(sizes.areValid(haveRules: false) && !sizes.areValid(haveRules: true))
    var bytes: [UInt8] = []
    sizes.append(posting: 65_538, rule: 9, to: &bytes)
    #expect(bytes == [2, 0, 1])
  }

  @Test("numbers that do not fit a word together are checked and read as well")
  func wideNumbers() throws {
    let rules = (0..<200).map { number in
      let host = "^https?://([^/]+\\.)?host\(number)\\.test"
      return Rule(
        number,
        number % 3 == 0 ? host + "/path\(number % 7)" : host + "[:/]",
        flags: TriggerFlags(resourceTypes: number % 2 == 0 ? .image : .script)
      )
    }
    let original = CompiledFile(try compile(rules))
    let wide = widened(original)
    #expect(wide.fault() == nil)
    let (list, wideList) = (
      try CompiledRuleList(validating: original.bytes), try CompiledRuleList(validating: wide.bytes)
    )
    var blocked = 0
    for number in 0..<200 {
      for path in ["", "/path\(number % 7)", "/x"] {
        let url = "https://a.host\(number).test\(path)/"
        let outcome = decide(url, by: list)
        #expect(decide(url, by: wideList) == outcome, "\(url)")
        if outcome { blocked += 1 }
      }
    }
    #expect(blocked > 100)
    // What is out of range is refused there as well.
    let tables = wide.tables(.urlIndex)
    for slot in 0..<tables.keySlots {
      let value = wide.u32(tables.keys + 4 * slot)
      guard value != 0 else { continue }
      let record = wide.keyRecord(value, tables)
      let program = record + 2 + Int(wide.bytes[record] & 63)
      for (place, code) in [(program, ByteCodeError.Code.badProgram), (program + 8, .badRecord)] {
        var file = wide
        file.bytes[place + 3] = 0x7F
        file.repair()
        #expect(file.fault()?.code == code)
      }
    }
  }

  private func decide(_ url: String, by list: CompiledRuleList) -> Bool {
    var scratch = MatchScratch()
    var page = PageState()
    scratch.prepare(for: list)
    let top = Array("https://top.test/".utf8)
    list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
    scratch.assign(Array(url.utf8).span)
    let load = LoadProperties(resourceType: .image, loadType: .thirdParty)
    return list.decide(load, page, &scratch).isBlocked
  }

  /// The same file with four bytes for each number behind a key of the URL index; it must have no directory.
  private func widened(_ original: CompiledFile) -> CompiledFile {
    var file = original
    let start = file.start(.urlIndex)
    let tables = file.tables(.urlIndex)
    let sizes = KeyNumbers(field: file.u32(start + 40))
    var records: [UInt8] = []
    for slot in (0..<tables.keySlots).map({ tables.keys + 4 * $0 }) where file.u32(slot) != 0 {
      var place = original.keyRecord(file.u32(slot), tables)
      if records.count % 2 > 0 { records.append(0) }
      let reference = UInt32(records.count / FilterIndex.keyAlignment + 1)
      file.set(file.u32(slot) & ~FilterIndex.keyReference | reference, at: slot)
      func copy(_ count: Int, padded size: Int) {
        records += original.bytes[place..<place + count]
        records += [UInt8](repeating: 0, count: size - count)
        place += count
      }
      let length = 1 + Int(original.bytes[place] & 63)
      copy(length, padded: length)
      var head: UInt8
      repeat {
        head = original.bytes[place]
        copy(1, padded: 1)
        if head & 0x20 != 0 { copy(Int(sizes.program), padded: 4) }
        precondition(head & 0x40 == 0 && head & 0x0F != 0x0F, "a filter that is not copied")
        copy(Int(sizes.posting), padded: 4)
        copy(Int(sizes.rule), padded: 4)
      } while head & 0x80 == 0
    }
    let before = tables.filterRecords - tables.records
    while records.count % 8 != before % 8 { records.append(0) }
    let growth = UInt32(records.count - before)
    file.bytes.replaceSubrange(tables.records..<tables.filterRecords, with: records)
    file.set(file.u32(start + 32) + growth, at: start + 32)
    file.set(file.u32(start + 36) + growth, at: start + 36)
    file.set(0x0404_0401, at: start + 40)
    file.set(file.u32(file.field(.urlIndex) + 4) + growth, at: file.field(.urlIndex) + 4)
    for section in Section.allCases where section.rawValue > Section.urlIndex.rawValue {
      file.set(file.u32(file.field(section)) + growth, at: file.field(section))
    }
    file.repair()
    return file
  }
}

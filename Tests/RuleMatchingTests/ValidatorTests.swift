import ContentRules
import EngineTestSupport
import RuleMatching
import Testing

/// A way to spoil the small sample list, and what must be said about it.
struct Corruption: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var code: ByteCodeError.Code
  /// Spoils the file and returns where the fault is to be found.
  var spoil: @Sendable (inout CompiledFile) throws -> Int

  init(
    _ testDescription: String,
    _ code: ByteCodeError.Code,
    _ spoil: @escaping @Sendable (inout CompiledFile) throws -> Int
  ) {
    self.testDescription = testDescription
    self.code = code
    self.spoil = spoil
  }

  /// A field of a section gets a number that it must not have.
  static func field(
    _ what: String,
    _ section: Section,
    _ offset: Int,
    _ number: UInt32,
    _ code: ByteCodeError.Code = .badRecord,
    faultAt fault: Int = 0
  ) -> Corruption {
    Corruption(what, code) { file in
      file.set(number, at: file.start(section) + offset)
      return file.start(section) + fault
    }
  }
}

private func firstKey(_ file: CompiledFile, _ index: Section) throws -> (record: Int, slot: Int) {
  try #require(file.firstKey(index))
}

private func firstGram(
  _ file: CompiledFile,
  _ index: Section
) throws -> (record: Int, entry: Int) {
  try #require(file.firstGram(index))
}

/// Where the posting begins of the first filter with a single one behind a key that is the key's first filter.
private func singlePosting(_ file: CompiledFile, _ index: Section) throws -> Int {
  let tables = file.tables(index)
  for slot in 0..<tables.keySlots {
    let value = file.u32(tables.keys + 4 * slot)
    guard value != 0 else { continue }
    let record = file.keyRecord(value, tables)
    let head = record + 1 + Int(file.bytes[record] & 63)
    let hasProgram = file.bytes[head] & 0x20 != 0
    guard file.bytes[head] & 0x40 == 0 else { continue }
    return head + 1 + (hasProgram ? Int(file.bytes[file.start(index) + 41]) : 0)
  }
  return try #require(nil as Int?, "no key has a filter with a single posting")
}

/// Where the lead of a filter record with a gram begins.
private func lead(_ file: CompiledFile, _ record: Int) -> Int { record + 1 }

/// The first program that begins with an opcode.
private func program(_ file: CompiledFile, _ opcode: UInt8) throws -> Int {
  // Only tables are long enough for a class map in front of them, so the first byte with the opcode
  // after an accept or a class map starts the program.
  let start = file.start(.programs)
  let end = start + file.size(.programs)
  return try #require(
    (start..<end).first {
      file.bytes[$0] == opcode && (opcode != Opcode.dfa || 1...2 ~= file.bytes[$0 + 1])
    }
  )
}

private let corruptions: [Corruption] = [
  Corruption("another magic", .badMagic) { file in
    file.bytes[0] ^= 1
    return 0
  },
  Corruption("version 0", .unsupportedVersion(0)) { file in
    file.set(0, at: 8)
    return 8
  },
  Corruption("the next version", .unsupportedVersion(FileLayout.version + 1)) { file in
    file.set(FileLayout.version + 1, at: 8)
    return 8
  },
  Corruption("one section more", .badSection) { file in
    file.set(file.u32(12) + 1, at: 12)
    return 12
  },
  Corruption("a section at an odd place", .badSection) { file in
    file.set(file.u32(file.field(.slots)) + 4, at: file.field(.slots))
    return file.field(.slots)
  },
  Corruption("a section in the header", .badSection) { file in
    file.set(8, at: file.field(.info))
    return file.field(.info)
  },
  Corruption("a section on top of the one before", .badSection) { file in
    file.set(file.u32(file.field(.slots)), at: file.field(.entryClasses))
    return file.field(.entryClasses)
  },
  Corruption("a section that ends behind the file", .badSection) { file in
    file.set(file.u32(file.field(.source) + 4) + 64, at: file.field(.source) + 4)
    return file.field(.source)
  },
  Corruption("a section of four gigabytes", .badSection) { file in
    file.set(.max, at: file.field(.texts) + 4)
    return file.field(.texts)
  },
  Corruption("half a slot", .badSection) { file in
    file.set(file.u32(file.field(.slots) + 4) - 4, at: file.field(.slots) + 4)
    return file.start(.slots)
  },
  Corruption("no info", .badSection) { file in
    file.set(0, at: file.field(.info) + 4)
    return file.start(.info)
  },
  .field("four thousand million rules", .info, 0, .max),
  .field("more rules than a small file can have", .info, 0, 1 << 20 + 1),
  .field("more rules skipped than there are", .info, 4, 1 << 20),
  .field("16 million conditions", .info, 8, 1 << 24),
  Corruption("more conditions than the universal table", .badSection) { file in
    file.set((1 << 24) - 1, at: file.start(.info) + 8)
    return file.start(.universal)
  },
  .field("more stamps than bytes of filters", .info, 12, (1 << 24) - 1),
  .field("more threads than bytes of programs", .info, 16, (1 << 24) - 1),
  .field("a global sheet behind the texts", .info, 20, .max - 1),
  .field("a kind of action that there is not", .slots, 0, 10),
  .field("a text behind the texts", .slots, 4, 1 << 31),
  .field("a first rule behind the list", .slots, 8, 14),
  .field("a slot behind the slots", .entryClasses, 0, 1_000),
  .field("a kind that is not the slot's", .entryClasses, 4, 9 << 24),
  .field("a condition behind the conditions", .entryClasses, 8, 1_000),
  .field("more unconditional entries than entries", .universal, 0, 1_000, faultAt: 12),
  .field("more acting entries than unconditional ones", .universal, 4, 1_000, .badSection),
  .field("a universal table that is too short", .universal, 8, .max, .badSection),
  .field("gram filter of 4 GiB", .urlIndex, 20, 35, .badSection),
  .field("gram filter of 512 MiB", .urlIndex, 20, 32, .badSection),
  .field("gram filter of one word", .urlIndex, 20, 6, .badSection),
  .field("key filter of 4 GiB", .urlIndex, 8, 35, .badSection),
  .field("key filter of one word", .urlIndex, 8, 6, .badSection),
  .field("a key table of 16 GiB", .urlIndex, 12, .max, .badSection),
  .field("a gram table of 16 GiB", .urlIndex, 24, .max, .badSection),
  .field("grams of 16 GiB", .urlIndex, 28, .max, .badSection),
  .field("a stride of five", .urlIndex, 16, 5, .badSection),
  .field("an anchor that there is not", .urlIndex, 0, 1 << 10, .badSection),
  .field("a kind of key that there is not", .urlIndex, 4, 1 << 3, .badSection),
  .field("postings of the other kind", .topURLIndex, 40, 1, .badSection),
  .field("postings of a kind that there is not", .urlIndex, 40, 0x0101_0102, .badSection),
  .field("numbers of programs without a byte", .urlIndex, 40, 0x0101_0001, .badSection),
  .field("numbers of programs of five bytes", .urlIndex, 40, 0x0101_0501, .badSection),
  .field("classes without a byte", .urlIndex, 40, 0x0100_0101, .badSection),
  .field("classes of five bytes", .urlIndex, 40, 0x0105_0101, .badSection),
  .field("rules without a byte", .urlIndex, 40, 0x0001_0101, .badSection),
  .field("rules of five bytes", .urlIndex, 40, 0x0501_0101, .badSection),
  .field("rules of conditions", .frameURLIndex, 40, 0x0101_0100, .badSection),
  .field("filter records behind the index", .urlIndex, 32, 1 << 30, .badSection),
  .field("filter records at an odd place", .urlIndex, 32, 1, .badSection),
  .field("filters that always run, behind the index", .urlIndex, 36, .max, faultAt: 36),
  Corruption("a text that is longer than the texts", .badRecord) { file in
    file.set(.max, at: file.start(.texts))
    let slots = file.start(.slots)
    return try #require(
      stride(from: slots, to: slots + file.size(.slots), by: Slot.size).first {
        file.u32($0 + 4) == 0
      }
    )
  },
  Corruption("conditions out of order", .badRecord) { file in
    let place = file.start(.universal) + UniversalTable.headerSize + 4
    file.set(0, at: place)
    return place
  },
  Corruption("a full key table", .badSection) { file in
    let tables = file.tables(.urlIndex)
    let used = (0..<tables.keySlots).map { file.u32(tables.keys + 4 * $0) }.filter { $0 != 0 }
    // Without its empty slots; what is behind the table follows, and the section's end is padded.
    let missing = tables.keySlots - used.count
    file.bytes.insert(
      contentsOf: [UInt8](repeating: 0, count: 4 * missing),
      at: file.start(.urlIndex) + file.size(.urlIndex)
    )
    for (slot, value) in used.enumerated() { file.set(value, at: tables.keys + 4 * slot) }
    file.bytes.removeSubrange(tables.keys + 4 * used.count..<tables.keys + 4 * tables.keySlots)
    file.set(UInt32(used.count), at: file.start(.urlIndex) + 12)
    return tables.keys
  },
  Corruption("a slot that leads to another one's record", .badRecord) { file in
    let table = file.tables(.urlIndex).keys
    let used = try firstKey(file, .urlIndex).slot
    let slots = (0..<file.tables(.urlIndex).keySlots).map { table + 4 * $0 }
    let empty = try #require(slots.last { file.u32($0) == 0 })
    file.set(file.u32(used), at: empty)
    return max(used, empty)
  },
  Corruption("a slot that leads behind the records", .badRecord) { file in
    let slot = try firstKey(file, .urlIndex).slot
    file.set(file.u32(slot) | FilterIndex.keyReference, at: slot)
    return slot
  },
  Corruption("a slot that leads one past the last record", .badRecord) { file in
    let slot = try firstKey(file, .urlIndex).slot
    file.set(file.u32(slot) & ~FilterIndex.keyReference | file.units(.urlIndex) + 1, at: slot)
    return slot
  },
  Corruption("a slot that leads two past the last record", .badRecord) { file in
    let slot = try firstKey(file, .urlIndex).slot
    file.set(file.u32(slot) & ~FilterIndex.keyReference | file.units(.urlIndex) + 2, at: slot)
    return slot
  },
  Corruption("a slot that leads before the first record", .badRecord) { file in
    let slot = try firstKey(file, .urlIndex).slot
    file.set(1 << 25, at: slot)
    return slot
  },
  Corruption("a slot of a top URL's key that leads one past the last record", .badRecord) { file in
    let slot = try firstKey(file, .topURLIndex).slot
    file.set(file.u32(slot) & ~FilterIndex.keyReference | file.units(.topURLIndex) + 1, at: slot)
    return slot
  },
  Corruption("a gram that leads to the records' end", .badRecord) { file in
    let entry = try firstGram(file, .urlIndex).entry
    let tables = file.tables(.urlIndex)
    let end = file.start(.urlIndex) + file.size(.urlIndex)
    let record = UInt32((end - tables.filterRecords + 3) / 4)
    file.set(file.u32(entry) & ~0x3F_FFFF | record, at: entry)
    return entry
  },
  Corruption("a bucket that ends before it begins", .badRecord) { file in
    let table = file.tables(.urlIndex).grams
    file.set(.max, at: table)
    return table
  },
  Corruption("a gram that leads behind the records", .badRecord) { file in
    let entry = try firstGram(file, .urlIndex).entry
    file.set(file.u32(entry) | 0x3F_FFFF, at: entry)
    return entry
  },
  Corruption("a gram behind its window", .badRecord) { file in
    file.set(1, at: file.start(.urlIndex) + 16)
    let entry = try firstGram(file, .urlIndex).entry
    file.set(file.u32(entry) | 0xC0_0000, at: entry)
    return entry
  },
  Corruption("a filter with a gram and no lead", .badRecord) { file in
    let record = try firstGram(file, .urlIndex).record
    file.bytes[record] &= ~0x20
    return record
  },
  Corruption("a key without a text", .badRecord) { file in
    let record = try firstKey(file, .urlIndex).record
    file.bytes[record] &= 0xC0
    return record
  },
  Corruption("a kind of key that there is not, in a record", .badRecord) { file in
    let record = try firstKey(file, .urlIndex).record
    file.bytes[record] |= 0xC0
    return record
  },
  Corruption("an anchor that there is not, in a record", .badRecord) { file in
    let record = try firstKey(file, .urlIndex).record
    let head = record + 1 + Int(file.bytes[record] & 63)
    file.bytes[head] = file.bytes[head] & 0xF0 | 0x0E
    return head
  },
  Corruption("a program behind the programs", .badProgram) { file in
    let record = try firstKey(file, .urlIndex).record
    let head = record + 1 + Int(file.bytes[record] & 63)
    file.bytes[head] |= 0x20
    let size = Int(file.bytes[file.start(.urlIndex) + 41])
    for byte in 1...size { file.bytes[head + byte] = 0xFF }
    return file.start(.programs) + 1 << (8 * size) - 1
  },
  Corruption("a class behind the classes, in a record", .badRecord) { file in
    let posting = try singlePosting(file, .urlIndex)
    file.bytes[posting] = 0xFF
    return posting
  },
  Corruption("a rule behind the list, in a record", .badRecord) { file in
    let posting = try singlePosting(file, .urlIndex)
    file.bytes[posting + Int(file.bytes[file.start(.urlIndex) + 42])] = 0xFF
    return posting
  },
  Corruption("a condition behind the conditions, in a record", .badRecord) { file in
    let posting = try singlePosting(file, .topURLIndex)
    file.bytes[posting] = 0xFF
    return posting
  },
  Corruption("a lead beyond every pattern", .badRecord) { file in
    let record = try firstGram(file, .urlIndex).record
    let lead = lead(file, record)
    for byte in 0..<4 { file.bytes[lead + byte] = 0xFF }
    file.bytes[lead + 4] = 0x0F
    return record
  },
  Corruption("a number of six bytes", .badRecord) { file in
    let lead = lead(file, try firstGram(file, .urlIndex).record)
    for byte in 0..<5 { file.bytes[lead + byte] = 0x80 }
    return lead + 5
  },
  Corruption("a number of 35 bits", .badRecord) { file in
    let lead = lead(file, try firstGram(file, .urlIndex).record)
    for byte in 0..<4 { file.bytes[lead + byte] = 0x80 }
    file.bytes[lead + 4] = 0x70
    return lead + 5
  },
  Corruption("an instruction that there is not", .badProgram) { file in
    // The program with the string `/banner/`.
    let text = Array("/banner/".utf8)
    let start = file.start(.programs)
    let place = try #require(
      (start..<start + file.size(.programs) - 8).first {
        Array(file.bytes[$0..<$0 + 8]) == text
      }
    )
    file.bytes[place - 2] = 0x7E
    return place - 2
  },
  Corruption("a set behind the sets", .badProgram) { file in
    // Rule 7: `set any… a[0-9]z`.
    let start = file.start(.programs)
    let place = try #require(
      (start..<start + file.size(.programs) - 4).first {
        file.bytes[$0] == Opcode.character && file.bytes[$0 + 1] == UInt8(ascii: "a")
          && file.bytes[$0 + 2] == Opcode.set
      }
    )
    file.bytes[place + 3] = 0x7F
    return place + 2
  },
  Corruption("a state behind the table", .badProgram) { file in
    let program = try program(file, Opcode.dfa)
    file.bytes[program + Opcode.dfaHeaderSize + 1] = 0xFF
    return program + Opcode.dfaHeaderSize + 1
  },
  Corruption("a class behind the classes", .badProgram) { file in
    let program = try program(file, Opcode.dfa)
    let map = file.start(.programs) + Int(file.u32(program + 8))
    file.bytes[map + 99] = 0x80
    return map + 99
  },
  Corruption("a class map behind the programs", .badProgram) { file in
    let program = try program(file, Opcode.dfa)
    file.set(.max, at: program + 8)
    return program
  },
  Corruption("a table without a start", .badProgram) { file in
    let program = try program(file, Opcode.dfa)
    file.bytes[program + 2] = 1
    return program
  },
  Corruption("a table with states of three bytes", .badProgram) { file in
    let program = try program(file, Opcode.dfa)
    file.bytes[program + 1] = 3
    return program
  },
]

@Suite("Validator")
struct ValidatorTests {
  @Test("a fault is reported with its code and place", arguments: corruptions)
  func corruption(_ corruption: Corruption) throws {
    var file = CompiledFile(try compile(SampleLists.small, source: Array("[{}]".utf8)))
    let offset = try corruption.spoil(&file)
    file.repair()
    let fault = try #require(file.fault())
    #expect(fault.code == corruption.code)
    #expect(fault.offset == offset, "message: \(fault.message)")
  }

  /// Bytes of a directory with eight texts: where they are, and what they become.
  private static let spoiledDirectories: [(offset: Int, byte: UInt8)] = [
    (0, 0x8E), (1, 8), (2, 0xFF), (3, 0xFF), (5, 0xFF), (6, 0xFF), (9, 0xFF), (18, 1), (21, 0x80),
  ]

  @Test(
    "a directory of a crowded host that is not one of its filters is refused",
    arguments: spoiledDirectories
  )
  func directory(_ offset: Int, _ byte: UInt8) throws {
    let rules = (0..<8).map { Rule($0, "^https?://([^/]+\\.)?crowd\\.test/path\($0)/.*x") }
    var file = CompiledFile(try compile(rules))
    #expect(file.fault() == nil)
    let record = try firstKey(file, .urlIndex).record
    let directory = record + 1 + Int(file.bytes[record] & 63)
    #expect(file.bytes[directory] == KeyFilterHead.directory(isLast: true).byte)
    file.bytes[directory + offset] = byte
    file.repair()
    #expect(file.fault()?.code == .badRecord)
    #expect(file.fault()?.offset == directory)
  }

  @Test("what the compiler writes is accepted")
  func accepted() throws {
    for bytes in try SampleLists.compiled() {
      #expect(CompiledFile(bytes).fault() == nil)
    }
  }

  @Test("a length that is not the header's is reported before the checksum")
  func length() throws {
    var file = CompiledFile(try compile(SampleLists.small))
    file.bytes += [0, 0, 0, 0, 0, 0, 0, 0]
    #expect(file.fault()?.code == .truncated)
    #expect(file.fault()?.offset == 16)
  }

  @Test("a list compiles to the same bytes every time")
  func determinism() throws {
    for rules in [SampleLists.small, SampleLists.large(400)] {
      let first = try compile(rules)
      #expect(try compile(rules) == first)
    }
  }

  @Test("a slot leads to where the record before ended, so that no record is checked often")
  func sharedRecord() throws {
    // One key with many filters, and many keys with one.
    let rules = (0..<1_000).map { index in
      let host = index % 2 == 0 ? "samename\(index)[0-9]x" : "h\(index)/"
      return Rule(index, "^https?://([^/]+\\.)?" + host)
    }
    let original = CompiledFile(try compile(rules))
    #expect(original.fault() == nil)
    let tables = original.tables(.urlIndex)
    let slots = (0..<tables.keySlots).map { tables.keys + 4 * $0 }
    let used = slots.filter { original.u32($0) != 0 }
    let head = FilterIndex.KeyKind.prefix8.rawValue << 6 | 8
    let long = try #require(
      used.first { original.bytes[original.keyRecord(original.u32($0), tables)] == head }
    )
    let value = original.u32(long)
    var file = original
    for slot in used { file.set(value, at: slot) }
    file.repair()
    #expect(file.fault()?.code == .badRecord)
    #expect(file.fault()?.offset == used.first { original.u32($0) != value })
    // An offset that is not a record's start is refused, whether within a record or after the last.
    for other in [value + 1, 1 << 25, value | FilterIndex.keyReference] {
      file = original
      file.set(other, at: long)
      file.repair()
      #expect(file.fault()?.code == .badRecord)
      #expect(file.fault()?.offset == long)
    }
  }

  @Test("filters that always run are listed in order, none of them twice")
  func alwaysRun() throws {
    var file = CompiledFile(try compile([Rule(0, "a[0-9]x"), Rule(1, "b[0-9]x")]))
    #expect(file.fault() == nil)
    let list = file.tables(.urlIndex).records + Int(file.u32(file.start(.urlIndex) + 36))
    let offsets = [file.bytes[list + 1], file.bytes[list + 2]]
    #expect(file.bytes[list] == 2 && offsets[0] < offsets[1] && offsets[1] < 128)
    for spoiled in [[offsets[1], offsets[0]], [offsets[0], offsets[0]]] {
      file.bytes.replaceSubrange(list + 1..<list + 3, with: spoiled)
      file.repair()
      #expect(file.fault()?.code == .badRecord)
      #expect(file.fault()?.offset == list + 2)
    }
  }
}

package import RuleMatching
package import TestSupport

/// A compiled file whose numbers can be read and spoiled.
package struct CompiledFile {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func u32(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  package mutating func set(_ number: UInt32, at offset: Int) {
    for byte in 0..<4 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte))
    }
  }

  /// Where a section's entry of the section table lies.
  package func field(_ section: Section) -> Int { FileLayout.headerSize + 8 * section.rawValue }

  package func start(_ section: Section) -> Int { Int(u32(field(section))) }

  package func size(_ section: Section) -> Int { Int(u32(field(section) + 4)) }

  /// Where the parts of an index begin, and how many slots and entries its tables have.
  package struct Tables {
    package var keys: Int
    package var keySlots: Int
    package var grams: Int
    package var gramEntries: Int
    package var gramCount: Int
    package var records: Int
    package var filterRecords: Int
  }

  package func tables(_ index: Section) -> Tables {
    let start = start(index)
    func field(_ offset: Int) -> Int { Int(u32(start + offset)) }
    let keys = start + FilterIndex.headerSize + (1 << field(8)) / 8 + (1 << field(20)) / 8
    let grams = keys + 4 * field(12)
    let entries = grams + GramBucket.size * (field(24) + 1)
    let records = entries + GramEntry.size * field(28)
    return Tables(
      keys: keys,
      keySlots: field(12),
      grams: grams,
      gramEntries: entries,
      gramCount: field(28),
      records: records,
      filterRecords: records + field(32)
    )
  }

  /// The record that a slot of the key table leads to.
  package func keyRecord(_ slot: UInt32, _ tables: Tables) -> Int {
    tables.records + FilterIndex.keyAlignment * (Int(slot & FilterIndex.keyReference) - 1)
  }

  /// How many places for key records there are in an index, to the end of its section.
  package func units(_ index: Section) -> UInt32 {
    let end = start(index) + size(index)
    return UInt32((end - tables(index).records + 1) / FilterIndex.keyAlignment)
  }

  /// The first key record that a slot leads to, and the slot.
  package func firstKey(_ index: Section) -> (record: Int, slot: Int)? {
    let tables = tables(index)
    for slot in 0..<tables.keySlots {
      let value = u32(tables.keys + 4 * slot)
      if value != 0 {
        return (keyRecord(value, tables), tables.keys + 4 * slot)
      }
    }
    return nil
  }

  /// The filter record of the first gram, and its entry.
  package func firstGram(_ index: Section) -> (record: Int, entry: Int)? {
    let tables = tables(index)
    guard tables.gramCount > 0 else { return nil }
    let value = u32(tables.gramEntries)
    return (tables.filterRecords + 4 * Int(value & 0x3F_FFFF), tables.gramEntries)
  }

  /// Makes header and checksum fit the bytes again.
  package mutating func repair() {
    guard bytes.count >= FileLayout.headerSize else { return }
    let size = UInt64(bytes.count)
    for byte in 0..<8 {
      bytes[16 + byte] = UInt8(truncatingIfNeeded: size >> UInt64(8 * byte))
    }
    let checksum = FileLayout.checksum(of: bytes)
    for byte in 0..<8 {
      bytes[24 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * byte))
    }
  }

  /// What opening the file throws; `nil` when it opens.
  package func fault(_ callBoth: CallBoth = callInTurn) -> ByteCodeError? {
    unsafe bytes.withUnsafeBytes { bytes in
      do throws(ByteCodeError) {
        _ = try unsafe CompiledRuleList(validating: bytes, callBoth: callBoth) {}
        return nil
      } catch {
        return error
      }
    }
  }
}

extension CompiledFile {
  /// Spoils a place of a file whose sections lie as in the original.
  package mutating func spoil(layout original: CompiledFile, _ random: inout RandomSource) {
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
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1:
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2:
      bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
    case 3, 4:
      guard place / 4 * 4 + 4 <= bytes.count else { return }
      let old = u32(place / 4 * 4)
      let numbers = [
        0, 1, .max, 1 << 31, 1 << 24, (1 << 24) - 1, UInt32(bytes.count), old &+ 1, old &- 1,
        old &* 2,
      ]
      set(numbers.randomElement(using: &random) ?? 0, at: place / 4 * 4)
    default:
      let source = Int.random(in: range, using: &random)
      for offset in 0..<Int.random(in: 1...24, using: &random)
      where max(source, place) + offset < range.upperBound {
        bytes[place + offset] = bytes[source + offset]
      }
    }
  }
}

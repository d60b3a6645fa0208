import RuleMatching

/// A compiled file whose numbers can be read and spoiled.
struct CompiledFile {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func u32(_ offset: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << UInt32(8 * $1) }
  }

  mutating func set(_ number: UInt32, at offset: Int) {
    for byte in 0..<4 {
      bytes[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte))
    }
  }

  /// Where a section's entry of the section table lies.
  func field(_ section: Section) -> Int { FileLayout.headerSize + 8 * section.rawValue }

  func start(_ section: Section) -> Int { Int(u32(field(section))) }

  func size(_ section: Section) -> Int { Int(u32(field(section) + 4)) }

  /// Where an index's key table, gram table and records begin.
  func tables(_ index: Section) -> (keys: Int, grams: Int, records: Int) {
    let start = start(index)
    let keys = start + FilterIndex.headerSize
    let grams = keys + 4 * Int(u32(start + 8)) + (1 << Int(u32(start + 16))) / 8
    return (keys, grams, grams + 4 * Int(u32(start + 20)))
  }

  /// The first record that a table leads to, and the slot that does.
  func firstRecord(_ table: Int, _ slots: Int, records: Int) -> (record: Int, slot: Int)? {
    for slot in 0..<slots {
      let value = u32(table + 4 * slot)
      if value != 0 { return (records + 4 * Int(value & 0xFF_FFFF) - 4, table + 4 * slot) }
    }
    return nil
  }

  /// Makes header and checksum fit the bytes again.
  mutating func repair() {
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
  func fault() -> ByteCodeError? {
    do throws(ByteCodeError) {
      _ = try CompiledRuleList(validating: bytes)
      return nil
    } catch {
      return error
    }
  }
}

internal import Foundation

/// Writes a ZIP archive of uncompressed files.
///
/// Every entry has ZIP's earliest date and no attributes, so that the bytes depend only on names
/// and contents. Compression would save little: browsers unpack an extension once, and its largest
/// file, the matcher, would shrink by a few hundred kilobytes.
struct ZipArchive {
  /// 1 January 1980 in the format's encoding.
  private static let date: UInt16 = 1 << 5 | 1
  /// The flag for names in UTF-8.
  private static let namesAreUTF8: UInt16 = 1 << 11
  /// The format version required for stored files: 1.0.
  private static let version: UInt16 = 10

  private var entries = Bytes()
  private var directory = Bytes()
  private var count: UInt16 = 0

  /// Adds a file; callers ensure at most 65,535 files and 4 GiB in total.
  mutating func add(_ path: String, _ contents: Data) {
    let start = UInt32(entries.data.count)
    var shared = Bytes()
    shared.add(Self.version)
    shared.add(Self.namesAreUTF8)
    shared.add(UInt16(0))  // stored
    shared.add(UInt16(0))  // midnight
    shared.add(Self.date)
    shared.add(CRC32.checksum(contents))
    shared.add(UInt32(contents.count))
    shared.add(UInt32(contents.count))
    shared.add(UInt16(path.utf8.count))
    shared.add(UInt16(0))  // no extra fields

    entries.add(UInt32(0x0403_4B50))
    entries.data += shared.data
    entries.data += Data(path.utf8)
    entries.data += contents

    directory.add(UInt32(0x0201_4B50))
    directory.add(Self.version)
    directory.data += shared.data
    directory.add(UInt16(0))  // no comment
    directory.add(UInt16(0))  // the only disk
    directory.add(UInt16(0))  // no internal attributes
    directory.add(UInt32(0))  // no external ones
    directory.add(start)
    directory.data += Data(path.utf8)
    count += 1
  }

  /// The archive.
  var data: Data {
    var end = Bytes()
    end.add(UInt32(0x0605_4B50))
    end.add(UInt16(0))
    end.add(UInt16(0))
    end.add(count)
    end.add(count)
    end.add(UInt32(directory.data.count))
    end.add(UInt32(entries.data.count))
    end.add(UInt16(0))
    return entries.data + directory.data + end.data
  }
}

/// Bytes with little-endian numbers.
struct Bytes {
  var data = Data()

  mutating func add(_ number: some FixedWidthInteger) {
    for place in 0..<number.bitWidth / 8 {
      data.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}

/// ZIP's checksum, CRC-32.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in
      rest & 1 == 0 ? rest >> 1 : 0xEDB8_8320 ^ rest >> 1
    }
  }

  static func checksum(_ data: Data) -> UInt32 {
    var rest = UInt32.max
    for byte in data { rest = table[Int((rest ^ UInt32(byte)) & 0xFF)] ^ rest >> 8 }
    return ~rest
  }
}

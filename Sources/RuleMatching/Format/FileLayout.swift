/// The fixed parts of a compiled rule list: magic number, version, header and section table.
///
///     offset  size  field
///          0     8  magic "TICKBIRD"
///          8     4  format version
///         12     4  number of sections
///         16     8  size of the whole file in bytes
///         24     8  checksum of the bytes from offset 32 to the source text
///         32     8  one pair (offset, size) for each section, 4 bytes each, in the
///                   order of ``Section``
///
/// Every section begins at a multiple of eight, behind the section before. All numbers are
/// little-endian. `Documentation/Format.md` draws the sections.
public enum FileLayout {
  /// "TICKBIRD", read as a little-endian number.
  public static let magic: UInt64 = 0x4452_4942_4B43_4954
  /// The version of the format; a file of another version must be compiled again.
  ///
  /// It increases as well when the compiler made files that decide wrongly.
  public static let version: UInt32 = 8
  /// The offset of the section table.
  public static let headerSize = 32
  /// The lowest offset of a section.
  public static let contentStart = headerSize + 8 * Section.allCases.count
  /// The size of the largest file: offsets are 32-bit.
  ///
  /// On 32-bit machines, half a gigabyte.
  public static let maximumSize = Int(Int.largestInFile)

  /// Returns the JSON text that a file of any version contains, so that it can be compiled again.
  ///
  /// All versions share the magic number, the number of sections, the section table, and the source
  /// as the last section. In a file of this version the text's checksum is verified; nothing else
  /// is checked.
  ///
  /// - Returns: The text; `nil` if the bytes have no such section or the text is damaged.
  public static func source(ofAnyVersion file: [UInt8]) -> [UInt8]? {
    unsafe file.withUnsafeBytes { bytes in
      let image = unsafe Image(bytes)
      guard image.count >= headerSize, image.u64(0) == magic else { return nil }
      let count = Int(inFile: image.u32(12))
      guard count > 0, count <= (image.count - headerSize) / 8 else { return nil }
      let start = Int(inFile: image.u32(headerSize + 8 * count - 8))
      let size = Int(inFile: image.u32(headerSize + 8 * count - 4))
      guard start + size <= image.count else { return nil }
      if image.u32(8) == version {
        let info = Int(inFile: image.u32(headerSize))
        guard info + ListInfo.size <= image.count,
          ListInfo(image, at: info).sourceChecksum == Self.checksum(of: image, start..<start + size)
        else { return nil }
      }
      return image.bytes(start..<start + size)
    }
  }

  /// Returns the checksum for the header of a file with these bytes.
  ///
  /// Excludes the source text, which opening a list does not read.
  public static func checksum(of file: [UInt8]) -> UInt64 {
    unsafe file.withUnsafeBytes { unsafe checksum(of: Image($0)) }
  }

  /// Returns the checksum of a source text for ``ListInfo/sourceChecksum``.
  public static func checksum(ofSource source: [UInt8]) -> UInt32 {
    unsafe source.withUnsafeBytes { unsafe checksum(of: Image($0), 0..<source.count) }
  }

  static func checksum(of image: Image) -> UInt64 {
    let field = headerSize + 8 * Section.source.rawValue
    guard field + 4 <= image.count else { return Checksum.of(image, headerSize..<image.count) }
    let source = min(max(headerSize, Int(inFile: image.u32(field))), image.count)
    return Checksum.of(image, headerSize..<source)
  }

  static func checksum(of image: Image, _ source: Range<Int>) -> UInt32 {
    UInt32(truncatingIfNeeded: Checksum.of(image, source))
  }
}

/// The sections of a compiled rule list, in the file's order.
public enum Section: Int, CaseIterable, Sendable {
  /// Counts of the whole list, see ``ListInfo``.
  case info
  /// Action slots, 12 bytes each, see ``Slot``.
  case slots
  /// Entry classes, 12 bytes each, see ``EntryClass``.
  case entryClasses
  /// Character sets of programs, 16 bytes each: characters 0–63, then 64–127.
  case characterSets
  /// Programs of all filters, see ``Opcode``.
  case programs
  /// The index over the load's URL, see ``FilterIndex``.
  case urlIndex
  /// The index over the top URL; its postings are condition numbers.
  case topURLIndex
  /// The index over the frame URL; its postings are condition numbers.
  case frameURLIndex
  /// Entries of filters that match every URL, by condition, see ``UniversalTable``.
  case universal
  /// Texts of actions: a 4-byte length, then UTF-8.
  case texts
  /// The list's JSON as it was compiled.
  case source
}

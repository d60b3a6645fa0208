/// The positions of a file's sections.
struct SectionTable: Sendable {
  private let starts: [Int]
  private let sizes: [Int]

  func start(_ section: Section) -> Int { starts[section.rawValue] }
  func size(_ section: Section) -> Int { sizes[section.rawValue] }
  func end(_ section: Section) -> Int { start(section) + size(section) }

  /// Reads the header and checks everything that can be checked without reading the sections.
  ///
  /// - Parameters:
  ///   - image: The file.
  ///   - mayLackSource: Whether the file may end where its source text begins; the text is then empty
  ///     in the table.
  ///   - verifiesChecksum: Whether to read the whole file for its checksum.
  /// - Throws: ``ByteCodeError`` with the offset of the fault.
  init(
    readingHeaderOf image: Image,
    mayLackSource: Bool,
    verifiesChecksum: Bool
  ) throws(ByteCodeError) {
    let count = Section.allCases.count
    guard image.count >= FileLayout.headerSize else {
      throw ByteCodeError(.truncated, at: image.count)
    }
    guard image.u64(0) == FileLayout.magic else { throw ByteCodeError(.badMagic, at: 0) }
    guard image.u32(8) == FileLayout.version else {
      throw ByteCodeError(.unsupportedVersion(image.u32(8)), at: 8)
    }
    guard image.u32(12) == UInt32(count) else { throw ByteCodeError(.badSection, at: 12) }
    guard image.count >= FileLayout.contentStart, image.count <= FileLayout.maximumSize else {
      throw ByteCodeError(.truncated, at: 16)
    }
    let sourceField = FileLayout.headerSize + 8 * Section.source.rawValue
    let isWhole = image.u64(16) == UInt64(image.count)
    let lacksSource =
      mayLackSource && !isWhole && Int(inFile: image.u32(sourceField)) == image.count
      && image.u64(16) >= UInt64(image.count) + UInt64(image.u32(sourceField + 4))
    guard isWhole || lacksSource else { throw ByteCodeError(.truncated, at: 16) }
    if verifiesChecksum { try Self.verifyChecksum(of: image) }
    var starts: [Int] = []
    var sizes: [Int] = []
    var last = FileLayout.contentStart
    for section in 0..<count {
      let field = FileLayout.headerSize + 8 * section
      let start = Int(inFile: image.u32(field))
      let isMissing = lacksSource && section == Section.source.rawValue
      let size = isMissing ? 0 : Int(inFile: image.u32(field + 4))
      guard start >= last, start % 8 == 0, start + size <= image.count else {
        throw ByteCodeError(.badSection, at: field)
      }
      last = start + size
      starts.append(start)
      sizes.append(size)
    }
    self.starts = starts
    self.sizes = sizes
  }

  /// Compares the checksum in the header, which must be there, with that of the bytes.
  static func verifyChecksum(of image: Image) throws(ByteCodeError) {
    guard image.u64(24) == FileLayout.checksum(of: image) else {
      throw ByteCodeError(.badChecksum, at: 24)
    }
  }
}

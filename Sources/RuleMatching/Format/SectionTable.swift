/// The positions of a file's sections.
struct SectionTable: Sendable {
  private let starts: [Int]
  private let sizes: [Int]

  func start(_ section: Section) -> Int { starts[section.rawValue] }
  func size(_ section: Section) -> Int { sizes[section.rawValue] }
  func end(_ section: Section) -> Int { start(section) + size(section) }

  /// Reads the header and checks everything that can be checked without reading the sections.
  init(readingHeaderOf image: Image) throws(ByteCodeError) {
    let count = Section.allCases.count
    guard image.count >= FileLayout.headerSize else {
      throw ByteCodeError(.truncated, at: image.count)
    }
    guard image.u64(0) == FileLayout.magic else { throw ByteCodeError(.badMagic, at: 0) }
    guard image.u32(8) == FileLayout.version else {
      throw ByteCodeError(.unsupportedVersion(image.u32(8)), at: 8)
    }
    guard image.u32(12) == UInt32(count) else { throw ByteCodeError(.badSection, at: 12) }
    guard image.u64(16) == UInt64(image.count), image.count >= FileLayout.contentStart,
      image.count <= FileLayout.maximumSize
    else {
      throw ByteCodeError(.truncated, at: 16)
    }
    guard image.u64(24) == FileLayout.checksum(of: image) else {
      throw ByteCodeError(.badChecksum, at: 24)
    }
    var starts: [Int] = []
    var sizes: [Int] = []
    var last = FileLayout.contentStart
    for section in 0..<count {
      let field = FileLayout.headerSize + 8 * section
      let start = Int(inFile: image.u32(field))
      let size = Int(inFile: image.u32(field + 4))
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
}

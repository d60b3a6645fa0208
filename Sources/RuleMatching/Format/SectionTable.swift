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

/// The error for bytes that are not a valid compiled rule list.
public struct ByteCodeError: Error, Hashable, Sendable {
  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// The file does not begin with ``FileLayout/magic``.
    case badMagic
    /// The file has another format version, which is given; compile the list again.
    case unsupportedVersion(UInt32)
    /// The file is shorter or longer than its header says.
    case truncated
    /// The checksum does not match the bytes.
    case badChecksum
    /// A section does not lie in the file behind the one before, or has the wrong size for its
    /// records.
    case badSection
    /// A number is out of its range.
    case badRecord
    /// A program has an unknown instruction or leaves its bounds.
    case badProgram
  }

  /// The kind of fault.
  public var code: Code
  /// The offset in the file, in bytes.
  public var offset: Int

  init(_ code: Code, at offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// What is wrong, where, and what to do, in one sentence.
  public var message: String {
    let reason =
      switch code {
      case .badMagic: "this is not a compiled rule list"
      case .unsupportedVersion(let version):
        "it is of format version \(version), and this engine reads \(FileLayout.version)"
      case .truncated: "its length is not what its header says"
      case .badChecksum: "its checksum does not fit its bytes"
      case .badSection: "a section lies outside of it"
      case .badRecord: "a record is out of range"
      case .badProgram: "a program leaves its bounds"
      }
    return "\(reason) (at byte \(offset)); compile the list again"
  }
}

extension ListInfo {
  init(_ image: Image, at offset: Int) {
    self.init()
    ruleCount = image.u32(offset)
    skippedCount = image.u32(offset + 4)
    conditionCount = image.u32(offset + 8)
    stampCount = image.u32(offset + 12)
    threadCount = image.u32(offset + 16)
    globalSheet = image.u32(offset + 20)
    universalCount = image.u32(offset + 24)
    sourceChecksum = image.u32(offset + 28)
  }
}

extension Slot {
  /// Reads a slot; an unknown kind, which the validator refuses, reads as `notify`.
  init(_ image: Image, at offset: Int) {
    self.init(
      kind: ActionKind(rawValue: image.u8(offset)) ?? .notify,
      text: image.u32(offset + 4),
      firstRule: image.u32(offset + 8)
    )
  }
}

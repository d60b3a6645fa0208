internal import RuleMatching

/// Makes room in an array for so many bytes, all of which will be used.
package typealias ReserveBytes = (_ bytes: inout [UInt8], _ count: Int) -> Void

/// Assembles the sections behind a header; see ``RuleMatching/FileLayout``.
enum FileWriter {
  /// Returns a compiled file with the given sections, each in parts that follow one another, and source text.
  static func file(
    _ sections: consuming [Section: [[UInt8]]],
    _ source: [UInt8],
    reserve: ReserveBytes
  ) throws(CompileError) -> [UInt8] {
    sections[.source] = [source]
    let counts = Section.allCases.map { (sections[$0] ?? []).reduce(0) { $0 + $1.count } }
    let size = counts.reduce(FileLayout.contentStart) { $0 + ($1 + 7) / 8 * 8 }
    guard size <= FileLayout.maximumSize else {
      throw CompileError(
        code: .listTooLarge,
        rule: nil,
        message: "the compiled list would be \(size) bytes long, and a file holds "
          + "\(FileLayout.maximumSize); split the list"
      )
    }
    var header: [UInt8] = []
    header.appendLittleEndian(FileLayout.magic)
    header.appendLittleEndian(FileLayout.version)
    header.appendLittleEndian(UInt32(Section.allCases.count))
    header.appendLittleEndian(UInt64(size))
    header.appendLittleEndian(UInt64(0))
    var start = FileLayout.contentStart
    for count in counts {
      header.appendLittleEndian(UInt32(start))
      header.appendLittleEndian(UInt32(count))
      start += (count + 7) / 8 * 8
    }
    var file: [UInt8] = []
    reserve(&file, size)
    file += header
    for section in Section.allCases {
      file.align(to: 8)
      for part in sections.removeValue(forKey: section) ?? [] { file += part }
    }
    file.align(to: 8)
    let checksum = FileLayout.checksum(of: file)
    for byte in 0..<8 {
      file[24 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * byte))
    }
    return file
  }
}

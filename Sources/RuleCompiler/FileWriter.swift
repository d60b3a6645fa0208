internal import RuleMatching

/// Assembles the sections behind a header; see ``RuleMatching/FileLayout``.
enum FileWriter {
  /// Returns a compiled file with the given sections and source text.
  static func file(
    _ sections: consuming [Section: [UInt8]],
    _ source: [UInt8]
  ) throws(CompileError) -> [UInt8] {
    sections[.source] = source
    var size = FileLayout.contentStart
    for section in Section.allCases {
      size += ((sections[section] ?? []).count + 7) / 8 * 8
    }
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
    for section in Section.allCases {
      let count = (sections[section] ?? []).count
      header.appendLittleEndian(UInt32(start))
      header.appendLittleEndian(UInt32(count))
      start += (count + 7) / 8 * 8
    }
    var file: [UInt8] = []
    file.reserveCapacity(size)
    file += header
    for section in Section.allCases {
      file.align(to: 8)
      file += sections.removeValue(forKey: section) ?? []
    }
    file.align(to: 8)
    let checksum = FileLayout.checksum(of: file)
    for byte in 0..<8 {
      file[24 + byte] = UInt8(truncatingIfNeeded: checksum >> UInt64(8 * byte))
    }
    return file
  }
}

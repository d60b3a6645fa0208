import Glibc

/// What the header of a program says about starting it.
///
/// The file is a stranger's: every offset and length is checked, and bounded.
///
/// > Source: System V ABI, "Object Files"; names as in `elf.h`.
struct ExecutableFile: Equatable, Sendable {
  /// The dynamic loader that it names, or nil where it is statically linked.
  var interpreter: String?
  /// The folders in which it looks for libraries, with `$ORIGIN` put in.
  var libraryFolders: [String]

  private static let longestPath = 4096
  private static let longestTable = 1 << 16

  /// Reads a program's header.
  ///
  /// - Throws: ``SandboxError`` with code `executable`.
  init(path: String, processor: Processor) throws {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw SandboxError(.executable, "\(path) cannot be read: \(describeError(Int(errno)))")
    }
    defer { close(file) }
    let header = Self.read(file, at: 0, count: 64)
    let notAProgram = SandboxError(
      .executable,
      "\(path) is not a 64-bit ELF program for this processor; scripts cannot be started."
    )
    guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      header.number(at: 18, as: UInt16.self) == processor.machine
    else { throw notAProgram }
    let tableOffset = header.number(at: 32, as: UInt64.self)
    let entrySize = Int(header.number(at: 54, as: UInt16.self))
    let entryCount = Int(header.number(at: 56, as: UInt16.self))
    guard entrySize == 56, entryCount <= 256 else { throw notAProgram }
    let table = Self.read(file, at: tableOffset, count: entrySize * entryCount)
    guard table.count == entrySize * entryCount else { throw notAProgram }

    var segments: [Segment] = []
    for index in 0..<entryCount { segments.append(Segment(table, at: index * entrySize)) }
    libraryFolders = []
    if let segment = segments.first(where: { $0.type == 3 }) {
      let bytes = Self.read(
        file,
        at: segment.offset,
        count: Int(min(segment.size, UInt64(Self.longestPath)))
      )
      interpreter = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if let segment = segments.first(where: { $0.type == 2 }) {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      libraryFolders = Self.libraryFolders(file, dynamic: segment, segments)
        .map {
          $0.replacing("${ORIGIN}", with: "/" + folder).replacing("$ORIGIN", with: "/" + folder)
        }
    }
  }

  private struct Segment {
    var type: UInt32
    var offset: UInt64
    var address: UInt64
    var size: UInt64

    init(_ table: [UInt8], at place: Int) {
      type = table.number(at: place, as: UInt32.self)
      offset = table.number(at: place + 8, as: UInt64.self)
      address = table.number(at: place + 16, as: UInt64.self)
      size = table.number(at: place + 32, as: UInt64.self)
    }
  }

  private static func libraryFolders(
    _ file: Int32,
    dynamic: Segment,
    _ segments: [Segment]
  ) -> [String] {
    let table = read(file, at: dynamic.offset, count: Int(min(dynamic.size, UInt64(longestTable))))
    var strings: UInt64?
    var paths: [UInt64] = []
    for place in stride(from: 0, to: table.count - 15, by: 16) {
      let value = table.number(at: place + 8, as: UInt64.self)
      switch table.number(at: place, as: UInt64.self) {
      case 5: strings = value  // DT_STRTAB
      case 15, 29: paths.append(value)  // DT_RPATH, DT_RUNPATH
      default: break
      }
    }
    guard let strings else { return [] }
    var folders: [String] = []
    for path in paths.prefix(2) {
      let (address, overflow) = strings.addingReportingOverflow(path)
      guard !overflow,
        let segment = segments.first(where: {
          $0.type == 1 && address >= $0.address && address - $0.address < $0.size
        })
      else { continue }
      let (place, beyond) = segment.offset.addingReportingOverflow(address - segment.address)
      guard !beyond else { continue }
      let text = String(
        decoding: read(file, at: place, count: longestPath).prefix { $0 != 0 },
        as: UTF8.self
      )
      folders += text.split(separator: ":").map(String.init).filter { !$0.isEmpty }
    }
    return folders
  }

  /// Reads at most `count` bytes; fewer where the file ends or cannot be read.
  private static func read(_ file: Int32, at offset: UInt64, count: Int) -> [UInt8] {
    guard let offset = Int(exactly: offset), count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe max(0, pread(file, buffer.baseAddress, count, offset))
    }
  }
}

extension [UInt8] {
  /// A little-endian number; 0 where it would reach beyond the end.
  func number<Number: FixedWidthInteger>(at place: Int, as type: Number.Type) -> Number {
    let size = MemoryLayout<Number>.size
    guard place >= 0, count >= size, place <= count - size else { return 0 }
    var number: Number = 0
    for index in (0..<size).reversed() { number = number << 8 | Number(self[place + index]) }
    return number
  }
}

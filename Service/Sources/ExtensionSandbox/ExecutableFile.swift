import Glibc

/// The header of a program, as far as starting it needs.
///
/// The file is untrusted: every offset and length is checked and bounded.
///
/// > Source: System V ABI, "Object Files"; names as in `elf.h`.
struct ExecutableFile: Equatable, Sendable {
  /// The dynamic loader that it names; nil if it is statically linked.
  ///
  /// Nothing else in the header is trusted: the library paths that it names grant nothing.
  var interpreter: String?

  private static let longestPath = 4096

  /// Reads a program's header.
  ///
  /// - Throws: ``SandboxError`` with code `executable`, or `system` if the machine cannot read it
  ///   now.
  init(path: String, processor: Processor) throws {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw SandboxError.program("\(path) cannot be read", errno)
    }
    defer { close(file) }
    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
      guard let bytes = Self.read(file, at: offset, count: count) else {
        throw SandboxError.program("\(path) cannot be read", errno)
      }
      return bytes
    }
    let header = try read(at: 0, count: 64)
    let notAProgram = SandboxError(
      .executable,
      "\(path) is not a 64-bit ELF program for this processor; scripts cannot be started"
    )
    guard header.count == 64, header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
      header.number(at: 18, as: UInt16.self) == processor.machine
    else { throw notAProgram }
    let tableOffset = header.number(at: 32, as: UInt64.self)
    let entrySize = Int(header.number(at: 54, as: UInt16.self))
    let entryCount = Int(header.number(at: 56, as: UInt16.self))
    guard entrySize == 56, entryCount <= 256 else { throw notAProgram }
    let table = try read(at: tableOffset, count: entrySize * entryCount)
    guard table.count == entrySize * entryCount else { throw notAProgram }

    var segments: [Segment] = []
    for index in 0..<entryCount { segments.append(Segment(table, at: index * entrySize)) }
    if let segment = segments.first(where: { $0.type == 3 }) {
      let bytes = try read(
        at: segment.offset,
        count: Int(min(segment.size, UInt64(Self.longestPath)))
      )
      interpreter = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private struct Segment {
    var type: UInt32
    var offset: UInt64
    var size: UInt64

    init(_ table: [UInt8], at place: Int) {
      type = table.number(at: place, as: UInt32.self)
      offset = table.number(at: place + 8, as: UInt64.self)
      size = table.number(at: place + 32, as: UInt64.self)
    }
  }

  /// Reads at most `count` bytes, fewer at the end of the file; `nil` with `errno` on failure.
  private static func read(_ file: Int32, at offset: UInt64, count: Int) -> [UInt8]? {
    guard let offset = Int(exactly: offset), count > 0 else { return [] }
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = unsafe pread(file, buffer.baseAddress, count, offset)
      filled = max(0, result)
    }
    return result < 0 ? nil : bytes
  }
}

extension [UInt8] {
  /// Returns a little-endian number; 0 beyond the end.
  func number<Number: FixedWidthInteger>(at place: Int, as type: Number.Type) -> Number {
    let size = MemoryLayout<Number>.size
    guard place >= 0, count >= size, place <= count - size else { return 0 }
    var number: Number = 0
    for index in (0..<size).reversed() { number = number << 8 | Number(self[place + index]) }
    return number
  }
}

import Glibc

/// The resources that a process uses at the moment.
///
/// > Source: proc_pid_status(5).
struct ProcessUsage: Equatable, Sendable {
  /// Bytes of memory: resident (private and shared), swapped out, and page tables.
  var memory: Int
  var threads: Int

  /// Reads the usage from a process's folder in `/proc`.
  ///
  /// If the main thread has ended, its number reports no memory; any other thread then reports what
  /// all of them share.
  ///
  /// - Returns: nil if nothing can be measured: the process is about to end, or must count as
  ///   exceeding its limits.
  init?(folder: Int32) {
    if let usage = Self.read("status", in: folder) {
      self = usage
      return
    }
    let threads = unsafe openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard threads >= 0 else { return nil }
    guard let names = unsafe fdopendir(threads) else {
      close(threads)
      return nil
    }
    defer { unsafe closedir(names) }
    while let entry = unsafe readdir(names) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      guard Int32(name) != nil, let usage = Self.read(name + "/status", in: threads) else {
        continue
      }
      self = usage
      return
    }
    return nil
  }

  private static func read(_ path: String, in folder: Int32) -> ProcessUsage? {
    let file = unsafe openat(folder, path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text: [UInt8] = []
    // The file is long for a user in many groups.
    let (part, longest) = (4096, 1 << 20)
    while text.count < longest {
      let more = unsafe [UInt8](unsafeUninitializedCapacity: part) { buffer, filled in
        filled = unsafe max(0, Glibc.read(file, buffer.baseAddress, part))
      }
      if more.isEmpty { break }
      text += more
    }
    return ProcessUsage(status: text)
  }

  /// How the lines begin that count.
  private static let keys = ["Threads:", "VmRSS:", "VmSwap:", "VmPTE:"].map { Array($0.utf8) }

  /// The number behind blanks that a text begins with; nil if there is none, or it is larger than any.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
      .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// Where the line begins that follows the one at an offset; nil if none follows.
  private static func lineStart(in text: [UInt8], after offset: Int) -> Int? {
    unsafe text.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let end = unsafe memchr(start + offset, Int32(UInt8(ascii: "\n")), bytes.count - offset)
      else { return nil }
      return unsafe start.distance(to: end) + 1
    }
  }

  /// Parses the lines of `status`; nil if they do not mention memory.
  ///
  /// Works on bytes, since the first line has the name, which the program can set to anything.
  init?(status: [UInt8]) {
    // The file has some sixty lines and is read all the time: only those four are looked at.
    var found = [Int?](repeating: nil, count: Self.keys.count)
    var next = Self.lineStart(in: status, after: status.startIndex)
    while let start = next {
      next = Self.lineStart(in: status, after: start)
      let line = status[start...]
      guard let key = Self.keys.firstIndex(where: { line.starts(with: $0) }),
        let number = Self.number(line.dropFirst(Self.keys[key].count))
      else { continue }
      // If a line occurs twice the larger value counts, in case the name forged one.
      found[key] = max(found[key] ?? 0, number)
    }
    guard let threads = found[0], let resident = found[1], resident > 0 else { return nil }
    self.threads = threads
    memory = 0
    for kibibytes in [resident, found[2] ?? 0, found[3] ?? 0] {
      let (bytes, tooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
      let (sum, overflow) = memory.addingReportingOverflow(bytes)
      memory = tooLarge || overflow ? .max : sum
    }
  }
}

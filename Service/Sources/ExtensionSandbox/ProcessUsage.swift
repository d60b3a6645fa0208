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

  /// Parses the lines of `status`; nil if they do not mention memory.
  ///
  /// Works on bytes, since the first line has the name, which the program can set to anything.
  init?(status: [UInt8]) {
    var numbers: [[UInt8]: Int] = [:]
    let lines = status.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let digits = line[(colon + 1)...].drop { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }
        .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let number = Int(String(decoding: digits, as: UTF8.self)) else { continue }
      // If a line occurs twice the larger value counts, in case the name forged one.
      let key = Array(line[..<colon])
      numbers[key] = max(numbers[key] ?? 0, number)
    }
    func number(_ key: String) -> Int? { numbers[Array(key.utf8)] }
    guard let threads = number("Threads"), let resident = number("VmRSS"), resident > 0 else {
      return nil
    }
    self.threads = threads
    memory = 0
    for kibibytes in [resident, number("VmSwap") ?? 0, number("VmPTE") ?? 0] {
      let (bytes, tooLarge) = kibibytes.multipliedReportingOverflow(by: 1024)
      let (sum, overflow) = memory.addingReportingOverflow(bytes)
      memory = tooLarge || overflow ? .max : sum
    }
  }
}

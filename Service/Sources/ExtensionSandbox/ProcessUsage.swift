import Glibc

/// What a process uses at the moment.
///
/// > Source: proc_pid_stat(5).
struct ProcessUsage: Equatable, Sendable {
  /// Bytes of memory in use.
  var memory: Int
  var threads: Int

  /// Asks the kernel through a process's folder in `/proc`; nil when the process has ended.
  init?(folder: Int32) {
    let file = unsafe openat(folder, "stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let room = 1024
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
      filled = unsafe max(0, read(file, buffer.baseAddress, room))
    }
    self.init(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Reads the line.
  ///
  /// The program's name is in parentheses and may hold anything.
  init?(text: String) {
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    // The third field of the line is the first after the name.
    let (threadsField, memoryField) = (20 - 3, 24 - 3)
    guard fields.count > memoryField, let threads = Int(fields[threadsField]),
      let pages = Int(fields[memoryField])
    else { return nil }
    self.threads = threads
    memory = pages.multipliedReportingOverflow(by: Int(sysconf(Int32(_SC_PAGESIZE)))).partialValue
  }
}

internal import Foundation

/// The kernel's statistics of this process's memory, in bytes.
public enum ProcessMemory {
  /// The peak of resident memory since the start or ``resetPeak()``.
  public static var peak: Int { status("VmHWM:") }

  /// The resident memory.
  public static var resident: Int { status("VmRSS:") }

  /// Resets ``peak`` to the present value.
  ///
  /// - Returns: Whether the kernel supports it.
  public static func resetPeak() -> Bool {
    guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return false }
    do {
      try file.write(contentsOf: Data("5".utf8))
      try file.close()
      return true
    } catch {
      return false
    }
  }

  private static func status(_ field: String) -> Int {
    guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
      return 0
    }
    for line in text.split(separator: "\n") where line.hasPrefix(field) {
      let number = line.dropFirst(field.count).split { $0 == " " || $0 == "\t" }.first
      return (number.flatMap { Int($0) } ?? 0) * 1024
    }
    return 0
  }
}

internal import Foundation

/// What the kernel says about this process's memory, in bytes.
public enum ProcessMemory {
  /// The most memory that was resident since the start or since ``resetPeak()``.
  public static var peak: Int { status("VmHWM:") }

  /// The memory that is resident now.
  public static var resident: Int { status("VmRSS:") }

  /// Lets ``peak`` begin again at what is resident now.
  ///
  /// - Returns: Whether the kernel did so.
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

import Foundation

/// The memory of a browser's processes and of those that it has started.
enum ProcessMemory {
  /// The proportional share of memory (PSS), in MiB, of all processes in whose command or environment a
  /// session's folder is, which its profile and home are in.
  static func megabytes(below folder: URL) throws -> Int {
    let files = FileManager.default
    var kilobytes = 0
    for name in try files.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
      let place = URL(filePath: "/proc/\(name)")
      let belongs = ["cmdline", "environ"].contains { file in
        let bytes = (try? Data(contentsOf: place.appending(path: file))) ?? Data()
        return bytes.range(of: Data(folder.lastPathComponent.utf8)) != nil
      }
      let rollup = place.appending(path: "smaps_rollup")
      guard belongs, let text = try? String(contentsOf: rollup, encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") })
      else { continue }
      kilobytes += line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
    return kilobytes >> 10
  }
}

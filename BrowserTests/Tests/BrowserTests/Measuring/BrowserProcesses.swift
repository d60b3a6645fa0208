import Foundation

/// The processes of a browser, and those that it has started.
struct BrowserProcesses {
  private let folders: [URL]

  /// Finds the processes in whose command or environment a session's folder is, which its profile and
  /// home are in.
  init(below folder: URL) throws {
    let name = Data(folder.lastPathComponent.utf8)
    folders = try FileManager.default.contentsOfDirectory(atPath: "/proc")
      .filter { Int($0) != nil }
      .map { URL(filePath: "/proc/\($0)") }
      .filter { place in
        ["cmdline", "environ"].contains { file in
          let bytes = (try? Data(contentsOf: place.appending(path: file))) ?? Data()
          return bytes.range(of: name) != nil
        }
      }
  }

  /// Their proportional share of memory (PSS), in MiB, by role.
  var memory: [String: Double] {
    var memory: [String: Double] = [:]
    for place in folders {
      let rollup = place.appending(path: "smaps_rollup")
      guard let text = try? String(contentsOf: rollup, encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Pss:") }),
        let kilobytes = line.split(separator: " ").compactMap({ Double($0) }).first
      else { continue }
      memory[Self.role(of: place), default: 0] += kilobytes / 1024
    }
    return memory
  }

  /// The processor time that each of those that run has taken, in milliseconds, by its folder.
  var processorTimes: [URL: Double] {
    var times: [URL: Double] = [:]
    for place in folders {
      // Nanoseconds on a processor, of all threads that run; `stat` counts in hundredths of a second.
      let tasks = place.appending(path: "task")
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks.path())) ?? []
      times[place] = threads.reduce(0) { sum, thread in
        let file = tasks.appending(path: "\(thread)/schedstat")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
      }
    }
    return times
  }

  /// What the processes of each role take, of those that take 1 or more, in words.
  static func shares(_ shares: [String: Double]) -> String {
    shares.filter { $0.value >= 1 }.sorted { $0.value > $1.value }
      .map { "\($0.key) \(Int($0.value))" }.joined(separator: ", ")
  }

  /// What a process is for, by its command.
  ///
  /// Firefox's say only that they have pages, those of extensions too.
  static func role(of place: URL) -> String {
    let bytes = (try? Data(contentsOf: place.appending(path: "cmdline"))) ?? Data()
    // Chromium's processes have theirs in one piece.
    let words = bytes.split { $0 == 0 || $0 == UInt8(ascii: " ") }
      .map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first else { return "ended" }
    if URL(filePath: program).lastPathComponent.hasPrefix("tickbird-") {
      return words.contains("run") ? "service" : "host"
    }
    if words.contains("--extension-process") { return "extension" }
    if words.contains("--type=renderer") || words.contains("tab") { return "pages" }
    if words.contains("--utility-sub-type=network.mojom.NetworkService")
      || words.contains("socket")
    {
      return "network"
    }
    if words.contains("--type=gpu-process") { return "graphics" }
    let isOther = words.contains { $0.hasPrefix("--type=") } || words.contains("-contentproc")
    return isOther ? "others" : "browser"
  }
}

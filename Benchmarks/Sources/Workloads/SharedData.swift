internal import Foundation

/// The folder of real lists and requests, which may be beside the package.
///
/// It is found by the environment variable `TICKBIRD_SHARED`, else as `shared` beside the package.
public enum SharedData {
  /// The folder; `nil` when there is none.
  public static let folder: String? = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_SHARED"]
    let beside = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../shared").standardizedFileURL.path
    return [named, beside].compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0 + "/data/lists")
    }
  }()

  /// The paths of all lists, sorted by name.
  public static var lists: [String] {
    guard let folder else { return [] }
    let lists = folder + "/data/lists"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: lists)) ?? []
    return files.sorted().map { lists + "/" + $0 }
  }

  /// The path of the recorded requests; `nil` when there are none.
  public static var requests: String? { existing("/data/requests/top500-2019.tsv.gz") }

  /// The path of the recorded decisions of a list; `nil` when there are none.
  public static func expected(list name: String) -> String? {
    existing("/data/expected/\(name).txt") ?? existing("/data/expected/\(name).txt.gz")
  }

  private static func existing(_ path: String) -> String? {
    guard let folder, FileManager.default.fileExists(atPath: folder + path) else { return nil }
    return folder + path
  }
}

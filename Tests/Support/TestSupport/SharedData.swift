public import Foundation

/// The folder of real data, which may be beside the package.
///
/// It is found by the environment variable `TICKBIRD_SHARED`, else as `shared` beside the package.
/// Tests that need it are skipped without it.
public enum SharedData {
  /// The package's own folder.
  public static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// The folder; `nil` when there is none.
  public static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_SHARED"].map { URL(filePath: $0) }
    let beside = packageRoot.appending(path: "../shared").standardizedFileURL
    return [named, beside].compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0.appending(path: "data/lists").path)
    }
  }()

  /// Whether there is no such folder.
  public static var isAbsent: Bool { folder == nil }

  /// The step between requests that are compared with the reference; 1, for all of them, unless
  /// `TICKBIRD_SAMPLE` is set.
  public static let sampleStep = max(
    1,
    ProcessInfo.processInfo.environment["TICKBIRD_SAMPLE"].flatMap { Int($0) } ?? 1
  )

  /// A file or folder in it, which may be there under its name with `.gz` alone.
  public static func item(_ path: String) -> URL? {
    guard let folder else { return nil }
    return [path, path + ".gz"].map { folder.appending(path: $0) }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// The bytes of a file in it, decompressed if only its gzip form is there.
  ///
  /// - Throws: `CocoaError` if there is no such file or it cannot be read.
  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let file = item(path) else { throw CocoaError(.fileNoSuchFile) }
    return try bytes(of: file)
  }

  /// The bytes of a file, decompressed if its name ends in `.gz`.
  ///
  /// - Throws: `CocoaError` if it cannot be read.
  public static func bytes(of file: URL) throws -> [UInt8] {
    guard file.pathExtension == "gz" else { return Array(try Data(contentsOf: file)) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", file.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return Array(data)
  }

  /// The lines of a file in it.
  public static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n")
  }

  /// The names of the real rule lists, sorted.
  public static let listNames: [String] = {
    guard let folder = item("data/lists"),
      let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return files.compactMap { file in
      file.range(of: ".json").map { String(file[..<$0.lowerBound]) }
    }
    .sorted()
  }()
}

public import Foundation
public import ReferenceMatcher

/// The folder of facts and real data that may stand beside the package.
///
/// It is found by the environment variable `TICKBIRD_SHARED`, else as `shared` beside the package.
public enum SharedData {
  /// The package's own folder.
  public static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The folder; `nil` when there is none.
  public static let folder: URL? = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_SHARED"].map { URL(filePath: $0) }
    let beside = packageRoot.appending(path: "../shared").standardizedFileURL
    return [named, beside].compactMap(\.self).first {
      FileManager.default.fileExists(atPath: $0.appending(path: "spec/vectors").path)
    }
  }()

  /// Whether there is no such folder.
  public static var isAbsent: Bool { folder == nil }

  /// The bytes of a file, decompressed if only its gzip form is there.
  public static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    let plain = folder.appending(path: path)
    if FileManager.default.fileExists(atPath: plain.path) {
      return Array(try Data(contentsOf: plain))
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", plain.path + ".gz"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadCorruptFile) }
    return Array(data)
  }

  /// The lines of a file.
  public static func lines(_ path: String) throws -> [Substring] {
    String(decoding: try bytes(path), as: UTF8.self).split(separator: "\n")
  }

  /// The JSON value of a file.
  public static func json(_ path: String) throws -> JSONValue {
    try JSONValue(parsing: bytes(path))
  }

  /// The names of the real rule lists.
  public static let listNames: [String] = {
    guard let folder,
      let files = try? FileManager.default.contentsOfDirectory(
        atPath: folder.appending(path: "data/lists").path
      )
    else { return [] }
    return files.compactMap { file in file.range(of: ".json").map { String(file[..<$0.lowerBound]) }
    }
    .sorted()
  }()
}

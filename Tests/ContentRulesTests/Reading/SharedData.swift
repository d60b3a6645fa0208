import Foundation

/// Data that lies beside the package and is too large, or not ours, to ship.
enum SharedData {
  /// A file or folder in it, if it is there.
  static func item(_ path: String) -> URL? {
    guard let url = SpecificationVectors.shared?.appending(path: path) else { return nil }
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// The bytes of a file, unpacked when its name ends in `.gz`.
  static func bytes(_ url: URL) throws -> [UInt8] {
    guard url.pathExtension == "gz" else { return Array(try Data(contentsOf: url)) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["gzip", "-dc", url.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Array(data)
  }
}

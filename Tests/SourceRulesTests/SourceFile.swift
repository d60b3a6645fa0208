import Foundation

/// A Swift file of the project, as text.
struct SourceFile {
  /// The path from the project's root on.
  var path: String
  /// The module that it belongs to.
  var module: String
  /// All of it.
  var bytes: Data
  /// Its lines without those of string literals over several lines, which may hold Swift as well.
  var lines: [String]

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let programs = Result { try all(in: ["Sources", "Service/Sources"]) }
  private static let appleModules = Result { try all(in: ["AppleModules/Sources"]) }

  /// The files of the engine, the command and the service.
  static func ofPrograms() throws -> [SourceFile] { try programs.get() }

  /// The files of the modules under Apple's names.
  static func ofAppleModules() throws -> [SourceFile] { try appleModules.get() }

  /// All files of folders that hold a folder for each module.
  private static func all(in folders: [String]) throws -> [SourceFile] {
    var files: [SourceFile] = []
    for folder in folders {
      let place = root.appending(path: folder, directoryHint: .isDirectory)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: place.path)
      for path in paths.sorted() where path.hasSuffix(".swift") {
        let bytes = try Data(contentsOf: place.appending(path: path))
        files.append(
          SourceFile(
            path: "\(folder)/\(path)",
            module: String(path.prefix { $0 != "/" }),
            bytes: bytes,
            lines: withoutLiterals(String(decoding: bytes, as: UTF8.self))
          )
        )
      }
    }
    return files
  }

  /// Whether the file has a text; test targets are not optimized, so the C library looks for it.
  func contains(_ text: String) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return unsafe memmem(start, bytes.count, text, text.utf8.count) != nil
    }
  }

  private static func withoutLiterals(_ text: String) -> [String] {
    var isInside = false
    // Foundation's methods are optimized, whatever the tests are.
    return text.components(separatedBy: "\n").filter { line in
      let wasInside = isInside
      if line.utf8.contains(0x22), line.components(separatedBy: "\"\"\"").count % 2 == 0 {
        isInside.toggle()
      }
      return !wasInside && !isInside
    }
  }
}

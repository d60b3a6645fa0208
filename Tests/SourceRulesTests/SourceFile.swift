import Foundation

/// A Swift file of the project, as text.
struct SourceFile {
  /// The path from the project's root on.
  var path: String
  /// The module that it belongs to.
  var module: String
  /// All of it.
  var text: String
  /// Its lines without those of string literals over several lines, which may hold Swift as well.
  var lines: [Substring]

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
        let text = String(decoding: bytes, as: UTF8.self)
        files.append(
          SourceFile(
            path: "\(folder)/\(path)",
            module: String(path.prefix { $0 != "/" }),
            text: text,
            lines: withoutLiterals(text)
          )
        )
      }
    }
    return files
  }

  private static func withoutLiterals(_ text: String) -> [Substring] {
    var isInside = false
    // Foundation's methods are optimized, whatever the tests are.
    return text.components(separatedBy: "\n").map { $0[...] }.filter { line in
      let wasInside = isInside
      if line.utf8.contains(0x22), line.components(separatedBy: "\"\"\"").count % 2 == 0 {
        isInside.toggle()
      }
      return !wasInside && !isInside
    }
  }
}

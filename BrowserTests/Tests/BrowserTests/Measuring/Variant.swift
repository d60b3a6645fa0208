import Foundation

/// The extension with a change, to find out what a part of it costs.
struct Variant {
  /// What is different, in words.
  var title: String
  /// A program that changes a built extension; it runs in the extension's folder.
  var program: URL

  /// The programs in the folder that `TICKBIRD_VARIANTS` names, in the order of their names; none without it.
  static func all() throws -> [Variant] {
    guard let folder = ProcessInfo.processInfo.environment["TICKBIRD_VARIANTS"] else { return [] }
    return try FileManager.default
      .contentsOfDirectory(
        at: URL(filePath: folder),
        includingPropertiesForKeys: nil,
        options: .skipsHiddenFiles
      )
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .map { Variant(title: $0.deletingPathExtension().lastPathComponent, program: $0) }
  }

  func change(_ built: URL) throws {
    try Tool.run(["/bin/sh", "-c", "cd \"$0\" && exec \"$1\"", built.path, program.path])
  }
}

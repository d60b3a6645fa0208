import Foundation
import Glibc
import Testing

/// Programs in C, for what Swift's cannot be: built with folders and a loader of one's choice.
enum CProgram {
  /// The compiler; nil where there is none.
  static let compiler: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in ["gcc", "clang"] {
      for folder in folders where unsafe access("\(folder)/\(name)", X_OK) == 0 {
        return "\(folder)/\(name)"
      }
    }
    return nil
  }()

  /// Builds a program.
  static func build(_ text: String, _ flags: [String], at url: URL) throws {
    let source = url.deletingLastPathComponent().appending(path: "\(UUID().uuidString).c")
    try Data(text.utf8).write(to: source)
    defer { try? FileManager.default.removeItem(at: source) }
    try? FileManager.default.removeItem(at: url)
    let command =
      [try #require(compiler), "-o", url.path(percentEncoded: false)]
      + [source.path(percentEncoded: false)] + flags
    let result = try ChildProcess(command).wait()
    try #require(result.status == 0, "\(result.text)")
  }
}

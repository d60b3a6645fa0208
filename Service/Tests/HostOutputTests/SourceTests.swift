import Foundation
import Testing

/// Rules about the sources that the compiler cannot check.
struct SourceTests {
  @Test("standard output and error are written through one type alone")
  func writes() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    var files = 0
    for folder in ["Sources", "Service/Sources"] {
      let place = root.appending(path: folder, directoryHint: .isDirectory)
      let all = FileManager.default.enumerator(at: place, includingPropertiesForKeys: nil)
      while let file = all?.nextObject() as? URL {
        guard file.pathExtension == "swift", !file.path.contains("/Sources/TextOutput/") else {
          continue
        }
        files += 1
        let text = try String(contentsOf: file, encoding: .utf8)
        for call in ["standardOutput.write(", "standardError.write(", "fputs(", "Swift.print("] {
          #expect(!text.contains(call), "\(file.path) has \(call)")
        }
      }
    }
    #expect(files > 300)
  }
}

import Foundation
import Testing

/// Paths on command lines.
struct CommandPathTests {
  /// What makes URLs of paths that are not from a command line, or that nothing is read or written by.
  private static let others = [
    "ownProgram()": "the program's own path",
    "CommandLine.arguments[0]": "the program's own path",
    "URL(fileURLWithPath: own)": "the program's own path",
    "\"/": "a path from the root",
    ".pathExtension": "only a name is looked at",
    ".lastPathComponent": "only a name is looked at",
    "resolvingSymlinksInPath().path": "the service's folders",
    "bundle: URL(filePath: path, directoryHint: .isDirectory)": "what the host of extensions names",
  ]

  @Test("no command makes a URL of a path but by GivenPath, which refuses a folder without a name")
  func paths() throws {
    var count = 0
    let programs = ["tickbird", "tickbird-host"]
    for file in try SourceFile.ofPrograms() where programs.contains(file.module) {
      for line in file.lines {
        if line.contains("GivenPath.") { count += 1 }
        let isMade = ["URL(filePath:", "URL(fileURLWithPath:", "currentDirectoryPath"]
          .contains { line.contains($0) }
        guard isMade, !Self.others.keys.contains(where: { line.contains($0) }) else { continue }
        Issue.record("\(file.path): use GivenPath: \(line)")
      }
    }
    #expect(count > 25)
  }
}

import Foundation
import HostTestSupport
import Testing

@Suite("The command's words")
struct SetupCommandTests {
  private let home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appending(path: "setup-words-\(UUID().uuidString)")

  @Test(
    "what is wrong is said with this command's usage, whenever that is found out",
    arguments: [
      ["--host", "/nowhere/tickbird-host", "chromium", "--dry-run"], ["--refresh", "--undo"],
      ["opera"], ["--root", "relative"],
    ]
  )
  func usage(words: [String]) throws {
    let outcome = try HostProgram(home: home).run(["setup"] + words)
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.errors.contains("Usage: tickbird-host setup [<browsers> ...]"), "\(outcome)")
    #expect(outcome.errors.contains("See 'tickbird-host setup --help'"), "\(outcome)")
  }
}

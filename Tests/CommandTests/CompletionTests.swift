import Foundation
import TestSupport
import Testing

@Suite("Completions for shells")
struct CompletionTests {
  @Test("are scripts that their shells read", arguments: ["bash", "zsh", "fish"])
  func areRead(shell: String) throws {
    let script = try Command.run(["--generate-completion-script", shell]).output
    #expect(script.contains("audit-merge"))
    let program = ["/usr/bin", "/bin"].map { "\($0)/\(shell)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    // Not every machine has all shells.
    guard let program else { return }
    let scratch = try Scratch()
    let file = try scratch.file("completion", script)
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["-n", file.path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
  }
}

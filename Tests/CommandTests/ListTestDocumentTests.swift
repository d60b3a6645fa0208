import Foundation
import TestSupport
import Testing

@Suite("Documentation/ListTests.md")
struct ListTestDocumentTests {
  /// The blocks of the document, by what stands behind their fences.
  private static func blocks() throws -> [String: String] {
    let page = SharedData.packageRoot.appending(path: "Documentation/ListTests.md")
    var blocks: [String: String] = [:]
    var name: String?
    for line in try String(contentsOf: page, encoding: .utf8).split(
      separator: "\n",
      omittingEmptySubsequences: false
    ) {
      if line.hasPrefix("```") {
        name = name == nil ? String(line.dropFirst(3)) : nil
      } else if let name {
        blocks[name, default: ""] += line + "\n"
      }
    }
    return blocks
  }

  private func prepared(_ blocks: [String: String]) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file("shop.json", try #require(blocks["json shop.json"]))
    try scratch.file("shop.tests", try #require(blocks["tests shop.tests"]))
    return scratch
  }

  @Test("the example holds, and fails as it is shown")
  func example() throws {
    let blocks = try Self.blocks()
    let scratch = try prepared(blocks)
    let result = try Command.run(["test", "shop.tests"], in: scratch.folder)
    #expect(result.output == blocks["text shop.tests"])
    #expect(result.status == 0)
    var lines = try #require(blocks["json shop.json"]).split(separator: "\n").map(String.init)
    lines[2] = lines[2].replacing(#", "load-type": ["third-party"]"#, with: "")
    lines.remove(at: 3)
    try scratch.file("broken.json", lines.joined(separator: "\n"))
    let broken = try Command.run(
      ["test", "shop.tests", "--list", "broken.json"],
      in: scratch.folder
    )
    #expect(broken.output == blocks["text broken"])
    #expect(broken.status == 1)
  }

  @Test("the reduced list is the one that is shown, by the command that is shown")
  func reduced() throws {
    let blocks = try Self.blocks()
    let scratch = try prepared(blocks)
    let page = SharedData.packageRoot.appending(path: "Documentation/ListTests.md")
    let command = try #require(
      try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        .first { $0.hasPrefix("tickbird reduce ") }
    )
    let result = try Command.run(
      command.split(separator: " ").dropFirst().map(String.init),
      in: scratch.folder
    )
    #expect(result.output == blocks["json reduced"])
    #expect(result.error == blocks["text reduced"])
  }

  @Test("a pipeline's commands are taken as they are shown")
  func pipelines() throws {
    let scratch = try prepared(try Self.blocks())
    for format in ["github", "junit", "sarif", "json"] {
      let result = try Command.run(
        ["test", "--format", format, "shop.tests"],
        in: scratch.folder
      )
      #expect(result.status == 0 && !result.output.isEmpty)
    }
  }
}

import Foundation
import TestSupport
import Testing

@Suite("tickbird split")
struct SplitCommandTests {
  private static func list(_ count: Int) -> String {
    let rules = (0..<count).map {
      #"{"trigger":{"url-filter":"/a\#($0)/"},"action":{"type":"block"}}"#
    }
    return "[\(rules.joined(separator: ",\n"))]"
  }

  private func folder(_ name: String, in scratch: Scratch) throws {
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: name),
      withIntermediateDirectories: false
    )
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test("parts of an earlier run are named and stay")
  func otherParts() throws {
    let scratch = try Scratch()
    try scratch.file("kb.json", Self.list(4))
    for name in ["kb-03.json", "kb-x.json", "kb-9.txt"] { try scratch.file(name, "") }
    let first = try Command.run(["split", "kb.json", "--max-rules", "1"], in: scratch.folder)
    #expect(first.status == 0 && first.error.isEmpty, "\(first)")
    let second = try Command.run(["split", "kb.json", "--max-rules", "2"], in: scratch.folder)
    #expect(second.status == 0)
    #expect(second.error.contains("kb-3.json, kb-4.json are not of this run"), "\(second.error)")
    let json = try Command.run(["split", "kb.json", "--format", "json"], in: scratch.folder)
    #expect(json.output.contains(#""otherParts":["kb-2.json","kb-3.json","kb-4.json"]"#))
    #expect(try names(scratch.folder).contains("kb-4.json"))
  }

  @Test("a folder gets the parts, under the name of the list")
  func intoFolder() throws {
    let scratch = try Scratch()
    try scratch.file("kb.json", Self.list(2))
    try folder("parts", in: scratch)
    for folder in ["parts", "parts/"] {
      let result = try Command.run(
        ["split", "kb.json", "--max-rules", "1", "-o", folder],
        in: scratch.folder
      )
      #expect(result.status == 0, "\(result)")
      #expect(result.output.contains("  parts/kb-1.json: 1 rule"))
    }
    #expect(try names(scratch.folder) == ["kb.json", "parts"])
    #expect(try names(scratch.folder.appending(path: "parts")) == ["kb-1.json", "kb-2.json"])
  }

  @Test(
    "what is no beginning of a name is refused",
    arguments: [
      ("kb.json", "new/", "new/ is no folder; create it"),
      ("kb.json", "", "-o needs a file or a folder, and its value is empty"),
      ("kb.json", "pipe", "pipe is neither a file nor a folder"),
      ("-", "parts", "such as parts/part"),
    ]
  )
  func wrongNames(list: String, output: String, message: String) throws {
    let scratch = try Scratch()
    try scratch.file("kb.json", Self.list(2))
    try folder("parts", in: scratch)
    let made = unsafe mkfifo(scratch.folder.appending(path: "pipe").path, 0o600)
    #expect(made == 0)
    let result = try Command.run(
      ["split", list, "-o", output],
      input: Data(Self.list(2).utf8),
      in: scratch.folder
    )
    #expect(result.status == 2)
    #expect(result.error.contains(message), "\(result.error)")
    #expect(try names(scratch.folder) == ["kb.json", "parts", "pipe"])
  }

  @Test("a rule that is alone too long is said to be so")
  func longRule() throws {
    let scratch = try Scratch()
    try scratch.file("kb.json", Self.list(2))
    let result = try Command.run(
      ["split", "kb.json", "--max-rules", "1", "--max-bytes", "10"],
      in: scratch.folder
    )
    #expect(result.status == 1)
    #expect(
      result.error.contains("rule 0 alone makes a list of 64 bytes, and --max-bytes allows 10"),
      "\(result.error)"
    )
    #expect(!result.error.contains("exception"))
    let enough = try Command.run(
      ["split", "kb.json", "--max-rules", "1", "--max-bytes", "64"],
      in: scratch.folder
    )
    #expect(
      enough.status == 0 && enough.output.contains("kb-2.json: 1 rule, of which 0 exceptions, 64 b")
    )
  }
}

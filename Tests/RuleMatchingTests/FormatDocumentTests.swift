import ContentRules
import EngineTestSupport
import Foundation
import ResourceLoads
import RuleCompiler
import RuleMatching
import Testing

/// Keeps the worked example of `Documentation/Format.md` true.
///
/// After a wanted change of the format or of the disassembly:
///
///     TICKBIRD_RECORD=1 swift test --filter FormatDocumentTests
@Suite("Format document", .serialized)
struct FormatDocumentTests {
  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/Format.md")

  /// The rules that the document shows as JSON.
  private static let rules = [
    Rule(0, #"^https?://([^/]+\.)?ads\.test/"#),
    Rule(1, "/banner/[0-9]+", flags: TriggerFlags(resourceTypes: .image)),
    Rule(
      2,
      ".*",
      condition: Condition(subject: .domain, isNegated: false, entries: ["*news.test"]),
      action: .cssDisplayNone(selector: ".ad")
    ),
  ]

  /// The file's bytes, sixteen a line, under the names of the sections.
  private func listing(_ bytes: [UInt8]) -> String {
    func hexadecimal(_ number: Int, _ width: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let file = CompiledFile(bytes)
    var parts = [("header", 0, FileLayout.headerSize)]
    parts.append(("section table", FileLayout.headerSize, FileLayout.contentStart))
    for section in Section.allCases where file.size(section) > 0 {
      parts.append((section.name, file.start(section), file.start(section) + file.size(section)))
    }
    var text = ""
    for (name, start, end) in parts {
      text += "\(name)\n"
      for line in stride(from: start, to: end, by: 16) {
        let row = bytes[line..<min(line + 16, end)]
        let plain = row.map { 32..<127 ~= $0 ? String(UnicodeScalar($0)) : "." }.joined()
        let digits = row.map { hexadecimal(Int($0), 2) }.joined(separator: " ")
        let gap = String(repeating: " ", count: 3 * (16 - row.count) + 2)
        text += "  \(hexadecimal(line, 4))  \(digits)\(gap)\(plain)\n"
      }
    }
    return text
  }

  @Test("the example's bytes and dump are those of the compiler", arguments: ["dump", "bytes"])
  func example(_ block: String) throws {
    let bytes = try compile(Self.rules, source: [])
    var text = ""
    if block == "dump" {
      try CompiledRuleList(validating: bytes).disassemble(to: &text)
    } else {
      text = listing(bytes)
    }
    let document = try String(contentsOf: Self.file, encoding: .utf8)
    let start = "<!-- \(block) -->\n```text\n"
    let end = "```\n<!-- end of \(block) -->"
    let from = try #require(document.range(of: start)?.upperBound)
    let to = try #require(document.range(of: end)?.lowerBound)
    if ProcessInfo.processInfo.environment["TICKBIRD_RECORD"] != nil {
      let recorded = document.replacingCharacters(in: from..<to, with: text)
      try recorded.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(String(document[from..<to]) == text)
    }
  }

  @Test("the document speaks of this version")
  func version() throws {
    let document = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(document.contains("This is version \(FileLayout.version)."))
  }
}

import Foundation
import HostTestSupport
import Testing

/// What all options of `tickbird-host` have in common; those of `tickbird` have the same test.
@Suite struct OptionDocumentTests {
  /// A document and the words in it that may be options.
  private struct Document {
    var text: String
    var words: Set<String>

    init(_ file: URL) throws {
      text = try String(contentsOf: file, encoding: .utf8)
      let parts = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-") }
      words = Set(parts.map(String.init))
    }
  }

  private static func documents() throws -> [Document] {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: "Documentation", directoryHint: .isDirectory)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try paths.filter { $0.hasSuffix(".md") }.map { try Document(folder.appending(path: $0)) }
  }

  /// The same word is an option of several commands, so the document has to be about the command.
  @Test func aDocumentOfTheCommandNamesEachOption() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let documents = try Self.documents()
    let options = try await CommandTree.options(home.program)
    #expect(options.count > 150)
    for option in options where !option.names.contains("--help") {
      guard let group = option.command.first, !option.names.contains("--version") else { continue }
      let isNamed = documents.contains { document in
        document.text.contains("tickbird \(group)")
          && option.names.contains { document.words.contains($0) }
      }
      #expect(
        isNamed,
        "no document of tickbird \(group) names \(option.names) of \(option.command)"
      )
    }
  }

  /// Programs read JSON by one option, whatever the command.
  @Test func jsonIsAFormat() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let options = try await CommandTree.options(home.program)
    #expect(!options.contains { $0.names.contains("--json") })
    #expect(options.count { $0.names.contains("--format") } > 30)
    for words in [["notes"], ["links"], ["lists"], ["extensions", "list"], ["browser", "status"]] {
      let new = try await home.program.run(words + ["--format", "json"])
      let old = try await home.program.run(words + ["--json"])
      #expect(new.status == 0 && !new.bytes.isEmpty, "\(words): \(new.errors)")
      #expect(new.bytes == old.bytes, "\(words)")
      let both = try await home.program.run(words + ["--json", "--format", "text"])
      #expect(both.status == 2 && both.errors.contains("exclude each other"), "\(words)")
    }
  }
}

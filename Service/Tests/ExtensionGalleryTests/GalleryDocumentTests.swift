import Foundation
import Testing

@testable import ExtensionGallery

@Suite("The gallery's document")
struct GalleryDocumentTests {
  @Test("Every attack in its table names a code that exists and tests that exist")
  func attacks() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let document = try String(
      contentsOf: root.appending(path: "Documentation/Gallery.md"),
      encoding: .utf8
    )
    func text(_ folder: URL) throws -> String {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        .joined()
    }
    let sources = try text(root.appending(path: "Service/Sources/ExtensionGallery"))
    let ours = try text(tests)
    let part = try #require(document.components(separatedBy: "\n## Attacks\n").dropFirst().first)
    let rows = part.components(separatedBy: "\n## ")[0].split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count > 20)
    for row in rows {
      let cells = row.split(separator: "|").map(String.init)
      try #require(cells.count == 4, "\(row)")
      for match in cells[2].matches(of: /`(\w+)`/) {
        #expect(sources.contains("static let \(match.1) = Code("), "\(match.1)")
      }
      let names = cells[3].matches(of: /`(\w+)`/)
      #expect(!names.isEmpty, "\(row)")
      for match in names { #expect(ours.contains("func \(match.1)("), "\(match.1)") }
    }
  }
}

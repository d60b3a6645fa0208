import Foundation
import HostTestSupport
import Testing

@testable import ExtensionGallery

@Suite("The gallery's document")
struct GalleryDocumentTests {
  /// The document, by its sections.
  private static let sections: [Substring] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: "Documentation/Gallery.md")
    return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n## ")
  }()

  /// The commands of a section that this program has, as words.
  private func commands(_ title: String) throws -> [[String]] {
    let section = try #require(Self.sections.first { $0.hasPrefix(title + "\n") })
    return section.replacing(#/ \\\n */#, with: " ").split(separator: "\n").filter {
      $0.hasPrefix("    tickbird ")
    }
    .map { line in
      line.prefix { $0 != "#" }.matches(of: /"([^"]*)"|[^ ]+/)
        .map { String($0.1 ?? $0.0) }.dropFirst()
    }
    .filter { !["extension", "convert"].contains($0.first) }.map(Array.init)
  }

  @Test("The lines of its first sections make a package, and a gallery of it")
  func lines() throws {
    let folder = try TemporaryFolder()
    let program = HostProgram(home: folder("home"))
    var sample = SampleBundle()
    sample.identifier = "com.example.My-Blocker"
    try sample.write(into: folder("My Blocker/build"))
    try writePresentation(into: folder("shown"))
    try Data(sample.list.utf8).write(to: folder("rules.json"))
    try Data(#"{"version": 1, "sources": [], "rules": 1, "lines": []}"#.utf8)
      .write(to: folder("map.json"))
    let lines = try commands("Making a package") + commands("Making a gallery")
    #expect(lines.count == 6)
    for line in lines {
      let outcome = try program.run(line)
      #expect(outcome.status == 0, "\(line): \(outcome.errors)")
    }
    let list = try String(contentsOf: folder("site/tickbird-gallery.txt"), encoding: .utf8)
    #expect(list.contains("com.example.My-Blocker") && list.contains("com.example.rules"))
    let page = try String(
      contentsOf: folder("site/tickbird-gallery/com.example.My-Blocker.html"),
      encoding: .utf8
    )
    #expect(page.contains("Blocks advertisements on news sites"))
    #expect(page.contains("--from https://example.com/site"))
  }

  /// The presentation that the document shows, with pictures.
  private func writePresentation(into place: URL) throws {
    let section = try #require(Self.sections.first { $0.hasPrefix("Making a package\n") })
    let json = try #require(section.firstMatch(of: #/ {4}\{\n(?: {6}.*\n)+ {4}\}/#))
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    try Data(json.0.utf8).write(to: place.appending(path: PresentationFolder.fileName))
    for name in ["icon.png", "first.png"] {
      try Data(try Fixture.picture("icon.png")).write(to: place.appending(path: name))
    }
  }

  @Test("Every attack in its table names a code that exists and tests that exist")
  func attacks() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let service = tests.deletingLastPathComponent().deletingLastPathComponent()
    func text(_ folder: URL) throws -> String {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        .joined()
    }
    let sources = try text(service.appending(path: "Sources/ExtensionGallery"))
    let ours = try ["ExtensionGalleryTests", "LocalAppTests", "BrowserAnsweringTests"]
      .map { try text(service.appending(path: "Tests/\($0)")) }.joined()
    let scripts = service.deletingLastPathComponent().appending(path: "BrowserExtension/Tests")
    let part = try #require(Self.sections.first { $0.hasPrefix("Attacks\n") })
    let rows = part.split(separator: "\n")
      .filter { $0.hasPrefix("| ") }.dropFirst(2)
    #expect(rows.count > 20)
    for row in rows {
      let cells = row.split(separator: "|").map(String.init)
      try #require(cells.count == 4, "\(row)")
      for match in cells[2].matches(of: /`(\w+)`/) {
        #expect(sources.contains("static let \(match.1) = Code("), "\(match.1)")
      }
      let names = cells[3].matches(of: /`(\w+)`/)
      let files = cells[3].matches(of: /`([\w-]+\.test\.js)`/).map { String($0.1) }
      #expect(!names.isEmpty || !files.isEmpty, "\(row)")
      for file in files {
        #expect(FileSystem.exists(scripts.appending(path: file)), "\(file)")
      }
      for match in names { #expect(ours.contains("func \(match.1)("), "\(match.1)") }
    }
  }
}

import Foundation
import TestSupport
import Testing

/// Documents lead readers to files that exist.
@Suite struct DocumentLinkTests {
  private static let root = SharedData.packageRoot

  /// The files and folders of the repository, relative to it, without what builds leave there.
  private static let paths: Set<String> = {
    var found: Set<String> = []
    var waiting = [""]
    while let folder = waiting.popLast() {
      let url = folder.isEmpty ? root : root.appending(path: folder)
      let entries = try? FileManager.default.contentsOfDirectory(
        at: url,
        includingPropertiesForKeys: [.isDirectoryKey]
      )
      for entry in entries ?? [] {
        let name = entry.lastPathComponent
        // `.ci` is the one hidden folder that documents speak of.
        guard !name.hasPrefix(".") || name == ".ci", name != "node_modules" else { continue }
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        found.insert(path)
        let values = try? entry.resourceValues(forKeys: [.isDirectoryKey])
        if values?.isDirectory == true { waiting.append(path) }
      }
    }
    return found
  }()

  private static let names = Set(paths.map { String($0.split(separator: "/").last ?? "") })

  private static let documents = paths.filter {
    $0.hasSuffix(".md") && (!$0.contains("/") || $0.hasPrefix("Documentation/"))
  }

  @Test("links lead to files and headings that exist", arguments: documents.sorted())
  func links(document: String) throws {
    let folder = Self.root.appending(path: document).deletingLastPathComponent()
    for match in try Self.prose(of: document).matches(of: /\]\(([^)#]*)(?:#([^)]*))?\)/) {
      let target = String(match.1)
      guard !target.contains("://") else { continue }
      let path =
        target.isEmpty
        ? document
        : String(
          folder.appending(path: target).standardized.path.dropFirst(
            Self.root.standardized.path.count + 1
          )
        )
      #expect(Self.paths.contains(path), "\(document) links to \(target)")
      guard let anchor = match.2, Self.paths.contains(path) else { continue }
      #expect(
        try Self.anchors(of: path).contains(String(anchor)),
        "\(document) links to \(target)#\(anchor)"
      )
    }
  }

  @Test("suites and targets of tests that documents name exist", arguments: documents.sorted())
  func tests(document: String) throws {
    for match in try Self.prose(of: document).matches(of: /`([A-Z][A-Za-z]*Tests)`/) {
      let name = String(match.1)
      #expect(
        Self.names.contains(name) || Self.suites.contains(name),
        "\(document) names \(name)"
      )
    }
  }

  private static let suites: Set<String> = {
    var found: Set<String> = []
    for path in paths where path.hasSuffix(".swift") && path.contains("Tests/") {
      let bytes = (try? Data(contentsOf: root.appending(path: path))) ?? Data()
      let text = String(decoding: bytes, as: UTF8.self)
      for match in text.matches(of: /(?:struct|class|enum) ([A-Z][A-Za-z]*Tests)\b/) {
        found.insert(String(match.1))
      }
    }
    return found
  }()

  /// Names in the two maps of the sources: paths from the root, from a folder of sources or of the
  /// web extension, or the name of a file alone.
  @Test("files that the maps name exist", arguments: ["ARCHITECTURE.md", "CONTRIBUTING.md"])
  func names(document: String) throws {
    let folders = [
      "", "Sources/", "Sources/ContentRules/", "Service/", "Service/Sources/",
      "Service/Sources/LocalApp/", "BrowserExtension/WebExtension/", "Tests/",
    ]
    let endings = [".swift", ".js", ".md", ".py", ".txt", ".toml", ".json"]
    var count = 0
    for match in try Self.prose(of: document).matches(of: /`([^`\s]+)`/) {
      let name = match.1.replacing("…", with: "Sources")
      // Neither a header of the system nor a pattern such as `…Page.swift` is a file here.
      guard !name.hasPrefix("sys/"), !match.1.hasPrefix("…") else { continue }
      if name.contains("/") {
        let path = name.hasSuffix("/") ? String(name.dropLast()) : String(name)
        #expect(folders.contains { Self.paths.contains($0 + path) }, "\(document) names \(name)")
        count += 1
      } else if endings.contains(where: name.hasSuffix) {
        #expect(Self.names.contains(String(name)), "\(document) names \(name)")
        count += 1
      }
    }
    #expect(count > 20)
  }

  /// The text without blocks of code.
  private static func prose(of document: String) throws -> String {
    let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
    let parts = text.components(separatedBy: "\n```")
    return parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
  }

  /// The anchors that services make of a document's headings.
  private static func anchors(of document: String) throws -> [String] {
    try prose(of: document).split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
      let heading = line.drop { $0 == "#" }.dropFirst().lowercased()
      return String(
        heading.compactMap { character -> Character? in
          if character == " " { return "-" }
          return character.isLetter || character.isNumber || "-_".contains(character)
            ? character : nil
        }
      )
    }
  }
}

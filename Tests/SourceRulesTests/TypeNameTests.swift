import Foundation
import Testing

/// One name means one thing, whichever module it is in.
struct TypeNameTests {
  @Test("no two modules declare a type of the same name")
  func twins() throws {
    let files = try SourceFile.ofPrograms() + SourceFile.ofAppleModules()
    #expect(files.count > 700)
    var modules: [String: Set<String>] = [:]
    for file in files {
      for name in Self.types(in: file) { modules[name, default: []].insert(file.module) }
    }
    #expect(modules.count > 1000)
    let twins = modules.filter { $0.value.count > 1 }
    for (name, places) in twins.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(name) is a type of \(places.sorted().joined(separator: " and of "))")
    }
  }

  @Test("no module but those that ARCHITECTURE.md names has the name of a type in it")
  func modules() throws {
    var found: Set<String> = []
    for file in try SourceFile.ofPrograms() where Self.types(in: file).contains(file.module) {
      found.insert(file.module)
    }
    #expect(
      found == [
        "WebURL", "FilterConversion", "ListIngestion", "LocalApp",
        "ServiceFolders", "UserDatabase",
      ]
    )
  }

  @Test("types are found behind attributes and modifiers, and nothing else is")
  func reading() {
    let file = SourceFile(
      path: "",
      module: "",
      text: "",
      lines: [
        "struct A {", "  struct Inner {", "public final class B: A {", "private enum C {",
        "@frozen public indirect enum D {", "extension E {", "/// struct F", "typealias G = A",
        "public protocol H {", "package actor I {", "func structure() {", "nonisolated struct J {",
      ]
    )
    #expect(Self.types(in: file) == ["A", "B", "C", "D", "G", "H", "I", "J"])
  }

  /// The names of the types that a file declares outside of others.
  private static func types(in file: SourceFile) -> [String] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "open", "final", "indirect",
      "nonisolated",
    ]
    return file.lines.compactMap { line in
      guard line.first != " " else { return nil }
      var words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }[...]
      words = words.drop { modifiers.contains($0) || $0.hasPrefix("@") }
      guard line.first != "/", let kind = words.popFirst(), kinds.contains(kind) else { return nil }
      return words.first.map(String.init)
    }
  }
}

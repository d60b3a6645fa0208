import Foundation
import Testing

/// What the system is asked for in one place alone.
struct SystemCallTests {
  /// Texts with the places that may have them.
  private static let homes: [(text: String, homes: [String])] = [
    // The sandbox is Linux with Glibc, and nothing else.
    ("import Glibc", ["Sources/CLibrary/", "Service/Sources/ExtensionSandbox/"]),
    ("import Musl", ["Sources/CLibrary/"]),
    ("import Darwin", ["Sources/CLibrary/"]),
    ("strerror(", ["Sources/CLibrary/"]),
    ("fsync(", ["Sources/DurableFiles/"]),
    ("fdatasync(", []),
    (".atomic", []),
    // Moving a bundle or what is to be removed is not replacing a file.
    ("renameat(", ["Sources/DurableFiles/", "Service/Sources/ExtensionHost/Files/"]),
    // A row of a database ends the program so where that is damaged; one of a property list does not.
    ("row[\"", ["Sources/WebExtensions/"]),
    // The type of the locks that SQLite has in its own files bears the same name.
    (
      "flock(",
      ["Sources/DurableFiles/FileLock.swift", "Service/Sources/UserDatabase/IdleDatabase.swift"]
    ),
  ]

  @Test("the C library, errors' words, locks and what is on the disk have one home each")
  func homes() throws {
    let files = try SourceFile.ofPrograms()
    for (text, homes) in Self.homes {
      let found = files.filter { $0.text.range(of: text) != nil }.map(\.path)
      #expect(found.isEmpty == homes.isEmpty, "nobody uses \(text)")
      for path in found where !homes.contains(where: path.hasPrefix) {
        Issue.record("\(path) has \(text)")
      }
    }
  }
}

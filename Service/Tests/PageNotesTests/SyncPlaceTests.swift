import Foundation
import Testing

@testable import PageNotes

@Suite("The folder of synchronisation is not the one of the data")
struct SyncPlaceTests {
  /// Expects that nothing is synchronised, because the folder has the key, and that the state says so.
  private func expectRefusal(_ store: NoteStore, _ folder: URL) throws {
    let synchronizer = NoteSynchronizer(store)
    let words = "The folder \(folder.path) holds Tickbird's own data, with the key."
    // Before anything was tried, too.
    #expect(try synchronizer.status().problems.contains { $0.hasPrefix(words) })
    for _ in 1...2 {
      let error = #expect(throws: NoteError.self) { try synchronizer.synchronize() }
      #expect(error?.code == .folder && error?.description.hasPrefix(words) == true)
      let problems = try synchronizer.status().problems
      #expect(problems.count == 1 && problems.first?.hasPrefix(words) == true, "\(problems)")
    }
    let again = #expect(throws: NoteError.self) { try synchronizer.start(folder) }
    #expect(again?.description.contains("sync on FOLDER") == true)
    // The way out.
    let other = folder.deletingLastPathComponent().appending(
      path: "other",
      directoryHint: .isDirectory
    )
    _ = try synchronizer.start(other)
    _ = try synchronizer.replaceKey()
    #expect(try synchronizer.status().problems.isEmpty)
  }

  @Test("Data that are moved into the folder later, with a link in their place, are noticed")
  func movedData() throws {
    let home = try TestFolder()
    defer { withExtendedLifetime(home) {} }
    let data = home.file("data")
    let shared = home.url.appending(path: "shared/").standardizedFileURL
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
    do {
      let store = try NoteStore(file: data.appending(path: "notes.sqlite"))
      _ = try store.add(SyncPair.draft("Is it urgent?"))
      _ = try NoteSynchronizer(store).start(shared)
    }
    let moved = shared.appending(path: "data")
    try FileManager.default.moveItem(at: data, to: moved)
    try FileManager.default.createSymbolicLink(at: data, withDestinationURL: moved)
    try expectRefusal(NoteStore(file: data.appending(path: "notes.sqlite")), shared)
  }

  @Test("A link to the data in the folder's place is noticed, and nothing is written there")
  func linkedFolder() throws {
    let home = try TestFolder()
    defer { withExtendedLifetime(home) {} }
    let data = home.file("data")
    let shared = home.url.appending(path: "shared/").standardizedFileURL
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: false)
    let store = try NoteStore(file: data.appending(path: "notes.sqlite"))
    _ = try store.add(SyncPair.draft("Is it urgent?"))
    _ = try NoteSynchronizer(store).start(shared)
    try FileManager.default.moveItem(at: shared, to: home.file("away"))
    try FileManager.default.createSymbolicLink(
      at: home.file("shared"),
      withDestinationURL: data
    )
    try expectRefusal(store, shared)
    let names = try FileManager.default.contentsOfDirectory(atPath: data.path)
    #expect(!names.contains { $0.hasSuffix(".sealed") })
  }
}

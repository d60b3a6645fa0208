import BlockingWork
import Foundation
import Synchronization
import Testing

@testable import ExtensionHost

/// Changes of folders, as the kernel gives notice of them.
///
/// Nothing here says how long that takes: a wait that ends by time-out has missed a change.
@Suite("Watching folders")
struct FolderWatchTests {
  private static let long = Duration.seconds(60)
  /// For waits that nothing ends.
  private static let short = Duration.milliseconds(200)

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tickbird-watch-\(UUID().uuidString)", directoryHint: .isDirectory)

  /// Calls a function with a folder, which does not exist yet, and a watch of it.
  private func watching(
    _ path: String,
    _ body: (URL, FolderWatch) async throws -> Void
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let watched = folder.appending(path: path, directoryHint: .isDirectory)
    try await body(watched, FolderWatch([watched]))
  }

  private func make(_ folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, in folder: URL) throws {
    try Data("x".utf8).write(to: folder.appending(path: name))
  }

  /// Waits until nothing is left of changes that were made.
  private func settle(_ watch: FolderWatch) async {
    while await wait(watch, for: Self.short) == .change {}
  }

  /// Waits on a thread of its own, since all tests share a few.
  private func wait(_ watch: FolderWatch, for duration: Duration) async -> FolderWatch.Event {
    await blocking { watch.wait(for: duration) }
  }

  @Test("Files that come, change, go and are renamed end a wait, each for itself")
  func files() async throws {
    try await watching("lists") { lists, watch in
      try make(lists)
      await settle(watch)
      let file = lists.appending(path: "a")
      let steps: [() throws -> Void] = [
        { try write("a", in: lists) },
        { try Data("longer".utf8).write(to: file, options: .atomic) },
        { try FileManager.default.moveItem(at: file, to: lists.appending(path: "b")) },
        { try FileManager.default.removeItem(at: lists.appending(path: "b")) },
      ]
      for (number, step) in steps.enumerated() {
        try step()
        #expect(await wait(watch, for: Self.long) == .change, "step \(number)")
        await settle(watch)
      }
      #expect(await wait(watch, for: Self.short) == .timeout)
    }
  }

  @Test("A folder that does not exist is watched from when it is made")
  func absent() async throws {
    try await watching("data/of/a/user") { lists, watch in
      await settle(watch)
      #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "data").path))
      try make(lists)
      #expect(await wait(watch, for: Self.long) == .change)
      await settle(watch)
      try write("a", in: lists)
      #expect(await wait(watch, for: Self.long) == .change)
    }
  }

  @Test(
    "A folder that is deleted, renamed or replaced is watched again at its path",
    arguments: ["deleted", "renamed", "replaced", "above"]
  )
  func replaced(how: String) async throws {
    try await watching("data/lists") { lists, watch in
      let files = FileManager.default
      let above = lists.deletingLastPathComponent()
      try make(lists)
      await settle(watch)
      switch how {
      case "deleted": try files.removeItem(at: lists)
      case "renamed": try files.moveItem(at: lists, to: above.appending(path: "old"))
      case "above":
        // Nobody gives notice of this, so that the next look at the paths has to see it.
        try files.moveItem(at: above, to: folder.appending(path: "old"))
      default:
        try files.moveItem(at: lists, to: above.appending(path: "old"))
        try make(lists)
        try write("a", in: lists)
      }
      _ = await wait(watch, for: how == "above" ? Self.short : Self.long)
      await settle(watch)
      try make(lists)
      if how != "replaced" { #expect(await wait(watch, for: Self.long) == .change) }
      await settle(watch)
      try write("b", in: lists)
      #expect(await wait(watch, for: Self.long) == .change)
      await settle(watch)
      // What was there before is no longer of interest.
      let old = (how == "above" ? folder : above).appending(path: "old/lists")
      let former = files.fileExists(atPath: old.path) ? old : above.appending(path: "old")
      if files.fileExists(atPath: former.path) {
        try write("c", in: former)
        #expect(await wait(watch, for: Self.short) == .timeout)
      }
    }
  }

  @Test("Many changes at once are one, also where there are too many for the kernel's queue")
  func many() async throws {
    let limit = "/proc/sys/fs/inotify/max_queued_events"
    let queue =
      (try? String(contentsOfFile: limit, encoding: .utf8))
      .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) } ?? 16_384
    try await watching("lists") { lists, watch in
      try make(lists)
      await settle(watch)
      let names = ["a", "b"].map { lists.appending(path: $0).path }
      try write("a", in: lists)
      // Each renaming gives two notices.
      for number in 0..<min(queue, 100_000) {
        #expect(unsafe rename(names[number % 2], names[(number + 1) % 2]) == 0)
      }
      #expect(await wait(watch, for: Self.long) == .change)
      #expect(await wait(watch, for: Self.short) == .timeout)
      try write("c", in: lists)
      #expect(await wait(watch, for: Self.long) == .change)
    }
  }

  @Test("A wait ends when the watch does, and so do all later ones")
  func end() async throws {
    try await watching("lists") { lists, watch in
      try make(lists)
      await settle(watch)
      Thread.detachNewThread { watch.end() }
      #expect(await wait(watch, for: Self.long) == .end)
      try write("a", in: lists)
      #expect(await wait(watch, for: Self.long) == .end)
    }
  }

  @Test("A file in a folder's place, a link to nowhere and a path that is too long are borne")
  func odd() async throws {
    try await watching("lists") { lists, watch in
      try Data().write(to: folder.appending(path: "lists"))
      await settle(watch)
      try FileManager.default.removeItem(at: lists)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "lists"),
        withDestinationURL: folder.appending(path: "nowhere")
      )
      await settle(watch)
      try make(folder.appending(path: "nowhere"))
      #expect(await wait(watch, for: Self.long) == .change)
      await settle(watch)
      try write("a", in: folder.appending(path: "nowhere"))
      #expect(await wait(watch, for: Self.long) == .change)
      let long = URL(filePath: "/" + String(repeating: "x", count: 5000) + "/lists")
      let other = FolderWatch([long, lists])
      await settle(other)
      try write("b", in: folder.appending(path: "nowhere"))
      #expect(await wait(other, for: Self.long) == .change)
    }
  }
}

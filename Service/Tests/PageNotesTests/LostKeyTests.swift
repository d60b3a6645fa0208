import Foundation
import GRDB
import Testing

@testable import PageNotes

@Suite("A key of synchronisation that no device has any more")
struct LostKeyTests {
  private let folder: TestFolder
  private let store: NoteStore
  private let lost: SyncKey
  private var synchronizer: NoteSynchronizer { NoteSynchronizer(store) }
  private var file: SyncKeyFile { SyncKeyFile(database: store.file) }
  private var shared: URL { folder.url.appending(path: "shared", directoryHint: .isDirectory) }

  init() throws {
    folder = try TestFolder()
    store = try folder.store("one", TestSurroundings(seed: 5, machine: "a"))
    try store.add(SyncPair.draft("mine"))
    let shared = folder.url.appending(path: "shared", directoryHint: .isDirectory)
    lost = try NoteSynchronizer(store).start(shared).key
  }

  private func ownFile() throws -> URL {
    shared.appending(path: "tickbird-notes-\(try synchronizer.status().device).sealed")
  }

  private func expectMissing(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      (error as? NoteError)?.code == .key
        && [lost.id, file.url.path, "is missing", "--key", "notes key new"]
          .allSatisfy { "\(error)".contains($0) }
    }
  }

  /// Reads the folder as another device that is given the key.
  private func expectReadable(_ key: SyncKey) throws {
    let other = try folder.store("other", TestSurroundings(seed: 6, machine: "b"))
    _ = try NoteSynchronizer(other).start(shared, key: key)
    #expect(try other.notes().map(\.text) == ["mine"])
  }

  @Test("another one is made as every message says, and seals the device's own file again")
  func replaced() throws {
    let own = try ownFile()
    try FileManager.default.removeItem(at: file.url)
    expectMissing { _ = try synchronizer.synchronize() }
    expectMissing { _ = try synchronizer.start(shared) }
    expectMissing { _ = try synchronizer.key() }
    let start = try synchronizer.replaceKey()
    #expect(start.report.problems.count { $0.contains(own.lastPathComponent) } == 1)
    #expect(try ownFile() == own)
    #expect(try synchronizer.synchronize().problems.isEmpty)
    try expectReadable(start.key)
    // It may have been found by somebody.
    #expect(throws: NoteError.self) { try synchronizer.start(shared, key: lost) }
  }

  @Test("the same while synchronisation is off, and after a damaged file was moved away")
  func off() throws {
    let own = try ownFile()
    try synchronizer.stop()
    try Data("x".utf8).write(to: file.url)
    #expect { _ = try synchronizer.key() } throws: {
      "\($0)".contains("Move the file away") && "\($0)".contains("notes key new")
    }
    try FileManager.default.removeItem(at: file.url)
    expectMissing { _ = try synchronizer.start(shared) }
    let new = try synchronizer.replaceKey().key
    let start = try synchronizer.start(shared)
    #expect(start.key == new && !start.isNewKey)
    #expect(start.report.problems.count { $0.contains(own.lastPathComponent) } == 1)
    #expect(try ownFile() == own)
    try expectReadable(new)
  }

  @Test("an own file with what the device may not know stays, as do those of other devices")
  func unknown() throws {
    let other = try folder.store("second", TestSurroundings(seed: 7, machine: "c"))
    try other.add(SyncPair.draft("of the other", "other.example"))
    _ = try NoteSynchronizer(other).start(shared, key: lost)
    let own = try ownFile()
    // As after a restored backup: a line that the device does not remember.
    let handle = try FileHandle(forWritingTo: own)
    try handle.seekToEnd()
    try handle.write(contentsOf: lost.seal(Data("{}".utf8)))
    try handle.close()
    let files = try FileManager.default.contentsOfDirectory(
      at: shared,
      includingPropertiesForKeys: nil
    )
    let before = try files.map { try Data(contentsOf: $0) }
    try FileManager.default.removeItem(at: file.url)
    let start = try synchronizer.replaceKey()
    #expect(start.report.problems.contains { $0.contains("has a new name") })
    #expect(try ownFile() != own)
    #expect(try files.map { try Data(contentsOf: $0) } == before)
    #expect(try String(contentsOf: ownFile(), encoding: .utf8).contains(start.key.id))
  }

  @Test("in a folder of other devices alone, and without any record, it is as on a first device")
  func others() throws {
    let other = try folder.store("second", TestSurroundings(seed: 7, machine: "c"))
    let place = folder.url.appending(path: "theirs", directoryHint: .isDirectory)
    try other.add(SyncPair.draft("of the other", "other.example"))
    _ = try NoteSynchronizer(other).start(place)
    try FileManager.default.removeItem(at: file.url)
    #expect { _ = try synchronizer.start(place) } throws: { "\($0)".contains("another device") }
    let fresh = try folder.store("third", TestSurroundings(seed: 8, machine: "d"))
    #expect { _ = try NoteSynchronizer(fresh).replaceKey() } throws: {
      "\($0)".contains("no key yet")
    }
  }

  @Test("a link in place of the key's file, and a folder in place of the own file, are named")
  func otherThings() throws {
    let elsewhere = folder.file("elsewhere.key")
    try FileManager.default.moveItem(at: file.url, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: file.url, withDestinationURL: elsewhere)
    #expect { _ = try synchronizer.synchronize() } throws: {
      "\($0)".contains(file.url.path) && "\($0)".contains("Move it away")
    }
    try FileManager.default.removeItem(at: file.url)
    try FileManager.default.moveItem(at: elsewhere, to: file.url)
    let own = try ownFile()
    try FileManager.default.removeItem(at: own)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
    let all: [() throws -> Void] = [
      { _ = try synchronizer.synchronize() }, { _ = try synchronizer.replaceKey() },
    ]
    for body in all {
      #expect { try body() } throws: {
        "\($0)".contains("\(own.path) is a folder") && "\($0)".contains("Move it away")
      }
    }
    try FileManager.default.removeItem(at: own)
    _ = try synchronizer.synchronize()
    try expectReadable(try synchronizer.key())
  }
}

import Foundation
import ServiceFolders
import Synchronization
import Testing

@testable import PageNotes

@Suite("A key that is replaced while not all devices know of it")
struct KeyChangeTests {
  @Test("A device that was restored from a backup does not write over what only its file has")
  func restored() throws {
    let pair = try SyncPair()
    try pair.two.add(SyncPair.draft("before", "before.example"))
    try pair.exchange()
    let backup = try pair.backup(of: pair.two, "restored")
    // Nobody reads this before the key is replaced.
    try pair.two.add(SyncPair.draft("after", "after.example"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    let file = try pair.file(of: pair.two)
    let written = try Data(contentsOf: file)
    let hidden = pair.folder.file("hidden")
    try FileManager.default.moveItem(at: file, to: hidden)
    let new = try NoteSynchronizer(pair.one).replaceKey().key
    try FileManager.default.moveItem(at: hidden, to: file)

    let restored = try NoteStore(file: backup, surroundings: pair.time.1.surroundings)
    let start = try NoteSynchronizer(restored).start(pair.shared, key: new)
    #expect(try Data(contentsOf: file) == written)
    #expect(start.report.problems.contains { $0.contains("a key") && $0.contains("replaced") })
    #expect(try restored.notes().map(\.text) == ["before"])
    // Notes of both continue under the new name.
    try restored.add(SyncPair.draft("since", "since.example"))
    _ = try NoteSynchronizer(restored).synchronize()
    _ = try NoteSynchronizer(pair.one).synchronize()
    #expect(Set(try pair.one.notes().map(\.text)) == ["before", "since"])
    #expect(try Data(contentsOf: file) == written)
  }

  @Test("A device that knows all of its own file keeps its name and seals the file again")
  func usual() throws {
    let pair = try SyncPair()
    try pair.exchange()
    let new = try NoteSynchronizer(pair.one).replaceKey().key
    // Written with the old key, while offline.
    try pair.two.add(SyncPair.draft("offline"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    let file = try pair.file(of: pair.two)
    _ = try NoteSynchronizer(pair.two).start(pair.shared, key: new)
    #expect(try pair.file(of: pair.two) == file)
    #expect(try pair.files() == [file])
    try pair.exchange()
    #expect(try pair.one.notes().map(\.text) == ["offline"])
    #expect(try pair.exchange().allSatisfy(\.problems.isEmpty))
  }

  @Test("A key stays for as long as what it seals was not read to the end")
  func unread() throws {
    let pair = try SyncPair()
    for number in 0..<20 {
      try pair.two.add(SyncPair.draft(String(repeating: "\(number) ", count: 500), "a\(number).de"))
    }
    _ = try NoteSynchronizer(pair.two).synchronize()
    let file = try pair.file(of: pair.two).lastPathComponent
    #expect { _ = try NoteSynchronizer(pair.one).replaceKey(readingAtMost: 4_000) } throws: {
      ($0 as? NoteError)?.code == .folder && "\($0)".contains("The key was not replaced")
        && "\($0)".contains(file)
    }
    #expect(try NoteSynchronizer(pair.one).key() == pair.key)
    // A folder of such a name belongs to no device, and does not prevent the new key.
    let other = pair.shared.appending(path: "tickbird-notes-folder.sealed")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let new = try NoteSynchronizer(pair.one).replaceKey()
    #expect(new.key != pair.key)
    #expect(try pair.one.notes().count == 20)
  }

  @Test("While another process reads, a key is replaced only after all was read")
  func whileReading() throws {
    let pair = try SyncPair()
    try pair.two.add(SyncPair.draft("of the other"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    let reading = pair.one.file.deletingPathExtension().appendingPathExtension("reading.lock")
    let held = HeldLock(try FileLock(reading))
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      held.release()
    }
    let new = try NoteSynchronizer(pair.one).replaceKey()
    #expect(try pair.one.notes().map(\.text) == ["of the other"])
    #expect(try NoteSynchronizer(pair.one).key() == new.key)
  }
}

/// A lock that another thread releases.
private final class HeldLock: Sendable {
  private let lock: Mutex<FileLock?>

  init(_ lock: FileLock) { self.lock = Mutex(lock) }

  func release() { lock.withLock { $0 = nil } }
}

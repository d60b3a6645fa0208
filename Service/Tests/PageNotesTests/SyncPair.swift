import Foundation
import GRDB
import TestSupport
import UserDatabase

@testable import PageNotes

/// Two devices that share one folder at once.
struct SyncPair {
  let folder: TestFolder
  let time = (TestSurroundings(seed: 1, machine: "a"), TestSurroundings(seed: 2, machine: "b"))
  let one: NoteStore
  let two: NoteStore
  let key: SyncKey
  var shared: URL { folder.url.appending(path: "shared", directoryHint: .isDirectory) }

  init() throws {
    folder = try TestFolder()
    one = try folder.store("one", time.0)
    two = try folder.store("two", time.1)
    let shared = folder.url.appending(path: "shared", directoryHint: .isDirectory)
    key = try NoteSynchronizer(one).start(shared).key
    _ = try NoteSynchronizer(two).start(shared, key: key)
  }

  @discardableResult
  func exchange() throws -> [SyncReport] {
    try [one, two, one, two].map { try NoteSynchronizer($0).synchronize() }
  }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: shared, includingPropertiesForKeys: nil)
      .sorted { $0.path < $1.path }
  }

  func file(of store: NoteStore) throws -> URL {
    let device = try NoteSynchronizer(store).status().device
    return shared.appending(path: "tickbird-notes-\(device).sealed")
  }

  static func draft(_ text: String, _ address: String = "example.com") throws -> NoteDraft {
    try NoteDraft(target: NoteTarget(.site, address: address), text: text)
  }

  /// A copy of a device's database, with its key.
  func backup(of store: NoteStore, _ name: String) throws -> URL {
    let file = folder.file(name)
    try store.database.connection().writeWithoutTransaction {
      try $0.execute(sql: "VACUUM INTO ?", arguments: [file.path])
    }
    try FileManager.default.copyItem(
      at: SyncKeyFile(database: store.file).url,
      to: SyncKeyFile(database: file).url
    )
    return file
  }

  /// Writes a file as somebody who has the key can.
  func insert(
    _ states: [(note: String, state: NoteState)],
    device: String = "evil",
    from first: Int = 1,
    file: String = "evil"
  ) throws {
    var data = Data()
    for (index, (note, state)) in states.enumerated() {
      data += try ChangeLine(
        device: device,
        sequence: first + index,
        previous: index == 0 ? 0 : first + index - 1,
        note: note,
        state: state
      ).data(key)
    }
    try data.write(to: shared.appending(path: "tickbird-notes-\(file).sealed"))
  }
}

/// The greatest stamp that is accepted.
let farStamp = Stamp(clock: Stamp.clockLimit, device: "zzzz")

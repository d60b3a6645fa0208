import Foundation
import GRDB
import TestSupport
import Testing
import UserDatabase

@testable import PageNotes

@Suite("Synchronisation through a folder")
struct SynchronizationTests {
  private func draft(_ text: String, _ address: String = "example.com") throws -> NoteDraft {
    try SyncPair.draft(text, address)
  }

  @Test("Notes, changes, counts and deletions reach the other device, and then all is quiet")
  func exchange() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("one"))
    try pair.exchange()
    #expect(try pair.two.note(id: note.id) == note)
    pair.time.1.pass(seconds: 9)
    _ = try pair.two.change(id: note.id, NoteChange(text: "two", emoji: "🐢", snoozeMinutes: 3))
    try pair.one.count(.shown, id: note.id)
    try pair.two.count(.shown, id: note.id)
    try pair.two.count(.left, id: note.id)
    try pair.exchange()
    for store in [pair.one, pair.two] {
      let there = try store.note(id: note.id)
      #expect(there.text == "two")
      #expect(there.emoji == "🐢")
      #expect(there.snoozeMinutes == 3)
      #expect(there.otherTexts.isEmpty)
      #expect(there.counts == NoteCounts(shown: 2, left: 1, viewed: 0))
    }
    let quiet = try pair.exchange()
    #expect(quiet.allSatisfy { $0 == SyncReport() }, "\(quiet)")
    try pair.one.delete(id: note.id)
    try pair.exchange()
    #expect(try pair.two.count() == 0)
  }

  @Test("Texts that were written at once are both kept, until somebody settles which is right")
  func concurrentTexts() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("start"))
    try pair.exchange()
    try pair.one.change(id: note.id, NoteChange(text: "from one"))
    pair.time.1.pass(seconds: 1)
    try pair.two.change(id: note.id, NoteChange(text: "from two"))
    try pair.exchange()
    for store in [pair.one, pair.two] {
      let there = try store.note(id: note.id)
      #expect(there.text == "from two")
      #expect(there.otherTexts == ["from one"])
      #expect(there.displayText.contains("from one"))
    }
    #expect(try NoteSynchronizer(pair.one).status().unsettled == 1)
    // An edit takes the place of the text that is shown, and of no other.
    try pair.one.change(id: note.id, NoteChange(text: "both"))
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).otherTexts == ["from one"])
    try pair.two.settle(note.id)
    try pair.exchange()
    #expect(try pair.one.note(id: note.id).otherTexts.isEmpty)
    #expect(try pair.one.note(id: note.id).text == "both")
  }

  @Test("A change made in view of another is later, however wrong the clock is")
  func skew() throws {
    let pair = try SyncPair()
    pair.time.0.pass(seconds: 400 * 86_400)
    let note = try pair.one.add(draft("from the future"))
    try pair.exchange()
    try pair.two.change(id: note.id, NoteChange(text: "now", emoji: "🐢"))
    try pair.exchange()
    #expect(try pair.one.note(id: note.id).text == "now")
    #expect(try pair.one.note(id: note.id).emoji == "🐢")
  }

  @Test("A last line that is cut off is named, waited for and read when it is whole")
  func cutOff() throws {
    let pair = try SyncPair()
    try pair.one.add(draft("a"))
    try pair.one.add(draft("b", "b.example"))
    _ = try NoteSynchronizer(pair.one).synchronize()
    let file = try pair.file(of: pair.one)
    let whole = try Data(contentsOf: file)
    for count in stride(from: 0, to: whole.count, by: 37) {
      try whole.prefix(count).write(to: file)
      let report = try NoteSynchronizer(pair.two).synchronize()
      let isAtLineEnd = count == 0 || whole[count - 1] == 10 || whole[count] == 10
      #expect(report.problems.isEmpty == isAtLineEnd, "\(count)")
    }
    try whole.write(to: file)
    #expect(try NoteSynchronizer(pair.two).synchronize().problems == [])
    #expect(try pair.two.count() == 2)
  }

  @Test("Its own file, lost, cut off or damaged, is written again with everything")
  func ownFile() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("a"))
    try pair.exchange()
    let file = try pair.file(of: pair.one)
    let half = try Data(contentsOf: file).prefix(50)
    let damages: [Data?] = [nil, Data(), half, Data([0, 0, 10, 0])]
    for damage in damages {
      if let damage {
        try damage.write(to: file)
      } else {
        try FileManager.default.removeItem(at: file)
      }
      try pair.exchange()
      let third = try pair.folder.store(UUID().uuidString, TestSurroundings(seed: 9))
      // Only that file, without the other device's.
      let alone = pair.folder.file(UUID().uuidString)
      try FileManager.default.createDirectory(at: alone, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: file, to: alone.appending(path: file.lastPathComponent))
      _ = try NoteSynchronizer(third).start(alone, key: pair.key)
      #expect(try third.note(id: note.id).text == "a")
    }
  }

  @Test("What only a file that has gone had is written again by a device that knows it")
  func goneDevice() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("a"))
    try pair.exchange()
    try FileManager.default.removeItem(at: pair.file(of: pair.one))
    _ = try NoteSynchronizer(pair.two).synchronize()
    let third = try pair.folder.store("three", TestSurroundings(seed: 9))
    _ = try NoteSynchronizer(third).start(pair.shared, key: pair.key)
    #expect(try third.note(id: note.id).text == "a")
  }

  @Test("A device that was restored from a backup takes a new name, and nothing is lost or hidden")
  func backup() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("start"))
    try pair.one.count(.shown, id: note.id)
    try pair.exchange()
    let backup = pair.folder.file("backup")
    try pair.one.database.connection().writeWithoutTransaction {
      try $0.execute(sql: "VACUUM INTO ?", arguments: [backup.path])
    }
    try FileManager.default.copyItem(
      at: SyncKeyFile(database: pair.one.file).url,
      to: SyncKeyFile(database: backup).url
    )
    for _ in 0..<4 { try pair.one.count(.shown, id: note.id) }
    try pair.one.change(id: note.id, NoteChange(text: "after the backup"))
    let late = try pair.one.add(draft("late", "late.example"))
    try pair.exchange()

    let restored = try NoteStore(file: backup, surroundings: pair.time.0.surroundings)
    let name = try NoteSynchronizer(restored).status().device
    try restored.count(.shown, id: note.id)
    try restored.change(id: note.id, NoteChange(text: "after the restoration"))
    _ = try NoteSynchronizer(restored).synchronize()
    _ = try NoteSynchronizer(pair.two).synchronize()
    #expect(try NoteSynchronizer(restored).status().device != name)
    for store in [restored, pair.two] {
      let there = try store.note(id: note.id)
      #expect(
        Set([there.text] + there.otherTexts) == ["after the backup", "after the restoration"]
      )
      #expect(there.counts.shown == 6)
      #expect(try store.note(id: late.id).text == "late")
    }
  }

  @Test("A database that was copied to another machine is another device")
  func copied() throws {
    let pair = try SyncPair()
    try pair.one.add(draft("a"))
    let copy = pair.folder.file("copy")
    try pair.one.database.connection().writeWithoutTransaction {
      try $0.execute(sql: "VACUUM INTO ?", arguments: [copy.path])
    }
    let other = try NoteStore(
      file: copy,
      surroundings: TestSurroundings(seed: 5, machine: "c").surroundings
    )
    #expect(
      try NoteSynchronizer(other).status().device != NoteSynchronizer(pair.one).status().device
    )
  }

  @Test("A change file does not grow without end, and tells all when it was made again")
  func compaction() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft(String(repeating: "long ", count: 400)))
    let gone = try pair.one.add(draft("gone", "gone.example"))
    try pair.exchange()
    try pair.one.delete(id: gone.id)
    for number in 0..<120 {
      try pair.one.change(
        id: note.id,
        NoteChange(text: String(repeating: "\(number) ", count: 500))
      )
      try pair.one.count(.shown, id: note.id)
      _ = try NoteSynchronizer(pair.one).synchronize()
    }
    let file = try pair.file(of: pair.one)
    #expect(try Data(contentsOf: file).count < 2 * NoteSynchronizer.compactionSize)
    _ = try NoteSynchronizer(pair.two).synchronize()
    #expect(try pair.two.note(id: note.id) == pair.one.note(id: note.id))
    #expect(try pair.two.count() == 1)
    #expect(try pair.files().allSatisfy { $0.lastPathComponent.hasPrefix("tickbird-notes-") })
  }

  @Test("Lines of a newer version are named and left, and the rest is read")
  func newer() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("a"))
    try pair.exchange()
    let file = pair.shared.appending(path: "tickbird-notes-zz.sealed")
    var lines = Data("3 what ever\n".utf8)
    var state = NoteState()
    let stamp = Stamp(clock: 1 << 58, device: "zz")
    state.write("🐙", to: \.emoji, name: "e", stamp: stamp)
    lines += try ChangeLine(device: "zz", sequence: 1, previous: 0, note: note.id, state: state)
      .data(pair.key)
    try lines.write(to: file)
    let report = try NoteSynchronizer(pair.two).synchronize()
    #expect(report.problems.first?.contains("newer version") == true)
    #expect(try pair.two.note(id: note.id).emoji == "🐙")
    #expect(try Data(contentsOf: file) == lines)
    #expect(try NoteSynchronizer(pair.two).status().problems.count == 1)
  }

  @Test("A note of which only a part has arrived is not shown, and is when the rest is there")
  func part() throws {
    let pair = try SyncPair()
    let file = pair.shared.appending(path: "tickbird-notes-zz.sealed")
    let stamp = Stamp(clock: 1 << 50, device: "zz")
    var state = NoteState()
    state.writeText("a", name: "v", stamp: stamp)
    try ChangeLine(device: "zz", sequence: 2, previous: 1, note: "n", state: state).data(pair.key)
      .write(to: file)
    _ = try NoteSynchronizer(pair.one).synchronize()
    #expect(try pair.one.count() == 0)
    state.write("sexample.com", to: \.target, name: "t", stamp: stamp)
    try ChangeLine(device: "zz", sequence: 1, previous: 0, note: "n", state: state).data(pair.key)
      .write(to: file)
    _ = try NoteSynchronizer(pair.one).synchronize()
    #expect(try pair.one.note(id: "n").text == "a")
  }

  @Test("Pipes, folders, links and rubbish in the folder do no harm")
  func strangers() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(draft("a"))
    try pair.exchange()
    let pipe = pair.shared.appending(path: "tickbird-notes-pipe.sealed").path
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let manager = FileManager.default
    try manager.createDirectory(
      at: pair.shared.appending(path: "tickbird-notes-folder.sealed"),
      withIntermediateDirectories: true
    )
    try manager.createSymbolicLink(
      at: pair.shared.appending(path: "tickbird-notes-link.sealed"),
      withDestinationURL: URL(filePath: "/dev/zero")
    )
    let file = try pair.file(of: pair.one)
    let whole = try Data(contentsOf: file)
    var random = RandomSource(seed: 4)
    for number in 0..<60 {
      var damaged = whole
      for _ in 0...random.number(below: 6) {
        damaged[random.number(below: damaged.count)] = UInt8(truncatingIfNeeded: random.next())
      }
      try damaged.write(to: pair.shared.appending(path: "tickbird-notes-r\(number).sealed"))
    }
    let report = try NoteSynchronizer(pair.two).synchronize()
    #expect(report.problems.count >= 3)
    #expect(report.problems.contains { $0.contains("pipe") })
    #expect(try pair.two.note(id: note.id) == note)
  }

  @Test("A note that is damaged in the database is reported, ignored, and holds up no other")
  func damagedNote() throws {
    let pair = try SyncPair()
    let damaged = try (0..<3).map { try pair.one.add(draft("damaged \($0)")) }
    try pair.exchange()
    try pair.one.write { database in
      for note in damaged {
        try database.execute(
          sql: "UPDATE note SET state = '{', revision = revision + 1 WHERE id = ?",
          arguments: [note.id]
        )
      }
    }
    let others = try (0..<20).map { try pair.one.add(draft("sound \($0)")) }
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(report.linesWritten == 20)
    #expect(report.problems.count == 3)
    for note in damaged { #expect(report.problems.contains { $0.contains(note.id) }) }
    // What another device says of it does not keep what else it says.
    _ = try pair.two.change(id: damaged[0].id, NoteChange(text: "changed"))
    let late = try pair.two.add(draft("late"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    for note in others { #expect(try pair.two.note(id: note.id).text == note.text) }
    let next = try NoteSynchronizer(pair.one).synchronize()
    #expect(try pair.one.note(id: late.id).text == "late")
    #expect(next.problems.contains { $0.contains("1 notes that are damaged") }, "\(next.problems)")
    // Nothing is lost: the text is here, and what the file said of it before is there.
    #expect(try pair.one.note(id: damaged[0].id).text == "damaged 0")
    #expect(throws: NoteError.self) { try pair.one.delete(id: damaged[1].id) }
    let third = try pair.folder.store("three", TestSurroundings(seed: 3, machine: "c"))
    _ = try NoteSynchronizer(third).start(pair.shared, key: pair.key)
    #expect(try third.note(id: damaged[1].id).text == "damaged 1")
  }

  @Test("A folder that is not there is named with a way out, and nothing is made in its place")
  func missingFolder() throws {
    let pair = try SyncPair()
    try pair.one.add(draft("a"))
    try FileManager.default.removeItem(at: pair.shared)
    #expect { _ = try NoteSynchronizer(pair.one).synchronize() } throws: {
      ($0 as? NoteError)?.code == .folder && "\($0)".contains("mounted")
    }
    #expect(!FileManager.default.fileExists(atPath: pair.shared.path))
    #expect(try NoteSynchronizer(pair.one).status().problems.count == 1)
    #expect(try NoteSynchronizer(pair.one).status().unpublished == 1)
    try NoteSynchronizer(pair.one).stop()
    #expect { _ = try NoteSynchronizer(pair.one).synchronize() } throws: { "\($0)".contains("off") }
    let deep = pair.folder.file("not/there")
    #expect { _ = try NoteSynchronizer(pair.one).start(deep) } throws: {
      ($0 as? NoteError)?.code == .folder
        && "\($0)".hasSuffix(
          "\(deep.path) cannot be made: no such file or directory; create its folder."
        )
    }
    let plain = pair.folder.file("plain")
    try Data().write(to: plain)
    #expect { _ = try NoteSynchronizer(pair.one).start(plain) } throws: {
      "\($0)".contains("a file")
    }
  }

  @Test("Several processes of one device may synchronise at once")
  func atOnce() async throws {
    let pair = try SyncPair()
    for number in 0..<20 { try pair.one.add(draft("\(number)")) }
    let file = pair.folder.file("one")
    let surroundings = pair.time.0.surroundings
    let drafts = try (0..<5).map { try draft("\($0)", "x.example") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let store = try NoteStore(file: file, surroundings: surroundings)
          for draft in drafts {
            try store.add(draft)
            _ = try NoteSynchronizer(store).synchronize()
          }
        }
      }
      try await group.waitForAll()
    }
    _ = try NoteSynchronizer(pair.two).synchronize()
    #expect(try pair.two.count() == 40)
    let lines = try Data(contentsOf: pair.file(of: pair.one)).split(separator: 10)
    let sequences = try lines.map { try ChangeLine(Data($0), pair.key).sequence }
    #expect(Set(sequences).count == sequences.count)
  }
}

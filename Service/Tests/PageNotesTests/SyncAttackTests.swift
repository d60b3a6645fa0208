import Foundation
import GRDB
import TestSupport
import Testing

@testable import PageNotes

@Suite("Somebody who can write into the folder, and does not have the key")
struct SyncAttackTests {
  private func lines(_ url: URL) throws -> [Data] {
    try Data(contentsOf: url).split(separator: 10).map { Data($0) + [10] }
  }

  private func write(_ lines: [Data], _ url: URL) throws {
    try lines.reduce(Data(), +).write(to: url)
  }

  /// Two devices with three notes, and the files' lines.
  private func prepared() throws -> (pair: SyncPair, ids: [String]) {
    let pair = try SyncPair()
    var ids: [String] = []
    for number in 0..<3 {
      ids.append(try pair.one.add(SyncPair.draft("\(number)", "n\(number).example")).id)
      _ = try NoteSynchronizer(pair.one).synchronize()
    }
    try pair.exchange()
    try pair.one.change(id: ids[0], NoteChange(text: "zero"))
    try pair.two.change(id: ids[1], NoteChange(emoji: "🐢"))
    try pair.exchange()
    return (pair, ids)
  }

  private func expectIntact(_ pair: SyncPair, _ ids: [String], _ what: Comment) throws {
    for store in [pair.one, pair.two] {
      #expect(try store.notes().count == 3, what)
      #expect(try store.note(id: ids[0]).text == "zero", what)
      #expect(try store.note(id: ids[1]).emoji == "🐢", what)
    }
  }

  @Test("What is not sealed with the key is not taken in: neither new lines nor deletions")
  func forgery() throws {
    let (pair, ids) = try prepared()
    var deletion = NoteState()
    for name in try pair.one.read({ try NoteRow.fetch($0, id: ids[0]) })!.state.texts.byName.keys {
      deletion.writeText("x", name: name, stamp: farStamp)
    }
    deletion.delete()
    let thief = SyncKey()
    var forged = try ChangeLine(
      device: "evil",
      sequence: 1,
      previous: 0,
      note: ids[0],
      state: deletion
    ).data(thief)
    try forged.write(to: pair.shared.appending(path: "tickbird-notes-evil.sealed"))
    // With the id of the right key.
    forged = Data("2 \(pair.key.id)".utf8) + forged.dropFirst(10)
    try forged.write(to: pair.shared.appending(path: "tickbird-notes-evil2.sealed"))
    // As earlier versions wrote.
    let plain = """
      {"device":"evil","format":1,"note":"\(ids[0])","sequence":1,"state":{"replaced":\
      \(deletion.encodedReplaced)}}

      """
    try Data(plain.utf8).write(to: pair.shared.appending(path: "tickbird-notes-evil.jsonl"))
    try Data(plain.utf8).write(to: pair.shared.appending(path: "tickbird-notes-evil3.sealed"))
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(report.problems.contains { $0.contains("another key") && $0.contains(thief.id) })
    // The files with the same fault are in one sentence.
    let damaged = report.problems.filter { $0.contains("not written by your devices") }
    #expect(damaged.count == 1)
    #expect(
      damaged.first?.hasPrefix(
        "tickbird-notes-evil2.sealed (tickbird-notes-evil3.sealed as well): 1 lines"
      ) == true,
      "\(damaged)"
    )
    try pair.exchange()
    try expectIntact(pair, ids, "forgery")
  }

  @Test("Every bit of a file may be changed: no note changes, and the owner mends the file")
  func alteration() throws {
    let (pair, ids) = try prepared()
    let file = try pair.file(of: pair.one)
    var random = RandomSource(seed: 8)
    for round in 0..<25 {
      var data = try Data(contentsOf: file)
      data[random.number(below: data.count)] ^= 1 << random.number(below: 8)
      try data.write(to: file)
      try pair.exchange()
      try expectIntact(pair, ids, "round \(round)")
      #expect(try pair.exchange().allSatisfy { $0.problems.isEmpty }, "round \(round)")
    }
  }

  /// Attacks with genuine lines.
  enum Move: CaseIterable {
    case truncate, empty, removeMiddle, removeFirst, reorder, double, splice, rollBack, delete
    case exchange
  }

  @Test(
    "Genuine lines that are cut, moved, doubled, spliced or set back change no note, and are named",
    arguments: Move.allCases
  )
  func genuineLines(move: Move) throws {
    let (pair, ids) = try prepared()
    let (one, two) = (try pair.file(of: pair.one), try pair.file(of: pair.two))
    let (first, second) = (try lines(one), try lines(two))
    try #require(first.count >= 4 && second.count >= 1)
    let isNamed: Bool
    switch move {
    case .truncate: (isNamed, _) = (true, try write(first.dropLast(), one))
    case .empty: (isNamed, _) = (true, try write([], one))
    case .removeMiddle: (isNamed, _) = (true, try write([first[0]] + first[2...], one))
    case .removeFirst: (isNamed, _) = (true, try write(Array(first[1...]), one))
    case .reorder: (isNamed, _) = (true, try write(first.reversed(), one))
    case .double: (isNamed, _) = (true, try write(first + first, one))
    case .splice: (isNamed, _) = (true, try write(first + second, one))
    case .rollBack: (isNamed, _) = (true, try write([first[0]], one))
    case .delete:
      isNamed = false
      try FileManager.default.removeItem(at: one)
    case .exchange:
      isNamed = true
      try write(first, two)
      try write(second, one)
    }
    // The other device, and a new one that has only seen the attacked file.
    let report = try NoteSynchronizer(pair.two).synchronize()
    #expect(!report.problems.isEmpty == isNamed, "\(report.problems)")
    try expectIntact(pair, ids, "\(move)")
    let third = try pair.folder.store("three", TestSurroundings(seed: 77, machine: "c"))
    _ = try NoteSynchronizer(third).start(pair.shared, key: pair.key)
    // What the second device knew is in its own file by now.
    #expect(try third.notes().count == 3)
    #expect(try third.note(id: ids[0]).text == "zero")
    try pair.exchange()
    try expectIntact(pair, ids, "\(move), after")
    let quiet = try pair.exchange()
    #expect(quiet.allSatisfy { $0.problems.isEmpty && $0.linesWritten == 0 }, "\(quiet)")
  }

  @Test("A file that goes again and again is written for once, not each time")
  func repeatedLoss() throws {
    let (pair, ids) = try prepared()
    let one = try Data(contentsOf: pair.file(of: pair.one))
    var written = 0
    for round in 0..<6 {
      if round % 2 == 0 {
        try FileManager.default.removeItem(at: pair.file(of: pair.one))
      } else {
        try one.prefix(one.count / 2).write(to: pair.file(of: pair.one))
      }
      let report = try NoteSynchronizer(pair.two).synchronize()
      if round > 0 { written += report.linesWritten }
      try one.write(to: pair.file(of: pair.one))
      _ = try NoteSynchronizer(pair.two).synchronize()
    }
    #expect(written == 0)
    try expectIntact(pair, ids, "repeated")
  }

  // MARK: Keys

  @Test("A device without the key, or with another, is told what to do, and nothing is lost")
  func wrongKey() throws {
    let (pair, ids) = try prepared()
    let third = try pair.folder.store("three", TestSurroundings(seed: 77, machine: "c"))
    let own = try third.add(SyncPair.draft("mine"))
    let before = try pair.files().map { try Data(contentsOf: $0) }
    for key in [nil, SyncKey()] {
      #expect { _ = try NoteSynchronizer(third).start(pair.shared, key: key) } throws: {
        ($0 as? NoteError)?.code == .key && "\($0)".contains("notes key show")
      }
    }
    #expect { _ = try NoteSynchronizer(third).synchronize() } throws: { "\($0)".contains("is off") }
    #expect(try pair.files().map { try Data(contentsOf: $0) } == before)
    #expect(
      SyncKeyFile(database: third.file).url.path != SyncKeyFile(database: pair.one.file).url.path
    )
    #expect(try SyncKeyFile(database: third.file).read() == nil)
    _ = try NoteSynchronizer(third).start(pair.shared, key: pair.key)
    #expect(try third.count() == 4)
    try pair.exchange()
    #expect(try pair.one.note(id: own.id).text == "mine")
    #expect(try pair.one.note(id: ids[0]).text == "zero")
  }

  @Test("Two devices that both made a key are told, and meet when one takes the other's")
  func twoKeys() throws {
    let folder = try TestFolder()
    let one = try folder.store("one", TestSurroundings(seed: 1, machine: "a"))
    let two = try folder.store("two", TestSurroundings(seed: 2, machine: "b"))
    try one.add(SyncPair.draft("from one"))
    try two.add(SyncPair.draft("from two"))
    let shared = folder.file("shared")
    let key = try NoteSynchronizer(one).start(shared).key
    let elsewhere = folder.file("elsewhere")
    _ = try NoteSynchronizer(two).start(elsewhere)
    for name in try FileManager.default.contentsOfDirectory(atPath: elsewhere.path) {
      try FileManager.default.copyItem(
        at: elsewhere.appending(path: name),
        to: shared.appending(path: name)
      )
    }
    let report = try NoteSynchronizer(one).synchronize()
    #expect(report.problems.count == 1 && report.problems[0].contains("another key"))
    #expect(try NoteSynchronizer(one).synchronize().problems.isEmpty)
    #expect(try NoteSynchronizer(one).status().problems.count == 1)
    _ = try NoteSynchronizer(two).start(shared, key: key)
    _ = try NoteSynchronizer(one).synchronize()
    #expect(try one.count() == 2 && two.count() == 2)
    #expect(try NoteSynchronizer(one).status().problems.isEmpty)
  }

  @Test("With a new key the lost device is shut out, and the others go on when they have it")
  func newKey() throws {
    let (pair, ids) = try prepared()
    let lost = try pair.folder.store("lost", TestSurroundings(seed: 77, machine: "c"))
    _ = try NoteSynchronizer(lost).start(pair.shared, key: pair.key)
    // What was written before and not read yet still counts.
    let late = try pair.two.add(SyncPair.draft("late", "late.example"))
    _ = try NoteSynchronizer(pair.two).synchronize()
    let start = try NoteSynchronizer(pair.one).replaceKey()
    #expect(start.key != pair.key)
    #expect(try pair.one.note(id: late.id).text == "late")
    #expect(try lines(pair.file(of: pair.one)).allSatisfy { SyncKey.id(of: $0) == start.key.id })

    try lost.change(id: ids[0], NoteChange(text: "thief"))
    try lost.delete(id: ids[1])
    _ = try NoteSynchronizer(lost).synchronize()
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(report.problems.contains { $0.contains("delete the file") })
    #expect(try pair.one.note(id: ids[0]).text == "zero")

    // The second device has the old key for a while: it is told, and loses nothing.
    try pair.two.change(id: ids[2], NoteChange(text: "meanwhile"))
    let told = try NoteSynchronizer(pair.two).synchronize()
    #expect(told.problems.contains { $0.contains(start.key.id) })
    _ = try NoteSynchronizer(pair.two).start(pair.shared, key: start.key)
    try pair.exchange()
    #expect(try pair.one.note(id: ids[2]).text == "meanwhile")
    #expect(try pair.two.note(id: ids[2]).text == "meanwhile")
    #expect(try pair.two.key == start.key)
    try FileManager.default.removeItem(at: pair.file(of: lost))
    try pair.exchange()
    #expect(try NoteSynchronizer(pair.one).status().problems.isEmpty)
  }

  @Test("A key that was replaced while synchronisation was off is used when it is turned on again")
  func newKeyWhileOff() throws {
    let (pair, _) = try prepared()
    try NoteSynchronizer(pair.one).stop()
    let start = try NoteSynchronizer(pair.one).replaceKey()
    let note = try pair.one.add(SyncPair.draft("off"))
    #expect(try NoteSynchronizer(pair.one).start(pair.shared).key == start.key)
    _ = try NoteSynchronizer(pair.two).start(pair.shared, key: start.key)
    #expect(try pair.two.note(id: note.id).text == "off")
    try pair.exchange()
    #expect(try pair.exchange().allSatisfy { $0 == SyncReport() })
  }

  @Test("A key that goes while synchronisation is on is asked for, and nothing is written unsealed")
  func missingKey() throws {
    let (pair, ids) = try prepared()
    let file = SyncKeyFile(database: pair.one.file)
    let before = try Data(contentsOf: pair.file(of: pair.one))
    for damage in [nil, Data(), Data("{}".utf8), Data("x".utf8)] as [Data?] {
      if let damage {
        try damage.write(to: file.url)
      } else {
        try FileManager.default.removeItem(at: file.url)
      }
      try pair.one.count(.shown, id: ids[0])
      #expect { _ = try NoteSynchronizer(pair.one).synchronize() } throws: {
        ($0 as? NoteError)?.code == .key && "\($0)".contains("notes sync on")
          || "\($0)".contains("--key")
      }
      #expect(try Data(contentsOf: pair.file(of: pair.one)) == before)
    }
    try FileManager.default.removeItem(at: file.url)
    _ = try NoteSynchronizer(pair.one).start(pair.shared, key: pair.key)
    try pair.exchange()
    #expect(try pair.two.note(id: ids[0]).counts.shown == 4)
  }

  // MARK: Earlier versions

  @Test("Files of earlier versions are taken in when that is asked for, once, and never else")
  func unsigned() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("sealed"))
    let id = "11111111-2222-4333-8444-555555555555"
    let stamp = "018bcfe568000000@old"
    let line = """
      {"device":"old","format":1,"note":"\(id)","sequence":1,"state":{\
      "target":{"stamp":"\(stamp)","value":"sold.example"},\
      "emoji":{"stamp":"0800000000000000@zzzz","value":"🐌"},\
      "texts":{"v1":{"stamp":"\(stamp)","text":"from before"}},"counts":{"old":{"shown":3,"left":0,"viewed":0}}}}

      """
    let file = pair.shared.appending(path: "tickbird-notes-old.jsonl")
    try Data((line + "rubbish\n").utf8).write(to: file)
    try pair.exchange()
    #expect(try pair.one.count() == 1)
    let without = try NoteSynchronizer(pair.one).start(pair.shared)
    #expect(without.unsignedFiles == 1 && !without.isNewKey)
    #expect(try pair.one.count() == 1)
    let start = try NoteSynchronizer(pair.one).start(pair.shared, acceptingUnsigned: true)
    #expect(start.report.problems.count == 1)
    #expect(try pair.one.note(id: id).text == "from before")
    try pair.exchange()
    // The other device has it sealed, and can change what no clock of before could.
    #expect(try pair.two.note(id: id).counts.shown == 3)
    try pair.two.change(id: id, NoteChange(emoji: "🐎"))
    try pair.exchange()
    #expect(try pair.one.note(id: id).emoji == "🐎")
    // Once: later lines are not read.
    try Data(line.replacing("from before", with: "later").replacing("v1", with: "v2").utf8)
      .write(to: file)
    try pair.exchange()
    #expect(try pair.one.note(id: id).otherTexts.isEmpty)
    #expect(try pair.one.note(id: note.id).text == "sealed")
  }

  @Test("A database of the version before has all its notes, needs a key, and publishes all")
  func migration() throws {
    let pair = try SyncPair()
    let file = pair.folder.file("old.sqlite")
    let stamp = "018bcfe568000000@old"
    do {
      // The tables as they were.
      let store = try NoteStore(file: file, surroundings: pair.time.0.surroundings)
      let note = try store.add(SyncPair.draft("x"))
      try store.write { database in
        try database.execute(
          sql: """
            UPDATE note SET text = 'old text', publishedRevision = revision, state = ?;
            DROP TABLE syncFile;
            DROP TABLE syncDevice;
            ALTER TABLE note DROP COLUMN writtenRevision;
            ALTER TABLE device DROP COLUMN written;
            ALTER TABLE device DROP COLUMN ownMark;
            ALTER TABLE device DROP COLUMN ownLines;
            ALTER TABLE device DROP COLUMN isFileGone;
            ALTER TABLE device DROP COLUMN isCloned;
            ALTER TABLE device DROP COLUMN keyID;
            CREATE TABLE syncFile (name TEXT PRIMARY KEY NOT NULL, mark TEXT NOT NULL, problem TEXT);
            DELETE FROM grdb_migrations WHERE identifier = 'notes 2';
            UPDATE device SET folder = ?, clock = ?;
            """,
          arguments: [
            """
            {"target":{"stamp":"\(stamp)","value":"sexample.com"},\
            "emoji":{"stamp":"0800000000000000@zzzz","value":"🐌"},\
            "created":{"stamp":"\(stamp)","value":5},"changed":{"stamp":"\(stamp)","value":6},\
            "texts":{"v1":{"stamp":"\(stamp)","text":"old text"}},"replaced":["v0"]}
            """, pair.shared.path, Int64(bitPattern: Stamp.clockLimit),
          ]
        )
      }
      #expect(note.text == "x")
    }
    let store = try NoteStore(file: file, surroundings: pair.time.0.surroundings)
    let note = try #require(try store.notes().first)
    #expect(note.text == "old text")
    #expect { _ = try NoteSynchronizer(store).synchronize() } throws: {
      ($0 as? NoteError)?.code == .key
    }
    _ = try NoteSynchronizer(store).start(pair.shared, key: pair.key)
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).text == "old text")
    try pair.two.change(id: note.id, NoteChange(emoji: "🐎"))
    try pair.exchange()
    _ = try NoteSynchronizer(store).synchronize()
    #expect(try store.note(id: note.id).emoji == "🐎")
    try store.change(id: note.id, NoteChange(emoji: "🐇"))
    _ = try NoteSynchronizer(store).synchronize()
    try pair.exchange()
    #expect(try pair.two.note(id: note.id).emoji == "🐇")
  }
}

extension NoteState {
  fileprivate var encodedReplaced: String {
    "[" + replaced.sorted().map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }
}

extension NoteStore {
  fileprivate var key: SyncKey { get throws { try NoteSynchronizer(self).key() } }
}

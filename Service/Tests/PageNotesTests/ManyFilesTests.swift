import Foundation
import GRDB
import TestSupport
import Testing

@testable import PageNotes

@Suite("Many files in the folder of synchronisation")
struct ManyFilesTests {
  private func state(_ number: Int) -> NoteState {
    let stamp = Stamp(clock: 1 << 56, device: "busy")
    var state = NoteState()
    state.write("sn\(number).example", to: \.target, name: "t\(number)", stamp: stamp)
    state.writeText("text", name: "v\(number)", stamp: stamp)
    return state
  }

  /// Writes a small file as somebody without the key does, who changes it each time.
  private func touch(_ name: String, _ round: Int, _ pair: SyncPair) throws {
    let line = "2 abcdefgh \(String(repeating: "A", count: 16 + round % 7 * 4))\n"
    try Data(line.utf8).write(to: pair.shared.appending(path: "tickbird-notes-\(name).sealed"))
  }

  /// How many transactions have changed the database.
  private func transactions(_ store: NoteStore) throws -> Int {
    try store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  @Test("Small files take no transaction each, and one fault of many of them is said once")
  func together() throws {
    let pair = try SyncPair()
    try pair.exchange()
    var spent: [Int] = []
    for (round, count) in [1, 5, 150].enumerated() {
      for number in 0..<count {
        try touch("\(number)", round, pair)
        try pair.insert([("n\(number)", state(number))], file: "good\(number)")
      }
      let before = try transactions(pair.one)
      let report = try NoteSynchronizer(pair.one).synchronize(filesAtMost: .max)
      spent.append(try transactions(pair.one) - before)
      #expect(report.filesRead == 2 * count && report.linesRead == 2 * count)
      #expect(report.unread.isEmpty)
      #expect(try pair.one.count() == count)
      let foreign = report.problems.filter { $0.contains("another key") }
      #expect(foreign.count == 1 && foreign[0].contains("as well") == (count > 1))
      #expect(count < 150 || foreign[0].contains("and \(count - 3) more files as well"))
      #expect(try NoteSynchronizer(pair.one).status().problems.count == report.problems.count)
    }
    #expect(spent[1] == spent[2], "\(spent)")
  }

  @Test("A file counts as read only with its notes")
  func failing() throws {
    let pair = try SyncPair()
    for number in 0..<9 {
      try pair.insert([("n\(number)", state(number))], file: "good\(number)")
    }
    try pair.one.write {
      try $0.execute(
        sql: """
          CREATE TRIGGER full BEFORE INSERT ON syncFile
          WHEN NEW.name = 'tickbird-notes-good7.sealed' AND NEW.mark <> ''
          BEGIN SELECT RAISE(ABORT, 'full'); END
          """
      )
    }
    #expect(throws: NoteError.self) { _ = try NoteSynchronizer(pair.one).synchronize() }
    let read = try pair.one.read { try FileRow.fetchAll($0) }.values.filter { $0.position > 0 }
    #expect(try pair.one.count() == read.count)
    try pair.one.write { try $0.execute(sql: "DROP TRIGGER full") }
    _ = try NoteSynchronizer(pair.one).synchronize()
    #expect(try pair.one.count() == 9)
  }

  @Test("Only some files are read in one go, and the others in the next ones, each once")
  func inTurns() throws {
    let pair = try SyncPair()
    for number in 0..<25 { try touch("\(number)", 0, pair) }
    try pair.insert([("n", state(0))])
    var read: [Int] = []
    for _ in 0..<4 {
      read.append(try NoteSynchronizer(pair.one).synchronize(filesAtMost: 10).filesRead)
    }
    #expect(read == [10, 10, 6, 0])
    #expect(try pair.one.count() == 1)
    let all = try NoteSynchronizer(pair.two).synchronize(readingAtMost: .max, filesAtMost: .max)
    #expect(all.filesRead >= 26 && all.unread.isEmpty)
  }

  @Test("No file waits for ever, however many smaller ones are changed each time, or are new")
  func fair() throws {
    for attack in ["touched", "replaced", "piled"] {
      let pair = try SyncPair()
      try pair.exchange()
      for round in 0..<20 {
        if attack == "replaced" {
          for url in try pair.files() where url.path.contains("evil") {
            try FileManager.default.removeItem(at: url)
          }
        }
        let name = attack == "touched" ? "evil" : "evil\(round)-"
        for number in 0..<30 { try touch("\(name)\(number)", round, pair) }
        if round == 2 { try pair.one.add(SyncPair.draft("a")) }
        if round == 2 { _ = try NoteSynchronizer(pair.one).synchronize(filesAtMost: 10) }
        let report = try NoteSynchronizer(pair.two).synchronize(filesAtMost: 10)
        #expect(report.filesRead == 10 && report.unread.count >= 20)
      }
      // Half of ten files are those that wait: 85 others are read before it at most.
      #expect(try pair.two.count() == 1, "\(attack)")
      // From then on it is known as a device's, and waits for none.
      try pair.one.add(SyncPair.draft("b"))
      _ = try NoteSynchronizer(pair.one).synchronize(filesAtMost: 10)
      for number in 0..<30 { try touch("evil\(number)", 50, pair) }
      _ = try NoteSynchronizer(pair.two).synchronize(filesAtMost: 10)
      #expect(try pair.two.count() == 2)
    }
  }

  @Test("Nor does one wait for ever for large ones, although the bytes of one go are limited")
  func fairToLarge() throws {
    let pair = try SyncPair()
    try pair.exchange()
    let limit = 4_000
    try pair.one.add(SyncPair.draft(String(repeating: "long ", count: 4_000)))
    _ = try NoteSynchronizer(pair.one).synchronize()
    for round in 0..<16 {
      for number in 0..<20 {
        let line = Data("2 abcdefgh \(round)\(String(repeating: "A", count: 80))\n".utf8)
        try Data((0..<60).flatMap { _ in line })
          .write(to: pair.shared.appending(path: "tickbird-notes-\(number).sealed"))
      }
      _ = try NoteSynchronizer(pair.two).synchronize(readingAtMost: limit)
    }
    #expect(try pair.two.count() == 1)
  }

  @Test("A file that went before it was read is no loss that everything is written again for")
  func goneUnread() throws {
    let pair = try SyncPair()
    for number in 0..<5 { try touch("\(number)", 0, pair) }
    _ = try NoteSynchronizer(pair.one).synchronize(filesAtMost: 0)
    func loss() throws -> Bool? {
      try pair.one.read { try Bool.fetchOne($0, sql: "SELECT isFileGone FROM device") }
    }
    for number in 0..<5 {
      try FileManager.default.removeItem(
        at: pair.shared.appending(path: "tickbird-notes-\(number).sealed")
      )
    }
    var report = SyncReport()
    let reading = FileReading(key: pair.key, retired: [], limit: 1 << 20)
    try NoteSynchronizer(pair.one).readFiles(pair.shared, reading, &report)
    #expect(try loss() == false)
    #expect(try pair.one.read { try FileRow.fetchAll($0) }.isEmpty)
    try touch("a", 0, pair)
    try NoteSynchronizer(pair.one).readFiles(pair.shared, reading, &report)
    try FileManager.default.removeItem(
      at: pair.shared.appending(path: "tickbird-notes-a.sealed")
    )
    try NoteSynchronizer(pair.one).readFiles(pair.shared, reading, &report)
    #expect(try loss() == true)
  }
}

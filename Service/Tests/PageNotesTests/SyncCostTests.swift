import Foundation
import GRDB
import HostTestSupport
import ServiceFolders
import TestSupport
import Testing

@testable import PageNotes

@Suite("What synchronisation costs, whatever is in the folder")
struct SyncCostTests {
  private func state(_ number: Int, text: String = "text") -> NoteState {
    let stamp = Stamp(clock: 1 << 56, device: "busy")
    var state = NoteState()
    state.write("sn\(number).example", to: \.target, name: "t\(number)", stamp: stamp)
    state.writeText(text, name: "v\(number)", stamp: stamp)
    return state
  }

  @Test("Each line is read once, however often its file grows, and a rewritten file once more")
  func incremental() throws {
    let pair = try SyncPair()
    let file = pair.shared.appending(path: "tickbird-notes-busy.sealed")
    var read = 0
    for number in 1...60 {
      let line = try ChangeLine(
        device: "busy",
        sequence: number,
        previous: number - 1,
        note: "n\(number % 7)",
        state: state(number)
      ).data(pair.key)
      try ChangeFile(url: file).append(line)
      let report = try NoteSynchronizer(pair.one).synchronize()
      #expect(report.linesRead == 1)
      #expect(report.problems.isEmpty)
      read += report.linesRead
      // Nothing has changed: nothing is read.
      #expect(try NoteSynchronizer(pair.one).synchronize().filesRead == 0)
    }
    #expect(read == 60)
    let whole = try Data(contentsOf: file)
    // Copied again, as tools do: the same bytes in another file.
    try FileManager.default.removeItem(at: file)
    try whole.write(to: file)
    #expect(try NoteSynchronizer(pair.one).synchronize().linesRead == 0)
    try whole.prefix(whole.count / 2).write(to: file)
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect((1...31).contains(report.linesRead))
    #expect(report.problems.count == 1)
  }

  @Test("A reader of lines keeps little of them, wherever the ends of lines and reads are")
  func reader() throws {
    let folder = try TestFolder()
    let url = folder.file("lines")
    var random = RandomSource(seed: 5)
    for _ in 0..<40 {
      var expected: [Data] = []
      var data = Data()
      for _ in 0..<random.number(below: 30) {
        let size = random.chance(10) ? 300_000 : random.number(below: 50)
        let line = Data(repeating: UInt8(65 + random.number(below: 20)), count: size)
        if !line.isEmpty { expected.append(line) }
        data += line + [10]
      }
      try data.write(to: url)
      let reader = ChangeLines(try #require(try ChangeFile(url: url).opened()), from: 0)
      var found: [Data] = []
      var end = 0
      while let line = try reader.next() {
        #expect(line.isEnded && line.end > end)
        end = line.end
        found.append(line.bytes)
      }
      #expect(found == expected)
    }
    // A line without an end is not kept.
    try (Data("a\n".utf8) + Data(repeating: 66, count: 2_000_000) + Data("\nc".utf8)).write(to: url)
    let reader = ChangeLines(try #require(try ChangeFile(url: url).opened()), from: 0, limit: 1000)
    #expect(try reader.next()?.bytes == Data("a".utf8))
    // Nor read at once.
    var end = 2
    while true {
      let long = try #require(try reader.next())
      #expect(long.isTooLong && long.bytes.isEmpty && (1...600_000).contains(long.end - end))
      end = long.end
      if long.isEnded { break }
    }
    #expect(end == 2_000_003)
    let last = try #require(try reader.next())
    #expect(last.bytes == Data("c".utf8) && !last.isEnded)
    #expect(try reader.next() == nil)
  }

  @Test("A large or growing file of somebody else keeps neither small files nor writing waiting")
  func badFile() throws {
    let pair = try SyncPair()
    try pair.one.add(SyncPair.draft("first"))
    try pair.exchange()
    let note = try pair.one.add(SyncPair.draft("small", "small.example"))
    _ = try NoteSynchronizer(pair.one).synchronize()
    let junk = Data(repeating: 66, count: 60) + [10]
    let bad = pair.shared.appending(path: "tickbird-notes-aaa.sealed")
    try Data((0..<4000).flatMap { _ in junk }).write(to: bad)
    try pair.two.add(SyncPair.draft("mine"))
    let report = try NoteSynchronizer(pair.two).synchronize(readingAtMost: 20_000)
    #expect(try pair.two.note(id: note.id).text == "small")
    #expect(report.linesWritten == 1)
    #expect(report.linesRead < 1000)
    // The rest of it is read bit by bit, and none of it twice.
    var lines = report.linesRead
    for _ in 0..<30 {
      lines += try NoteSynchronizer(pair.two).synchronize(readingAtMost: 20_000).linesRead
    }
    #expect(lines == 4001)
    #expect(try NoteSynchronizer(pair.two).status().problems.count == 1)
    #expect(try NoteSynchronizer(pair.two).synchronize().filesRead == 0)
  }

  @Test("Of many large files only some are read at once, and what devices wrote comes first")
  func manyLarge() throws {
    let pair = try SyncPair()
    let limit = 20_000
    let junk = Data(repeating: 66, count: 60) + [10]
    for number in 0..<20 {
      let bad = pair.shared.appending(path: "tickbird-notes-a\(number).sealed")
      try Data((0..<500).flatMap { _ in junk }).write(to: bad)
    }
    let note = try pair.one.add(SyncPair.draft(String(repeating: "long ", count: 8_000)))
    _ = try NoteSynchronizer(pair.one).synchronize(readingAtMost: limit)
    for _ in 0..<6 {
      let report = try NoteSynchronizer(pair.two).synchronize(readingAtMost: limit)
      // Each file may be read for a line more than the limit.
      #expect(report.bytesRead < 4 * (limit + 100) + 100_000, "\(report.bytesRead)")
    }
    // 20 files have begun by then, and all of them have to wait for what a device wrote.
    #expect(try pair.two.note(id: note.id).id == note.id)
    for _ in 0..<40 { _ = try NoteSynchronizer(pair.two).synchronize(readingAtMost: limit) }
    #expect(try NoteSynchronizer(pair.two).synchronize(readingAtMost: limit).filesRead == 0)
  }

  @Test("While another process reads, nothing waits: what is new here is written all the same")
  func whileReading() throws {
    let pair = try SyncPair()
    try pair.one.add(SyncPair.draft("a"))
    let lock = pair.one.file.appendingPathExtension("reading.lock")
    let held = try FileLock(lock)
    try pair.insert([("n", state(1))], device: "busy", file: "busy")
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(report.linesRead == 0)
    #expect(report.linesWritten == 1)
    withExtendedLifetime(held) {}
  }

  @Test("Many lines of one note cost no more than as many of different notes")
  func oneNote() throws {
    let pair = try SyncPair()
    var stated = state(0)
    let lines = (1...1500).map { number in
      let stamp = Stamp(clock: 1 << 56 + UInt64(number), device: "busy")
      stated.writeText("text \(number)", name: "v\(number)", stamp: stamp)
      var line = NoteState()
      line.write("sexample.com", to: \.target, name: "t", stamp: stamp)
      line.texts["v\(number)"] = stated.texts["v\(number)"]
      return (note: "n", state: line)
    }
    try pair.insert(lines, device: "busy", file: "busy")
    let report = try NoteSynchronizer(pair.one).synchronize()
    #expect(report.linesRead == 1500)
    // Saved once for each batch.
    #expect(report.notesChanged == 3)
    let revision = try pair.one.read {
      try Int.fetchOne($0, sql: "SELECT revision FROM note WHERE id = 'n'")
    }
    #expect(revision == 3)
  }

  @Test("A note that would become too large stays as it is, is named, and holds up no other")
  func tooLarge() throws {
    let pair = try SyncPair()
    let text = String(repeating: "x", count: NoteText.textLimit)
    let states = (0..<140).map { (note: "n", state: state($0, text: text)) }
    try pair.insert(states + [(note: "m", state: state(500))], device: "busy", file: "busy")
    let report = try NoteSynchronizer(pair.one).synchronize(readingAtMost: .max)
    #expect(report.problems.count == 1)
    #expect(report.problems.first?.contains("too large") == true)
    #expect(try pair.one.note(id: "m").text == "text")
    let size = try pair.one.read {
      try Int.fetchOne($0, sql: "SELECT max(length(state)) FROM note") ?? 0
    }
    #expect(size < 2 * ChangeLine.stateLimit)
  }

  // MARK: The device's own name

  @Test("Lines that claim the device's own name do not make it take another, or write again")
  func ownName() throws {
    let pair = try SyncPair()
    let note = try pair.one.add(SyncPair.draft("a"))
    try pair.exchange()
    let name = try NoteSynchronizer(pair.one).status().device
    let thief = SyncKey()
    for round in 1...5 {
      let line = ChangeLine(
        device: name,
        sequence: 1_000_000 + round,
        previous: 0,
        note: note.id,
        state: state(round)
      )
      let sealed = try line.data(thief)
      try (sealed + Data("2 \(pair.key.id)".utf8) + sealed.dropFirst(10))
        .write(to: pair.shared.appending(path: "tickbird-notes-evil\(round).sealed"))
      let report = try NoteSynchronizer(pair.one).synchronize()
      #expect(report.linesWritten == 0)
      #expect(try NoteSynchronizer(pair.one).status().device == name)
    }
    #expect(try pair.files().count == 2 + 5)
  }

  @Test("A copy of the device with the same name is met once: both end with names of their own")
  func clone() throws {
    let pair = try SyncPair()
    try pair.one.add(SyncPair.draft("a"))
    try pair.exchange()
    let clone = try NoteStore(
      file: pair.backup(of: pair.one, "clone"),
      surroundings: TestSurroundings(seed: 50, machine: "a").surroundings
    )
    var names: Set<String> = [try NoteSynchronizer(pair.one).status().device]
    var written = 0
    for round in 0..<8 {
      try clone.add(SyncPair.draft("clone \(round)"))
      try pair.one.add(SyncPair.draft("one \(round)"))
      for store in [clone, pair.one, pair.two] {
        written += try NoteSynchronizer(store).synchronize().linesWritten
        names.insert(try NoteSynchronizer(store).status().device)
      }
    }
    for store in [clone, pair.one, pair.two] { _ = try NoteSynchronizer(store).synchronize() }
    for store in [clone, pair.one, pair.two] { #expect(try store.count() == 17) }
    #expect(
      try NoteSynchronizer(clone).status().device != NoteSynchronizer(pair.one).status().device
    )
    // The first name, two at most of those who shared it, and the third device's.
    #expect(names.count <= 4)
    // Sixteen notes, and all of them again once for each new name and each lost file.
    #expect(written < 16 + 4 * 17)
    let quiet = try [clone, pair.one, pair.two].map { try NoteSynchronizer($0).synchronize() }
    #expect(quiet.allSatisfy { $0.linesWritten == 0 })
  }

  @Test("A second name of the device's own file is no way to write into another file")
  func hardLink() throws {
    let pair = try SyncPair()
    try pair.one.add(SyncPair.draft("a"))
    try pair.exchange()
    let file = try pair.file(of: pair.one)
    let victim = pair.folder.file("victim")
    try Data("mine\n".utf8).write(to: victim)
    for isLink in [false, true] {
      try FileManager.default.removeItem(at: file)
      if isLink {
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: victim)
      } else {
        try FileManager.default.linkItem(at: victim, to: file)
      }
      try pair.one.add(SyncPair.draft("b"))
      try pair.exchange()
      #expect(try Data(contentsOf: victim) == Data("mine\n".utf8))
    }
    #expect(try pair.two.count() == 3)
  }

  // MARK: Durability

  @Test("What is confirmed is on the disk: every opening asks SQLite for that")
  func synchronous() throws {
    let folder = try TestFolder()
    let first = try folder.store()
    let second = try folder.store()
    for store in [first, second] {
      try store.add(SyncPair.draft("a"))
      let (level, mode) = try store.read {
        (
          try Int.fetchOne($0, sql: "PRAGMA synchronous"),
          try String.fetchOne($0, sql: "PRAGMA journal_mode")
        )
      }
      #expect(level == 2)
      #expect(mode == "wal")
    }
  }

  @Test("Every change is flushed to the disk, also while others have the database open")
  func flushed() throws {
    let folder = try TestFolder()
    let source = folder.file("flushes.c")
    let library = folder.file("flushes.so")
    try Data(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <fcntl.h>
      #include <unistd.h>
      #include <stdlib.h>
      static void note(void) {
        int log = open(getenv("FLUSH_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (log >= 0) { if (write(log, "x", 1)) {} close(log); }
      }
      int fsync(int fd) { note(); return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd); }
      int fdatasync(int fd) { note(); return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd); }
      """.utf8
    ).write(to: source)
    let compiler = TestProcess()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["cc", "-shared", "-fPIC", "-o", library.path, source.path, "-ldl"]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "there is no C compiler")
    let log = folder.file("log")
    let program = HostProgram(
      home: folder.file("home"),
      environment: ["LD_PRELOAD": library.path, "FLUSH_LOG": log.path]
    )
    // As long as another connection is open, closing one flushes nothing.
    let store = try NoteStore(file: folder.file("home/data/notes.sqlite"))
    func flushes() -> Int { (try? Data(contentsOf: log))?.count ?? 0 }
    _ = try program.run(["notes", "list"])
    var before = flushes()
    _ = try program.run(["notes", "list"])
    let idle = flushes() - before
    let steps = [
      ["add", "example.com", "a"], ["edit", "ID", "--emoji", "x"], ["snooze", "ID"],
      ["delete", "ID"],
    ]
    for step in steps {
      let id = try store.notes().first?.id ?? ""
      before = flushes()
      let outcome = try program.run(["notes"] + step.map { $0 == "ID" ? id : $0 })
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(flushes() - before > idle, "\(step)")
    }
  }
}

import Foundation
import GRDB
import Testing

@testable import UserDatabase

/// A database in whose place another file was put, as somebody does who puts a copy back.
struct ReplacedDatabaseTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tickbird-replaced-\(UUID().uuidString)", directoryHint: .isDirectory)

  private var file: String { folder.appending(path: "data.sqlite").path }
  private var copy: String { folder.appending(path: "copy").path }
  private var lost: String { folder.appending(path: "lost").path }
  private var log: String { file + "-wal" }

  private func database(_ file: String? = nil, hasReaders: Bool = false) -> UserDatabase {
    UserDatabase(
      file: URL(filePath: file ?? self.file),
      lock: folder.appending(path: "lock"),
      options: UserDatabase.Options(busySeconds: 10, hasReaders: hasReaders) {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") {
          try $0.execute(sql: "CREATE TABLE t (number); CREATE TABLE u (number)")
        }
        return migrator
      }
    )
  }

  private func add(_ number: Int, to database: UserDatabase) throws {
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
  }

  private func rows(_ database: UserDatabase) throws -> [Int] {
    try database.read { try Int.fetchAll($0, sql: "SELECT number FROM t") }
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  /// Makes a copy with one row, and adds another one to the database.
  ///
  /// - Throws: What the file system or SQLite says.
  private func makeCopy(of database: UserDatabase) throws {
    try add(1, to: database)
    database.emptyLog()
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    try add(2, to: database)
  }

  /// Makes a copy with one row, and a database with three, of which the last is only in the log.
  ///
  /// - Parameter isOlder: Whether the copy is from before what the log continues.
  /// - Throws: What the file system or SQLite says.
  private func makeFiles(isOlder: Bool) throws {
    let database = database()
    try makeCopy(of: database)
    if isOlder {
      database.emptyLog()
      // What GRDB does when it opens a database without a log, and what does not count.
      try database.connection().write { try $0.execute(sql: "CREATE TABLE x (y); DROP TABLE x") }
    }
    try add(3, to: database)
    // As a process that is killed leaves it.
    let left = try [file, log].map { ($0, try bytes($0)) }
    try database.connection().close()
    for (path, bytes) in left { try bytes.write(to: URL(filePath: path)) }
    try? FileManager.default.removeItem(atPath: file + "-shm")
  }

  private func refused(
    _ words: String,
    _ place: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    #expect(sourceLocation: place) {
      try body()
    } throws: {
      ($0 as? UserDatabase.Lost)?.sentence.contains(words) ?? false
    }
  }

  #if os(Linux)
  /// How many descriptors of this process are of files in the folder, or were.
  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
      let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return place?.hasPrefix(folder.path) ?? false
    }
  }

  @Test(
    "replacing it again and again keeps no more files open, and leaves each log",
    arguments: [false, true]
  )
  func manyTimes(hasReaders: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = database(hasReaders: hasReaders)
    try makeCopy(of: database)
    let before = try descriptors()
    for round in 0..<12 {
      try add(10, to: database)
      let old = folder.appending(path: "old-\(round)").path
      for suffix in ["", "-wal", "-shm"] {
        try FileManager.default.moveItem(atPath: file + suffix, toPath: old + suffix)
      }
      let left = try bytes(old + "-wal")
      try FileManager.default.copyItem(atPath: copy, toPath: file)
      #expect(try rows(database) == [1])
      try add(11, to: database)
      #expect(try rows(database) == [1, 11])
      // What was confirmed is still in the log of the old one.
      #expect(try bytes(old + "-wal") == left)
    }
    #expect(try descriptors() <= before + 3)
  }
  #endif

  @Test("the log of the lost one does not change an older copy, and is kept")
  func strangeLog() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: true)
    let (before, changes) = (try bytes(copy), try bytes(log))
    try FileManager.default.moveItem(atPath: file, toPath: lost)
    refused("the last changes are in \(log)") { try database().open() }
    try FileManager.default.copyItem(atPath: copy, toPath: file)
    let kept = "\(log)-of-another-1"
    do {
      let database = database()
      refused("is now \(kept)") { try database.open() }
      database.emptyLog()
    }
    #expect(try bytes(file) == before)
    #expect(try bytes(kept) == changes)
    #expect(try rows(database()) == [1])
    // The way back to the changes.
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
    try FileManager.default.moveItem(atPath: lost, toPath: file)
    try FileManager.default.moveItem(atPath: kept, toPath: log)
    #expect(try rows(database()) == [1, 2, 3])
  }

  @Test("a journal beside a copy that was put back does not change it, and is kept")
  func strangeJournal() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: true)
    try FileManager.default.removeItem(atPath: log)
    // What a first start leaves that is killed: it would cut the database to nothing.
    var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    for number: UInt32 in [0, 1, 0, 512, 4096] {
      for shift: UInt32 in [24, 16, 8, 0] {
        journal.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    journal.append(Data(count: 512 - journal.count))
    try journal.write(to: URL(filePath: file + "-journal"))
    refused("is now \(file)-journal-of-another-1") { try database().open() }
    #expect(try rows(database()) == [1, 2])
  }

  @Test("a copy that VACUUM has made takes no log of the database that it was made of")
  func vacuumed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    /// The log, once nothing has the database open.
    func made() throws -> Data {
      let database = database()
      try add(1, to: database)
      database.emptyLog()
      try add(2, to: database)
      try database.connection().writeWithoutTransaction { connection in
        try connection.execute(sql: "VACUUM INTO ?", arguments: [copy])
      }
      let changes = try bytes(log)
      try database.connection().close()
      return changes
    }
    let changes = try made()
    for suffix in ["", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
    try changes.write(to: URL(filePath: log))
    try FileManager.default.moveItem(atPath: copy, toPath: file)
    refused("is now \(log)-of-another-1") { try self.database().open() }
    #expect(try rows(self.database()) == [1, 2])
    #expect(try bytes("\(log)-of-another-1") == changes)
  }

  @Test("a journal is a database's own where a program has turned the logs off")
  func ownJournal() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: true)
    try FileManager.default.removeItem(atPath: log)
    var contents = try bytes(copy)
    contents[18] = 1
    contents[19] = 1
    try contents.write(to: URL(filePath: file))
    try Data(count: 512).write(to: URL(filePath: file + "-journal"))
    #expect(try rows(database()) == [1])
    #expect(!FileManager.default.fileExists(atPath: "\(file)-journal-of-another-1"))
  }

  @Test("what is no database does not take the log of one")
  func noDatabase() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: true)
    let changes = try bytes(log)
    let text = Data(String(repeating: "text ", count: 5000).utf8)
    try text.write(to: URL(filePath: file))
    do {
      let database = database()
      refused("is not a database") { try database.open() }
      database.emptyLog()
    }
    #expect(try bytes(file) == text)
    #expect(try bytes(log) == changes)
  }

  @Test("the log of the same database goes into it, whichever of its changes the file has already")
  func ownLog() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: false)
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.moveItem(atPath: copy, toPath: file)
    #expect(try rows(database()) == [1, 2, 3])
  }

  @Test("a log is recognised by its complete changes alone", arguments: [0, 1, 2])
  func changes(damage: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: false)
    var log = [UInt8](try bytes(log))
    let copy = [UInt8](try bytes(copy))
    let header = try #require(DatabaseHeader(copy, fileSize: copy.count))
    let counts = { (log: [UInt8]) in
      WriteAheadLog(log).map { log in
        (-3...3).filter { number in
          var other = copy
          let count = header.count &+ UInt32(bitPattern: Int32(number))
          for (place, shift) in zip(60..<64, [24, 16, 8, 0] as [UInt32]) {
            other[place] = UInt8(truncatingIfNeeded: count >> shift)
          }
          return DatabaseHeader(other, fileSize: copy.count).map(log.continues) ?? false
        }
      }
    }
    switch damage {
    case 0: #expect(counts(log) == [0, 1, 2])
    case 1:
      log[log.count - 1] ^= 1
      #expect(counts(log) == [0, 1])
    default:
      log[32 + 24] ^= 1
      #expect(counts(log) == nil)
    }
  }

  @Test(
    "an open one that is replaced is never written to again; the file in its place is",
    arguments: [true, false]
  )
  func replaced(isOlder: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = database()
    try makeCopy(of: database)
    if isOlder {
      database.emptyLog()
      try add(3, to: database)
    }
    try FileManager.default.moveItem(atPath: file, toPath: lost)
    refused("had contents and is missing now") { try add(4, to: database) }
    try FileManager.default.moveItem(atPath: copy, toPath: file)
    // A refusal is the answer for a second.
    Thread.sleep(forTimeInterval: 1.1)
    if isOlder {
      refused("\(log)-of-another-1") { try add(4, to: database) }
      Thread.sleep(forTimeInterval: 1.1)
    }
    try add(5, to: database)
    let expected = isOlder ? [1, 5] : [1, 2, 5]
    #expect(try rows(database) == expected)
    #expect(try rows(self.database()) == expected)
    database.emptyLog()
    let alone = try DatabaseQueue(path: file).read {
      try Int.fetchAll($0, sql: "SELECT number FROM t")
    }
    #expect(alone == expected)
  }

  @Test(
    "an open one that is removed with all that is beside it is not begun anew by who had it open"
  )
  func removed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = database()
    try add(1, to: database)
    try FileManager.default.removeItem(at: folder)
    refused("was removed while it was in use") { _ = try rows(database) }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try rows(self.database()) == [])
  }

  @Test("the log of a database that was found damaged stays as it is when the process ends")
  func damaged() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var first: UserDatabase? = database()
    try first?.write { database in
      for _ in 1...9 { try database.execute(sql: "INSERT INTO t VALUES (zeroblob(3000))") }
    }
    first?.emptyLog()
    try first?.write { try $0.execute(sql: "INSERT INTO u VALUES (7)") }
    let left = try ["", "-wal"].map { ($0, try bytes(file + $0)) }
    first = nil
    let other = folder.appending(path: "other.sqlite").path
    for (suffix, bytes) in left {
      var bytes = bytes
      if suffix.isEmpty {
        for page in 3..<bytes.count / 4096 {
          bytes.replaceSubrange(
            page * 4096..<page * 4096 + 16,
            with: Data(repeating: 0xFF, count: 16)
          )
        }
      }
      try bytes.write(to: URL(filePath: other + suffix))
    }
    let database = database(other)
    #expect(throws: DatabaseError.self) {
      try database.read { _ = try Row.fetchAll($0, sql: "SELECT * FROM t") }
    }
    database.emptyLog()
    #expect(try bytes(other + "-wal") == left[1].1)
  }

  @Test("one that is not there when it is first used is used once it is")
  func later() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: false)
    try FileManager.default.moveItem(atPath: file, toPath: lost)
    let database = database()
    for _ in 1...2 { refused("had contents and is missing now") { _ = try rows(database) } }
    try FileManager.default.moveItem(atPath: lost, toPath: file)
    Thread.sleep(forTimeInterval: 1.1)
    #expect(try rows(database) == [1, 2, 3])
  }

  @Test("a copy of one whose name is a link is a file of its own, with what is in the log")
  func linked() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeFiles(isOlder: false)
    let elsewhere = folder.appending(path: "elsewhere").path
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    for suffix in ["", "-wal"] {
      try FileManager.default.moveItem(
        atPath: file + suffix,
        toPath: elsewhere + "/data.sqlite" + suffix
      )
    }
    let name = folder.appending(path: "name.sqlite").path
    try FileManager.default.createSymbolicLink(
      atPath: name,
      withDestinationPath: elsewhere + "/data.sqlite"
    )
    let files = DatabaseFiles(database: URL(filePath: name))
    let target = folder.appending(path: "target.sqlite")
    try UnwritableDatabase.copyWhileUnchanged(URL(filePath: files.real), to: target)
    let found = try FileManager.default.attributesOfItem(atPath: target.path)
    #expect(found[.type] as? FileAttributeType == .typeRegular)
    #expect(try rows(database(target.path)) == [1, 2, 3])
  }

  @Test("a folder that is a link to nothing is named, and nothing beside it")
  func linkToNothing() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: folder.path + "/away"
    )
    let file = URL(filePath: link + "/data.sqlite")
    #expect {
      try database(file.path).open()
    } throws: { error in
      let words = DatabaseWords.explanation(of: error, file: file, recovery: "")
      return words.contains("\(link) ") && !words.contains("data.sqlite")
    }
  }
}

import Foundation
import GRDB
import Testing

@testable import UserDatabase

/// A database whose files are not as they were left: missing, not mounted, of another kind, open to others.
struct LostDatabaseTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tickbird-lost-\(UUID().uuidString)", directoryHint: .isDirectory)

  private var file: String { folder.appending(path: "data.sqlite").path }

  private func open(hasReaders: Bool = false) throws -> UserDatabase {
    let database = UserDatabase(
      file: URL(filePath: file),
      lock: folder.appending(path: "lock"),
      options: UserDatabase.Options(busySeconds: 10, hasReaders: hasReaders) {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: "CREATE TABLE t (number)") }
        return migrator
      }
    )
    try database.open()
    return database
  }

  /// Makes a database with a row, of which only the log knows, and leaves it as a process that is killed does.
  private func makeDatabase() throws {
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (7)") }
    let copies = try ["", "-wal"].map {
      (file + $0, try Data(contentsOf: URL(filePath: file + $0)))
    }
    try database.connection().close()
    for (path, bytes) in copies { try bytes.write(to: URL(filePath: path)) }
  }

  private func rows() throws -> [Int] {
    try open().read { try Int.fetchAll($0, sql: "SELECT number FROM t") }
  }

  private func refused(_ words: String, _ place: SourceLocation = #_sourceLocation) {
    #expect(sourceLocation: place) {
      _ = try open()
    } throws: {
      ($0 as? UserDatabase.Lost)?.sentence.contains(words) ?? false
    }
  }

  @Test(
    "one that is missing, empty or on a disk that is away is not begun anew, and has everything once it is back"
  )
  func away() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeDatabase()
    let elsewhere = folder.appending(path: "elsewhere").path
    try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
    refused("had contents and is missing now")
    try Data().write(to: URL(filePath: file))
    refused("had contents and is empty now")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: file,
      withDestinationPath: folder.path + "/away/x"
    )
    refused("is a link to what is not there")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/away"))
    try FileManager.default.removeItem(atPath: file)
    // The log alone says so as well, as beside a database of an earlier version.
    try FileManager.default.removeItem(atPath: file + ".made")
    refused("remove \(file)-wal")
    try FileManager.default.moveItem(atPath: elsewhere, toPath: file)
    #expect(try rows() == [7])
    #expect(FileManager.default.fileExists(atPath: file + ".made"))
  }

  @Test("who removes what the message names begins without it")
  func anew() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeDatabase()
    for suffix in ["", "-wal", "-shm", ".made"] {
      try? FileManager.default.removeItem(atPath: file + suffix)
    }
    #expect(try rows() == [])
  }

  @Test(
    "a start that was killed before anything was in the database is completed",
    arguments: [[], [""], ["", "-journal"]]
  )
  func interrupted(suffixes: [String]) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for suffix in suffixes {
      try Data(count: suffix.isEmpty ? 0 : 512).write(to: URL(filePath: file + suffix))
    }
    #expect(try rows() == [])
  }

  @Test(
    "a folder or pipe in its place is neither opened nor copied",
    arguments: ["", "-wal", "-shm"]
  )
  func kinds(suffix: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeDatabase()
    try? FileManager.default.removeItem(atPath: file + suffix)
    try #require(unsafe mkfifo(file + suffix, 0o600) == 0)
    refused("\(file)\(suffix) is a pipe or device")
    try FileManager.default.removeItem(atPath: file + suffix)
    try FileManager.default.createDirectory(
      atPath: file + suffix,
      withIntermediateDirectories: false
    )
    refused("\(file)\(suffix) is a folder")
  }

  @Test("no other user can read any of its files, whatever the folder allows")
  func closed() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (7)") }
    for suffix in ["", "-wal", "-shm"] {
      let found = try FileManager.default.attributesOfItem(atPath: file + suffix)
      #expect(found[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
  }

  @Test(
    "what is in the log is in the database when a process ends, which can still be used until then"
  )
  func ended() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = try open()
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (7)") }
    database.emptyLog()
    let log = try FileManager.default.attributesOfItem(atPath: file + "-wal")
    #expect(log[.size] as? Int == 0)
    let copy = folder.appending(path: "copy").path
    try FileManager.default.copyItem(atPath: file, toPath: copy)
    #expect(
      try DatabaseQueue(path: copy).read { try Int.fetchAll($0, sql: "SELECT number FROM t") } == [
        7
      ]
    )
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (8)") }
    #expect(try rows() == [7, 8])
  }

  @Test(
    "what is in the log is in the database when it is no longer used",
    arguments: [true, false]
  )
  func closed(hasReaders: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      let database = try open(hasReaders: hasReaders)
      try database.write { try $0.execute(sql: "INSERT INTO t VALUES (7)") }
      #expect(try database.read { try Int.fetchAll($0, sql: "SELECT number FROM t") } == [7])
    }
    let log = try? FileManager.default.attributesOfItem(atPath: file + "-wal")
    #expect((log?[.size] as? Int ?? 0) == 0)
  }

  @Test("logs that were made while it could only be read do not keep it from being written")
  func readOnlyLogs() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try makeDatabase()
    for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file + suffix) {
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: file + suffix)
    }
    let database = try open()
    let found = try FileManager.default.attributesOfItem(atPath: file + "-wal")
    #expect(found[.posixPermissions] as? Int == 0o600)
    try database.write { try $0.execute(sql: "INSERT INTO t VALUES (8)") }
    #expect(try rows() == [7, 8])
  }
}

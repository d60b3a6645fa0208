import Foundation
import GRDB
import Testing
import UserDatabase

/// A database that several processes share, each with a version of its own.
struct SharedDatabaseTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tickbird-database-\(UUID().uuidString)", directoryHint: .isDirectory)

  /// Opens the database as a version that knows so many tables.
  private func open(tables: Int) throws -> UserDatabase {
    let database = UserDatabase(
      file: folder.appending(path: "data.sqlite"),
      lock: folder.appending(path: "lock"),
      options: UserDatabase.Options(busySeconds: 10, hasReaders: false) {
        var migrator = DatabaseMigrator()
        for table in 0..<tables {
          migrator.registerMigration("\(table)") { database in
            try database.execute(sql: "CREATE TABLE t\(table) (number INTEGER)")
          }
        }
        return migrator
      }
    )
    try database.open()
    return database
  }

  @Test("what one has written another reads, and strangers cannot")
  func shared() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (writer, reader) = (try open(tables: 1), try open(tables: 1))
    try writer.write { try $0.execute(sql: "INSERT INTO t0 VALUES (7)") }
    #expect(try reader.read { try Int.fetchAll($0, sql: "SELECT number FROM t0") } == [7])
    let attributes = try FileManager.default.attributesOfItem(atPath: writer.file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a version that is older than the database is refused, and a newer one adds to it")
  func versions() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try open(tables: 1).write { try $0.execute(sql: "INSERT INTO t0 VALUES (1)") }
    let newer = try open(tables: 2)
    #expect(try newer.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t0") } == 1)
    #expect(throws: UserDatabase.Superseded.self) { try open(tables: 1) }
  }

  /// Opens the database while its disk has room for so many of two tables.
  private func open(withRoomFor tables: Int) -> UserDatabase {
    UserDatabase(
      file: folder.appending(path: "data.sqlite"),
      lock: folder.appending(path: "lock"),
      options: UserDatabase.Options(busySeconds: 10, hasReaders: false) {
        var migrator = DatabaseMigrator()
        for table in 0..<2 {
          migrator.registerMigration("\(table)") { database in
            guard table < tables else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            try database.execute(sql: "CREATE TABLE t\(table) (number INTEGER)")
          }
        }
        return migrator
      }
    )
  }

  @Test("one that a full disk keeps from being made says so, and is made when there is room")
  func full() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func isFull(_ error: any Error) -> Bool {
      (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }
    let none = open(withRoomFor: 0)
    #expect { try none.open() } throws: { isFull($0) }
    // Whatever is asked, which may be nothing that fails by itself.
    #expect { try none.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t0") } } throws: {
      isFull($0)
    }
    #expect { try none.read { try $0.tableExists("t0") } } throws: { isFull($0) }
    let some = open(withRoomFor: 1)
    try some.open()
    #expect(try some.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t0") } == 0)
    #expect { try some.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t1") } } throws: {
      isFull($0)
    }
    let both = open(withRoomFor: 2)
    #expect(try both.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t1") } == 0)
  }

  @Test("one whose tables alone found room says so, too, unless it was in use elsewhere")
  func fullOfTables() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    func open(isCut: Bool = false) -> UserDatabase {
      UserDatabase(
        file: folder.appending(path: "data.sqlite"),
        lock: folder.appending(path: "lock"),
        options: UserDatabase.Options(
          busySeconds: 10,
          hasReaders: false,
          contents: UserDatabase.Contents { _ in
            false
          } wereThere: {
            try Int.fetchOne($0, sql: "SELECT number FROM t0") != nil
          } write: { _ in
            throw DatabaseError(resultCode: .SQLITE_FULL)
          }
        ) {
          var migrator = DatabaseMigrator()
          migrator.registerMigration("0") {
            try $0.execute(sql: "CREATE TABLE t0 (number INTEGER)")
          }
          if isCut {
            migrator.registerMigration("1") { _ in throw DatabaseError(resultCode: .SQLITE_FULL) }
          }
          return migrator
        }
      )
    }
    for isCut in [true, true, false, false] {
      #expect {
        try open(isCut: isCut).read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t0") }
      } throws: {
        ($0 as? DatabaseError)?.resultCode == .SQLITE_FULL
      }
    }
    try self.open(tables: 1).write { try $0.execute(sql: "INSERT INTO t0 VALUES (1)") }
    for isCut in [true, false] {
      let database = open(isCut: isCut)
      #expect(try database.read { try Int.fetchAll($0, sql: "SELECT number FROM t0") } == [1])
    }
  }

  @Test("an older one that a full disk keeps from being changed can be read")
  func fullLater() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try open(tables: 1).write { try $0.execute(sql: "INSERT INTO t0 VALUES (3)") }
    let database = open(withRoomFor: 1)
    try database.open()
    #expect(try database.read { try Int.fetchAll($0, sql: "SELECT number FROM t0") } == [3])
    #expect(throws: DatabaseError.self) {
      try database.write { try $0.execute(sql: "DELETE FROM t0") }
    }
  }
}

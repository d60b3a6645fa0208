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
}

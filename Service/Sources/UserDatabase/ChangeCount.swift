internal import GRDB

/// Counts the changes of a database.
enum ChangeCount {
  /// Gives a database that has nothing yet a number to count from, so that no log of another one continues it.
  static func begin(_ database: Database) throws {
    guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0,
      try count(database) == 0
    else { return }
    try set(Int32.random(in: 1 ... .max), database)
  }

  /// Makes a change, and counts it in the same transaction.
  ///
  /// A change of the schema does not count, see ``WriteAheadLog``.
  static func counting<Value>(
    _ database: Database,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    let (changes, schema) = (database.totalChangesCount, try self.schema(database))
    let value = try body(database)
    if database.totalChangesCount != changes, try self.schema(database) == schema {
      try increase(database)
    }
    return value
  }

  /// Counts a change that is made in other transactions.
  static func increase(_ database: Database) throws {
    try set(try count(database) &+ 1, database)
  }

  private static func schema(_ database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
  }

  private static func count(_ database: Database) throws -> Int32 {
    try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
  }

  private static func set(_ count: Int32, _ database: Database) throws {
    try database.execute(sql: "PRAGMA user_version = \(count)")
  }
}

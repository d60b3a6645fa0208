internal import DurableFiles
internal import Foundation
internal import GRDB

/// Which changes of a database its write-ahead log has.
///
/// SQLite brings a log into whatever database lies beside it, and ruins a copy that was put back there. So changes
/// are counted in the header of the database, and a log continues only a database that has the changes before the
/// log's first, or just those up to one of the log's.
///
/// > Related SQLite documentation: <https://sqlite.org/fileformat2.html#the_write_ahead_log>
struct WriteAheadLog {
  /// The first state of the database's header in the log.
  private let first: DatabaseHeader
  /// The last number of the schema at each count in the log.
  private let schemas: [UInt32: UInt32]

  /// The most bytes of a log that are read; SQLite empties logs at a hundredth of it.
  private static let sizeLimit = 1 << 30

  /// Reads the log beside a database.
  ///
  /// - Parameter path: The log, which need not be there.
  /// - Returns: The changes; `nil` if the log has none, or was written by a program that does not count.
  /// - Throws: `FileFailure`.
  static func read(_ path: String) throws(FileFailure) -> WriteAheadLog? {
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try DurableFile.contents(of: path, atMost: sizeLimit)
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    return WriteAheadLog(bytes)
  }

  /// Reads the bytes of a log, up to the last change that is complete.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.headerSize else { return nil }
    let magic = Self.number(bytes, 0)
    let pageSize = Int(Self.number(bytes, 8))
    guard magic & ~1 == 0x377F_0682, pageSize >= 512, pageSize <= 1 << 16 else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(bytes[0..<24])
    guard sum.isWritten(in: bytes, at: 24) else { return nil }
    var first: DatabaseHeader?
    var schemas: [UInt32: UInt32] = [:]
    // Of a change that is not complete yet.
    var pending: DatabaseHeader?
    var start = Self.headerSize
    while start + Self.frameSize + pageSize <= bytes.count {
      let page = start + Self.frameSize
      guard bytes[start + 8..<start + 16] == bytes[16..<24] else { break }
      sum.add(bytes[start..<start + 8])
      sum.add(bytes[page..<page + pageSize])
      guard sum.isWritten(in: bytes, at: start + 16) else { break }
      if Self.number(bytes, start) == 1 {
        pending = DatabaseHeader(
          Array(bytes[page..<page + DatabaseHeader.size]),
          fileSize: bytes.count
        )
      }
      if Self.number(bytes, start + 4) != 0, let header = pending {
        first = first ?? header
        schemas[header.count] = header.schema
      }
      start = page + pageSize
    }
    guard let first else { return nil }
    (self.first, self.schemas) = (first, schemas)
  }

  /// Returns whether a database is the one that the log was written for.
  func continues(_ database: DatabaseHeader) -> Bool {
    // A copy made by VACUUM has the count, other pages, and a later schema than the log has.
    if let schema = schemas[database.count], database.schema <= schema { return true }
    // The log begins with a change that counts. What does not count, as what GRDB does when it opens a database, changes
    // the schema, and leaves the count.
    return database.count &+ 1 == first.count && database.schema == first.schema
  }

  // MARK: Format

  private static let headerSize = 32
  private static let frameSize = 24

  /// Reads a number of four bytes.
  static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The running checksum by which SQLite finds the end of a log.
  private struct Checksum {
    let isBigEndian: Bool
    private var one: UInt32 = 0
    private var two: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var place = bytes.startIndex
      while place + 8 <= bytes.endIndex {
        one = one &+ word(bytes, place) &+ two
        two = two &+ word(bytes, place + 4) &+ one
        place += 8
      }
    }

    func isWritten(in bytes: [UInt8], at place: Int) -> Bool {
      WriteAheadLog.number(bytes, place) == one && WriteAheadLog.number(bytes, place + 4) == two
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ place: Int) -> UInt32 {
      let (a, b) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      let (c, d) = (UInt32(bytes[place + 2]), UInt32(bytes[place + 3]))
      return isBigEndian ? a << 24 | b << 16 | c << 8 | d : d << 24 | c << 16 | b << 8 | a
    }
  }
}

/// The beginning of a database's file.
///
/// > Related SQLite documentation: <https://sqlite.org/fileformat2.html#the_database_header>
struct DatabaseHeader {
  /// The bytes of a header.
  static let size = 100

  /// How many changes the file has, from a number on that each database draws for itself: `user_version`, which SQLite
  /// leaves to programs.
  let count: UInt32
  /// The number of the schema, which SQLite counts.
  let schema: UInt32
  /// Whether there is more in the file than an empty database has.
  let hasContents: Bool
  /// Whether the file is changed by write-ahead logs, so that a rollback journal beside it is of another one.
  let isChangedByLogs: Bool

  /// Reads a header; `nil` if it is of something else.
  init?(_ bytes: [UInt8], fileSize: Int) {
    guard bytes.count >= Self.size, bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
    let pageSize = Int(bytes[16]) << 8 | Int(bytes[17])
    schema = WriteAheadLog.number(bytes, 40)
    count = WriteAheadLog.number(bytes, 60)
    hasContents = fileSize > (pageSize == 1 ? 1 << 16 : pageSize)
    isChangedByLogs = bytes[18] == 2 && bytes[19] == 2
  }
}

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

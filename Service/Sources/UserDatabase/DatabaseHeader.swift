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

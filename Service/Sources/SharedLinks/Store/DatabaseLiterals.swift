internal import GRDB

// GRDB accepts interpolated SQL for writes, but for reads only as an `SQLRequest`.

extension Row {
  static func fetchAll(_ database: Database, literal: SQL) throws -> [Row] {
    try fetchAll(database, SQLRequest<Row>(literal: literal))
  }

  static func fetchOne(_ database: Database, literal: SQL) throws -> Row? {
    try fetchOne(database, SQLRequest<Row>(literal: literal))
  }
}

extension DatabaseValueConvertible {
  static func fetchOne(_ database: Database, literal: SQL) throws -> Self? {
    try fetchOne(database, SQLRequest<Self>(literal: literal))
  }
}

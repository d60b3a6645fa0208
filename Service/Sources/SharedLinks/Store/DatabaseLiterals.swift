internal import GRDB

// GRDB takes literals with values in them for changes; for questions they have to be requests.

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

internal import Foundation
internal import GRDB

/// The database's tables.
///
/// * `note`: a row for each note that any device ever had, deleted ones included. `state` has what
///   devices say of it (``NoteState``, JSON); the other columns are made of it, so that looking a
///   page up reads no JSON. `key` is null where there is no note to show: deleted, or not all of it
///   has arrived. `revision` counts changes; `publishedRevision` is the last one that other devices
///   can know, `writtenRevision` the last one in the device's own file. `newShown` … are counts of this device that no change file has yet.
/// * `device`: one row about this device.
/// * `syncFile`: how far the files of the synchronised folder have been read; see ``FileRow``.
/// * `syncDevice`: the greatest number of a line that other devices are known to have written.
enum NoteSchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("notes 1") { database in
      try database.execute(
        sql: """
          CREATE TABLE note (
            id TEXT PRIMARY KEY NOT NULL,
            key TEXT,
            text TEXT NOT NULL DEFAULT '',
            otherTexts TEXT,
            emoji TEXT NOT NULL DEFAULT '',
            snoozeMinutes INTEGER NOT NULL DEFAULT 15,
            created INTEGER NOT NULL DEFAULT 0,
            changed INTEGER NOT NULL DEFAULT 0,
            snoozedUntil INTEGER,
            shown INTEGER NOT NULL DEFAULT 0,
            left INTEGER NOT NULL DEFAULT 0,
            viewed INTEGER NOT NULL DEFAULT 0,
            newShown INTEGER NOT NULL DEFAULT 0,
            newLeft INTEGER NOT NULL DEFAULT 0,
            newViewed INTEGER NOT NULL DEFAULT 0,
            state TEXT NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0,
            publishedRevision INTEGER NOT NULL DEFAULT -1
          );
          CREATE INDEX noteByKey ON note (key, created DESC, id DESC) WHERE key IS NOT NULL;
          CREATE TABLE device (
            row INTEGER PRIMARY KEY CHECK (row = 1),
            id TEXT NOT NULL,
            clock INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            machine TEXT NOT NULL,
            folder TEXT,
            synchronized INTEGER,
            problem TEXT
          );
          CREATE TABLE syncFile (
            name TEXT PRIMARY KEY NOT NULL,
            mark TEXT NOT NULL,
            problem TEXT
          );
          """
      )
    }
    migrator.registerMigration("notes 2") { database in
      try database.execute(
        sql: """
          ALTER TABLE note ADD COLUMN writtenRevision INTEGER NOT NULL DEFAULT -1;
          ALTER TABLE device ADD COLUMN written INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE device ADD COLUMN ownMark TEXT;
          ALTER TABLE device ADD COLUMN ownLines INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE device ADD COLUMN isFileGone INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE device ADD COLUMN keyID TEXT;
          ALTER TABLE device ADD COLUMN isCloned INTEGER NOT NULL DEFAULT 0;
          DROP TABLE syncFile;
          CREATE TABLE syncFile (
            name TEXT PRIMARY KEY NOT NULL,
            mark TEXT NOT NULL,
            position INTEGER NOT NULL,
            digest TEXT NOT NULL,
            device TEXT,
            sequence INTEGER NOT NULL,
            faults TEXT NOT NULL,
            problem TEXT
          );
          CREATE TABLE syncDevice (
            id TEXT PRIMARY KEY NOT NULL,
            sequence INTEGER NOT NULL
          );
          """
      )
      try nameVersions(database)
    }
    return migrator
  }

  /// Gives what devices said before versions had names the form that it has now.
  private static func nameVersions(_ database: Database) throws {
    for id in try String.fetchAll(database, sql: "SELECT id FROM note") {
      let text = try String.fetchOne(
        database,
        sql: "SELECT state FROM note WHERE id = ?",
        arguments: [id]
      )
      // A damaged one stays as it is, and is named when it is read.
      guard let old = try? JSONDecoder().decode(LegacyState.self, from: Data((text ?? "").utf8))
      else { continue }
      try database.execute(
        sql: "UPDATE note SET state = ?, publishedRevision = -1 WHERE id = ?",
        arguments: [try NoteRow.json(old.state), id]
      )
    }
  }
}

/// What the database knows of the device that it is on.
struct DeviceRow {
  var id: String
  var clock: UInt64
  /// The greatest number that a line of the device's change file may have.
  var sequence: Int
  /// The number of the last line that is known to be in the device's change file; 0 if none is.
  var written: Int
  /// What the change file looked like then, and how many lines it had.
  var ownMark: String?
  var ownLines: Int
  /// The key that the change file is sealed with.
  var keyID: String?
  var folder: String?

  static func fetch(_ database: Database) throws -> DeviceRow {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT id, clock, sequence, written, ownMark, ownLines, keyID, folder FROM device
          """
      )
    else { throw NoteError(.database, "The table “device” is empty") }
    return DeviceRow(
      id: row["id"],
      clock: UInt64(bitPattern: row["clock"] as Int64),
      sequence: row["sequence"],
      written: row["written"],
      ownMark: row["ownMark"],
      ownLines: row["ownLines"],
      keyID: row["keyID"],
      folder: row["folder"]
    )
  }

  /// Whether the row is there, and this machine's.
  static func isPrepared(_ database: Database, _ surroundings: Surroundings) throws -> Bool {
    try String.fetchOne(database, sql: "SELECT machine FROM device") == machine(surroundings)
  }

  /// Whether the row is there.
  static func exists(_ database: Database) throws -> Bool {
    try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM device)") ?? false
  }

  private static func machine(_ surroundings: Surroundings) -> String {
    String(hash(surroundings.machine), radix: 36)
  }

  /// Makes the row, or makes it another device's if the database was copied from another machine.
  static func prepare(_ database: Database, _ surroundings: Surroundings) throws {
    let machine = machine(surroundings)
    let known = try String.fetchOne(database, sql: "SELECT machine FROM device")
    if known == nil {
      try database.execute(
        sql: "INSERT INTO device (row, id, clock, sequence, machine) VALUES (1, ?, 0, 0, ?)",
        arguments: [DeviceID.make(surroundings.random()), machine]
      )
    } else if known != machine {
      try becomeAnother(database, surroundings)
      try database.execute(sql: "UPDATE device SET machine = ?", arguments: [machine])
    }
  }

  /// Gives the device a new name; what it knows is published again under it.
  static func becomeAnother(_ database: Database, _ surroundings: Surroundings) throws {
    try database.execute(
      sql: "UPDATE device SET id = ?, sequence = 0, isCloned = 0",
      arguments: [DeviceID.make(surroundings.random())]
    )
    try publishAnew(database)
  }

  /// Takes care that all that is known is written again.
  static func publishAnew(_ database: Database) throws {
    try database.execute(sql: "UPDATE device SET written = 0, ownMark = NULL, ownLines = 0")
    try database.execute(sql: "UPDATE note SET publishedRevision = -1, writtenRevision = -1")
  }

  func saveClock(_ database: Database) throws {
    try database.execute(
      sql: "UPDATE device SET clock = ?",
      arguments: [Int64(bitPattern: clock)]
    )
  }

  /// FNV-1a.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

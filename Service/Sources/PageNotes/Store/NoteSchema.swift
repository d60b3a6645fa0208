internal import Foundation
internal import GRDB

/// The database's tables.
///
/// * `note`: one row for each note that any device ever had, including tombstones of deleted ones.
///   `state` is the replicated state (``NoteState``, JSON); the other columns are derived from it,
///   so that looking up a page reads no JSON. `key` is null if there is no note to show: it was
///   deleted, or part of it has not arrived yet. `revision` counts changes; `publishedRevision` is
///   the last one that other devices can know, `writtenRevision` the last one in the device's own
///   file. `newShown` … are this device's counts that are in no change file yet.
/// * `noteDay`: what happened with a note on a day of this device, for ``NoteDay/kept`` days.
/// * `device`: one row about this device; `focusUntil` is the end of a focus session.
/// * `syncFile`: how far the files of the synchronised folder have been read; see ``FileRow``.
/// * `syncDevice`: the highest sequence number seen of each other device.
/// * `syncKey`: the keys of synchronisation, by their ids; see ``KeyRegister``.
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
    migrator.registerMigration("notes 3") { database in
      try database.execute(
        sql: """
          ALTER TABLE note ADD COLUMN plan TEXT;
          ALTER TABLE device ADD COLUMN focusUntil INTEGER;
          CREATE TABLE noteDay (
            note TEXT NOT NULL,
            day INTEGER NOT NULL,
            visits INTEGER NOT NULL DEFAULT 0,
            seconds INTEGER NOT NULL DEFAULT 0,
            shown INTEGER NOT NULL DEFAULT 0,
            left INTEGER NOT NULL DEFAULT 0,
            viewed INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (day, note)
          ) WITHOUT ROWID;
          """
      )
    }
    migrator.registerMigration("notes keys") { database in
      try database.execute(
        sql: """
          CREATE TABLE syncKey (
            id TEXT PRIMARY KEY NOT NULL,
            standing TEXT NOT NULL,
            wasOpen INTEGER NOT NULL DEFAULT 0
          ) WITHOUT ROWID;
          INSERT INTO syncKey (id, standing)
            SELECT keyID, 'in-force' FROM device WHERE keyID IS NOT NULL;
          """
      )
    }
    migrator.registerMigration("notes unpublished") { database in
      // In the words of `NoteRow.isUnpublished`: SQLite uses it only for a question that has the same.
      try database.execute(
        sql: """
          CREATE INDEX noteUnpublished ON note (id)
            WHERE publishedRevision < revision OR newShown + newLeft + newViewed > 0
          """
      )
    }
    return migrator
  }

  /// Migrates states from before versions had names.
  private static func nameVersions(_ database: Database) throws {
    for id in try String.fetchAll(database, sql: "SELECT id FROM note") {
      let text = try String.fetchOne(
        database,
        sql: "SELECT state FROM note WHERE id = ?",
        arguments: [id]
      )
      // A damaged state stays as it is, and is reported when it is read.
      guard let old = try? JSONDecoder().decode(LegacyState.self, from: Data((text ?? "").utf8))
      else { continue }
      try database.execute(
        sql: "UPDATE note SET state = ?, publishedRevision = -1 WHERE id = ?",
        arguments: [try NoteRow.json(old.state), id]
      )
    }
  }
}

/// The database's row about the device that it is on.
struct DeviceRow {
  var id: String
  var clock: UInt64
  /// The highest sequence number that the device's change file may contain.
  var sequence: Int
  /// The number of the last line known to be in the device's change file; 0 if none.
  var written: Int
  /// The mark and the line count of the change file at that time.
  var ownMark: String?
  var ownLines: Int
  /// The id of the key that seals the change file.
  var keyID: String?
  var folder: String?

  /// No count of a sound database comes near it, and none overflows from there.
  static let mostCounted = 1 << 53

  static func fetch(_ database: Database) throws -> DeviceRow {
    guard
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT id, clock, sequence, written, ownMark, ownLines, keyID, folder FROM device
          """
      )
    else { throw NoteError(.database, "The table “device” is empty") }
    let device = DeviceRow(
      id: try row.decode(forColumn: "id"),
      clock: UInt64(bitPattern: try row.decode(Int64.self, forColumn: "clock")),
      sequence: try row.decode(forColumn: "sequence"),
      written: try row.decode(forColumn: "written"),
      ownMark: try row.decode(forColumn: "ownMark"),
      ownLines: try row.decode(forColumn: "ownLines"),
      keyID: try row.decode(forColumn: "keyID"),
      folder: try row.decode(forColumn: "folder")
    )
    for number in [device.sequence, device.written, device.ownLines]
    where !(0...mostCounted).contains(number) {
      throw NoteError(.database, "The table “device” is damaged: it counts to \(number)")
    }
    return device
  }

  /// Returns whether the row exists and belongs to this machine.
  static func isPrepared(_ database: Database, _ surroundings: Surroundings) throws -> Bool {
    try String.fetchOne(database, sql: "SELECT machine FROM device") == machine(surroundings)
  }

  /// Returns whether there is a row, maybe of another machine.
  static func isThere(_ database: Database) throws -> Bool {
    try Int.fetchOne(database, sql: "SELECT row FROM device") != nil
  }

  private static func machine(_ surroundings: Surroundings) -> String {
    String(hash(surroundings.machine), radix: 36)
  }

  /// Creates the row, or a new device identity if the database was copied from another machine.
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

  /// Gives the device a new name, under which everything it knows is published again.
  static func becomeAnother(_ database: Database, _ surroundings: Surroundings) throws {
    try database.execute(
      sql: "UPDATE device SET id = ?, sequence = 0, isCloned = 0",
      arguments: [DeviceID.make(surroundings.random())]
    )
    try publishAnew(database)
  }

  /// Marks everything as unwritten, so that it is written again.
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

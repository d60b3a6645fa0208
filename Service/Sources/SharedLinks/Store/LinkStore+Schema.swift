internal import GRDB
internal import UserDatabase

extension LinkStore {
  /// Creates and migrates the tables; a released version is never changed.
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
      try database.execute(sql: version1)
    }
    // Updating every item of each fetched document cost more than the rest of the merge.
    migrator.registerMigration("2") { database in
      try database.execute(sql: "ALTER TABLE item DROP COLUMN lastSeen")
    }
    migrator.registerMigration("3") { database in
      try database.execute(
        sql: "ALTER TABLE source ADD COLUMN isLocal INTEGER NOT NULL DEFAULT 0"
      )
      // Before this version only a person could subscribe to such addresses.
      let feeds = try Row.fetchAll(database, sql: "SELECT id, key FROM source WHERE kind = 'feed'")
      for row in feeds where LinkAddress.isLocal(row.value("key", or: "")) {
        try database.execute(
          sql: "UPDATE source SET isLocal = 1 WHERE id = ?",
          arguments: [try row.decode(Int64.self, forColumn: "id")]
        )
      }
    }
    migrator.registerMigration("4") { database in
      try database.execute(sql: version4)
    }
    return migrator
  }

  // Times are seconds since 1970. `folder` and `notes` are JSON arrays of strings.
  private static let version1 = """
    CREATE TABLE icon (
      digest TEXT PRIMARY KEY,
      mediaType TEXT NOT NULL,
      data BLOB NOT NULL
    ) WITHOUT ROWID;

    CREATE TABLE source (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      ownTitle TEXT NOT NULL DEFAULT '',
      customTitle TEXT,
      pageAddress TEXT,
      folder TEXT NOT NULL DEFAULT '[]',
      identityRule TEXT NOT NULL DEFAULT 'auto',
      appliesRules INTEGER NOT NULL DEFAULT 1,
      added REAL NOT NULL,
      icon TEXT REFERENCES icon(digest) ON DELETE SET NULL,
      iconTried REAL,
      entityTag TEXT,
      lastModified TEXT,
      documentDigest TEXT,
      tried REAL,
      succeeded REAL,
      nextFetch REAL,
      isHeldBack INTEGER NOT NULL DEFAULT 0,
      failures INTEGER NOT NULL DEFAULT 0,
      lastError TEXT,
      isGone INTEGER NOT NULL DEFAULT 0,
      notes TEXT NOT NULL DEFAULT '[]',
      UNIQUE (kind, key)
    );

    CREATE TABLE item (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      source INTEGER NOT NULL REFERENCES source(id) ON DELETE CASCADE,
      identity TEXT NOT NULL,
      identifier TEXT,
      tag TEXT NOT NULL,
      address TEXT NOT NULL,
      date REAL NOT NULL,
      isDated INTEGER NOT NULL,
      title TEXT NOT NULL,
      text TEXT NOT NULL,
      author TEXT,
      icon TEXT REFERENCES icon(digest) ON DELETE SET NULL,
      imageAddress TEXT,
      isRead INTEGER NOT NULL DEFAULT 0,
      firstSeen REAL NOT NULL,
      lastSeen REAL NOT NULL,
      changed REAL NOT NULL,
      blockedList TEXT,
      blockedRule INTEGER,
      UNIQUE (source, identity)
    );
    CREATE INDEX itemByDate ON item (date DESC, id DESC);
    CREATE INDEX itemBySource ON item (source, date DESC, id DESC);
    CREATE INDEX itemUnread ON item (source) WHERE isRead = 0;
    CREATE INDEX itemByIcon ON item (icon) WHERE icon IS NOT NULL;

    CREATE VIRTUAL TABLE itemText USING fts5(
      title, text, author, address,
      content='item', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
    );
    CREATE TRIGGER itemInserted AFTER INSERT ON item BEGIN
      INSERT INTO itemText (rowid, title, text, author, address)
        VALUES (new.id, new.title, new.text, new.author, new.address);
    END;
    CREATE TRIGGER itemDeleted AFTER DELETE ON item BEGIN
      INSERT INTO itemText (itemText, rowid, title, text, author, address)
        VALUES ('delete', old.id, old.title, old.text, old.author, old.address);
    END;
    CREATE TRIGGER itemUpdated AFTER UPDATE OF title, text, author, address ON item BEGIN
      INSERT INTO itemText (itemText, rowid, title, text, author, address)
        VALUES ('delete', old.id, old.title, old.text, old.author, old.address);
      INSERT INTO itemText (rowid, title, text, author, address)
        VALUES (new.id, new.title, new.text, new.author, new.address);
    END;

    CREATE TABLE ruleList (
      name TEXT PRIMARY KEY,
      isOn INTEGER NOT NULL,
      added REAL NOT NULL
    ) WITHOUT ROWID;
    -- Counts changes of the lists that are on.
    CREATE TABLE ruleState (generation INTEGER NOT NULL);
    INSERT INTO ruleState VALUES (0);
    """

  // The index of version 1 did not find words within a sentence that has no spaces.
  private static let version4 = """
    DROP TRIGGER itemInserted;
    DROP TRIGGER itemDeleted;
    DROP TRIGGER itemUpdated;
    DROP TABLE itemText;
    CREATE VIEW itemWords AS
      SELECT id, searchText(title) AS title, searchText(text) AS text,
        searchText(author) AS author, address
      FROM item;
    CREATE VIRTUAL TABLE itemText USING fts5(
      title, text, author, address,
      content='itemWords', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
    );
    INSERT INTO itemText (itemText) VALUES ('rebuild');
    CREATE TRIGGER itemInserted AFTER INSERT ON item BEGIN
      INSERT INTO itemText (rowid, title, text, author, address)
        VALUES (new.id, searchText(new.title), searchText(new.text), searchText(new.author),
          new.address);
    END;
    CREATE TRIGGER itemDeleted AFTER DELETE ON item BEGIN
      INSERT INTO itemText (itemText, rowid, title, text, author, address)
        VALUES ('delete', old.id, searchText(old.title), searchText(old.text),
          searchText(old.author), old.address);
    END;
    CREATE TRIGGER itemUpdated AFTER UPDATE OF title, text, author, address ON item BEGIN
      INSERT INTO itemText (itemText, rowid, title, text, author, address)
        VALUES ('delete', old.id, searchText(old.title), searchText(old.text),
          searchText(old.author), old.address);
      INSERT INTO itemText (rowid, title, text, author, address)
        VALUES (new.id, searchText(new.title), searchText(new.text), searchText(new.author),
          new.address);
    END;
    """
}

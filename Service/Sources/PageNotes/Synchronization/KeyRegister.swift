internal import Foundation
internal import GRDB

/// What the database knows of keys: which one is in force, and which are not any more.
///
/// It is the witness against the key's file, which anybody with a copy can put back: a key is used only
/// if the database says that it is in force, or was about to be. So a key is announced here before its
/// file is written, and is in force once the file has it. Whoever is interrupted between the two has
/// the old key, or finds the new one announced.
///
/// A database without any record, of an older version or a new one, takes the file's key as it is.
struct KeyRegister {
  /// What may be done with a key.
  enum Standing: String {
    /// It seals and opens.
    case inForce = "in-force"
    /// It is to replace the one in force for good, as when a device was lost.
    case replacing
    /// It is to take the place of the one in force, because the user gave it, or there was none.
    case taking
    /// Another one was taken; the user may come back to it.
    case left
    /// It was replaced for good: somebody else may have it.
    case replaced
  }

  private var standings: [String: Standing?] = [:]
  /// The key in force, or announced, whose file others could read.
  private(set) var openKey: String?

  static func fetch(_ database: Database) throws -> KeyRegister {
    var register = KeyRegister()
    // A database that cannot be written to may not have the table yet.
    guard try database.tableExists("syncKey") else { return register }
    for row in try Row.fetchAll(database, sql: "SELECT id, standing, wasOpen FROM syncKey") {
      let id = try row.decode(String.self, forColumn: "id")
      let standing = try row.decode(String.self, forColumn: "standing")
      register.standings[id] = .some(Standing(rawValue: standing))
      let wasOpen = try row.decode(Bool.self, forColumn: "wasOpen")
      if wasOpen, register.isUsable(id) { register.openKey = id }
    }
    return register
  }

  /// Whether nothing was ever recorded.
  var isEmpty: Bool { standings.isEmpty }

  /// What may be done with a key; `nil` if it is unknown.
  func standing(of id: String) -> Standing? { standings[id] ?? nil }

  /// The key in force.
  var inForce: String? { standings.first { $0.value == .inForce }?.key }

  /// Whether a file with this key may be used.
  func isUsable(_ id: String) -> Bool {
    switch standing(of: id) {
    case .inForce, .replacing, .taking: true
    case .left, .replaced: false
    case nil: isEmpty
    }
  }

  /// The ids of keys that are not used any more.
  var former: [String] {
    standings.filter { $0.value == .left || $0.value == .replaced }.map(\.key).sorted()
  }

  // MARK: Changing

  /// Records that a key's file is about to be written.
  ///
  /// One announced before is forgotten: its file was not written, or is written over now.
  static func announce(_ id: String, _ standing: Standing, _ database: Database) throws {
    guard try fetch(database).standing(of: id) != .inForce else { return }
    try database.execute(
      sql: "DELETE FROM syncKey WHERE standing IN (?, ?)",
      arguments: [Standing.replacing.rawValue, Standing.taking.rawValue]
    )
    try set(id, standing, database)
  }

  /// Whether a file says nothing about keys that is not recorded.
  func agrees(with found: SyncKeyFile.Found) -> Bool {
    standing(of: found.key.id) == .inForce && (openKey != nil || !found.isOpen)
      && found.retired.allSatisfy { standing(of: $0) != nil }
  }

  /// Records what a file with a usable key says, which is then in force.
  static func enforce(_ found: SyncKeyFile.Found, _ database: Database) throws {
    let id = found.key.id
    let register = try fetch(database)
    // An older version recorded former keys in the file alone.
    for old in found.retired where old != id && register.standing(of: old) == nil {
      try set(old, .replaced, database)
    }
    if register.standing(of: id) != .inForce {
      if let old = register.inForce {
        try set(old, register.standing(of: id) == .taking ? .left : .replaced, database)
      }
      try set(id, .inForce, database)
    }
    guard found.isOpen else { return }
    try database.execute(sql: "UPDATE syncKey SET wasOpen = 1 WHERE id = ?", arguments: [id])
  }

  private static func set(_ id: String, _ standing: Standing, _ database: Database) throws {
    try database.execute(
      sql: """
        INSERT INTO syncKey (id, standing) VALUES (:id, :standing)
        ON CONFLICT (id) DO UPDATE SET standing = :standing
        """,
      arguments: ["id": id, "standing": standing.rawValue]
    )
  }
}

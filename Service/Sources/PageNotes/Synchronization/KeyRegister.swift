internal import Foundation
internal import GRDB

/// What is known of keys: which one is in force, and which are not any more.
///
/// The database is the witness against the key's file, which anybody with a copy can put back: a key is
/// used only if the database says that it is in force, or was about to be. So a key is announced here
/// before its file is written, and is in force once the file has it. Whoever is interrupted between the
/// two has the old key, or finds the new one announced.
///
/// The file is a witness, too, as either may be older than the other, restored from a copy. It is heard
/// before anything is judged (``hear(_:)``): a key that one of them calls replaced is never taken, and a
/// file whose key replaced the one in force here is the newer of the two. A database without any record,
/// of an older version or a new one, takes the file's key as it is.
struct KeyRegister: Equatable {
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

  /// The keys; one of `nil` has a record that is not understood, and is not used.
  private var standings: [String: Standing?] = [:]
  /// The keys whose file others could read.
  private var open: Set<String> = []

  /// What may be done with a key; `nil` if it is unknown.
  func standing(of id: String) -> Standing? { standings[id] ?? nil }

  /// The key in force.
  var inForce: String? { standings.first { $0.value == .inForce }?.key }

  /// Whether a file with this key may be used.
  func isUsable(_ id: String) -> Bool {
    switch standing(of: id) {
    case .inForce, .replacing, .taking: true
    case .left, .replaced, nil: false
    }
  }

  /// The key in force, or announced, whose file others could read.
  var openKey: String? { open.first(where: isUsable) }

  /// The ids of keys that were replaced for good.
  var replaced: [String] { keys(.replaced) }

  /// The ids of keys that the user may come back to.
  var left: [String] { keys(.left) }

  /// The ids of keys that are not used any more.
  var former: [String] { (replaced + left).sorted() }

  /// Whether a key was ever in force.
  var hasRecord: Bool { inForce != nil || !former.isEmpty }

  private func keys(_ standing: Standing) -> [String] {
    standings.filter { $0.value == standing }.map(\.key).sorted()
  }

  // MARK: Changing

  /// Takes in what the key's file says, without putting an announced key in force.
  mutating func hear(_ found: SyncKeyFile.Found) {
    let id = found.key.id
    let before = inForce
    let isFirst = standings.isEmpty
    let isNews = standings[id] == nil
    for old in found.retired {
      // Earlier versions put keys that were left into the same list. It counts where nothing else is
      // known, and where the file is the newer witness.
      if found.left == nil, let known = standing(of: old), known != .inForce || !isNews { continue }
      standings[old] = Standing.replaced
    }
    for old in found.left ?? [] where standings[old] == nil { standings[old] = Standing.left }
    guard isNews, standings[id] == nil else { return }
    if isFirst || before.map({ standing(of: $0) == .replaced }) == true {
      standings[id] = Standing.inForce
    }
  }

  /// Takes in what the key's file says; if its key may be used, that one is in force.
  mutating func enforce(_ found: SyncKeyFile.Found) {
    hear(found)
    let id = found.key.id
    guard isUsable(id) else { return }
    if standing(of: id) != .inForce {
      if let old = inForce {
        standings[old] = standing(of: id) == .taking ? Standing.left : .replaced
      }
      standings[id] = Standing.inForce
    }
    if found.isOpen { open.insert(id) }
  }

  /// Records that a key's file is about to be written.
  ///
  /// One announced before is forgotten: its file was not written, or is written over now.
  mutating func announce(_ id: String, _ standing: Standing) {
    guard self.standing(of: id) != .inForce else { return }
    standings = standings.filter { $0.value != .replacing && $0.value != .taking }
    standings[id] = standing
  }
}

extension KeyRegister {
  /// Reads the database's record.
  static func fetch(_ database: Database) throws -> KeyRegister {
    var register = KeyRegister()
    // A database that cannot be written to may not have the table yet.
    guard try database.tableExists("syncKey") else { return register }
    for row in try Row.fetchAll(database, sql: "SELECT id, standing, wasOpen FROM syncKey") {
      let id = try row.decode(String.self, forColumn: "id")
      let standing = try row.decode(String.self, forColumn: "standing")
      register.standings[id] = .some(Standing(rawValue: standing))
      if try row.decode(Bool.self, forColumn: "wasOpen") { register.open.insert(id) }
    }
    return register
  }

  /// Changes the database's record.
  ///
  /// - Parameters:
  ///   - database: The database, in a transaction.
  ///   - body: Changes what is recorded.
  /// - Returns: What is recorded now.
  /// - Throws: An error of SQLite.
  @discardableResult
  static func change(
    _ database: Database,
    _ body: (inout KeyRegister) -> Void
  ) throws -> KeyRegister {
    let before = try fetch(database)
    var register = before
    body(&register)
    for id in before.standings.keys where register.standings[id] == nil {
      try database.execute(sql: "DELETE FROM syncKey WHERE id = ?", arguments: [id])
    }
    for (id, standing) in register.standings {
      guard let standing, before.standing(of: id) != standing else { continue }
      try database.execute(
        sql: """
          INSERT INTO syncKey (id, standing) VALUES (:id, :standing)
          ON CONFLICT (id) DO UPDATE SET standing = :standing
          """,
        arguments: ["id": id, "standing": standing.rawValue]
      )
    }
    for id in register.open.subtracting(before.open) {
      try database.execute(sql: "UPDATE syncKey SET wasOpen = 1 WHERE id = ?", arguments: [id])
    }
    return register
  }
}

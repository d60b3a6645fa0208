internal import CodedErrors
internal import Foundation
internal import GRDB

/// The key's file, and what it and the database say together.
extension NoteSynchronizer {
  /// Records what the key's file says.
  func record(_ found: SyncKeyFile.Found) throws {
    try store.write { database in
      // Another process may have replaced the key meanwhile; then it is not in force.
      _ = try KeyRegister.change(database) { $0.enforce(found) }
    }
  }

  /// Gives the key's file what only the database knows of former keys.
  ///
  /// Only while nobody else writes it.
  func completeKeyFile() throws {
    let (found, register, _) = try recordedKey()
    guard let found, register.standing(of: found.key.id) == .inForce,
      Set(found.retired) != Set(register.replaced) || Set(found.left ?? []) != Set(register.left)
    else { return }
    try keyFile.write(found.key, retired: register.replaced, left: register.left)
  }

  /// Returns the key of synchronisation.
  ///
  /// - Throws: ``NoteError`` with code `key` if there is none, or one that may not be used.
  public func key() throws -> SyncKey {
    let (found, register, isRecorded) = try recordedKey()
    guard let known = found else { throw missing(register) }
    // A key can be shown on a disk that cannot be written; it is recorded the next time.
    if !isRecorded { try? record(known) }
    try check(known, register)
    return known.key
  }

  /// Returns what the file has, if there is one, what it and the database know of keys, as of one
  /// moment, and whether the database has all of it.
  func recordedKey() throws -> (
    known: SyncKeyFile.Found?, register: KeyRegister, isRecorded: Bool
  ) {
    var known = try keyFile.read()
    while true {
      let recorded = try store.read { try KeyRegister.fetch($0) }
      // Who replaces a key changes the record before and after the file.
      let again = try keyFile.read()
      if again?.key == known?.key {
        guard let again else { return (nil, recorded, true) }
        var (heard, enforced) = (recorded, recorded)
        heard.hear(again)
        enforced.enforce(again)
        return (again, heard, enforced == recorded)
      }
      known = again
    }
  }

  /// Returns what is to be said of the key's file.
  func stateOfKey() throws -> (id: String?, isUnusable: Bool, problem: [String]) {
    do {
      let (found, register, isRecorded) = try recordedKey()
      guard let found else { return (nil, false, []) }
      // As in ``key()``.
      if !isRecorded { try? record(found) }
      try check(found, register)
      let isOpen = found.isOpen || register.openKey == found.key.id
      return (found.key.id, false, isOpen ? [keyFile.wordsOfOpenness] : [])
    } catch let error as NoteError where error.code == .key {
      return (nil, true, [error.sentence])
    }
  }

  /// Returns the key to synchronise with.
  ///
  /// If it differs from the previous one, everything is read and written again.
  ///
  /// - Returns: The key, the ids of former ones, and what is to be said about it, once.
  /// - Throws: ``NoteError`` with code `key` if there is none, or one that may not be used.
  func knownKey(_ folder: URL) throws -> (key: SyncKey, retired: [String], problem: String?) {
    let (found, register, isRecorded) = try recordedKey()
    guard let known = found else {
      guard register.hasRecord else {
        throw NoteError(
          .key,
          """
          Synchronisation has no key, without which anybody who can write into \(folder.path) could \
          change your notes. Turn it on again: “tickbird notes sync on FOLDER” on the first device, \
          which makes the key and shows how the other devices get it
          """
        )
      }
      throw missing(register)
    }
    if !isRecorded { try record(known) }
    try check(known, register)
    if try store.read({ try DeviceRow.fetch($0).keyID }) != known.key.id {
      try store.write { database in
        try DeviceRow.publishAnew(database)
        try database.execute(sql: "DELETE FROM syncFile")
        try database.execute(sql: "UPDATE device SET keyID = ?", arguments: [known.key.id])
      }
    }
    if known.isOpen { try keyFile.close() }
    var enforced = register
    enforced.enforce(known)
    return (known.key, enforced.former, known.isOpen ? keyFile.wordsOfOpenness : nil)
  }

  /// Rejects a file's key that is not the one in force, such as one of a backup from before it was
  /// replaced.
  func check(_ found: SyncKeyFile.Found, _ register: KeyRegister) throws {
    let id = found.key.id
    guard !register.isUsable(id) else { return }
    let standing = register.standing(of: id)
    let why =
      switch standing {
      case .left: "has a key (\(id)) that this device left for another one"
      case nil: "has a key (\(id)) that this device was never given"
      default: "has a key (\(id)) that was replaced, and that others may have"
      }
    let own =
      standing == .replaced ? "" : "; if you know that the one in the file is right, give that one"
    throw NoteError(
      .key,
      """
      \(keyFile.url.path) \(why)\(register.inForce.map { ", instead of \($0)" } ?? ""). Show the right \
      one with “tickbird notes key show” on a device that has it, and give it here with “tickbird notes \
      sync on FOLDER --key”\(own). If no device has it any more, “tickbird notes key new” makes another
      """
    )
  }

  /// Says that the key's file is not there, and what to do.
  func missing(_ register: KeyRegister) -> NoteError {
    guard register.hasRecord else {
      return NoteError(
        .key,
        "There is no key yet; “tickbird notes sync on FOLDER” makes one on the first device"
      )
    }
    let id = register.inForce.map { " (\($0))" } ?? ""
    return NoteError(
      .key,
      """
      The key\(id) is missing: \(keyFile.url.path) is not there. Show it with “tickbird notes key show” \
      on a device that has it, and give it here with “tickbird notes sync on FOLDER --key”. If no device has it any more, “tickbird notes key new” makes another one
      """
    )
  }
}

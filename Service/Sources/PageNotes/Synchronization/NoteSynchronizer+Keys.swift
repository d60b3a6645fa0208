internal import DurableFiles
public import Foundation
internal import GRDB

extension NoteSynchronizer {
  /// Turns synchronisation on, and synchronises for the first time.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is created if missing, but not its parents.
  ///   - key: The key of the user's other devices. If nil, the key that this device has is used; if
  ///     it has none and no device has written into the folder, a new one.
  ///   - acceptingUnsigned: Whether to import, this once, what versions without a key wrote into
  ///     the folder. Anybody with access to the folder could have written it.
  /// - Returns: What was done, and the key for the other devices.
  /// - Throws: ``NoteError`` with code `folder`, `key` or `database`; then nothing has changed.
  public func start(
    _ folder: URL,
    key: SyncKey? = nil,
    acceptingUnsigned: Bool = false
  ) throws -> SyncStart {
    let folder = folder.standardizedFileURL
    try checkPlace(folder)
    if !DurableFile.isThere(folder.path), unsafe mkdir(folder.path, 0o777) != 0 {
      let failure = FileFailure(folder.path, "made", errno)
      throw NoteError(.folder, "The folder is not there yet, and \(failure.description)")
    }
    try Self.check(folder)
    var start = try whilePublishing {
      // A key that cannot be read must not be overwritten: it may be all that opens the notes.
      let known = try keyFile.read()
      let device = try store.read { try DeviceRow.fetch($0).id }
      let chosen = try Self.choose(given: key, known: known, folder, device)
      if chosen != known?.key {
        if let old = known?.key { try leaveUnknownFile(old) }
        let retired = (known?.retired ?? []).filter { $0 != chosen.id } + [known?.key.id]
        try keyFile.write(chosen, retired: retired.compactMap(\.self))
      }
      try store.write { database in
        let isOther = try DeviceRow.fetch(database).folder != folder.path
        try database.execute(
          sql: "UPDATE device SET folder = ?, problem = NULL",
          arguments: [folder.path]
        )
        if isOther {
          try database.execute(sql: "DELETE FROM syncFile")
          try DeviceRow.publishAnew(database)
        }
      }
      return SyncStart(
        report: SyncReport(),
        key: chosen,
        isNewKey: key == nil && known == nil,
        unsignedFiles: 0
      )
    }
    let unsigned = try ChangeFile.all(in: folder, suffix: ChangeFile.legacySuffix)
    start.unsignedFiles = unsigned.count
    var problems: [String] = []
    var changed = 0
    if acceptingUnsigned { (changed, problems) = try takeIn(unsigned: unsigned) }
    start.report = try synchronize(readingAtMost: ChangeFile.limit)
    start.report.problems += problems
    start.report.notesChanged += changed
    return start
  }

  /// Takes a new name if the device's own file has lines that the device does not know, as after
  /// restoring a backup.
  ///
  /// What the old key sealed is neither imported nor overwritten.
  private func leaveUnknownFile(_ key: SyncKey) throws {
    let device = try store.read { try DeviceRow.fetch($0) }
    guard let path = device.folder, device.keyID == key.id else { return }
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    let file = ChangeFile(folder: folder, device: device.id)
    guard let handle = try Self.reading(file, { try file.opened() }) else { return }
    let reader = ChangeLines(handle, from: 0)
    while let line = try Self.reading(file, reader.next) {
      guard !line.isTooLong, let change = try? ChangeLine(line.bytes, key),
        change.device == device.id, change.sequence > device.sequence
      else { continue }
      return try store.write { try DeviceRow.becomeAnother($0, store.surroundings) }
    }
  }

  /// Reads a file on which the choice of a key depends.
  ///
  /// - Returns: `nil` for what no device writes, such as a folder or a link.
  /// - Throws: ``NoteError`` with code `folder` if it cannot be read now.
  private static func reading<Value>(
    _ file: ChangeFile,
    _ read: () throws -> Value?
  ) throws -> Value? {
    do {
      return try read()
    } catch is ChangeFile.Fault {
      return nil
    } catch {
      throw NoteError(
        .folder,
        """
        \(file.url.path) cannot be read, and may say which key is used: \
        \(FileFailure.reason(of: error)). Try again; if that does not help and the file is of no use, \
        move it out of the folder. Nothing was changed.
        """
      )
    }
  }

  /// Rejects folders where strangers could read the key.
  private func checkPlace(_ folder: URL) throws {
    let own = store.file.deletingLastPathComponent().resolvingSymlinksInPath().pathComponents
    guard own.starts(with: folder.resolvingSymlinksInPath().pathComponents) else { return }
    throw NoteError(
      .folder,
      """
      The folder \(folder.path) holds Tickbird's own data, with the key; choose or make another one, \
      for the notes alone.
      """
    )
  }

  private static func choose(
    given: SyncKey?,
    known: (key: SyncKey, retired: [String])?,
    _ folder: URL,
    _ device: String
  ) throws -> SyncKey {
    let own = ChangeFile(folder: folder, device: device).name
    // This device's own lines under its previous key say nothing about the given one.
    let files = try ChangeFile.all(in: folder).filter { given == nil || $0.name != own }
    let ids = Set(try files.compactMap { file in try reading(file) { try file.keyID } })
    if let key = given ?? known?.key {
      // The key may have been replaced while synchronisation was off.
      let isReplaced = key == known?.key && !ids.isDisjoint(with: known?.retired ?? [])
      guard ids.isEmpty || ids.contains(key.id) || isReplaced else {
        throw NoteError(
          .key,
          """
          No file in \(folder.path) is sealed with \(given == nil ? "this device's" : "that") key \
          (\(key.id)), but with \(ids.sorted().prefix(3).joined(separator: ", ")). Show the key of \
          the other device with “tickbird notes key show”, and give it here: “tickbird notes sync on \
          FOLDER --key”. Nothing was changed.
          """
        )
      }
      return key
    }
    guard ids.isEmpty else {
      throw NoteError(
        .key,
        """
        In \(folder.path) are notes of another device, sealed with its key. Show the key there with \
        “tickbird notes key show”, and give it here: “tickbird notes sync on FOLDER --key”. If no \
        device of yours wrote into the folder, choose another one.
        """
      )
    }
    return SyncKey()
  }

  /// Returns the key of synchronisation.
  public func key() throws -> SyncKey {
    guard let known = try keyFile.read() else {
      throw NoteError(
        .key,
        "There is no key yet; “tickbird notes sync on FOLDER” makes one on the first device"
      )
    }
    return known.key
  }

  /// Creates a new key, after reading everything that devices wrote with the old one, and seals all
  /// notes with it again.
  ///
  /// - Throws: ``NoteError`` with code `folder`, `key` or `database`; then the old key stays. This
  ///   includes a file that could not be read: its notes would never arrive here.
  public func replaceKey() throws -> SyncStart { try replaceKey(readingAtMost: ChangeFile.limit) }

  /// Replaces the key, reading at most `limit` bytes of each file, and a few times as many in
  /// total.
  func replaceKey(readingAtMost limit: Int) throws -> SyncStart {
    _ = try key()
    let folder = try status().folder
    if let folder {
      let report = try synchronize(readingAtMost: limit, waitingForReaders: true)
      guard report.unread.isEmpty else { throw Self.unread(report, folder) }
    }
    let new = SyncKey()
    try whilePublishing {
      guard let known = try keyFile.read() else { return }
      try keyFile.write(new, retired: known.retired + [known.key.id])
    }
    let report = folder == nil ? SyncReport() : try synchronize(readingAtMost: limit)
    return SyncStart(report: report, key: new, isNewKey: true, unsignedFiles: 0)
  }

  private static func unread(_ report: SyncReport, _ folder: URL) -> NoteError {
    let names = report.unread.prefix(3).joined(separator: ", ")
    let more = report.unread.count > 3 ? " and \(report.unread.count - 3) more" : ""
    return NoteError(
      .folder,
      """
      The key was not replaced: in \(folder.path), \(names)\(more) could not be read to the end, and \
      what your other devices wrote there would not be read with the new key. “tickbird notes sync \
      status” says why. Run “tickbird notes key new” again; if that does not help and a file is of \
      no use, move it out of the folder first.
      """
    )
  }

  /// Returns the key to synchronise with.
  ///
  /// If it differs from the previous one, everything is read and written again.
  func knownKey(_ folder: URL) throws -> (key: SyncKey, retired: [String]) {
    guard let known = try keyFile.read() else {
      throw NoteError(
        .key,
        """
        Synchronisation has no key, without which anybody who can write into \(folder.path) could \
        change your notes. Turn it on again: “tickbird notes sync on FOLDER” on the first device, \
        which makes the key and shows how the other devices get it.
        """
      )
    }
    if try store.read({ try DeviceRow.fetch($0).keyID }) != known.key.id {
      try store.write { database in
        try DeviceRow.publishAnew(database)
        try database.execute(sql: "DELETE FROM syncFile")
        try database.execute(sql: "UPDATE device SET keyID = ?", arguments: [known.key.id])
      }
    }
    return known
  }
}

extension ChangeFile {
  /// The id of the key that sealed the file's first line.
  fileprivate var keyID: String? {
    get throws { try opened()?.read(upToCount: 64).flatMap { SyncKey.id(of: $0) } }
  }
}

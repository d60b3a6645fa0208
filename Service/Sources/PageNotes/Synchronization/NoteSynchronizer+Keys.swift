internal import CodedErrors
internal import DurableFiles
public import Foundation
internal import GRDB
internal import ServiceFolders

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
    try check(folder)
    var unreadable: String?
    var start = try whilePublishing {
      // A key that cannot be read must not be overwritten: it may be all that opens the notes.
      let (known, register, _) = try recordedKey()
      let device = try store.read { try DeviceRow.fetch($0).id }
      if key == nil, let known { try check(known, register) }
      let chosen = try choose(given: key, known: known?.key, register, folder, device)
      unreadable = try leaveUnreadableFile(
        in: folder,
        register,
        readable: [chosen.id, known?.key.id]
      )
      if chosen != known?.key || !register.isUsable(chosen.id) {
        if let old = known?.key { try leaveUnknownFile(old) }
        try use(chosen, .taking)
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
    start.report = try synchronize(readingAtMost: ChangeFile.limit, filesAtMost: .max)
    start.report.problems += problems + [unreadable].compactMap(\.self)
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

  /// Sees to the device's own file where it is sealed with a key that is not there any more.
  ///
  /// It is written again if it is as this device left it, since all of it is known then. Otherwise it stays,
  /// and the device takes a new name.
  ///
  /// - Parameters:
  ///   - folder: The folder of synchronisation.
  ///   - register: What is known of keys; files with others are left to reading.
  ///   - readable: The ids of keys that can open the file.
  /// - Returns: What is to be said; `nil` if there is no such file.
  /// - Throws: ``NoteError`` with code `folder` or `database`.
  private func leaveUnreadableFile(
    in folder: URL,
    _ register: KeyRegister,
    readable: [String?]
  ) throws -> String? {
    let device = try store.read { try DeviceRow.fetch($0) }
    let file = ChangeFile(folder: folder, device: device.id)
    guard let id = try Self.reading(file, { try file.keyID }), !readable.contains(id),
      register.former.contains(id) || register.inForce == id
    else { return nil }
    let what =
      "\(file.name), this device's own file, is sealed with a key (\(id)) that is not there any more"
    if let mark = try Self.reading(file, file.mark)?.text, mark == device.ownMark {
      return "\(what). Its notes are here, and are written into it again with the key of now."
    }
    try store.write { try DeviceRow.becomeAnother($0, store.surroundings) }
    return """
      \(what), and is not as this device left it. It stays as it is, and this device has a new name; \
      delete the file when you know that no note is missing.
      """
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
        move it out of the folder. Nothing was changed
        """
      )
    }
  }

  private func choose(
    given: SyncKey?,
    known: SyncKey?,
    _ register: KeyRegister,
    _ folder: URL,
    _ device: String
  ) throws -> SyncKey {
    if let key = given, register.standing(of: key.id) == .replaced { throw Self.replaced(key) }
    let own = ChangeFile(folder: folder, device: device).name
    // This device's own lines under its previous key say nothing about the given one.
    let files = try ChangeFile.all(in: folder)
    let found = try files.compactMap { file in
      try Self.reading(file) { try file.keyID }.map { (name: file.name, id: $0) }
    }
    let ids = Set(
      found.filter { given == nil || $0.name != own || $0.id == given?.id }.map(\.id)
    )
    if let key = given ?? known {
      // A key that this device left is one that others were given another for.
      if register.standing(of: key.id) == .left, let now = register.inForce, ids.contains(now) {
        throw Self.left(key, for: now, found.filter { $0.id == now }.map(\.name), folder)
      }
      // The key may have been replaced while synchronisation was off, or its file lost since.
      let isKnown = key == known || key.id == register.inForce
      let isReplaced = isKnown && !ids.isDisjoint(with: register.former)
      guard ids.isEmpty || ids.contains(key.id) || isReplaced else {
        throw NoteError(
          .key,
          """
          No file in \(folder.path) is sealed with \(given == nil ? "this device's" : "that") key \
          (\(key.id)), but with \(ids.sorted().prefix(3).joined(separator: ", ")). Show the key of \
          the other device with “tickbird notes key show”, and give it here: “tickbird notes sync on \
          FOLDER --key”. Nothing was changed
          """
        )
      }
      return key
    }
    guard ids.isEmpty else {
      guard ids.isDisjoint(with: register.former + [register.inForce].compactMap(\.self)) else {
        throw missing(register)
      }
      throw NoteError(
        .key,
        """
        In \(folder.path) are notes of another device, sealed with its key. Show the key there with \
        “tickbird notes key show”, and give it here: “tickbird notes sync on FOLDER --key”. If no \
        device of yours wrote into the folder, choose another one
        """
      )
    }
    return SyncKey()
  }

  private static func left(
    _ key: SyncKey,
    for now: String,
    _ names: [String],
    _ folder: URL
  ) -> NoteError {
    NoteError(
      .key,
      """
      This device left that key (\(key.id)) for another one (\(now)), with which \
      \(names.prefix(3).joined(separator: ", ")) in \(folder.path) is marked. If your other devices use the \
      other one there, “tickbird notes sync on FOLDER” without a key goes on with it. If none of them wrote \
      that file, move it out of the folder and give the key again. Nothing was changed
      """
    )
  }

  private static func replaced(_ key: SyncKey) -> NoteError {
    NoteError(
      .key,
      """
      That key (\(key.id)) was replaced by another one, as for a lost device, so others may have it; it \
      is not taken again. Show the present one with “tickbird notes key show” on a device that has \
      it, or make another one with “tickbird notes key new”. Nothing was changed
      """
    )
  }

  /// Announces a key, writes its file, and puts it in force.
  ///
  /// Only while nobody else does. What the file before says of other keys is kept, and a new key replaces
  /// whatever that file has.
  private func use(_ key: SyncKey, _ standing: KeyRegister.Standing) throws {
    let before = try keyFile.read()
    var register = try store.write { database in
      try KeyRegister.change(database) {
        if let before { $0.enforce(before) }
        $0.announce(key.id, standing)
      }
    }
    let retired = standing == .replacing ? [before?.key.id].compactMap(\.self) : []
    register.enforce(SyncKeyFile.Found(key: key, retired: retired, left: [], isOpen: false))
    try keyFile.write(key, retired: register.replaced, left: register.left)
    guard let found = try keyFile.read() else { return }
    try record(found)
  }

  /// Creates a new key, after reading everything that devices wrote with the old one, and seals all
  /// notes with it again.
  ///
  /// Where the key is missing, or one that may not be used, nothing can be read first; what other devices have
  /// comes with the new key, when they are given it.
  ///
  /// - Throws: ``NoteError`` with code `folder`, `key` or `database`; then the old key stays, unless the
  ///   message says otherwise. This includes a file that could not be read: its notes would never arrive here.
  public func replaceKey() throws -> SyncStart { try replaceKey(readingAtMost: ChangeFile.limit) }

  /// Replaces the key, reading at most `limit` bytes of each file, and a few times as many in
  /// total.
  func replaceKey(readingAtMost limit: Int) throws -> SyncStart {
    // A full disk must not keep a lost device in.
    let reserve = store.reserve
    let folder = try status().folder
    let (present, register, _) = try recordedKey()
    guard present != nil || register.hasRecord else { throw missing(register) }
    let usable = present.flatMap { register.isUsable($0.key.id) ? $0.key.id : nil }
    if let folder, usable != nil {
      let report = try reserve.using(askingDisk: {
        try synchronize(readingAtMost: limit, filesAtMost: .max, waitingForReaders: true)
      })
      guard report.unread.isEmpty else { throw Self.unread(report, folder) }
    }
    let new = SyncKey()
    let unreadable = try whilePublishing {
      try reserve.using(askingDisk: {
        let unreadable = try folder.flatMap {
          try leaveUnreadableFile(in: $0, register, readable: [usable])
        }
        try use(new, .replacing)
        return unreadable
      })
    }
    do {
      var report = try reserve.using(askingDisk: {
        folder == nil ? SyncReport() : try synchronize(readingAtMost: limit, filesAtMost: .max)
      })
      reserve.keep()
      report.problems += [unreadable].compactMap(\.self)
      return SyncStart(report: report, key: new, isNewKey: true, unsignedFiles: 0)
    } catch let error as NoteError {
      throw NoteError(
        error.code,
        """
        There is a new key, but not everything is sealed with it yet: \(error.sentence) “tickbird notes \
        sync now” goes on, and “tickbird notes key show” shows the key for your other devices
        """
      )
    }
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
      no use, move it out of the folder first
      """
    )
  }
}

extension ChangeFile {
  /// The id of the key that sealed the file's first line.
  fileprivate var keyID: String? {
    get throws { try opened()?.read(upToCount: 64).flatMap { SyncKey.id(of: $0) } }
  }
}

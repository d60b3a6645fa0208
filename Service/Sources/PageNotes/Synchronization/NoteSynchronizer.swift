public import Foundation
internal import GRDB
internal import ServiceFolders

/// What a synchronisation did.
public struct SyncReport: Equatable, Sendable {
  /// How many change files were read, those that had not changed left out.
  public var filesRead = 0
  /// How many notes became different here.
  public var notesChanged = 0
  /// How many lines were written for other devices.
  public var linesWritten = 0
  /// What could not be read, a sentence for each file.
  public var problems: [String] = []
}

/// How synchronisation stands.
public struct SyncStatus: Equatable, Sendable {
  /// The folder; `nil` while synchronisation is off.
  public var folder: URL?
  /// The device's name in the folder.
  public var device: String
  /// When devices were last synchronised from here.
  public var last: Date?
  /// How many notes have changes that no other device can know yet.
  public var unpublished: Int
  /// How many notes have texts of several devices.
  public var unsettled: Int
  /// What could not be read the last time.
  public var problems: [String]
}

/// Brings the notes of several devices together, through a folder that a tool of the user's copies.
///
/// Reads what other devices wrote, then writes what they do not know yet. May be done at any time, as
/// often as one likes, by any process; nothing waits for other devices.
public struct NoteSynchronizer: Sendable {
  private let store: NoteStore

  /// How many lines for each note a file may have before it is made anew.
  static let compactionFactor = 4
  /// How many bytes a file has to have for that.
  static let compactionSize = 64 << 10

  /// Takes the notes of this device.
  public init(_ store: NoteStore) { self.store = store }

  /// Turns synchronisation on, and does it for the first time.
  ///
  /// - Parameter folder: Is made if it is not there, but not the folders above it.
  /// - Returns: What the first synchronisation did.
  /// - Throws: ``NoteError`` with code `folder` or `database`.
  public func start(_ folder: URL) throws -> SyncReport {
    let folder = folder.standardizedFileURL
    if !FileManager.default.fileExists(atPath: folder.path) {
      do {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      } catch {
        throw NoteError(
          .folder,
          "The folder \(folder.path) is not there and cannot be made: \(error.localizedDescription)"
        )
      }
    }
    try Self.check(folder)
    try store.write { database in
      try database.execute(
        sql: "UPDATE device SET folder = ?, problem = NULL",
        arguments: [folder.path]
      )
      try database.execute(sql: "DELETE FROM syncFile")
    }
    return try synchronize()
  }

  /// Turns synchronisation off; the folder and the notes stay as they are.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func stop() throws {
    try store.write {
      try $0.execute(sql: "UPDATE device SET folder = NULL, problem = NULL")
    }
  }

  /// How synchronisation stands.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func status() throws -> SyncStatus {
    try store.read { database in
      let device = try DeviceRow.fetch(database)
      let last = try Int64.fetchOne(database, sql: "SELECT synchronized FROM device")
      let unpublished = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM note WHERE \(NoteRow.isUnpublished)"
      )
      let unsettled = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM note WHERE otherTexts IS NOT NULL AND key IS NOT NULL"
      )
      return SyncStatus(
        folder: device.folder.map { URL(filePath: $0, directoryHint: .isDirectory) },
        device: device.id,
        last: last.map { Date(milliseconds: $0) },
        unpublished: unpublished ?? 0,
        unsettled: unsettled ?? 0,
        problems: try String.fetchAll(
          database,
          sql: """
            SELECT problem FROM device WHERE problem IS NOT NULL
            UNION ALL SELECT problem FROM syncFile WHERE problem IS NOT NULL
            """
        )
      )
    }
  }

  /// Reads what is new in the folder, and writes what is new here.
  ///
  /// - Throws: ``NoteError`` with code `folder` if synchronisation is off or the folder cannot be
  ///   used, or `database`. What was read stays; what could not be written is written the next time.
  public func synchronize() throws -> SyncReport {
    let lock = store.file.deletingPathExtension().appendingPathExtension("sync.lock")
    return try StoreLock.whileHeld(lock) {
      guard let path = try store.read({ try DeviceRow.fetch($0).folder }) else {
        throw NoteError(
          .folder,
          "Synchronisation is off. “tickbird notes sync on FOLDER” turns it on."
        )
      }
      let folder = URL(filePath: path, directoryHint: .isDirectory)
      do {
        try Self.check(folder)
        var report = SyncReport()
        let isFolderWhole = try readFiles(folder, &report)
        report.linesWritten = try publish(folder, everything: !isFolderWhole)
        try finish(nil)
        return report
      } catch {
        let fault =
          error as? NoteError
          ?? NoteError(.folder, "\(path): \(error.localizedDescription)")
        try? finish(fault.message)
        throw fault
      }
    }
  }

  private func finish(_ problem: String?) throws {
    try store.write { database in
      try database.execute(sql: "UPDATE device SET problem = ?", arguments: [problem])
      guard problem == nil else { return }
      try database.execute(
        sql: "UPDATE device SET synchronized = ?",
        arguments: [store.surroundings.milliseconds]
      )
    }
  }

  private static func check(_ folder: URL) throws {
    let kind = try? FileManager.default.attributesOfItem(
      atPath: folder.resolvingSymlinksInPath().path
    )[.type]
    guard let kind else {
      throw NoteError(
        .folder,
        """
        The folder \(folder.path) is not there. Is its disk mounted, and does the program that \
        synchronises it run?
        """
      )
    }
    guard kind as? FileAttributeType == .typeDirectory else {
      throw NoteError(.folder, "\(folder.path) is a file, not a folder.")
    }
  }

  // MARK: Reading

  /// Takes in all files that have changed.
  ///
  /// - Returns: Whether writing what is new suffices: the device's own file is there with all that
  ///   was written into it, and no other device's file has gone.
  private func readFiles(_ folder: URL, _ report: inout SyncReport) throws -> Bool {
    let files = try ChangeFile.all(in: folder)
    let known = try store.read { database in
      try Row.fetchAll(database, sql: "SELECT name, mark FROM syncFile")
        .reduce(into: [String: String]()) { $0[$1["name"]] = $1["mark"] }
    }
    let device = try store.read { try DeviceRow.fetch($0) }
    var foreignSequence = 0
    var ownSequence = 0
    var isOwnFileUnchanged = false
    for file in files {
      let mark = file.mark()
      let isOwn = file.name == ChangeFile(folder: folder, device: device.id).name
      if let mark, known[file.name] == mark.text {
        if isOwn { isOwnFileUnchanged = true }
        continue
      }
      var problem: String?
      do {
        let contents = try file.read()
        report.filesRead += 1
        for line in contents.lines where line.device == device.id {
          foreignSequence = max(foreignSequence, line.sequence)
          if isOwn { ownSequence = max(ownSequence, line.sequence) }
        }
        report.notesChanged += try takeIn(contents.lines)
        problem = Self.problem(file.name, contents)
      } catch let error as NoteError {
        throw error
      } catch let fault as ChangeFile.Fault {
        problem = "\(file.name) \(fault)."
      } catch {
        problem = "\(file.name) cannot be read: \(error.localizedDescription)"
      }
      if let problem { report.problems.append(problem) }
      try store.write {
        try $0.execute(
          sql: "INSERT OR REPLACE INTO syncFile (name, mark, problem) VALUES (?, ?, ?)",
          // A file that could not be opened is tried again.
          arguments: [file.name, mark?.text ?? "", problem]
        )
      }
    }
    let names = Set(files.map(\.name))
    var isFileGone = false
    for name in known.keys where !names.contains(name) {
      // What only that file had is known here; it is written anew for devices to come.
      isFileGone = true
      try store.write {
        try $0.execute(sql: "DELETE FROM syncFile WHERE name = ?", arguments: [name])
      }
    }
    if foreignSequence > device.sequence {
      // Lines of this device that it does not remember: it was restored from a backup, or copied.
      // Its numbers would be used twice, and its counts would hide those of before.
      try store.write { try DeviceRow.becomeAnother($0, store.surroundings) }
      return false
    }
    return !isFileGone
      && (isOwnFileUnchanged || ownSequence == device.sequence && device.sequence > 0)
  }

  private static func problem(_ name: String, _ contents: ChangeFile.Contents) -> String? {
    var parts: [String] = []
    if contents.damaged > 0 {
      parts.append(
        "\(contents.damaged) of \(contents.count) lines are damaged or have not arrived whole"
      )
    }
    if contents.newer > 0 {
      parts.append("\(contents.newer) lines were written by a newer version of Tickbird")
    }
    return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))."
  }

  /// Joins lines to what is known; other processes get their turn between batches.
  private func takeIn(_ lines: [ChangeLine]) throws -> Int {
    var changed: Set<String> = []
    for start in stride(from: 0, to: lines.count, by: 500) {
      try store.write { database in
        var device = try DeviceRow.fetch(database)
        for line in lines[start..<min(start + 500, lines.count)] {
          var row = try NoteRow.fetch(database, id: line.note) ?? NoteRow(id: line.note)
          let before = row.state
          row.state.join(line.state)
          device.clock = max(device.clock, row.state.clock)
          guard row.state != before else { continue }
          try row.save(database, isHere: false)
          changed.insert(line.note)
        }
        try device.saveClock(database)
      }
    }
    return changed.count
  }

  // MARK: Writing

  /// Writes lines for all notes that other devices do not know as they are here.
  private func publish(_ folder: URL, everything: Bool) throws -> Int {
    let part = try prepare(everything: everything)
    guard !part.lines.isEmpty else { return 0 }
    let file = ChangeFile(folder: folder, device: part.device)
    try file.append(try Self.data(part.lines))
    try confirm(part)
    var written = part.lines.count
    if try isWorthCompacting(file) {
      let all = try prepare(everything: true)
      try file.replace(try Self.data(all.lines))
      try confirm(all)
      written += all.lines.count
    }
    let mark = file.mark()?.text ?? ""
    try store.write {
      try $0.execute(
        sql: "INSERT OR REPLACE INTO syncFile (name, mark) VALUES (?, ?)",
        arguments: [file.name, mark]
      )
    }
    return written
  }

  /// Lines to be written, and which state of the notes they have.
  private struct Part {
    var device: String
    var lines: [ChangeLine] = []
    var revisions: [(id: String, revision: Int)] = []
  }

  /// Makes lines, and takes numbers for them, which are never used again if writing them fails.
  private func prepare(everything: Bool) throws -> Part {
    try store.write { database in
      let device = try DeviceRow.fetch(database)
      var part = Part(device: device.id)
      let rows = try NoteRow.fetchAll(
        database,
        where: everything ? "1" : NoteRow.isUnpublished
      )
      var sequence = device.sequence
      for var row in rows {
        if row.newCounts != NoteCounts() {
          let known = row.state.counts[device.id, default: NoteCounts()]
          row.state.counts[device.id] = (known + row.newCounts).bounded()
          row.newCounts = NoteCounts()
          try row.save(database, isHere: true)
        }
        sequence += 1
        part.lines.append(
          ChangeLine(device: device.id, sequence: sequence, note: row.id, state: row.state)
        )
        part.revisions.append((row.id, row.revision))
      }
      try database.execute(sql: "UPDATE device SET sequence = ?", arguments: [sequence])
      return part
    }
  }

  private func confirm(_ part: Part) throws {
    try store.write { database in
      let statement = try database.cachedStatement(
        sql: "UPDATE note SET publishedRevision = ? WHERE id = ?"
      )
      for (id, revision) in part.revisions {
        try statement.execute(arguments: [revision, id])
      }
    }
  }

  private func isWorthCompacting(_ file: ChangeFile) throws -> Bool {
    guard let size = file.mark()?.size, size >= Self.compactionSize else { return false }
    let notes = try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") ?? 0 }
    let lines = try file.read().count
    return lines > Self.compactionFactor * notes
  }

  private static func data(_ lines: [ChangeLine]) throws -> Data {
    try lines.reduce(into: Data()) { $0 += try $1.data() }
  }
}

extension NoteRow {
  /// Which rows have something that no change file of this device has.
  static let isUnpublished = """
    (publishedRevision < revision OR newShown + newLeft + newViewed > 0)
    """
}

internal import CodedErrors
internal import DurableFiles
internal import Foundation
internal import GRDB

extension NoteSynchronizer {
  /// How many notes are encoded in one go.
  private static let page = 500

  /// Writes lines for all notes whose current state other devices do not know.
  ///
  /// Only one process at a time does this.
  ///
  /// - Returns: How many lines were written.
  func publish(
    _ folder: URL,
    _ known: (key: SyncKey, retired: [String], problem: String?),
    _ report: inout SyncReport
  ) throws -> Int {
    let key = known.key
    let reading = FileReading(key: key, retired: known.retired, limit: ChangeFile.limit)
    var device = try store.read { try DeviceRow.fetch($0) }
    var file = ChangeFile(folder: folder, device: device.id)
    var isWhole = try isWhole(file, device, reading, &report)
    if try store.read({ try Bool.fetchOne($0, sql: "SELECT isCloned FROM device") ?? false }) {
      try store.write { try DeviceRow.becomeAnother($0, store.surroundings) }
      device = try store.read { try DeviceRow.fetch($0) }
      file = ChangeFile(folder: folder, device: device.id)
      isWhole = false
    }
    guard isWhole else { return try writeAll(file, key, &report) }
    let isFileGone = try store.read {
      try Bool.fetchOne($0, sql: "SELECT isFileGone FROM device") ?? false
    }
    let condition = isFileGone ? NoteRow.isUnwritten : NoteRow.isUnpublished
    var (written, last, isSound) = (0, "", true)
    while true {
      let part = try prepare(condition, after: last)
      report.problems += part.damaged
      isSound = isSound && part.damaged.isEmpty
      guard let end = part.last else { break }
      last = end
      guard !part.lines.isEmpty else { continue }
      try writing(file) { try file.append(try part.data(key)) }
      try confirm(part, file, isWhole: false)
      written += part.lines.count
    }
    if isFileGone { try store.write { try $0.execute(sql: "UPDATE device SET isFileGone = 0") } }
    // The file may hold the only good copy of a note that is damaged here, so it must not be
    // compacted.
    guard written > 0, isSound, try isWorthCompacting(file) else { return written }
    return try written + writeAll(file, key, &report)
  }

  /// Returns whether the device's own file has everything that was written into it, and nothing
  /// else.
  private func isWhole(
    _ file: ChangeFile,
    _ device: DeviceRow,
    _ reading: FileReading,
    _ report: inout SyncReport
  ) throws -> Bool {
    // A hard link would be a second file that grows.
    guard let mark = try file.mark(), mark.isAlone else { return false }
    if device.written > 0, mark.text == device.ownMark { return true }
    guard try takeOwn(file, device, reading, &report) else { return false }
    try store.write {
      try $0.execute(sql: "UPDATE device SET ownMark = ?", arguments: [mark.text])
    }
    return true
  }

  /// Replaces the device's own file with one that has a line for each note.
  private func writeAll(
    _ file: ChangeFile,
    _ key: SyncKey,
    _ report: inout SyncReport
  ) throws -> Int {
    var data = Data()
    var all = Part()
    var end = ""
    while true {
      let part = try prepare("1", after: end, previous: all.lines.last?.sequence ?? 0)
      report.problems += part.damaged
      guard let next = part.last else { break }
      end = next
      guard let last = part.lines.last else { continue }
      data += try part.data(key)
      // Only the last line's number matters here.
      all.count += part.lines.count
      all.lines = [last]
      all.revisions += part.revisions
    }
    guard all.count > 0 else { return 0 }
    try writing(file) { try file.replace(data) }
    try confirm(all, file, isWhole: true)
    return all.count
  }

  /// Writes the device's own file.
  ///
  /// - Throws: ``NoteError`` with code `folder` if it cannot be written, with the way out where something
  ///   else has its name.
  private func writing(_ file: ChangeFile, _ write: () throws -> Void) throws {
    do { try write() } catch let error as NoteError { throw error } catch {
      let isFolder = (try? FileStatus(of: file.url.path))?.kind == .folder
      throw NoteError(
        .folder,
        isFolder
          ? """
          \(file.url.path) is a folder, where this device's own file should be. Move it away; \
          “tickbird notes sync now” writes the file again.
          """
          : "This device's own file \(file.url.path) cannot be written: \(FileFailure.reason(of: error))"
      )
    }
  }

  /// Lines to be written, and the revisions of the notes in them.
  private struct Part {
    var lines: [ChangeLine] = []
    var count = 0
    var revisions: [(id: String, revision: Int)] = []
    /// Why damaged notes were skipped, and the id of the last note looked at; nil if there was
    /// none.
    var damaged: [String] = []
    var last: String?

    func data(_ key: SyncKey) throws -> Data {
      try lines.reduce(into: Data()) { $0 += try $1.data(key) }
    }
  }

  /// Encodes lines, and reserves their sequence numbers, which are never reused if writing fails.
  ///
  /// - Parameters:
  ///   - condition: Which notes.
  ///   - id: Starts after this note.
  ///   - previous: The number of the previous line; `nil` means that of the file's last line.
  /// - Returns: The lines, and what was read for them; damaged notes are skipped.
  /// - Throws: ``NoteError`` with code `database`.
  private func prepare(
    _ condition: String,
    after id: String,
    previous: Int? = nil
  ) throws -> Part {
    try store.write { database in
      let device = try DeviceRow.fetch(database)
      var part = Part()
      var previous = previous ?? device.written
      var sequence = device.sequence
      let found = try NoteRow.fetch(database, where: condition, after: id, limit: Self.page)
      part.damaged = found.damaged.map(\.sentence)
      part.last = found.last
      for var row in found.rows {
        if row.newCounts != NoteCounts() {
          let known = row.state.counts[device.id, default: NoteCounts()]
          row.state.counts[device.id] = (known + row.newCounts).bounded()
          row.newCounts = NoteCounts()
          try row.save(database, isHere: true)
        }
        sequence += 1
        part.lines.append(
          ChangeLine(
            device: device.id,
            sequence: sequence,
            previous: previous,
            note: row.id,
            state: row.state
          )
        )
        previous = sequence
        part.revisions.append((row.id, row.revision))
      }
      part.count = part.lines.count
      try database.execute(sql: "UPDATE device SET sequence = ?", arguments: [sequence])
      return part
    }
  }

  /// Records that lines are in the file.
  private func confirm(_ part: Part, _ file: ChangeFile, isWhole: Bool) throws {
    // Without a mark the file is simply read again.
    let mark = (try? file.mark())?.text
    try store.write { database in
      let statement = try database.cachedStatement(
        sql: """
          UPDATE note SET publishedRevision = max(publishedRevision, :revision),
            writtenRevision = :revision
          WHERE id = :id
          """
      )
      for (id, revision) in part.revisions {
        try statement.execute(arguments: ["revision": revision, "id": id])
      }
      try database.execute(
        sql: """
          UPDATE device SET written = ?, ownMark = ?,
            ownLines = CASE WHEN ? THEN 0 ELSE ownLines END + ?
          """,
        arguments: [part.lines.last?.sequence, mark, isWhole, part.count]
      )
      if isWhole { try database.execute(sql: "UPDATE device SET isFileGone = 0") }
    }
  }

  /// Returns whether the file has far more lines than notes.
  private func isWorthCompacting(_ file: ChangeFile) throws -> Bool {
    guard let size = (try? file.mark())?.size, size >= Self.compactionSize else { return false }
    return try store.read { database in
      let notes = try Int.fetchOne(database, sql: "SELECT count(*) FROM note") ?? 0
      return try DeviceRow.fetch(database).ownLines > Self.compactionFactor * notes
    }
  }
}

extension NoteRow {
  /// Selects rows with changes that no change file has.
  static let isUnpublished = """
    (publishedRevision < revision OR newShown + newLeft + newViewed > 0)
    """
  /// Selects rows with changes that the device's own change file does not have.
  static let isUnwritten = """
    (writtenRevision < revision OR newShown + newLeft + newViewed > 0)
    """
}

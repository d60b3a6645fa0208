internal import DurableFiles
internal import Foundation
internal import GRDB

/// The parameters of a read.
struct FileReading {
  let key: SyncKey
  let retired: [String]
  /// The limit on the bytes read of each file.
  let limit: Int
  /// The limit on the files read.
  var files = Int.max
}

extension NoteSynchronizer {
  /// How many files may be read up to their limit in one go.
  private static let largeFilesAtOnce = 4

  // MARK: The folder

  /// Merges what is new in other devices' files.
  ///
  /// The files and the bytes read are capped, so that many files cost no more than a few. Half of both goes
  /// to the files that are likely to matter (``FileCandidate/isMoreLikely(than:)``), and the rest to those
  /// that have waited longest, so that every file gets its turn, whatever is done to others. Nothing is
  /// locked while a file is read.
  func readFiles(_ folder: URL, _ reading: FileReading, _ report: inout SyncReport) throws {
    let (device, known) = try store.read {
      (try DeviceRow.fetch($0).id, try FileRow.fetchAll($0))
    }
    let own = ChangeFile(folder: folder, device: device).name
    let files = try ChangeFile.all(in: folder).filter { $0.name != own }
    let changed = files.map { FileCandidate($0, known[$0.name]) }.filter(\.isChanged)
    var unsaved = UnsavedReads()
    // Those that wait have their turn before those that are read now.
    for new in changed where new.before == nil { unsaved.queue(FileRow(name: new.file.name)) }
    let all = reading.limit.multipliedReportingOverflow(by: Self.largeFilesAtOnce)
    let bytes = all.overflow ? Int.max : all.partialValue
    var read: Set<String> = []
    let likely = changed.sorted { $0.isMoreLikely(than: $1) }
    let waiting = changed.sorted { $0.hasWaitedLonger(than: $1) }
    for (order, share) in [(likely, 2), (waiting, 1)] {
      for candidate in order where !read.contains(candidate.file.name) {
        guard read.count < reading.files / share, report.bytesRead < bytes / share else { break }
        read.insert(candidate.file.name)
        try self.read(candidate, reading, &unsaved, &report)
      }
    }
    // The rest is read next time.
    report.unread += changed.map(\.file.name).filter { !read.contains($0) }
    try save(&unsaved, reading, &report)
    report.problems += FileRow.sentences(of: unsaved.problems.sorted { $0.name < $1.name })
    let names = Set(files.map(\.name)).union([own])
    let gone = known.values.filter { !names.contains($0.name) }
    guard !gone.isEmpty else { return }
    try store.write { database in
      for row in gone {
        try database.execute(sql: "DELETE FROM syncFile WHERE name = ?", arguments: [row.name])
      }
      // This device may be the only one that still knows what those files said; it is written again
      // for devices to come.
      if !gone.allSatisfy(\.isWaiting) { try Self.noteLoss(database) }
    }
  }

  private static func noteLoss(_ database: Database) throws {
    try database.execute(sql: "UPDATE device SET isFileGone = 1")
  }

  /// Reads what is new in a file.
  private func read(
    _ candidate: FileCandidate,
    _ reading: FileReading,
    _ unsaved: inout UnsavedReads,
    _ report: inout SyncReport
  ) throws {
    let file = candidate.file
    var row = candidate.before ?? FileRow(name: file.name)
    do {
      guard let handle = try file.opened() else { return }
      guard let mark = try candidate.mark ?? file.mark() else { throw ChangeFile.Fault.notRegular }
      report.filesRead += 1
      let isSame =
        try row.position > 0 && row.position <= mark.size
        && ChangeLines.digest(handle, before: row.position) == row.digest
      // Another file, or an older state of it: read it from the start.
      if !isSame { row = FileRow(name: file.name) }
      row.problem = nil
      let (batch, isFinished) = try take(handle, &row, reading, &unsaved, &report)
      row.mark = isFinished ? mark.text : ""
      if !isFinished { report.unread.append(file.name) }
      unsaved.add(row, batch, isFinished ? .finished : .stopped)
    } catch let error as NoteError {
      throw error
    } catch {
      let fault = error as? ChangeFile.Fault
      let reason = fault?.description ?? "cannot be read: \(FileFailure.reason(of: error))"
      // An unchanged file is not read again, unless a disk error stopped the read.
      row.mark = fault == nil ? "" : candidate.mark?.text ?? ""
      if fault == nil { report.unread.append(file.name) }
      row.problem = "\(file.name) \(reason)."
      unsaved.add(row, ChangeBatch(), .failed)
    }
    if unsaved.isFull { try save(&unsaved, reading, &report) }
  }

  /// Judges a file that was read to its end.
  private static func judge(_ row: inout FileRow, _ database: Database) throws {
    row.faults.lost = 0
    if row.faults.otherKey == nil {
      let known = try Int.fetchOne(
        database,
        sql: "SELECT sequence FROM syncDevice WHERE id = ?",
        arguments: [ChangeFile.device(of: row.name)]
      )
      row.faults.lost = max(0, (known ?? 0) - (row.isOfItsDevice ? row.sequence : 0))
    }
    let isWhole = row.faults.lost + row.faults.misplaced + row.faults.damaged == 0
    if !isWhole { try noteLoss(database) }
  }

  /// Merges the device's own file.
  ///
  /// - Returns: Whether it is as the device wrote it.
  func takeOwn(
    _ file: ChangeFile,
    _ device: DeviceRow,
    _ reading: FileReading,
    _ report: inout SyncReport
  ) throws -> Bool {
    let handle: FileHandle
    do {
      guard let opened = try file.opened() else { return false }
      handle = opened
    } catch is ChangeFile.Fault {
      return false
    }
    var row = FileRow(name: file.name)
    var unsaved = UnsavedReads()
    let (batch, isFinished) = try take(handle, &row, reading, &unsaved, &report, isOwn: true)
    row = try save(row, batch, .own, &unsaved, reading, &report)
    if row.device == nil, row.faults.damaged == 0, let other = row.faults.otherKey,
      !reading.retired.contains(other)
    {
      // The device does not remember that key: it was restored from a backup of before. What the file
      // has is not to be written over; under a new name the file is one that another key is asked for.
      try store.write { try $0.execute(sql: "UPDATE device SET isCloned = 1") }
    }
    return isFinished && row.faults == FileRow.Faults() && row.device == device.id
      && row.sequence == device.written
  }

  // MARK: Lines

  /// Reads a file's lines, starting where the last read stopped, and merges them batch by batch.
  ///
  /// - Parameters:
  ///   - handle: The file.
  ///   - saved: What is saved of the file; afterwards what is to be saved with the last batch.
  ///   - reading: How it is read.
  ///   - unsaved: What is to be saved of other files, which is saved with the first batch.
  ///   - report: Counts what is read.
  ///   - isOwn: Whether it is the device's own file, of which no row is kept.
  /// - Returns: The last batch, which is not merged yet, and whether the end was reached.
  /// - Throws: An error of the file, or ``NoteError`` with code `database`.
  private func take(
    _ handle: FileHandle,
    _ saved: inout FileRow,
    _ reading: FileReading,
    _ unsaved: inout UnsavedReads,
    _ report: inout SyncReport,
    isOwn: Bool = false
  ) throws -> (rest: ChangeBatch, isFinished: Bool) {
    var row = saved
    let reader = ChangeLines(handle, from: row.position)
    let beginning = row.position
    defer { report.bytesRead += row.position - beginning }
    var batch = ChangeBatch()
    row.faults.isCutOff = false
    var isFinished = true
    while let line = try reader.next() {
      report.linesRead += 1
      if line.isTooLong {
        row.faults.damaged += 1
      } else {
        do throws(SyncKey.Fault) {
          let change = try ChangeLine(line.bytes, reading.key)
          row.follow(change)
          batch.add(change, bytes: line.bytes.count)
        } catch {
          guard line.isEnded else {
            row.faults.isCutOff = true
            break
          }
          row.faults.count(error)
        }
      }
      row.position = line.end
      if batch.isFull {
        row.digest = try ChangeLines.digest(handle, before: row.position)
        row.mark = ""
        row = try save(row, batch, isOwn ? .own : .begun, &unsaved, reading, &report)
        (saved, batch) = (row, ChangeBatch())
      }
      if row.position - beginning >= reading.limit {
        isFinished = try reader.next() == nil
        break
      }
    }
    row.digest = try ChangeLines.digest(handle, before: row.position)
    saved = row
    return (batch, isFinished)
  }

  /// Imports the files of versions without a key.
  ///
  /// - Returns: How many notes changed, and what could not be read.
  func takeIn(unsigned files: [ChangeFile]) throws -> (changed: Int, problems: [String]) {
    var changed = 0
    var problems: [String] = []
    var batch = ChangeBatch(isHere: true)
    func flush() throws {
      guard !batch.isEmpty else { return }
      changed += try store.write { try merge([batch], $0).first?.changed ?? 0 }
      batch = ChangeBatch(isHere: true)
    }
    for file in files {
      var damaged = 0
      do {
        guard let handle = try file.opened() else { continue }
        let reader = ChangeLines(handle, from: 0)
        while let line = try reader.next() {
          if let (note, state) = LegacyState.line(line.bytes) {
            batch.add(note, state, bytes: line.bytes.count)
          } else {
            damaged += 1
          }
          if batch.isFull { try flush() }
        }
      } catch let error as NoteError {
        throw error
      } catch {
        problems.append("\(file.name): \(error)")
      }
      if damaged > 0 { problems.append("\(file.name): \(damaged) lines are damaged.") }
    }
    try flush()
    return (changed, problems)
  }

  // MARK: Saving

  /// Saves what was read of a file, after what was read of others.
  ///
  /// - Returns: What is now known of the file.
  private func save(
    _ row: FileRow,
    _ batch: ChangeBatch,
    _ end: UnsavedReads.End,
    _ unsaved: inout UnsavedReads,
    _ reading: FileReading,
    _ report: inout SyncReport
  ) throws -> FileRow {
    unsaved.add(row, batch, end)
    return try save(&unsaved, reading, &report) ?? row
  }

  /// Saves what was read, notes and files in one transaction: a file counts as read only with its notes.
  ///
  /// - Returns: What is now known of the last file.
  @discardableResult
  private func save(
    _ unsaved: inout UnsavedReads,
    _ reading: FileReading,
    _ report: inout SyncReport
  ) throws -> FileRow? {
    var parts = unsaved.take()
    guard !parts.isEmpty else { return nil }
    let changed = try store.write { database in
      let merged = try merge(parts.map(\.batch), database)
      for (index, taken) in merged.enumerated() {
        var row = parts[index].row
        row.faults.tooLarge += taken.tooLarge
        if taken.damaged > 0 { row.faults.held = (row.faults.held ?? 0) + taken.damaged }
        switch parts[index].end {
        case .own, .begun, .failed, .waiting: break
        case .finished:
          try Self.judge(&row, database)
          fallthrough
        case .stopped: row.problem = row.sentence(key: reading.key, retired: reading.retired)
        }
        if parts[index].end != .own { try row.save(database) }
        parts[index].row = row
      }
      return merged.reduce(0) { $0 + $1.changed }
    }
    report.notesChanged += changed
    for part in parts { unsaved.remember(part) }
    return parts.last?.row
  }

  /// What became of a batch's notes.
  private struct Merged {
    var changed = 0
    var tooLarge = 0
    /// How many notes stayed as they are, since they are damaged here.
    var damaged = 0
  }

  /// Merges batches, one after the other.
  private func merge(_ batches: [ChangeBatch], _ database: Database) throws -> [Merged] {
    guard !batches.allSatisfy(\.isEmpty) else { return batches.map { _ in Merged() } }
    var device = try DeviceRow.fetch(database)
    let bound = Stamp.bound(at: store.surroundings.milliseconds)
    if device.clock > bound { device.clock = 0 }
    let merged = try batches.map { try Self.merge($0, &device, bound, database) }
    try device.saveClock(database)
    return merged
  }

  private static func merge(
    _ batch: ChangeBatch,
    _ device: inout DeviceRow,
    _ bound: UInt64,
    _ database: Database
  ) throws -> Merged {
    var merged = Merged()
    for (id, state) in batch.states {
      var row: NoteRow
      do {
        row = try NoteRow.fetch(database, id: id) ?? NoteRow(id: id)
      } catch let error as NoteError where error.code == .damagedNote {
        merged.damaged += 1
        continue
      }
      guard row.state.join(state) else { continue }
      guard row.state.size <= ChangeLine.stateLimit else {
        merged.tooLarge += 1
        continue
      }
      // A stamp that is far ahead orders the note's versions but must not advance the clock.
      device.clock = max(device.clock, row.state.clock(upTo: bound))
      try row.save(database, isHere: batch.isHere)
      merged.changed += 1
    }
    for (id, sequence) in batch.sequences {
      if id != device.id {
        try database.cachedStatement(
          sql: """
            INSERT INTO syncDevice (id, sequence) VALUES (:id, :sequence)
            ON CONFLICT (id) DO UPDATE SET sequence = max(sequence, :sequence)
            """
        ).execute(arguments: ["id": id, "sequence": sequence])
      } else if sequence > device.sequence {
        // The device does not remember these lines of its own: it was restored from a backup, or
        // copied. Continuing would reuse sequence numbers and hide the earlier counts.
        try database.execute(sql: "UPDATE device SET isCloned = 1")
      }
    }
    return merged
  }
}

extension FileRow {
  /// Records a line, and whether it follows the previous one.
  fileprivate mutating func follow(_ change: ChangeLine) {
    let isNext =
      device == nil
      ? change.previous == 0 : device == change.device && change.previous == sequence
    if !isNext { faults.misplaced += 1 }
    (device, sequence) = (change.device, change.sequence)
  }
}

extension FileRow.Faults {
  fileprivate mutating func count(_ fault: SyncKey.Fault) {
    switch fault {
    case .damaged: damaged += 1
    case .newer: newer += 1
    case .otherKey(let id): otherKey = id
    }
  }
}

internal import DurableFiles
internal import Foundation
internal import GRDB

/// The parameters of a read.
struct FileReading {
  let key: SyncKey
  let retired: [String]
  /// The limit on the bytes read of each file.
  let limit: Int
}

extension NoteSynchronizer {
  /// How many lines, and bytes of them, are merged in one transaction; other processes get their
  /// turn between.
  private static let batch = (lines: 500, bytes: 4 << 20)
  /// How many files may be read up to their limit in one go.
  private static let largeFilesAtOnce = 4

  // MARK: The folder

  /// Merges what is new in other devices' files.
  ///
  /// The smallest files come first, so that none waits for a large one, and files with lines that
  /// no device writes come last. The total is capped, so that many large files cost no more than a
  /// few. Nothing is locked while a file is read.
  func readFiles(_ folder: URL, _ reading: FileReading, _ report: inout SyncReport) throws {
    let (device, known) = try store.read {
      (try DeviceRow.fetch($0).id, try FileRow.fetchAll($0))
    }
    let own = ChangeFile(folder: folder, device: device).name
    let files = try ChangeFile.all(in: folder).filter { $0.name != own }
      .map { (file: $0, mark: try? $0.mark()) }
      .map { (damaged: known[$0.file.name]?.faults.damaged ?? 0, file: $0.file, mark: $0.mark) }
      .sorted {
        (min($0.damaged, 1), $0.mark?.size ?? 0, $0.file.name)
          < (min($1.damaged, 1), $1.mark?.size ?? 0, $1.file.name)
      }
    let all = reading.limit.multipliedReportingOverflow(by: Self.largeFilesAtOnce)
    for (_, file, mark) in files {
      let before = known[file.name]
      if let mark, mark.text == before?.mark { continue }
      // The rest is read next time.
      guard all.overflow || report.bytesRead < all.partialValue else {
        report.unread.append(file.name)
        continue
      }
      if let row = try read(file, before, mark, reading, &report), let problem = row.problem {
        report.problems.append(problem)
      }
    }
    let names = Set(files.map(\.file.name)).union([own])
    let gone = known.keys.filter { !names.contains($0) }
    guard !gone.isEmpty else { return }
    // This device may be the only one that still knows what those files said; it is written again
    // for devices to come.
    try store.write { database in
      for name in gone {
        try database.execute(sql: "DELETE FROM syncFile WHERE name = ?", arguments: [name])
      }
      try Self.noteLoss(database)
    }
  }

  private static func noteLoss(_ database: Database) throws {
    try database.execute(sql: "UPDATE device SET isFileGone = 1")
  }

  /// Merges what is new in a file.
  ///
  /// - Returns: What is now known of the file; `nil` if it is gone.
  private func read(
    _ file: ChangeFile,
    _ before: FileRow?,
    _ mark: ChangeFile.Mark?,
    _ reading: FileReading,
    _ report: inout SyncReport
  ) throws -> FileRow? {
    var row = before ?? FileRow(name: file.name)
    do {
      guard let handle = try file.opened() else { return nil }
      guard let mark = try mark ?? file.mark() else { throw ChangeFile.Fault.notRegular }
      report.filesRead += 1
      let isSame =
        try row.position > 0 && row.position <= mark.size
        && ChangeLines.digest(handle, before: row.position) == row.digest
      // Another file, or an older state of it: read it from the start.
      if !isSame { row = FileRow(name: file.name) }
      row.problem = nil
      let isFinished = try take(handle, &row, reading, &report)
      row.mark = isFinished ? mark.text : ""
      if !isFinished { report.unread.append(file.name) }
      try store.write { database in
        if isFinished { try Self.judge(&row, file, database) }
        row.problem = row.sentence(key: reading.key, retired: reading.retired)
        try row.save(database)
      }
      return row
    } catch let error as NoteError {
      throw error
    } catch {
      let fault = error as? ChangeFile.Fault
      let reason = fault?.description ?? "cannot be read: \(FileFailure.reason(of: error))"
      // An unchanged file is not read again, unless a disk error stopped the read.
      row.mark = fault == nil ? "" : mark?.text ?? ""
      if fault == nil { report.unread.append(file.name) }
      row.problem = "\(file.name) \(reason)."
      try store.write { try row.save($0) }
      return row
    }
  }

  /// Judges a file that was read to its end.
  private static func judge(
    _ row: inout FileRow,
    _ file: ChangeFile,
    _ database: Database
  ) throws {
    let device = file.name.dropFirst(ChangeFile.prefix.count).dropLast(ChangeFile.suffix.count)
    row.faults.lost = 0
    if row.faults.otherKey == nil {
      let known = try Int.fetchOne(
        database,
        sql: "SELECT sequence FROM syncDevice WHERE id = ?",
        arguments: [String(device)]
      )
      row.faults.lost = max(0, (known ?? 0) - (row.device == String(device) ? row.sequence : 0))
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
    let isFinished = try take(handle, &row, reading, &report, isOwn: true)
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

  /// Merges a file's lines, starting where the last read stopped.
  ///
  /// - Returns: Whether the end was reached.
  private func take(
    _ handle: FileHandle,
    _ row: inout FileRow,
    _ reading: FileReading,
    _ report: inout SyncReport,
    isOwn: Bool = false
  ) throws -> Bool {
    let reader = ChangeLines(handle, from: row.position)
    let beginning = row.position
    defer { report.bytesRead += row.position - beginning }
    var batch = ChangeBatch()
    row.faults.isCutOff = false
    func flush() throws {
      row.digest = try ChangeLines.digest(handle, before: row.position)
      row.mark = ""
      let taken = try takeIn(&batch) { if !isOwn { try row.save($0) } }
      row.faults.tooLarge += taken.tooLarge
      if taken.damaged > 0 { row.faults.held = (row.faults.held ?? 0) + taken.damaged }
      report.notesChanged += taken.changed
    }
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
      if batch.count >= Self.batch.lines || batch.bytes >= Self.batch.bytes { try flush() }
      if row.position - beginning >= reading.limit {
        try flush()
        return try reader.next() == nil
      }
    }
    try flush()
    return true
  }

  /// Imports the files of versions without a key.
  ///
  /// - Returns: How many notes changed, and what could not be read.
  func takeIn(unsigned files: [ChangeFile]) throws -> (changed: Int, problems: [String]) {
    var changed = 0
    var problems: [String] = []
    for file in files {
      var batch = ChangeBatch(isHere: true)
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
          guard batch.count >= Self.batch.lines || batch.bytes >= Self.batch.bytes else { continue }
          changed += try takeIn(&batch) { _ in }.changed
        }
        changed += try takeIn(&batch) { _ in }.changed
      } catch let error as NoteError {
        throw error
      } catch {
        problems.append("\(file.name): \(error)")
      }
      if damaged > 0 { problems.append("\(file.name): \(damaged) lines are damaged.") }
    }
    return (changed, problems)
  }

  /// Merges a batch in one transaction.
  private func takeIn(
    _ batch: inout ChangeBatch,
    _ also: (Database) throws -> Void
  ) throws -> (changed: Int, tooLarge: Int, damaged: Int) {
    let states = batch.states
    let (isHere, sequences) = (batch.isHere, batch.sequences)
    batch = ChangeBatch(isHere: isHere)
    return try store.write { database in
      var device = try DeviceRow.fetch(database)
      let bound = Stamp.bound(at: store.surroundings.milliseconds)
      if device.clock > bound { device.clock = 0 }
      var (changed, tooLarge, damaged) = (0, 0, 0)
      for (id, state) in states {
        var row: NoteRow
        do {
          row = try NoteRow.fetch(database, id: id) ?? NoteRow(id: id)
        } catch let error as NoteError where error.code == .damagedNote {
          damaged += 1
          continue
        }
        guard row.state.join(state) else { continue }
        guard row.state.size <= ChangeLine.stateLimit else {
          tooLarge += 1
          continue
        }
        // A stamp that is far ahead orders the note's versions but must not advance the clock.
        device.clock = max(device.clock, row.state.clock(upTo: bound))
        try row.save(database, isHere: isHere)
        changed += 1
      }
      try device.saveClock(database)
      for (id, sequence) in sequences {
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
      try also(database)
      return (changed, tooLarge, damaged)
    }
  }
}

/// Lines waiting to be merged, joined by note.
private struct ChangeBatch {
  /// Whether it has to be written into the device's own file.
  var isHere = false
  private(set) var states: [String: NoteState] = [:]
  /// The highest sequence number of each device.
  private(set) var sequences: [String: Int] = [:]
  private(set) var count = 0
  private(set) var bytes = 0

  init(isHere: Bool = false) { self.isHere = isHere }

  mutating func add(_ change: ChangeLine, bytes: Int) {
    add(change.note, change.state, bytes: bytes)
    sequences[change.device] = max(sequences[change.device] ?? 0, change.sequence)
  }

  mutating func add(_ note: String, _ state: NoteState, bytes: Int) {
    states[note, default: NoteState()].join(state)
    count += 1
    self.bytes += bytes
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

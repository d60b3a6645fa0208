/// What was read of files and is not saved yet.
///
/// Small files are saved together, since each transaction waits for the disk.
struct UnsavedReads {
  /// Why reading a file ended.
  enum End {
    /// More of it follows.
    case begun
    /// The rest is read next time.
    case stopped
    /// It was read to its end.
    case finished
    /// It could not be read; the row says why.
    case failed
    /// It has to wait for its turn.
    case waiting
    /// It is the device's own file, of which no row is kept.
    case own
  }

  /// What was read of a file: lines, and what is then known of it.
  struct Part {
    var row: FileRow
    let batch: ChangeBatch
    let end: End
  }

  private var parts: [Part] = []
  private var (read, lines, bytes) = (0, 0, 0)
  /// The problems of files that were saved.
  private(set) var problems: [(name: String, problem: String)] = []

  /// How many files are saved in one transaction.
  private static let limit = 500

  /// Whether other processes should get their turn.
  var isFull: Bool {
    read >= Self.limit || lines >= ChangeBatch.limit.lines || bytes >= ChangeBatch.limit.bytes
  }

  mutating func add(_ row: FileRow, _ batch: ChangeBatch, _ end: End) {
    parts.append(Part(row: row, batch: batch, end: end))
    read += 1
    lines += batch.count
    bytes += batch.bytes
  }

  /// Adds a file that is seen for the first time and may have to wait.
  mutating func queue(_ row: FileRow) {
    parts.append(Part(row: row, batch: ChangeBatch(), end: .waiting))
  }

  /// Removes and returns what is to be saved.
  mutating func take() -> [Part] {
    defer { (parts, read, lines, bytes) = ([], 0, 0, 0) }
    return parts
  }

  /// Keeps what is to be said of a file that was saved.
  mutating func remember(_ part: Part) {
    switch part.end {
    case .begun, .waiting, .own: return
    case .stopped, .finished, .failed: break
    }
    if let problem = part.row.problem { problems.append((part.row.name, problem)) }
  }
}

/// Lines waiting to be merged, joined by note.
struct ChangeBatch {
  /// How many lines, and bytes of them, are merged in one transaction; other processes get their
  /// turn between.
  static let limit = (lines: 500, bytes: 4 << 20)

  /// Whether it has to be written into the device's own file.
  let isHere: Bool
  private(set) var states: [String: NoteState] = [:]
  /// The highest sequence number of each device.
  private(set) var sequences: [String: Int] = [:]
  private(set) var count = 0
  private(set) var bytes = 0

  init(isHere: Bool = false) { self.isHere = isHere }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count >= Self.limit.lines || bytes >= Self.limit.bytes }

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

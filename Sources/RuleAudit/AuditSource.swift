internal import CommandInput

/// A part of a log for a worker.
struct AuditJob: Sendable {
  enum Content: Sendable {
    case columns(Chunk, TSVLayout)
    case objects(Chunk)
    case archive([UInt8])
    /// The end of a log, with its digest.
    case end(ByteDigest)
  }

  /// The log's position, from 0.
  var log: Int
  var name: String
  var content: Content
}

/// Opens logs one after the other and splits them into jobs.
struct AuditSource: BatchSource {
  private let paths: [String]
  private let format: LogFormat?
  private let columns: TSVLayout?
  private let chunkSize: Int
  private var nextPath = 0
  private var open: OpenLog?

  fileprivate struct OpenLog {
    var reader: ChunkReader
    var number: Int
    var name: String
    var format: LogFormat
    var layout: TSVLayout?
    var isThrough = false
  }

  init(paths: [String], format: LogFormat?, columns: TSVLayout?, chunkSize: Int) {
    self.paths = paths
    self.format = format
    self.columns = columns
    self.chunkSize = chunkSize
  }

  mutating func next() throws(InputError) -> AuditJob? {
    while true {
      if let job = try open?.next() { return job }
      open = nil
      guard nextPath < paths.count else { return nil }
      open = try log(paths[nextPath], number: nextPath)
      nextPath += 1
    }
  }

  private func log(_ path: String, number: Int) throws(InputError) -> OpenLog {
    let input = try ByteInput(path: path)
    var reader = ChunkReader(input, size: chunkSize, limit: CountingDecider.lineLimit)
    let line = try reader.firstLine()
    if reader.start.starts(with: "PAR1".utf8) { throw Self.parquet(input.name) }
    let format = format ?? LogFormat(firstLine: line ?? Array(reader.start))
    var log = OpenLog(reader: reader, number: number, name: input.name, format: format)
    if format == .tsv { try readHeader(&log, line) }
    return log
  }

  /// Returns the error for a file that another program reads.
  private static func parquet(_ name: String) -> InputError {
    InputError(
      "\(name) is a Parquet file, which this program does not read; the Python wheel does: "
        + "python3 -m tickbird audit --list LIST --parquet \(name)"
    )
  }

  private func readHeader(_ log: inout OpenLog, _ line: [UInt8]?) throws(InputError) {
    guard !log.reader.start.isEmpty else {
      log.layout = columns
      return
    }
    let names = line ?? []
    if TSVLayout.isHeader(names) {
      do throws(InputError) {
        log.layout = try TSVLayout(names: names)
      } catch {
        throw InputError("\(log.name), line 1: \(error.message)")
      }
      log.reader.dropFirstLine()
    } else if let columns {
      log.layout = columns
    } else {
      throw TSVLayout.noHeader(log.name)
    }
  }
}

extension AuditSource.OpenLog {
  fileprivate mutating func next() throws(InputError) -> AuditJob? {
    guard !isThrough else { return nil }
    if let content = try content() { return AuditJob(log: number, name: name, content: content) }
    isThrough = true
    return AuditJob(log: number, name: name, content: .end(reader.digest))
  }

  private mutating func content() throws(InputError) -> AuditJob.Content? {
    switch format {
    case .har:
      let text = try reader.rest(sizeLimit: 1 << 31)
      return text.isEmpty ? nil : .archive(text)
    case .ndjson: return try reader.next().map { .objects($0) }
    case .tsv:
      guard let chunk = try reader.next() else { return nil }
      // Without a layout, the log is empty.
      return layout.map { .columns(chunk, $0) }
    }
  }
}

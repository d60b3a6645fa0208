internal import CommandInput
internal import ContentBlocking
internal import LoadDeciding
internal import RuleMatching

/// Decides the requests of chunks and counts what rules do to them.
final class AuditWorker: BatchWorker {
  /// The result of one job.
  struct Progress: Sendable {
    var log: Int
    var requests = 0
    var badLines = 0
    /// The first of them.
    var shown: [Audit.BadLine] = []
    /// The error, if a log is invalid as a whole.
    var fault: InputError?
    /// The digest and size of a log, if this is its end.
    var ending: ByteDigest?
  }

  /// The most bytes of a line.
  static let lineLimit = 1 << 20

  private var decider: CountingDecider
  private var requests = RequestReader()

  init(_ lists: [ContentRuleList]) { decider = CountingDecider(lists.map(\.compiled)) }

  func work(on job: AuditJob) -> Progress {
    var progress = Progress(log: job.log)
    decider.beginChunk(log: job.log)
    switch job.content {
    case .columns(let chunk, let layout): readColumns(chunk, layout, &progress)
    case .objects(let chunk): readObjects(chunk, &progress)
    case .archive(let text): readArchive(text, job.name, &progress)
    case .end(let digest): progress.ending = digest
    }
    decider.endChunk()
    return progress
  }

  func finish() -> Findings { decider.finish() }

  // MARK: Columns

  private func readColumns(_ chunk: Chunk, _ layout: TSVLayout, _ progress: inout Progress) {
    guard !chunk.isTooLong else { return note(Self.tooLong, chunk.firstLine, &progress) }
    let text = chunk.bytes
    var number = chunk.firstLine
    var start = 0
    while start < text.count {
      var end = text.firstIndex(ofByte: 0x0A, from: start) ?? text.count
      let next = end + 1
      if end > start, text[end - 1] == 0x0D { end -= 1 }
      do throws(InputError) {
        guard next - 1 - start <= Self.lineLimit else { throw Self.tooLong }
        try decide(text, layout.read(text, start..<end), number, layout)
        progress.requests += 1
      } catch {
        if !layout.isRepeated(text, start..<end) { note(error, number, &progress) }
      }
      number += 1
      start = next
    }
  }

  private func decide(
    _ text: [UInt8],
    _ row: TSVLayout.Row,
    _ number: Int,
    _ layout: TSVLayout
  ) throws(InputError) {
    let isDecided = decider.decide(
      url: text.span.extracting(row.url),
      topURL: text.span.extracting(row.topURL),
      frameURL: text.span.extracting(row.frameURL),
      row.traits,
      line: number
    )
    // Falls back to the slow path, which also says what is wrong.
    if !isDecided { decider.decide(try layout.load(text, row), line: number) }
  }

  private static let tooLong = InputError("the line has more than 1,048,576 bytes")

  // MARK: Objects

  private func readObjects(_ chunk: Chunk, _ progress: inout Progress) {
    var requestCount = 0
    var faults: [(number: Int, error: InputError)] = []
    var badLines = 0
    chunk.forEachFilledLine(limit: Self.lineLimit) { number, range in
      do throws(InputError) {
        guard let range else { throw Self.tooLong }
        decider.decide(try requests.read(chunk.bytes.span.extracting(range)), line: number)
        requestCount += 1
      } catch {
        badLines += 1
        if faults.count < Audit.badLineLimit { faults.append((number, error)) }
      }
    }
    progress.requests += requestCount
    for fault in faults { note(fault.error, fault.number, &progress) }
    progress.badLines = badLines
  }

  private func readArchive(_ text: [UInt8], _ name: String, _ progress: inout Progress) {
    do throws(InputError) {
      let file = try HARFile(text, name: name)
      for (number, entry) in file.entries.enumerated() {
        decider.decide(entry.load, line: number + 1)
      }
      progress.requests = file.entries.count
      progress.badLines = file.invalidCount
    } catch {
      progress.fault = error
    }
  }

  private func note(_ error: InputError, _ number: Int, _ progress: inout Progress) {
    progress.badLines += 1
    guard progress.shown.count < Audit.badLineLimit else { return }
    progress.shown.append(
      Audit.BadLine(log: progress.log, line: number, message: error.message)
    )
  }
}

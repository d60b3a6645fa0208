internal import CommandInput
internal import ContentBlocking
internal import LoadDeciding
internal import RuleMatching

/// Decides the requests of chunks and counts what rules do to them.
final class AuditWorker: BatchWorker {
  private var decider: CountingDecider
  private var requests = RequestReader()

  init(_ lists: [ContentRuleList]) { decider = CountingDecider(lists.map(\.compiled)) }

  func work(on job: AuditJob) -> ChunkProgress {
    var progress = ChunkProgress(log: job.log)
    decider.beginChunk(log: job.log)
    switch job.content {
    case .columns(let chunk, let layout):
      if chunk.isTooLong {
        progress.note(CountingDecider.tooLong, line: chunk.firstLine)
      } else {
        decider.readColumns(chunk.bytes, layout, .from(chunk.firstLine), &progress)
      }
    case .objects(let chunk): readObjects(chunk, &progress)
    case .archive(let text): readArchive(text, job.name, &progress)
    case .end(let digest): progress.ending = digest
    }
    decider.endChunk()
    return progress
  }

  func finish() -> Findings { decider.finish() }

  // MARK: Objects

  private func readObjects(_ chunk: Chunk, _ progress: inout ChunkProgress) {
    var requestCount = 0
    var faults: [(number: Int, error: InputError)] = []
    var badLines = 0
    chunk.forEachFilledLine(limit: CountingDecider.lineLimit) { number, range in
      do throws(InputError) {
        guard let range else { throw CountingDecider.tooLong }
        decider.decide(try requests.read(chunk.bytes.span.extracting(range)), line: number)
        requestCount += 1
      } catch {
        badLines += 1
        if faults.count < Audit.badLineLimit { faults.append((number, error)) }
      }
    }
    progress.requests += requestCount
    for fault in faults { progress.note(fault.error, line: fault.number) }
    progress.badLines = badLines
  }

  private func readArchive(_ text: [UInt8], _ name: String, _ progress: inout ChunkProgress) {
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
}

internal import CommandInput
internal import ContentBlocking
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// Decides the requests of chunks and counts what rules do to them.
final class AuditWorker: BatchWorker {
  /// What happened to one job.
  struct Progress: Sendable {
    var log: Int
    var requests = 0
    var badLines = 0
    /// The first of them.
    var shown: [Audit.BadLine] = []
    /// Why a log as a whole makes no sense.
    var fault: InputError?
    /// The digest and size of a log that this is the end of.
    var ending: ByteDigest?
  }

  /// The most bytes of a line.
  static let lineLimit = 1 << 20

  private var decider: CountingDecider
  private var requests = RequestReader()
  private var rawPage: RawPage?

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
    let url = text.span.extracting(row.url)
    let parsed = WebURL.isPlainlySerialized(url) ? nil : try TSVLayout.url(text, row.url, "url")
    let showsOtherDocument: Bool
    if LoadDefaults.isItsOwnPage(row.resourceType) {
      var own: WebURL
      if let parsed { own = parsed } else { own = try TSVLayout.url(text, row.url, "url") }
      own = LoadDefaults.matched(own, row.resourceType)
      let frame = try page(text, row.frameURL, layout.frameURLName)
      decider.setPage(top: own.utf8, frame: frame ?? own.utf8)
      rawPage = nil
      showsOtherDocument = frame != nil && frame != own.utf8
    } else if let rawPage, rawPage.isOf(row, text) {
      // The page is that of the row before, as it mostly is.
      showsOtherDocument = rawPage.showsOtherDocument
    } else {
      rawPage = nil
      let blank = ResourceLoad.initialDocument.utf8
      let top = try page(text, row.topURL, layout.topURLName) ?? blank
      let frame = try page(text, row.frameURL, layout.frameURLName)
      let beginsFrame = LoadDefaults.beginsFrame(row.resourceType)
      decider.setPage(top: top, frame: frame ?? (beginsFrame ? blank : top))
      showsOtherDocument = frame != nil && frame != top
      rawPage = RawPage(
        top: Array(text[row.topURL]),
        frame: Array(text[row.frameURL]),
        beginsFrame: beginsFrame,
        showsOtherDocument: showsOtherDocument
      )
    }
    let load = CountingDecider.Load(
      resourceType: row.resourceType,
      loadType: row.loadType,
      loadContext: row.loadContext
        ?? LoadDefaults.loadContext(
          of: row.resourceType,
          showsOtherDocument: showsOtherDocument
        ),
      requestMethod: row.requestMethod
    )
    if let parsed {
      let end = LoadDefaults.matchedCount(of: parsed.utf8.span, row.resourceType)
      decider.decide(parsed.utf8.span.extracting(0..<end), load, line: number)
    } else {
      let end = LoadDefaults.matchedCount(of: url, row.resourceType)
      decider.decide(url.extracting(0..<end), load, line: number)
    }
  }

  /// The page and frame of the last row as they were written.
  private struct RawPage {
    var top: [UInt8]
    var frame: [UInt8]
    var beginsFrame: Bool
    var showsOtherDocument: Bool

    func isOf(_ row: TSVLayout.Row, _ text: [UInt8]) -> Bool {
      beginsFrame == LoadDefaults.beginsFrame(row.resourceType) && text.equals(row.topURL, top)
        && text.equals(row.frameURL, frame)
    }
  }

  /// The URL of a page or frame as a browser writes it; `nil` for none.
  private func page(
    _ text: [UInt8],
    _ field: Range<Int>,
    _ column: String
  ) throws(InputError) -> [UInt8]? {
    field.isEmpty ? nil : try TSVLayout.url(text, field, column).utf8
  }

  private static let tooLong = InputError("the line has more than 1,048,576 bytes")

  // MARK: Objects

  private func readObjects(_ chunk: Chunk, _ progress: inout Progress) {
    rawPage = nil
    var requestCount = 0
    var faults: [(number: Int, error: InputError)] = []
    var badLines = 0
    chunk.forEachFilledLine(limit: Self.lineLimit) { number, range in
      do throws(InputError) {
        guard let range else { throw Self.tooLong }
        decide(try requests.read(chunk.bytes.span.extracting(range)), number)
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
    rawPage = nil
    do throws(InputError) {
      let file = try HARFile(text, name: name)
      for (number, entry) in file.entries.enumerated() { decide(entry.load, number + 1) }
      progress.requests = file.entries.count
      progress.badLines = file.invalidCount
    } catch {
      progress.fault = error
    }
  }

  private func decide(_ load: ResourceLoad, _ number: Int) {
    decider.setPage(top: load.topURL.utf8, frame: load.frameURL.utf8)
    decider.decide(
      load.url.utf8.span,
      CountingDecider.Load(
        resourceType: load.resourceType,
        loadType: load.loadTypeOverride,
        loadContext: load.loadContext,
        requestMethod: load.requestMethod
      ),
      line: number
    )
  }

  private func note(_ error: InputError, _ number: Int, _ progress: inout Progress) {
    progress.badLines += 1
    guard progress.shown.count < Audit.badLineLimit else { return }
    progress.shown.append(
      Audit.BadLine(log: progress.log, line: number, message: error.message)
    )
  }
}

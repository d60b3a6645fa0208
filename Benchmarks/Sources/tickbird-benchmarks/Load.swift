internal import ArgumentParser
internal import ContentBlocking
internal import Foundation
internal import Measuring
internal import RuleMatching
internal import Workloads

/// Measures opening a compiled file.
struct Load: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times opening a compiled file and deciding the first request."
  )

  @OptionGroup var inputs: Inputs

  func run() throws { try Self.report(inputs).write(inputs.format) }

  static func report(_ inputs: Inputs) throws -> Report<LoadResult> {
    var results: [LoadResult] = []
    try inputs.forEachSubject {
      results.append(try LoadResult(measuring: $0, repeats: inputs.repeats))
    }
    return Report(job: "load, microseconds of wall-clock time", results: results)
  }
}

/// The time until a compiled file has decided a request, in microseconds.
struct LoadResult: Row {
  var list: String
  /// Bytes of the file, the copy of the text included.
  var file: Int
  /// Mapping and validating the file: the median.
  var open: Double
  /// The first page and the first request: the median.
  var firstDecision: Double
  /// Both together: the median.
  var total: Double

  init(measuring subject: Subject, repeats: Int) throws {
    list = subject.name
    guard let request = subject.requests.first else { throw InputFault("the log is empty") }
    let bytes: [UInt8]
    do throws(RuleListError) {
      bytes = try ContentRuleList.compile(subject.text).file
    } catch {
      throw InputFault("\(subject.name): \(error.message)")
    }
    file = bytes.count
    let path = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-\(ProcessInfo.processInfo.processIdentifier).compiled")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }

    var opens: [Double] = []
    var decisions: [Double] = []
    var totals: [Double] = []
    for _ in 0..<repeats {
      let start = Clock.wall
      let list = try CompiledRuleList(mapping: path.path)
      let opened = Clock.wall
      var scratch = MatchScratch()
      var page = PageState()
      list.update(
        &page,
        topURL: request.source.span,
        frameURL: request.source.span,
        &scratch
      )
      scratch.assign(request.url.span)
      let decision = list.decide(request.properties, page, &scratch)
      let end = Clock.wall
      withExtendedLifetime(decision) {}
      opens.append(Double(opened - start) / 1e3)
      decisions.append(Double(end - opened) / 1e3)
      totals.append(Double(end - start) / 1e3)
    }
    open = Distribution.median(opens)
    firstDecision = Distribution.median(decisions)
    total = Distribution.median(totals)
  }

  var cells: [(heading: String, text: String)] {
    [
      ("list", list), ("file MB", file.megabytes), ("open", open.short),
      ("first decision", firstDecision.short), ("both", total.short),
    ]
  }
}

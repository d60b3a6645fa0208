internal import ArgumentParser
internal import ContentBlocking
internal import Measuring
internal import ResourceLoads
internal import RuleMatching
internal import Workloads

/// Measures rules and URLs that are designed to be slow.
struct Hostile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compiles hostile lists and decides long URLs by those that compile."
  )

  @Option(help: "How to show the results.")
  var format = OutputFormat.text

  func run() throws { try report().write(format) }

  func report() throws -> Report<HostileResult> {
    let lengths = [1_000, 10_000, 100_000, 1_000_000]
    let urls = lengths.map { HostileLists.url(bytes: $0) }
    let texts = lengths.map {
      HostileLists.url(repeating: "abcd", bytes: $0, behind: "https://www.example.com/")
    }
    let labels = lengths.prefix(3).map {
      HostileLists.url(repeating: "abcda.", bytes: $0, behind: "https://www.example.")
    }
    var lists: [(name: String, text: [UInt8], urls: [[UInt8]])] = [
      ("10,000 of ab.*cd.*ef", HostileLists.gaps(10_000, wordLength: 2), urls),
      ("10,000 of abcd.*efgh.*ijkl", HostileLists.gaps(10_000, wordLength: 4), urls),
      ("10,000 of a.*b.*c", HostileLists.gaps(10_000, wordLength: 1), urls),
      ("1,000 of aN.*b[a-z]{12}c", HostileLists.blowUps(1_000, distance: 12), urls),
      ("1,000 without any text", HostileLists.unindexed(1_000, length: 4), urls),
      ("100,000 without any text", HostileLists.unindexed(100_000, length: 4), urls),
      ("180 without any text", HostileLists.unindexed(180, length: 4), texts),
      ("290 behind one text", HostileLists.oneText(290), texts),
      ("5,000 behind one text", HostileLists.oneText(5_000), texts),
      ("100 at each place of one text", HostileLists.oneTextOften(100), texts),
      ("5,000 at each place of one text", HostileLists.oneTextOften(5_000), texts),
      ("1,000 behind one host", HostileLists.oneHost(1_000), urls),
      ("10,000 behind one host", HostileLists.oneHost(10_000), urls),
      ("1 behind each label of a host", HostileLists.everyLabel(1), labels),
      ("groups nested 100 deep", HostileLists.nesting(100), urls),
      ("groups nested 10,000 deep", HostileLists.nesting(10_000), urls),
      ("brackets nested 1,000,000 deep", HostileLists.brackets(1_000_000), []),
    ]
    let page = HostileLists.page(ofDomain: 122_174)
    lists.append(("122,175 domains on a rule", HostileLists.domains(122_175), [page]))
    let adOfPage = HostileLists.page(ofDomain: 9_999) + Array("ads/".utf8)
    lists.append(
      ("one filter for 10,000 domains", HostileLists.oneFilter(10_000), [adOfPage])
    )
    return Report(
      job: "hostile",
      results: lists.map { HostileResult(name: $0.name, text: $0.text, urls: $0.urls) }
    )
  }
}

/// The cost of a hostile list.
struct HostileResult: Row {
  var list: String
  /// Bytes of the text.
  var text: Int
  /// Milliseconds until the list was compiled or refused.
  var milliseconds: Double
  /// Why it was refused; `nil` if it was not.
  var refusal: String?
  /// Nanoseconds of a decision, for URLs that grow.
  var decisions: [Decision] = []
  /// Nanoseconds of an update of the page's state, the page being the last URL.
  var update: Double?

  struct Decision: Codable {
    var bytes: Int
    var nanoseconds: Double
  }

  init(name: String, text: [UInt8], urls: [[UInt8]]) {
    list = name
    self.text = text.count
    var outcome: Result<ContentRuleList, RuleListError>?
    milliseconds =
      Double(
        Clock.threadCPU {
          outcome = Result { () throws(RuleListError) in
            try ContentRuleList(identifier: name, encodedContentRuleList: text)
          }
        }
      ) / 1e6
    switch outcome {
    case .success(let list): decide(list.compiled, urls)
    case .failure(let error): refusal = error.message
    case nil: break
    }
  }

  private mutating func decide(_ list: CompiledRuleList, _ urls: [[UInt8]]) {
    var scratch = MatchScratch()
    var page = PageState()
    let load = LoadProperties(resourceType: .image, loadType: .thirdParty)
    for url in urls {
      let top = Array(url.prefix(200))
      list.update(&page, topURL: top.span, frameURL: top.span, &scratch)
      var times: [Double] = []
      // Short ones are repeated within one measurement.
      let batch = max(1, 10_000 / max(1, url.count))
      for _ in 0..<5 {
        let time = Clock.threadCPU {
          for _ in 0..<batch {
            scratch.assign(url.span)
            withExtendedLifetime(list.decide(load, page, &scratch)) {}
          }
        }
        times.append(Double(time) / Double(batch))
        // Decisions that take seconds need no median.
        if times.reduce(0, +) * Double(batch) > 1e9 { break }
      }
      decisions.append(Decision(bytes: url.count, nanoseconds: Distribution.median(times)))
      // The next URL is ten times as long, so this is enough to show that it is too slow.
      if times[0] > 3e9 { break }
    }
    guard let last = urls.last else { return }
    update = Distribution.median(
      (0..<15).map { _ in
        Double(
          Clock.threadCPU {
            list.update(&page, topURL: last.span, frameURL: last.span, &scratch)
          }
        )
      }
    )
  }

  var cells: [(heading: String, text: String)] {
    let spans = decisions.map {
      "\($0.bytes) B: \(($0.nanoseconds / 1e3).short) µs "
        + "(\(($0.nanoseconds / Double(max(1, $0.bytes))).short) ns/B)"
    }
    return [
      ("list", list), ("text MB", text.megabytes), ("compile ms", milliseconds.short),
      ("update ns", update.map(\.short) ?? "-"),
      ("decisions, or why refused", refusal ?? spans.joined(separator: "; ")),
    ]
  }
}

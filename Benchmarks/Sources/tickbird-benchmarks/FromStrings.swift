internal import ArgumentParser
internal import ContentBlocking
internal import Measuring
internal import ResourceLoads
internal import Workloads

/// Measures decisions when the URLs of load and page are given as texts.
struct FromStrings: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Times decisions from strings: the URL and its page are given as text for each request."
  )

  @OptionGroup var inputs: Inputs

  func run() throws { try Self.report(inputs).write(inputs.format) }

  static func report(_ inputs: Inputs) throws -> Report<FromStringsResult> {
    var results: [FromStringsResult] = []
    try inputs.forEachSubject {
      results.append(try FromStringsResult(measuring: $0, repeats: inputs.repeats))
    }
    return Report(job: "from strings, nanoseconds a request", results: results)
  }
}

/// Decides a log of texts by a blocker.
@safe
private struct StringDecider: ~Copyable {
  /// A request's texts, and its type.
  private final class Texts {
    let url: String
    let source: String
    let type: ResourceType

    init(_ request: Request) {
      url = String(decoding: request.url, as: UTF8.self)
      source =
        request.source.isEmpty ? "about:blank" : String(decoding: request.source, as: UTF8.self)
      type = request.properties.resourceType
    }
  }

  private var blocker: ContentBlocker
  private let texts: [Texts]
  private let lent: [Unmanaged<Texts>]

  init(_ list: ContentRuleList, _ requests: [Request]) {
    blocker = ContentBlocker(lists: [list])
    texts = requests.map { Texts($0) }
    unsafe lent = unsafe texts.map { unsafe .passUnretained($0) }
  }

  /// Decides a request; `nil` if a text is not a URL.
  ///
  /// The texts are lent: read from an array, they would be retained and released for each request.
  @inline(__always)
  private mutating func decide(_ place: Int) -> Bool? {
    unsafe lent[place]._withUnsafeGuaranteedRef {
      blocker.outcome(url: $0.url, topURL: $0.source, resourceType: $0.type)?.isBlocked
    }
  }

  mutating func pass() -> (blocked: Int, refused: Int) {
    var blocked = 0
    var refused = 0
    for place in texts.indices {
      switch decide(place) {
      case .some(true): blocked += 1
      case .some(false): break
      case nil: refused += 1
      }
    }
    return (blocked, refused)
  }

  mutating func timeEach(_ spans: inout [UInt32]) {
    let cost = Clock.wallCost
    for place in texts.indices {
      let start = Clock.wall
      let decision = decide(place)
      let span = Clock.wall - start
      withExtendedLifetime(decision) {}
      spans.append(UInt32(clamping: span > cost ? span - cost : 0))
    }
  }
}

/// The cost of decisions from strings by one list, in nanoseconds.
struct FromStringsResult: Row {
  var list: String
  var log: String
  var requests: Int
  var blocked: Int
  /// The number of requests whose URL or page is not a URL.
  var refused: Int
  /// The mean: the median of whole passes.
  var mean: Double
  /// The distribution over requests timed alone, each the median of passes.
  var each: Distribution
  /// The average number of allocations per request.
  var allocations: Double

  init(measuring subject: Subject, repeats: Int) throws {
    let list = try compiled(subject.text, name: subject.name)
    var decider = StringDecider(
      ContentRuleList(identifier: subject.name, compiled: list),
      subject.requests
    )
    self.list = subject.name
    log = subject.log
    requests = subject.requests.count
    (blocked, refused) = decider.pass()
    let count = Double(max(1, requests))
    var again = 0
    allocations = Double(Counting.allocations { again = decider.pass().blocked }) / count
    if again != blocked { throw InputFault("\(subject.name): two passes decide differently") }

    var means: [Double] = []
    var spans: [[UInt32]] = []
    for _ in 0..<repeats {
      means.append(Double(Clock.threadCPU { again = decider.pass().blocked }) / count)
      var pass: [UInt32] = []
      pass.reserveCapacity(requests)
      decider.timeEach(&pass)
      spans.append(pass)
    }
    mean = Distribution.median(means)
    each = Distribution(medians(ofPasses: spans))
  }

  var cells: [(heading: String, text: String)] {
    [
      ("list", list), ("log", log), ("blocked", String(blocked)), ("no URL", String(refused)),
      ("mean", mean.short), ("p50", each.p50.short), ("p90", each.p90.short),
      ("p99", each.p99.short), ("max", each.max.short), ("allocations", allocations.short),
    ]
  }
}

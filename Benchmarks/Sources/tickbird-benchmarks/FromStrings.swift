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
  /// A request's texts.
  private final class Load {
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
  private let loads: [Load]
  private let lent: [Unmanaged<Load>]

  init(_ list: ContentRuleList, _ requests: [Request]) {
    blocker = ContentBlocker(lists: [list])
    loads = requests.map { Load($0) }
    unsafe lent = unsafe loads.map { unsafe .passUnretained($0) }
  }

  /// Calls a function with what decides each request in turn, `nil` if a text is not a URL.
  ///
  /// Texts are lent: read from an array, they would be retained and released for each request.
  @inline(__always)
  private mutating func forEach(_ body: (_ decide: () -> Bool?) -> Void) {
    for place in loads.indices {
      unsafe lent[place]._withUnsafeGuaranteedRef { load in
        body {
          blocker.outcome(url: load.url, topURL: load.source, resourceType: load.type)?.isBlocked
        }
      }
    }
  }

  @inline(never)
  mutating func pass() -> (blocked: Int, refused: Int) {
    var blocked = 0
    var refused = 0
    forEach { decide in
      switch decide() {
      case .some(true): blocked += 1
      case .some(false): break
      case nil: refused += 1
      }
    }
    return (blocked, refused)
  }

  mutating func timeEach(_ spans: inout [UInt32]) {
    let cost = Clock.wallCost
    forEach { decide in
      let start = Clock.wall
      let decision = decide()
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

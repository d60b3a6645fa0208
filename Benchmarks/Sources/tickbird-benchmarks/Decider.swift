internal import ContentBlocking
internal import Measuring
internal import ResourceLoads
internal import RuleMatching
internal import Workloads

/// Decides a log by a list, request by request.
struct Decider: ~Copyable {
  /// A request whose texts are places in ``texts``.
  private struct Row {
    let url: Range<Int>
    let source: Range<Int>
    let properties: LoadProperties
  }

  private let list: CompiledRuleList
  /// Whether a request belongs to another page than the one before it.
  private let beginsPage: [Bool]
  /// All URLs and pages, one behind the other.
  ///
  /// An array for each would be retained and released with each request, which is no part of a decision.
  private let texts: [UInt8]
  private let rows: [Row]
  private var scratch = MatchScratch()
  private var page = PageState()

  init(_ list: CompiledRuleList, _ requests: [Request]) {
    self.list = list
    beginsPage = requests.indices.map {
      $0 == 0 || requests[$0].source != requests[$0 - 1].source
    }
    var texts: [UInt8] = []
    func place(_ text: [UInt8]) -> Range<Int> {
      texts.append(contentsOf: text)
      return texts.count - text.count..<texts.count
    }
    rows = requests.map {
      Row(url: place($0.url), source: place($0.source), properties: $0.properties)
    }
    self.texts = texts
    scratch.prepare(for: list)
  }

  /// The number of pages, each of which updates the state.
  var pageCount: Int { beginsPage.count(where: \.self) }

  /// Updates the state for each page in turn.
  mutating func updateAll() {
    let texts = texts
    for place in rows.indices where beginsPage[place] { update(place, texts.span) }
  }

  /// Updates the state for the page of a request.
  ///
  /// `texts` is a view of ``texts`` that the caller holds for a whole pass.
  @inline(__always)
  private mutating func update(_ place: Int, _ texts: Span<UInt8>) {
    let source = texts.extracting(rows[place].source)
    list.update(&page, topURL: source, frameURL: source, &scratch)
  }

  /// Decides a request; its page must be the last one that was updated.
  @inline(__always)
  private mutating func decide(_ place: Int, _ texts: Span<UInt8>) -> ListDecision {
    scratch.assign(texts.extracting(rows[place].url))
    return list.decide(rows[place].properties, page, &scratch)
  }

  /// Decides the whole log once.
  ///
  /// - Returns: The number of blocked requests.
  mutating func pass() -> Int {
    let texts = texts
    var blocked = 0
    for place in rows.indices {
      if beginsPage[place] { update(place, texts.span) }
      if decide(place, texts.span).isBlocked { blocked += 1 }
    }
    return blocked
  }

  /// Decides the whole log several times, and separates decisions and page updates.
  ///
  /// Passes are timed by the thread's processor time, of which the median is used. Within them each
  /// update is timed by the wall clock and counts with its own median, so that updates interrupted
  /// by another program do not distort the decisions.
  ///
  /// - Returns: Nanoseconds of a pass for decisions and for page updates.
  mutating func timedPasses(_ repeats: Int) -> (decisions: Double, updates: Double) {
    let texts = texts
    var totals: [Double] = []
    var passes: [[UInt32]] = []
    let updateCount = pageCount
    for _ in 0..<repeats {
      var spans: [UInt32] = []
      spans.reserveCapacity(updateCount)
      var blocked = 0
      let start = Clock.threadCPU
      for place in rows.indices {
        if beginsPage[place] {
          let start = Clock.wall
          update(place, texts.span)
          spans.append(UInt32(clamping: Clock.wall - start))
        }
        if decide(place, texts.span).isBlocked { blocked += 1 }
      }
      totals.append(Double(Clock.threadCPU - start))
      withExtendedLifetime(blocked) {}
      passes.append(spans)
    }
    // Each span includes the cost of one reading of the clock, and the pass that of two.
    let readings = Double(UInt64(updateCount) * Clock.wallCost)
    let updates = medians(ofPasses: passes).reduce(0, +)
    return (Distribution.median(totals) - updates - readings, updates - readings)
  }

  /// Times each request alone.
  ///
  /// - Parameter spans: Receives the nanoseconds, request by request.
  mutating func timeEach(_ spans: inout [UInt32]) {
    let texts = texts
    let cost = Clock.wallCost
    for place in rows.indices {
      if beginsPage[place] { update(place, texts.span) }
      let start = Clock.wall
      let decision = decide(place, texts.span)
      let span = Clock.wall - start
      withExtendedLifetime(decision) {}
      spans.append(UInt32(clamping: span > cost ? span - cost : 0))
    }
  }

  /// Returns the decisions in the notation of recorded ones.
  mutating func answers() -> [String] {
    let texts = texts
    var answers: [String] = []
    for place in rows.indices {
      if beginsPage[place] { update(place, texts.span) }
      let decision = decide(place, texts.span)
      var answer = ""
      if decision.isBlocked { answer += "b" }
      if decision.blocksCookies { answer += "c" }
      if decision.makesHTTPS { answer += "h" }
      answers.append(answer.isEmpty ? "-" : answer)
    }
    return answers
  }
}

/// Returns the median of each request over passes.
func medians(ofPasses passes: [[UInt32]]) -> [Double] {
  guard let first = passes.first else { return [] }
  return first.indices.map { place in
    Distribution.median(passes.map { Double($0[place]) })
  }
}

/// Compiles a list's text; a refused list ends the job with its message.
func compiled(_ text: [UInt8], name: String) throws -> CompiledRuleList {
  do throws(RuleListError) {
    return try ContentRuleList(identifier: name, encodedContentRuleList: text).compiled
  } catch {
    throw InputFault("\(name): \(error.message)")
  }
}

internal import ContentBlocking
internal import Measuring
internal import RuleMatching
internal import Workloads

/// Decides a log by a list, request by request.
struct Decider: ~Copyable {
  let list: CompiledRuleList
  let requests: [Request]
  /// Whether a request belongs to another page than the one before it.
  let beginsPage: [Bool]
  private var scratch = MatchScratch()
  private var page = PageState()

  init(_ list: CompiledRuleList, _ requests: [Request]) {
    self.list = list
    self.requests = requests
    beginsPage = requests.indices.map {
      $0 == 0 || requests[$0].source != requests[$0 - 1].source
    }
    scratch.prepare(for: list)
  }

  /// Updates the state for the page of a request.
  @inline(__always)
  mutating func update(_ place: Int) {
    let source = requests[place].source
    list.update(&page, topURL: source.span, frameURL: source.span, &scratch)
  }

  /// Decides a request; its page must be the last one that was updated.
  @inline(__always)
  mutating func decide(_ place: Int) -> ListDecision {
    let url = requests[place].url
    scratch.assign(url.span)
    return list.decide(requests[place].properties, page, &scratch)
  }

  /// Decides the whole log once.
  ///
  /// - Returns: The number of blocked requests.
  mutating func pass() -> Int {
    var blocked = 0
    for place in requests.indices {
      if beginsPage[place] { update(place) }
      if decide(place).isBlocked { blocked += 1 }
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
    var totals: [Double] = []
    var passes: [[UInt32]] = []
    let updateCount = beginsPage.count(where: \.self)
    for _ in 0..<repeats {
      var spans: [UInt32] = []
      spans.reserveCapacity(updateCount)
      var blocked = 0
      let start = Clock.threadCPU
      for place in requests.indices {
        if beginsPage[place] {
          let start = Clock.wall
          update(place)
          spans.append(UInt32(clamping: Clock.wall - start))
        }
        if decide(place).isBlocked { blocked += 1 }
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
    let cost = Clock.wallCost
    for place in requests.indices {
      if beginsPage[place] { update(place) }
      let start = Clock.wall
      let decision = decide(place)
      let span = Clock.wall - start
      withExtendedLifetime(decision) {}
      spans.append(UInt32(clamping: span > cost ? span - cost : 0))
    }
  }

  /// Returns the decisions in the notation of recorded ones.
  mutating func answers() -> [String] {
    var answers: [String] = []
    for place in requests.indices {
      if beginsPage[place] { update(place) }
      let decision = decide(place)
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

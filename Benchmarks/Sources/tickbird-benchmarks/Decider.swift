internal import ContentBlocking
internal import Measuring
internal import RuleMatching
internal import Workloads

/// A list at work on a log, request by request.
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

  /// Finds out about the page of a request.
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

  /// Goes through the log once.
  ///
  /// - Returns: How many requests are blocked.
  mutating func pass() -> Int {
    var blocked = 0
    for place in requests.indices {
      if beginsPage[place] { update(place) }
      if decide(place).isBlocked { blocked += 1 }
    }
    return blocked
  }

  /// Goes through the log once, with page updates timed apart.
  ///
  /// - Returns: Nanoseconds for decisions and for page updates.
  mutating func timedPass() -> (decisions: Double, updates: Double) {
    var updates: UInt64 = 0
    var updateCount: UInt64 = 0
    var blocked = 0
    let start = Clock.threadCPU
    for place in requests.indices {
      if beginsPage[place] {
        let start = Clock.wall
        update(place)
        updates += Clock.wall - start
        updateCount += 1
      }
      if decide(place).isBlocked { blocked += 1 }
    }
    let total = Double(Clock.threadCPU - start)
    withExtendedLifetime(blocked) {}
    // Each span holds the cost of one reading of the clock, and the pass that of two.
    let readings = Double(updateCount * Clock.wallCost)
    return (
      max(0, total - Double(updates) - readings), max(0, Double(updates) - readings)
    )
  }

  /// Times each request alone.
  ///
  /// - Parameter spans: Gets the nanoseconds, request by request.
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

  /// The decisions in the letters of recorded ones.
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

/// The median of each request over passes.
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

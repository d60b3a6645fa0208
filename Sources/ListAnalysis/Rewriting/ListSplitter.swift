package import ContentBlocking
internal import ContentRules
internal import RuleProofs

/// Cuts a list into several that together do what it does.
///
/// Lists do not see each other's exceptions (section 7 of the rule language). So each part gets a
/// copy of every exception that it may need, at its place among the rules: a rule then meets the
/// same exceptions in its part as in the whole list.
package struct ListSplitter {
  /// One of the lists.
  package struct Part {
    /// Its JSON.
    package var text: [UInt8]
    /// The numbers of its rules in the list that was cut, ascending.
    package var rules: [Int]
    /// How many of them are exceptions, which other parts may have as well.
    package var exceptionCount: Int
  }

  /// Why a list cannot be cut.
  package enum Failure: Error {
    /// A rule and what belongs to it exceed the limits.
    case tooMuch(Excess)
    /// The engine found a load that the parts decide differently: a fault of this program.
    case refuted(ResourceLoad)
  }

  /// Rules that have to be in one part, and are too much for one.
  package struct Excess: Equatable {
    /// The number of the first of them that is no exception.
    package var rule: Int
    /// How many there are that are no exceptions: several where they act on each other.
    package var ruleCount: Int
    /// The bytes of a list of these.
    package var byteCount: Int
    /// The exceptions that they may meet.
    package var exceptionCount: Int
    /// The bytes of a list of all.
    package var totalByteCount: Int
  }

  private let list: ListInput
  private let maxRules: Int
  private let maxBytes: Int
  private let sets = LoadSets()
  private let facts: ListFacts
  private let exceptions: [Int]
  /// The exceptions by the hosts that they are about; those about none are compared with each rule.
  private var index = HostIndex()
  /// The bytes of a list around its rules, with two for each rule's end.
  private static let frameSize = 3
  /// The rules whose loads are tried.
  private static let triedRules = 2_000
  /// The rules that all decisions of the trials may look at, for each load of a rule.
  private static let work = 5_000_000

  /// Prepares a list.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - maxRules: The most rules of a part.
  ///   - maxBytes: The most bytes of a part's JSON.
  package init(_ list: ListInput, maxRules: Int, maxBytes: Int) {
    self.list = list
    self.maxRules = maxRules
    self.maxBytes = maxBytes
    facts = ListFacts(list.rules, sets: sets)
    exceptions = facts.facts.indices.filter { [facts] in facts.facts[$0].isException }
    for place in exceptions {
      guard let loads = facts.facts[place].loads else { continue }
      index.add(place, host: sets.patterns.host(of: loads.pattern))
    }
  }

  /// Returns the parts; one if the list is within the limits.
  ///
  /// None has the rules that WebKit skips, which count for its limits as well.
  ///
  /// - Throws: ``Failure``, or ``ContentBlocking/RuleListError``.
  /// - Complexity: O(*n* · *m*) for *n* rules and *m* exceptions without a host of their own.
  package func parts() throws -> [Part] {
    if let whole { return [whole] }
    var parts: [Part] = []
    var open = OpenPart(of: list.rules.count)
    var meetings = Meetings()
    // What shares slots stays together, and what an exception that is reported may cancel: a copy of
    // it would be reported twice.
    let hasReports = exceptions.contains { facts.facts[$0].isReported }
    let together = Set(
      facts.facts.indices.filter { place in
        isBound(place)
          || hasReports && !facts.facts[place].isException
            && exceptions(for: place, &meetings).contains { facts.facts[$0].isReported }
      }
    )
    if !together.isEmpty { try add(together.sorted(), to: &open, &parts, &meetings) }
    for place in facts.facts.indices
    where !facts.facts[place].isException && !together.contains(place) {
      try add([place], to: &open, &parts, &meetings)
    }
    if !open.places.isEmpty { parts.append(part(open)) }
    return parts
  }

  /// The list as one part, without the rules that WebKit skips; `nil` if it exceeds the limits.
  private var whole: Part? {
    guard list.rules.count <= maxRules else { return nil }
    // One that is to stay as it is keeps its text.
    let text = list.hasSkipped ? ListText.json(of: list.rules, in: list.text) : list.text
    guard text.count <= maxBytes else { return nil }
    return Part(text: text, rules: list.rules.map(\.index), exceptionCount: exceptions.count)
  }

  private struct OpenPart {
    private(set) var places: [Int] = []
    private(set) var bytes = ListSplitter.frameSize
    private var has: [Bool]

    init(of ruleCount: Int) { has = Array(repeating: false, count: ruleCount) }

    /// Adds rules, those that it does not have.
    mutating func add(_ added: [Int], of rules: [Rule]) {
      for place in added where !has[place] {
        has[place] = true
        places.append(place)
        bytes += rules[place].sourceRange.count + 2
      }
    }

    /// Takes the last rules out again.
    mutating func removeLast(to count: Int, of rules: [Rule]) {
      while places.count > count {
        let place = places.removeLast()
        has[place] = false
        bytes -= rules[place].sourceRange.count + 2
      }
    }
  }

  private func add(
    _ places: [Int],
    to open: inout OpenPart,
    _ parts: inout [Part],
    _ meetings: inout Meetings
  ) throws {
    var needed = places
    for place in places { needed += exceptions(for: place, &meetings) }
    let count = open.places.count
    open.add(needed, of: list.rules)
    if open.places.count <= maxRules, open.bytes <= maxBytes { return }
    open.removeLast(to: count, of: list.rules)
    var next = OpenPart(of: list.rules.count)
    next.add(needed, of: list.rules)
    guard next.places.count <= maxRules, next.bytes <= maxBytes else {
      throw Failure.tooMuch(
        Excess(
          rule: facts.facts[places[0]].number,
          ruleCount: places.count,
          byteCount: byteCount(of: places),
          exceptionCount: next.places.count - places.count,
          totalByteCount: next.bytes
        )
      )
    }
    parts.append(part(open))
    open = next
  }

  private func byteCount(of places: some Sequence<Int>) -> Int {
    places.reduce(Self.frameSize) { $0 + list.rules[$1].sourceRange.count + 2 }
  }

  private func isBound(_ place: Int) -> Bool {
    switch list.rules[place].action {
    case .redirect, .modifyHeaders, .notify: true
    // Of a block and a redirect the first wins.
    case .block where facts.sharedSlots.contains(.redirects): true
    case .cssDisplayNone where facts.sharedSlots.contains(.openSelectors): true
    default: list.rules[place].identifier != nil
    }
  }

  /// The exceptions that sets of loads may meet by what they are apart from their patterns, which most rules
  /// of a list have in common.
  private struct Meetings {
    /// Those without a host of their own.
    var others: [LoadSet: [Int]] = [:]
    /// Those with one.
    var hosts: [LoadSet: [Int]] = [:]
    /// The most sets that are kept: each may have thousands of exceptions.
    static let limit = 1_000

    /// Returns what is kept for a set, or finds it.
    static func found(
      _ kept: inout [LoadSet: [Int]],
      _ loads: LoadSet,
      _ find: (LoadSet) -> [Int]
    ) -> [Int] {
      var key = loads
      key.pattern = 0
      if let known = kept[key] { return known }
      let found = find(loads)
      if kept.count < limit { kept[key] = found }
      return found
    }
  }

  /// Returns the exceptions that a rule may meet; more than it does meet, rather than fewer, and some more
  /// than once.
  private func exceptions(for place: Int, _ meetings: inout Meetings) -> [Int] {
    guard let loads = facts.facts[place].loads else { return [] }
    var needed = Meetings.found(&meetings.others, loads) { loads in
      index.others.filter { mayMeet($0, loads) }
    }
    if let host = sets.patterns.host(of: loads.pattern) {
      needed += index.places(meeting: host).filter { mayMeet($0, loads) }
    } else {
      needed += Meetings.found(&meetings.hosts, loads) { loads in
        index.ofHosts.filter { mayMeet($0, loads) }
      }
    }
    // Behind the first exception a rule does not belong to the global sheet.
    if facts.facts[place].isForGlobalSheet, place > facts.firstException {
      needed.append(facts.firstException)
    }
    return needed
  }

  /// Whether types, parties, contexts, methods and conditions let an exception meet loads.
  private func mayMeet(_ exception: Int, _ loads: LoadSet) -> Bool {
    guard let other = facts.facts[exception].loads, other.cells & loads.cells != 0 else {
      return false
    }
    if let method = other.method, let own = loads.method, method != own { return false }
    return !sets.conditions.areDisjoint(other.condition, loads.condition)
  }

  private func part(_ open: OpenPart) -> Part {
    let places = open.places.sorted()
    return Part(
      text: ListText.json(of: places.map { list.rules[$0] }, in: list.text),
      rules: places.map { list.rules[$0].index },
      exceptionCount: places.count { facts.facts[$0].isException }
    )
  }

  /// Tries the parts on loads that rules of the list match.
  ///
  /// - Returns: The number of loads.
  /// - Throws: ``Failure/refuted(_:)`` with a load that the parts decide differently.
  package func confirm(_ parts: [Part]) throws -> Int {
    let selectors = SelectorNumbers()
    let whole = EffectsDecider(
      [try ContentRuleList(identifier: "whole", rules: list.rules, source: list.text)],
      selectors: selectors
    )
    let all = EffectsDecider(
      try parts.enumerated().map { number, part in
        try ContentRuleList(identifier: "part \(number)", encodedContentRuleList: part.text)
      },
      selectors: selectors
    )
    // Every second one is left out, and again, until what is tried can be decided in seconds.
    var step = max(1, facts.facts.count / Self.triedRules)
    func places() -> [Int] { Array(stride(from: 0, to: facts.facts.count, by: step)) }
    while step < facts.facts.count, LoadTrials.work(facts, places()) > Self.work { step *= 2 }
    var trials = LoadTrials(
      facts,
      places(),
      sets: sets,
      samples: try PatternSamples(sets.patterns),
      limit: 3
    )
    var count = 0
    for place in places() {
      let hides = facts.facts[place].hides
      for load in trials.loads(of: place) {
        count += 1
        guard whole.summary(of: load, hides: hides) == all.summary(of: load, hides: hides) else {
          throw Failure.refuted(load)
        }
      }
    }
    return count
  }
}

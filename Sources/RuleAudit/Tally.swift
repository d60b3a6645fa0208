/// How often rules matched and what happened to it.
package struct Tally: Hashable, Sendable {
  /// Rules whose triggers matched a load.
  package var matched = 0
  /// Of these, how many a later `ignore-previous-rules` of the same list cut off.
  package var cutByPrevious = 0
  /// Of these, how many an earlier `ignore-following-rules` of the same list cut off.
  package var cutByFollowing = 0
  /// Of these, how many survived but do nothing: redirects and header changes, which ordinary
  /// content blockers may not make.
  package var withoutEffect = 0

  /// Creates a tally of nothing.
  package init() {}

  /// How many were cut off.
  package var cancelled: Int { cutByPrevious + cutByFollowing }

  /// How many took effect.
  package var applied: Int { matched - cancelled - withoutEffect }

  static func += (a: inout Tally, b: Tally) {
    a.matched.add(b.matched)
    a.cutByPrevious.add(b.cutByPrevious)
    a.cutByFollowing.add(b.cutByFollowing)
    a.withoutEffect.add(b.withoutEffect)
  }
}

/// What happened to requests.
package struct Outcomes: Hashable, Sendable {
  /// All requests.
  package var requests = 0
  /// Those that no list looks at: `data:` URLs.
  package var unchecked = 0
  /// Those that a `block` rule stops.
  package var blocked = 0
  /// Those that a `block-cookies` rule sends without cookies.
  package var withoutCookies = 0
  /// Those that a `make-https` rule upgrades.
  package var upgraded = 0
  /// Those that a `css-display-none` rule outside of the global sheet hides something with.
  package var hiding = 0
  /// Those that none of these actions is for.
  package var unaffected = 0
  /// Of the blocked ones the first-party loads that a page cannot do without.
  package var firstParty = FirstPartyBlocks()

  /// Creates counts of nothing.
  package init() {}

  static func += (a: inout Outcomes, b: Outcomes) {
    a.requests.add(b.requests)
    a.unchecked.add(b.unchecked)
    a.blocked.add(b.blocked)
    a.withoutCookies.add(b.withoutCookies)
    a.upgraded.add(b.upgraded)
    a.hiding.add(b.hiding)
    a.unaffected.add(b.unaffected)
    a.firstParty += b.firstParty
  }
}

extension Int {
  /// The largest count; more than can be counted, and still no overflow when some are summed.
  static let countLimit = 1 << 60

  /// Adds a count, up to the largest one: a partial audit from elsewhere may hold anything.
  mutating func add(_ other: Int) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? Self.countLimit : Swift.min(sum, Self.countLimit)
  }
}

/// One request, and where it stands.
package struct Example: Hashable, Sendable {
  /// The log's position among all logs, from 0.
  package var log: Int
  /// The line, or the entry of an archive, from 1.
  package var line: Int
  /// The URL that was decided.
  package var url: [UInt8]

  /// Creates an example.
  package init(log: Int, line: Int, url: [UInt8]) {
    self.log = log
    self.line = line
    self.url = url
  }

  static func isBefore(_ a: Example, _ b: Example) -> Bool { (a.log, a.line) < (b.log, b.line) }
}

/// A tally with the first and the last request that went into it.
package struct Record: Hashable, Sendable {
  package var tally = Tally()
  package var first: Example?
  package var last: Example?

  /// Creates a record of nothing.
  package init() {}

  mutating func add(_ other: Record) {
    tally += other.tally
    addExamples(other.first, other.last)
  }

  mutating func addExamples(_ otherFirst: Example?, _ otherLast: Example?) {
    if let otherFirst, first.map({ Example.isBefore(otherFirst, $0) }) ?? true {
      first = otherFirst
    }
    if let otherLast, last.map({ !Example.isBefore(otherLast, $0) }) ?? true { last = otherLast }
  }
}

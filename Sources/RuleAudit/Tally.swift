/// How often rules matched, and the outcomes.
package struct Tally: Hashable, Sendable {
  /// Matches of rules.
  package var matched = 0
  /// Of these, the number that a later `ignore-previous-rules` of the same list cut off.
  package var cutByPrevious = 0
  /// Of these, the number that an earlier `ignore-following-rules` of the same list cut off.
  package var cutByFollowing = 0
  /// Of these, the number that survived but do nothing: redirects and header changes, for which
  /// ordinary content blockers lack permission.
  package var withoutEffect = 0

  /// Creates an empty tally.
  package init() {}

  /// The number of matches that were cut off.
  package var cancelled: Int { cutByPrevious + cutByFollowing }

  /// The number of matches that took effect.
  package var applied: Int { matched - cancelled - withoutEffect }

  static func += (a: inout Tally, b: Tally) {
    a.matched.add(b.matched)
    a.cutByPrevious.add(b.cutByPrevious)
    a.cutByFollowing.add(b.cutByFollowing)
    a.withoutEffect.add(b.withoutEffect)
  }
}

/// The outcomes of requests.
package struct Outcomes: Hashable, Sendable {
  /// All requests.
  package var requests = 0
  /// Those that no list is asked about: `data:` URLs.
  package var unchecked = 0
  /// Those that a `block` rule stops.
  package var blocked = 0
  /// Those that a `block-cookies` rule sends without cookies.
  package var withoutCookies = 0
  /// Those that a `make-https` rule upgrades.
  package var upgraded = 0
  /// Those on which a `css-display-none` rule outside of the global sheet hides something.
  package var hiding = 0
  /// Those without any of these actions.
  package var unaffected = 0
  /// Of the blocked ones, the first-party loads that a page cannot do without.
  package var firstParty = FirstPartyBlocks()

  /// Creates empty counts.
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
  /// The largest count, beyond any real one; sums of several still do not overflow.
  static let countLimit = 1 << 60

  /// Adds a count, saturating at the largest one: a partial audit from elsewhere may contain
  /// anything.
  mutating func add(_ other: Int) {
    let (sum, overflows) = addingReportingOverflow(other)
    self = overflows ? Self.countLimit : Swift.min(sum, Self.countLimit)
  }
}

/// One request, with its place in the logs.
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

/// A tally with the first and the last request in it.
package struct Record: Hashable, Sendable {
  package var tally = Tally()
  package var first: Example?
  package var last: Example?

  /// Creates an empty record.
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

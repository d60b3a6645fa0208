/// What lists change about a page: the visits with and without them, side by side.
package struct PreviewReport: Sendable {
  /// A row of the table: a request of either visit.
  package struct Row: Sendable {
    package var request: PageVisit.Request
    /// The bytes without the lists; `nil` if it was not requested then.
    package var bytesWithout: Int?
    /// The bytes with the lists; `nil` if it was not requested then.
    package var bytesWith: Int?
    /// The outcome in a word or two.
    package var outcome: String
  }

  /// The page's URL.
  package var url: String
  package var title: String
  /// The lists' names.
  package var lists: [String]
  /// The visit without the lists, or what a log tells.
  package var without: PageVisit
  /// The visit with the lists; `nil` for a log.
  package var with: PageVisit?
  package private(set) var rows: [Row] = []

  /// Compares two visits.
  package init(lists: [String], without: PageVisit, with: PageVisit?) {
    self.lists = lists
    self.without = without
    self.with = with
    url = without.url
    title = without.title
    rows = with.map { Self.rows(without, $0) } ?? Self.rows(ofLog: without)
  }

  /// The outcome of a request that the lists prevent from being made.
  static let notRequested = "not requested"

  /// The outcome of a request for what a saved page does not have.
  static let notSaved = "not saved"

  /// The outcome of a request of the local network that a page of the internet has asked for.
  static let notFetched = "not fetched"

  /// The outcome of a request that the lists let load, and that got no answer.
  static let failed = "failed"

  /// The outcome of a request in the visit with the lists.
  private static func outcome(_ request: PageVisit.Request) -> String {
    guard !request.verdict.isBlocked else { return request.verdict.words }
    if request.isWithheld { return notFetched }
    if request.isMissing { return notSaved }
    let isUnanswered = request.failure != nil && request.status == nil
    return isUnanswered && request.verdict.isUnchanged ? failed : request.verdict.words
  }

  private static func rows(ofLog visit: PageVisit) -> [Row] {
    visit.requests.map { request in
      let isSpared = request.verdict.isBlocked || request.prevention != nil
      return Row(
        request: request,
        bytesWithout: request.bytes,
        bytesWith: isSpared ? nil : request.bytes,
        outcome: request.prevention != nil && !request.verdict.isBlocked
          ? notRequested : request.verdict.words
      )
    }
  }

  private static func rows(_ without: PageVisit, _ with: PageVisit) -> [Row] {
    // Requests of the same URL and type are paired in their order.
    var others: [String: [Int]] = [:]
    for (index, request) in with.requests.enumerated().reversed() {
      others[key(request), default: []].append(index)
    }
    var used: Set<Int> = []
    var rows: [Row] = []
    for request in without.requests {
      if let index = others[key(request)]?.popLast() {
        used.insert(index)
        var both = with.requests[index]
        let outcome = outcome(both)
        // What is noted about a pair, such as that it could not be stopped, holds for both.
        both.prevention = both.prevention ?? request.prevention
        both.failure =
          both.verdict.isBlocked || both.isMissing || both.isWithheld
          ? nil : both.failure ?? request.failure
        rows.append(
          Row(
            request: both,
            bytesWithout: request.bytes,
            bytesWith: both.verdict.isBlocked ? nil : both.bytes,
            outcome: outcome
          )
        )
      } else {
        var row = Row(
          request: request,
          bytesWithout: request.bytes,
          bytesWith: nil,
          outcome: request.verdict.isBlocked ? request.verdict.words : notRequested
        )
        if !request.verdict.isBlocked {
          row.request.prevention =
            "not asked for in this visit: what asks for it is blocked, or the page differs from visit to visit"
        }
        rows.append(row)
      }
    }
    for (index, request) in with.requests.enumerated() where !used.contains(index) {
      var row = Row(
        request: request,
        bytesWithout: nil,
        bytesWith: request.verdict.isBlocked ? nil : request.bytes,
        outcome: outcome(request)
      )
      row.request.prevention = "asked for with the lists alone"
      rows.append(row)
    }
    return rows
  }

  private static func key(_ request: PageVisit.Request) -> String {
    request.type + " " + request.url
  }

  /// The bytes without and with the lists.
  package var bytes: (without: Int, with: Int) {
    (
      rows.reduce(0) { $0 + ($1.bytesWithout ?? 0) },
      rows.reduce(0) { $0 + ($1.bytesWith ?? 0) }
    )
  }

  /// The number of blocked requests.
  package var blockedCount: Int { rows.count { $0.request.verdict.isBlocked } }

  /// The number of requests that are not made because of others.
  package var preventedCount: Int { rows.count { $0.outcome == Self.notRequested } }

  /// The notes of both visits.
  package var notes: [String] {
    guard let with else { return without.notes }
    return without.notes.map { "without the lists: \($0)" }
      + with.notes.map { "with the lists: \($0)" }
  }
}
